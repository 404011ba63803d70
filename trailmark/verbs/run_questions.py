"""Questions about what the last run left unsure: nearest to even first, not again and again in one family, and about pages only.

An answer about a page that a run read is also an answer of that run, and settles its verdicts anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from trailmark.datatypes import Page, Trail
from trailmark.forage.settled_run import settle_run
from trailmark.learn.bag import url_ending
from trailmark.store.run_table import RunTable
from trailmark.store.run_view import RunView, WalkedPage
from trailmark.verbs.walked_way import walked_page, walked_way
from trailmark.workspace import Workspace

PAGE = "page"
"""What `url_ending` calls all that is a page by its address."""


def nearest_to_even(pages: Sequence[WalkedPage], asked: Iterable[str] = ()) -> Iterator[WalkedPage]:
    """Unsure pages -> the same in the order of asking; `asked` are the families of earlier questions.

    A family that was asked about less often goes first; within it the page whose chance is nearest to one half, and of equals the first.
    """
    before, left = Counter(asked), list(pages)
    while left:
        best = min(left, key=lambda page: (before[page.family], abs(page.goal_probability - 0.5), page.n))
        left.remove(best)
        before[best.family] += 1
        yield best


def wanted_endings(trails: Iterable[Trail]) -> frozenset[str]:
    """Taught trails -> kinds of files that may be asked about: pages, and what the taught goals are."""
    return frozenset({PAGE, *(url_ending(trail.steps[-1].url) for trail in trails if trail.outcome == "goal")})


def is_askable(page: Page, endings: Collection[str]) -> bool:
    """Whether a page is of a kind that may be asked about, by its address and by what its server calls it."""
    ending = url_ending(page.url)
    if ending != PAGE:
        return ending in endings
    is_text = not page.content_type or page.content_type.startswith(("text/", "application/xhtml"))
    return is_text or len(endings) > 1


def unsure_trails(
    workspace: Workspace, page_at: Callable[[str], Page | None], *, done: Collection[str] = ()
) -> Iterator[tuple[WalkedPage, Trail]]:
    """The unsure pages of the last run that nobody has spoken of, in the order of asking, each with the way to it.

    `done` are pages that were asked about in this sitting.
    """
    last = RunTable(workspace.database).last()
    if last is None:
        return
    view, trails = RunView(workspace.database), list(workspace.database.trails())
    endings = wanted_endings(trails)
    answered = [*RunTable(workspace.database).answers(last.id), *done]
    families = [each.family for url in answered if (each := view.walked([url], run=last.id)) is not None]
    known = {*answered, *(trail.steps[-1].url for trail in trails)}
    unsure = [page for page in view.unsure(last.id) if page.url not in known and url_ending(page.url) in endings]
    for walked in nearest_to_even(unsure, families):
        content = page_at(walked.url)
        if content is not None and is_askable(content, endings):
            yield walked, walked_way(workspace, walked, page_at).trail(walked.url)


def keep_run_answer(
    workspace: Workspace, url: str, *, wanted: bool, asked_by: str, run: int | None = None
) -> int | None:
    """What a person said of a page -> the run that read it last (or the one named), settled anew with that answer; None where none did."""
    walked = walked_page(workspace, url, run=run)
    if walked is None:
        return None
    rows = RunTable(workspace.database)
    with workspace.acts.act("answer", f"Answered: {walked.url} is {'wanted' if wanted else 'not wanted'}").part():
        rows.add_answer(walked.run, walked.url, answer=wanted, asked_by=asked_by)
        settle_run(rows, walked.run)
    return walked.run
