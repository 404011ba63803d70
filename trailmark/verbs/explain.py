"""The wiring of `trailmark show URL --why`, and of the app's page about what was learnt: a page in its path, judged and explained."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from trailmark.datatypes import Link, Page, Trail
from trailmark.errors import InputError
from trailmark.learn.explanation import Approach, Explanation, explain_link, explain_page, walk_path
from trailmark.learn.label_space import GOAL
from trailmark.learn.navigator import Navigator, Verdict
from trailmark.learn.report import changed_words, plain_words
from trailmark.read import normalise_url, read_page
from trailmark.store.replay import Replay
from trailmark.teach import find_link
from trailmark.workspace import Workspace

PARTS_KEPT = 12
"""Parts of an explanation that are reported; the rest is summed up in one."""


def learnt(workspace: Workspace) -> dict[str, Any] | None:
    """What `trailmark learn` said last, in plain words too, and what changed since the time before; None before the first."""
    now = _kept_report(workspace.navigator_file.with_suffix(".json"))
    if now is None or not workspace.navigator_file.exists():
        return None
    before = _kept_report(workspace.navigator_file.with_suffix(".before.json"))
    same_goal = before is not None and before["goal"] == now["goal"]
    changed = changed_words(before, now) if before is not None and same_goal else []
    return {**now, "says": plain_words(now), "changed": changed}


def _kept_report(path: Path) -> dict[str, Any] | None:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return kept if _is_report(kept) else None


def _is_report(kept: Any) -> bool:
    """Whether what a file holds is what `learn` writes, as far as it is read: a file can be mended by hand, and broken."""
    if not isinstance(kept, dict) or not isinstance(kept.get("goal"), str | None):
        return False
    rows, labels, trails = kept.get("states"), kept.get("labels"), kept.get("trails")
    return isinstance(labels, dict) and type(trails) is int and isinstance(rows, list) and all(map(_is_row, rows))


def _is_row(row: Any) -> bool:
    if not isinstance(row, dict) or not {"label", "precision", "recall", "pages", "few"} <= row.keys():
        return False
    return isinstance(row["label"], str) and all(
        type(row[name]) in (int, float) and 0 <= row[name] <= 1 for name in ("precision", "recall")
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """A page in its path, and what the navigator makes of it."""

    navigator: Navigator
    page: Page
    site: str
    before: tuple[Page, ...]
    verdict: Verdict
    approach: Approach | None


def judge(workspace: Workspace, url: str, archives: Sequence[Path] = ()) -> Judged:
    """The navigator's verdict on a page. A trail that passes the page gives its path."""
    wanted = normalise_url(url)
    if wanted is None:
        raise InputError(f"{url!r} is not an absolute http or https URL.")
    navigator = workspace.navigator()
    with workspace.replay(archives) as replay:
        page_at = _reader(workspace, replay)
        page = page_at(wanted)
        site, before, clicked = _path_to(workspace, {wanted, page.url}, page_at)
        verdict, approach = walk_path(navigator, [*before, page], clicked, site=site)
    return Judged(navigator, page, site, tuple(before), verdict, approach)


def explain_url(workspace: Workspace, url: str, archives: Sequence[Path] = (), *, links: int = 10) -> dict[str, Any]:
    """What the navigator makes of a page and of its best links, and why."""
    judged = judge(workspace, url, archives)
    best = _scored_links(judged)[:links]
    return {**_page_report(judged), "links": [_link_report(judged, link) for link, _ in best]}


def judge_url(
    workspace: Workspace, url: str, archives: Sequence[Path] = (), *, clicked: str | None = None
) -> dict[str, Any]:
    """What the navigator makes of a page, and why, with the scores of all its links, the best first.

    With `clicked`, the URL of one of its links, `clicked` of the report says why that link got its score.
    """
    judged = judge(workspace, url, archives)
    scored = _scored_links(judged)
    links = [{"url": link.url, "anchor": link.anchor, "score": score} for link, score in scored]
    report = {**_page_report(judged), "links": links}
    if clicked is None:
        return report
    found = next((link for link, _ in scored if link.url == clicked), None)
    if found is None:
        raise InputError(f"{judged.page.url} has no link to {clicked}.")
    return {**report, "clicked": _link_report(judged, found)}


def _page_report(judged: Judged) -> dict[str, Any]:
    verdict = judged.verdict
    why = explain_page(judged.navigator, judged.page, site=judged.site, approach=judged.approach, label=verdict.label)
    return {
        "url": judged.page.url,
        "title": judged.page.title,
        "site": judged.site,
        "path": [each.url for each in judged.before],
        "label": verdict.label,
        "goal": verdict.goal,
        "goal_probability": verdict.goal_probability,
        "chances": _chances(judged.navigator, verdict),
        "log_odds": why.log_odds,
        "why": _parts(why),
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


def _scored_links(judged: Judged) -> list[tuple[Link, float]]:
    """Each address once, by the best of its links; the best first, and those that are equal in the order of the page."""
    links = judged.page.links
    bags = judged.navigator.link_bags(judged.page, site=judged.site)
    scores, _ = judged.navigator.score(judged.verdict, bags)
    order = sorted(range(len(links)), key=lambda number: (-scores[number], number))
    best: dict[str, tuple[Link, float]] = {}
    for number in order:
        best.setdefault(links[number].url, (links[number], float(scores[number])))
    return list(best.values())


def _link_report(judged: Judged, link: Link) -> dict[str, Any]:
    told = explain_link(judged.navigator, Approach(judged.page, judged.verdict, link), site=judged.site)
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
