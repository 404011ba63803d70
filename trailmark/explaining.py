"""The wiring of `trailmark show URL --why`: a page of the workspace in its path, judged and explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from trailmark.datatypes import Link, Page, Trail
from trailmark.errors import InputError
from trailmark.learn.explanation import Arrival, Explanation, explain_link, explain_page, walk_path
from trailmark.learn.label_space import GOAL
from trailmark.learn.navigator import Navigator, Verdict
from trailmark.read import normalise_url, read_page
from trailmark.store.replay import Replay
from trailmark.teach import find_link
from trailmark.workspace import Workspace

PARTS_KEPT = 12
"""Parts of an explanation that are reported; the rest is summed up in one."""


def explain_url(workspace: Workspace, url: str, archives: Sequence[Path] = (), *, links: int = 10) -> dict[str, Any]:
    """What the navigator makes of a page and of its best links, and why. A trail that passes the page gives its path."""
    wanted = normalise_url(url)
    if wanted is None:
        raise InputError(f"{url!r} is not an absolute http or https URL.")
    navigator = workspace.navigator()
    with workspace.replay(archives) as replay:
        page_at = _reader(workspace, replay)
        page = page_at(wanted)
        site, before, clicked = _path_to(workspace, {wanted, page.url}, page_at)
        verdict, arrival = walk_path(navigator, [*before, page], clicked, site=site)
    why = explain_page(navigator, page, site=site, arrival=arrival, label=verdict.label)
    return {
        "url": page.url,
        "title": page.title,
        "site": site,
        "path": [each.url for each in before],
        "label": verdict.label,
        "goal": verdict.goal,
        "goal_probability": verdict.goal_probability,
        "chances": _chances(navigator, verdict),
        "log_odds": why.log_odds,
        "why": _parts(why),
        "links": _best_links(navigator, page, verdict, site=site, count=links),
    }


def _reader(workspace: Workspace, replay: Replay) -> Callable[[str], Page]:
    settings = replace(workspace.settings.read, page_tokens=-1)  # as for learning: the recipe says how many count

    @cache
    def page_at(url: str) -> Page:
        response = replay.fetch(url)
        if response.status != 200:
            raise InputError(
                f"{url} is not in {workspace.folder}; name an archive that has it with --replay ARCHIVE, or teach a trail to it."
            )
        return read_page(response, settings)

    return page_at


def _path_to(
    workspace: Workspace, urls: set[str], page_at: Callable[[str], Page]
) -> tuple[str, list[Page], list[Link]]:
    """Site, pages before the wanted one and the links clicked, from the trail that gets there soonest; else it is a root."""
    trails = [trail for trail in workspace.database.trails() if any(step.url in urls for step in trail.steps)]
    if not trails:
        return _site_of(workspace, min(urls)), [], []
    trail = min(trails, key=lambda trail: (_position(trail, urls) == 0, _position(trail, urls)))
    steps = trail.steps[: _position(trail, urls) + 1]
    pages = [page_at(step.url) for step in steps[:-1]]
    links = [
        find_link(page, step) or Link(step.url, step.anchor or "") for page, step in zip(pages, steps[1:], strict=True)
    ]
    return trail.site, pages, links


def _position(trail: Trail, urls: set[str]) -> int:
    return next(number for number, step in enumerate(trail.steps) if step.url in urls)


def _site_of(workspace: Workspace, url: str) -> str:
    """The taught site that a page lies below, or the root of its host."""
    sites = {trail.site for trail in workspace.database.trails() if url.startswith(trail.site)}
    parts = urlsplit(url)
    return max(sites, key=len, default=f"{parts.scheme}://{parts.netloc}/")


def _chances(navigator: Navigator, verdict: Verdict) -> dict[str, float]:
    names = [navigator.goal_name if label == GOAL else label for label in navigator.labels]
    pairs = zip(names, map(float, verdict.chances), strict=True)
    return dict(sorted(pairs, key=lambda pair: -pair[1]))


def _best_links(navigator: Navigator, page: Page, verdict: Verdict, *, site: str, count: int) -> list[dict[str, Any]]:
    scores, _ = navigator.score(page, verdict, site=site)
    order = sorted(range(len(page.links)), key=lambda number: (-scores[number], number))
    first = {page.links[number].url: page.links[number] for number in reversed(order)}
    best = list(reversed(first.values()))[:count]
    return [_link_report(navigator, Arrival(page, verdict, link), site=site) for link in best]


def _link_report(navigator: Navigator, arrival: Arrival, *, site: str) -> dict[str, Any]:
    told = explain_link(navigator, arrival, site=site)
    return {
        "url": told.url,
        "anchor": told.anchor,
        "score": told.score,
        "label": told.why.label,
        "chance": told.why.chance,
        "terms": [asdict(term) | {"value": term.value} for term in told.terms],
        "log_odds": told.why.log_odds,
        "why": _parts(told.why),
    }


def _parts(why: Explanation) -> list[dict[str, Any]]:
    """The strongest parts, and the sum of the others, so that what is reported still adds up."""
    kept = [asdict(part) for part in why.parts[:PARTS_KEPT]]
    rest = [part.value for part in why.parts[PARTS_KEPT:]]
    if rest:
        kept.append(
            {"phrase": f"{len(rest)} smaller things", "value": sum(rest), "kind": "rest", "group": "", "word": ""}
        )
    return kept
