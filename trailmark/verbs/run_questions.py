"""Questions about what the last run for a goal left unsure: nearest to even first, not again and again in one family, and about pages only.

An answer about a page that a run judged for the same goal is also an answer of that run, and settles its verdicts anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from trailmark.datatypes import Page, Trail
from trailmark.forage.settled_run import settle_run
from trailmark.learn.askable import is_askable, wanted_endings
from trailmark.learn.bag import url_ending
from trailmark.learn.taught_goals import taught_for
from trailmark.store.run_table import RunTable
from trailmark.store.run_view import RunView, WalkedPage
from trailmark.verbs.walked_way import names_of_goal, walked_page, walked_way
from trailmark.workspace import Workspace


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


def unsure_trails(
    workspace: Workspace, page_at: Callable[[str], Page | None], goal: str, *, done: Collection[str] = ()
) -> Iterator[tuple[WalkedPage, Trail]]:
    """The pages that the last run for a goal left unsure as that goal and nobody has spoken of, in the order of asking, with the way to each.

    `done` are pages that were asked about in this sitting.
    """
    view, names = RunView(workspace.database), names_of_goal(workspace, goal)
    last = view.last_about(names)
    if last is None:
        return
    taught = taught_for(list(workspace.database.trails()), goal)
    endings = wanted_endings(taught.trails)
    answered = [*RunTable(workspace.database).answers(last), *done]
    families = [each.family for url in answered if (each := view.walked([url], run=last)) is not None]
    known = {*answered, *(trail.steps[-1].url for trail in (*taught.trails, *taught.contrast))}
    unsure = [page for page in view.unsure(last, names) if page.url not in known and url_ending(page.url) in endings]
    for walked in nearest_to_even(unsure, families):
        content = page_at(walked.url)
        if content is not None and is_askable(content, endings):
            yield walked, walked_way(workspace, walked, page_at).trail(walked.url)


def keep_run_answer(
    workspace: Workspace, url: str, *, goal: str | None, wanted: bool, asked_by: str, run: int | None = None
) -> int | None:
    """What a person said of a page -> the run (the latest, or the one named) that judged it for this goal, settled anew with that answer.

    None where no run did: a verdict on another goal stays as it is. Without a goal the answer is about whatever the run looked for.
    """
    walked = walked_page(workspace, url, run=run, goal=goal)
    if walked is None:
        return None
    rows = RunTable(workspace.database)
    with workspace.acts.act("answer", f"Answered: {walked.url} is {'wanted' if wanted else 'not wanted'}").part():
        rows.add_answer(walked.run, walked.url, answer=wanted, asked_by=asked_by)
        settle_run(rows, walked.run)
    return walked.run
