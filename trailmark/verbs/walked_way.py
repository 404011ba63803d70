"""The way that a run took to a page, with its pages and links: so that a page is judged, shown and asked about as the run met it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trailmark.datatypes import Link, Page, Step, Trail
from trailmark.errors import InputError
from trailmark.learn.taught_goals import taught_goals
from trailmark.store.run_view import RunView, WalkedPage
from trailmark.teach import find_link
from trailmark.workspace import Workspace

LONGEST = 30
"""Pages of a way that are read again; one that is longer counts as none."""


@dataclass(frozen=True, slots=True)
class WalkedWay:
    """Pages before the wanted one, and the link that was followed on each."""

    site: str
    pages: tuple[Page, ...]
    links: tuple[Link, ...]

    def trail(self, url: str) -> Trail:
        """The way with the wanted page at its end, as a trail that nobody has judged yet."""
        first, *rest = [*(page.url for page in self.pages), url]
        steps = [Step(each, None, link.anchor or None) for each, link in zip(rest, self.links, strict=True)]
        return Trail(self.site, "fail", (Step(first), *steps))


def walked_page(workspace: Workspace, *urls: str, run: int | None = None, goal: str | None = None) -> WalkedPage | None:
    """Addresses of one page -> the page with the verdict of the latest run that read it, or of the run named; None where none did.

    With `goal`, only a verdict that speaks of this goal counts.
    """
    about = None if goal is None else names_of_goal(workspace, goal)
    return RunView(workspace.database).walked(urls, run=run, about=about)


def names_of_goal(workspace: Workspace, goal: str) -> tuple[str, ...]:
    """A goal -> the names under which runs speak of it: its own, and, where no other goal is known, that of runs that do not say."""
    others = {*workspace.goals(), *taught_goals(workspace.database.trails())} - {goal}
    return (goal,) if others else (goal, "")


def walked_way(workspace: Workspace, page: WalkedPage, page_at: Callable[[str], Page | None]) -> WalkedWay:
    """A page of a run -> the way to it; without pages where it is too long or one of them is no longer at hand."""
    way = RunView(workspace.database).way(page.run, page.n, most=LONGEST + 1)
    if len(way) > LONGEST:
        return WalkedWay(page.site, (), ())
    try:
        pages = [page_at(final) for _, final in way[:-1]]
    except InputError:
        return WalkedWay(page.site, (), ())
    before = tuple(each for each in pages if each is not None)
    if len(before) < len(pages):
        return WalkedWay(page.site, (), ())
    links = [find_link(each, Step(asked)) or Link(asked, "") for each, (asked, _) in zip(before, way[1:], strict=True)]
    return WalkedWay(page.site, before, tuple(links))
