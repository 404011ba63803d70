"""`check`: a run -> how many of the pages it found are right, measured by asking about a sample of them.

1. A sample is drawn of the pages that are called goals, spread over their chances (`trailmark.forage.precision`); it stays the run's sample.
   Of a run for several goals it is drawn of all that was found, or of the pages of the goal that is named.
2. A person says of one after the other whether it is right. Every answer is kept at once, as a trail and as an answer of the run,
   and settles the run anew. 3. From five answers on there is an estimate with an interval; every further answer narrows it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trailmark.datatypes import Step, Trail
from trailmark.errors import InputError
from trailmark.forage.check_report import CheckReport
from trailmark.forage.precision import draw, estimate
from trailmark.learn.questions import is_wanted
from trailmark.learn.taught_goals import taught_goals
from trailmark.progress import silent
from trailmark.store.check_table import CheckPage, CheckTable, StoredCheck
from trailmark.store.run_table import RunTable
from trailmark.store.run_view import RunView, WalkedPage
from trailmark.verbs.named_paths import NamedPaths, named_paths
from trailmark.verbs.runs import find_run
from trailmark.workspace import Workspace, names_of

COUNT = 20
"""Answers that are asked for, unless another number is wished."""
MOST_DRAWN = 1000
"""Pages of a sample that are kept; nobody answers more."""
SOURCE = "check"


@dataclass(frozen=True, slots=True)
class CheckQuestion:
    """A page that was found, the way to it, and the goal that it was found as."""

    url: str
    site: str
    trail: tuple[str, ...]
    goal_name: str = ""
    """Empty where that is not known."""


CheckAnswer = Callable[[CheckQuestion, CheckReport], str | None]
"""Shows a page; `goal` where it is right, `fail` or the name of its kind where it is not, "" to skip, None to stop."""


def check(
    workspace: Workspace,
    answer_to: CheckAnswer,
    run: int | None = None,
    *,
    count: int = COUNT,
    anew: bool = False,
    archives: NamedPaths = (),
    goal: str | None = None,
) -> CheckReport:
    """Who answers, and a run (the last one unless its number is given) -> how many of the pages it found are right.

    So many answers are asked for; those of an earlier sitting count on, unless `anew` draws another sample from what is called a goal now.
    Of a run for several goals, `goal` says whose pages are checked; without it all that were found are.
    """
    number = _number(workspace, run)
    if anew:
        about = checked_goal(workspace, number, goal)
        _keep_draw(workspace, number, about, _fresh(workspace, number, about))
    for _ in range(count):
        question = next_check(workspace, number, goal)
        if question is None:
            break
        answer = answer_to(question, check_report(workspace, number, goal))
        if answer is None:
            break
        answer_check(workspace, number, question.url, answer, archives, goal=goal)
    return check_report(workspace, number, goal)


def checked_goal(workspace: Workspace, run: int, goal: str | None) -> str:
    """The goal of a run that a person names -> the same; empty where that is all that the run looked for, or nothing was named."""
    goals = find_run(workspace, run).goal_names
    if goal and goal not in goals:
        looked = f"It looked for {names_of(list(goals))}." if goals else "It does not say what it looked for."
        raise InputError(f"Run {run} did not look for {names_of([goal])}. {looked}")
    return goal if goal and len(goals) > 1 else ""


def check_report(workspace: Workspace, run: int, goal: str | None = None) -> CheckReport:
    """The number of a run, and one of its goals -> how far its check has come; nothing is drawn or written."""
    about = checked_goal(workspace, run, goal)
    sample, answers = _sample(workspace, run, about), RunTable(workspace.database).answers(run)
    told = [page for page in _prefix(sample, answers) if page.url in answers]
    measured = estimate(sample.pages, [(page.stratum, answers[page.url]) for page in told])
    return CheckReport(
        run=run,
        goals=len(_called_goals(workspace, run, about)) if about else find_run(workspace, run).goals,
        pages=sample.pages,
        answers=len(told),
        right=sum(answers[page.url] for page in told),
        skipped=sum(page.skipped for page in sample.drawn),
        left=sum(page.url not in answers and not page.skipped for page in sample.drawn),
        share=measured.share if measured else None,
        low=measured.low if measured else None,
        high=measured.high if measured else None,
        goal=about,
    )


def next_check(workspace: Workspace, run: int, goal: str | None = None) -> CheckQuestion | None:
    """The number of a run, and one of its goals -> the page to be asked about next; None where all of the sample is answered."""
    sample, rows = _sample(workspace, run, checked_goal(workspace, run, goal)), RunTable(workspace.database)
    answers = rows.answers(run)
    page = next((page for page in sample.drawn if page.url not in answers and not page.skipped), None)
    walked = None if page is None else RunView(workspace.database).walked([page.url], run=run)
    if walked is None:
        return None
    return CheckQuestion(walked.url, walked.site, tuple(rows.trail(run, walked.n)), walked.goal_name)


def answer_check(
    workspace: Workspace, run: int, url: str, answer: str, archives: NamedPaths = (), *, goal: str | None = None
) -> CheckReport:
    """A page of the sample and `goal`, `fail`, a name, or "" to skip -> how far the check has come with that answer."""
    about = checked_goal(workspace, run, goal)
    sample = _sample(workspace, run, about)
    if url not in {page.url for page in sample.drawn}:
        raise InputError(f"{url} is not one of the pages of run {run} that are to be checked.")
    with workspace.database.transaction():
        _keep_draw(workspace, run, about, sample)
        if not answer:
            CheckTable(workspace.database).skip(run, url, about)
    if answer:
        keep_found_answer(workspace, run, url, answer, archives)
    return check_report(workspace, run, goal)


def keep_sample(workspace: Workspace, run: int) -> frozenset[str]:
    """The number of a run -> the pages of its sample, kept from now on: answers about other pages do not change what it was drawn from."""
    sample = _sample(workspace, run, "")
    with workspace.database.transaction():
        _keep_draw(workspace, run, "", sample)
    return frozenset(page.url for page in sample.drawn)


def _number(workspace: Workspace, run: int | None) -> int:
    if run is not None:
        return find_run(workspace, run).id
    last = RunTable(workspace.database).last()
    if last is None:
        raise InputError(f"There is no run in {workspace.folder} yet; begin one with trailmark forage URL.")
    return last.id


def _sample(workspace: Workspace, run: int, goal: str) -> StoredCheck:
    """What was drawn of a run; where nothing was, or it has fetched more since, what would be drawn now."""
    stored = CheckTable(workspace.database).check(run, goal)
    fits = stored is not None and stored.fetched == find_run(workspace, run).pages
    return stored if stored is not None and fits else _fresh(workspace, run, goal)


def _fresh(workspace: Workspace, run: int, goal: str) -> StoredCheck:
    goals = [(page.url, page.goal_probability) for page in _called_goals(workspace, run, goal)]
    drawn = tuple(CheckPage(page.url, page.stratum) for page in draw(goals)[:MOST_DRAWN])
    return StoredCheck(len(goals), find_run(workspace, run).pages, drawn)


def _called_goals(workspace: Workspace, run: int, goal: str) -> list[WalkedPage]:
    pages = RunView(workspace.database).called_goals(run)
    return [page for page in pages if goal in ("", page.goal_name)]


def _keep_draw(workspace: Workspace, run: int, goal: str, sample: StoredCheck) -> None:
    table = CheckTable(workspace.database)
    if table.check(run, goal) != sample:
        table.keep(run, sample, goal)


def _prefix(sample: StoredCheck, answers: dict[str, bool]) -> list[CheckPage]:
    """The sample as far as it was gone through: what was answered elsewhere and comes later was not drawn by this sample yet."""
    pages: list[CheckPage] = []
    for page in sample.drawn:
        if page.url not in answers and not page.skipped:
            break
        pages.append(page)
    return pages


def keep_found_answer(workspace: Workspace, run: int, url: str, answer: str, archives: NamedPaths) -> None:
    """A page that a run found and `goal`, `fail` or a name -> the answer as a trail to the goal that it was found as, where that was taught, and as one of the run."""
    from trailmark.verbs.ask import keep_answer
    from trailmark.verbs.run_questions import keep_run_answer
    from trailmark.verbs.taught_pages import TaughtPages

    walked = RunView(workspace.database).walked([url], run=run)
    goals = taught_goals(workspace.database.trails())
    goal = walked.goal_name if walked is not None and walked.goal_name else (goals[0] if len(goals) == 1 else None)
    if walked is None or goal not in goals:
        keep_run_answer(workspace, url, goal=None, wanted=is_wanted(answer, goal or "goal"), asked_by=SOURCE, run=run)
        return
    with TaughtPages(workspace, named_paths(archives), [], silent) as pages:
        asked = Trail(walked.site, "fail", (Step(url),))
        keep_answer(workspace, pages, asked, answer, goal=goal, source=SOURCE, run=run)
