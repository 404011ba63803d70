"""`explain`: a page -> what it is taken for, and why. A page that a run read has that run's verdict and the way it took; else a trail that
passes the page gives its path; else it is judged without one, and says so.

It is what `trailmark show URL --why` prints, and what the app shows of a page coloured by score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from trailmark.datatypes import Link, Page, Trail
from trailmark.errors import InputError
from trailmark.learn.explanation import Approach, explain_link, explain_page, walk_path
from trailmark.learn.label_space import GOAL
from trailmark.learn.navigator import Navigator, Verdict
from trailmark.learn.why import LinkScore, LinkWhy, PageWhy, reasons_of
from trailmark.read import normalise_url, read_page
from trailmark.report import Json, Report, as_json
from trailmark.store.archive_names import path_named
from trailmark.store.replay import Replay
from trailmark.store.run_view import WalkedPage
from trailmark.teach import find_link
from trailmark.verbs.walked_way import walked_page, walked_way
from trailmark.workspace import Workspace


@dataclass(frozen=True)
class WhyReport(Report):
    """A page and its best links, each with the reasons."""

    page: PageWhy
    links: tuple[LinkWhy, ...]

    def to_json(self) -> dict[str, Json]:
        """The page with its links."""
        return {**self.page.to_json(), "links": as_json(self.links)}


@dataclass(frozen=True)
class ScoresReport(Report):
    """A page with the scores of all its links, the best first, and the reasons for one of them where it was asked for."""

    page: PageWhy
    links: tuple[LinkScore, ...]
    clicked: LinkWhy | None = None

    def to_json(self) -> dict[str, Json]:
        """The page with its links; `clicked` only where a link was asked for."""
        values = {**self.page.to_json(), "links": as_json(self.links)}
        return values if self.clicked is None else {**values, "clicked": self.clicked.to_json()}


@dataclass(frozen=True, slots=True)
class PageInPath:
    """A page at the end of its path, and what the navigator makes of it."""

    navigator: Navigator
    page: Page
    site: str
    before: tuple[Page, ...]
    verdict: Verdict
    approach: Approach | None
    walked: WalkedPage | None = None
    """The page as a run met it; its verdict is the page's verdict everywhere."""


def explain(
    workspace: Workspace, url: str, archives: Sequence[str | Path] = (), *, links: int = 10, goal: str | None = None
) -> WhyReport:
    """A page of the workspace, or of the archives given -> what the navigator takes it and its best `links` for, and why.

    Where several goals were learnt, `goal` says whose navigator.
    """
    place = _judged(workspace, url, archives, goal)
    best = _scored_links(place)[:links]
    return WhyReport(_page_why(place), tuple(_link_why(place, link) for link, _ in best))


def judge_url(
    workspace: Workspace,
    url: str,
    archives: Sequence[str | Path] = (),
    *,
    clicked: str | None = None,
    goal: str | None = None,
) -> ScoresReport:
    """A page -> what the navigator takes it for, and why, with the scores of all its links.

    With `clicked`, the URL of one of its links, the report says why that link got its score; `goal` says whose navigator.
    """
    place = _judged(workspace, url, archives, goal)
    scored = _scored_links(place)
    scores = tuple(LinkScore(link.url, link.anchor, score) for link, score in scored)
    report = ScoresReport(_page_why(place), scores)
    if clicked is None:
        return report
    link = next((link for link, _ in scored if link.url == clicked), None)
    if link is None:
        raise InputError(f"{place.page.url} has no link to {clicked}.")
    return replace(report, clicked=_link_why(place, link))


def _judged(workspace: Workspace, url: str, archives: Sequence[str | Path], goal: str | None) -> PageInPath:
    wanted = normalise_url(url)
    if wanted is None:
        raise InputError(f"{url!r} is not an absolute http or https URL.")
    navigator = workspace.navigator(goal)
    with workspace.replay([path_named(archive) for archive in archives]) as replay:
        page_at = _reader(workspace, replay)
        page = page_at(wanted)
        walked = walked_page(workspace, page.url, wanted, goal=navigator.goal_name)
        met = walked or walked_page(workspace, page.url, wanted)
        if met is not None:  # what a run says of another goal is not shown, but its way to the page stands
            way = walked_way(workspace, met, page_at)
            site, before, clicked = way.site, list(way.pages), list(way.links)
        else:
            site, before, clicked = _path_to(workspace, {wanted, page.url}, page_at)
        verdict, approach = walk_path(navigator, [*before, page], clicked, site=site)
    return PageInPath(navigator, page, site, tuple(before), verdict, approach, walked)


def _page_why(place: PageInPath) -> PageWhy:
    navigator, walked = place.navigator, place.walked
    known = {navigator.goal_name, *navigator.labels}
    verdict = walked or place.verdict
    label = _label(navigator, verdict.label, goal=verdict.goal)
    explained = label if label in known else place.verdict.label
    why = explain_page(navigator, place.page, site=place.site, approach=place.approach, label=explained)
    return PageWhy(
        url=place.page.url,
        title=place.page.title,
        site=place.site,
        path=tuple(page.url for page in place.before),
        run=walked.run if walked is not None else None,
        label=label,
        goal=verdict.goal,
        goal_probability=verdict.goal_probability,
        explained=explained,
        chances=_chances(navigator, place.verdict),
        log_odds=why.log_odds,
        why=reasons_of(why),
    )


def _label(navigator: Navigator, label: str, *, goal: bool | None) -> str:
    """The name of a page by its verdict: the goal's for a goal, and never for a page that is none."""
    if goal:
        return navigator.goal_name
    return "" if goal is False and label == navigator.goal_name else label


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


def _scored_links(place: PageInPath) -> list[tuple[Link, float]]:
    """Each address once, by the best of its links; the best first, and those that are equal in the order of the page."""
    links = place.page.links
    bags = place.navigator.link_bags(place.page, site=place.site)
    scores, _ = place.navigator.score(place.verdict, bags)
    order = sorted(range(len(links)), key=lambda number: (-scores[number], number))
    best: dict[str, tuple[Link, float]] = {}
    for number in order:
        best.setdefault(links[number].url, (links[number], float(scores[number])))
    return list(best.values())


def _link_why(place: PageInPath, link: Link) -> LinkWhy:
    explanation = explain_link(place.navigator, Approach(place.page, place.verdict, link), site=place.site)
    why = explanation.why
    return LinkWhy(
        url=explanation.url,
        anchor=explanation.anchor,
        score=explanation.score,
        label=why.label,
        chance=why.chance,
        terms=explanation.terms,
        log_odds=why.log_odds,
        why=reasons_of(why),
    )
