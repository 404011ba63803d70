"""`check`: a run -> how many of the pages it found are right, measured by asking about a sample of them.

1. A sample is drawn of the pages that are called goals, spread over their chances (`trailmark.forage.precision`); it stays the run's sample.
2. A person says of one after the other whether it is right. Every answer is kept at once, as a trail and as an answer of the run,
   and settles the run anew. 3. From five answers on there is an estimate with an interval; every further answer narrows it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from trailmark.datatypes import Step, Trail
from trailmark.errors import InputError
from trailmark.forage.precision import FEWEST, draw, estimate
from trailmark.progress import silent
from trailmark.quoting import count_of
from trailmark.report import Json, Report
from trailmark.store.check_table import CheckPage, CheckTable, StoredCheck
from trailmark.store.run_table import RunTable
from trailmark.store.run_view import RunView
from trailmark.verbs.named_paths import NamedPaths, named_paths
from trailmark.verbs.runs import find_run
from trailmark.workspace import Workspace

COUNT = 20
"""Answers that are asked for, unless another number is wished."""
MOST_DRAWN = 1000
"""Pages of a sample that are kept; nobody answers more."""
SOURCE = "check"


@dataclass(frozen=True, slots=True)
class CheckQuestion:
    """A page that was found, and the way to it."""

    url: str
    site: str
    trail: tuple[str, ...]


CheckAnswer = Callable[[CheckQuestion, "CheckReport"], str | None]
"""Shows a page; `goal` where it is right, `fail` or the name of its kind where it is not, "" to skip, None to stop."""


@dataclass(frozen=True)
class CheckReport(Report):
    """How far a check has come, and what it says of all pages that the run found."""

    run: int
    goals: int
    """Pages that are called goals now, with all answers."""
    pages: int
    """Pages that were called goals when the sample was drawn: what the figures speak of."""
    answers: int
    right: int
    skipped: int
    left: int
    """Pages of the sample that can still be asked about."""
    share: float | None
    """Estimated share of the pages that are right; None while it can't be told."""
    low: float | None
    """Bounds of the 95 % interval."""
    high: float | None

    @property
    def summary(self) -> str:
        """One line for a person."""
        if not self.pages:
            return f"Run {self.run} found no goals: there is nothing to check."
        if self.share is None or self.low is None or self.high is None:
            return self._untold()
        if self.answers == self.pages:
            return f"All {self.pages} pages it found were checked: {self.right} are right."
        bounds = f"between {100 * self.low:.0f} and {100 * self.high:.0f} %"
        now = (
            f" With your answers it calls {count_of(self.goals, 'page a goal', 'pages goals')} now."
            if self.goals != self.pages
            else ""
        )
        return f"Of the {self.pages} pages it found, {in_parts(self.share)} are right ({bounds}), from {self.answers} answers.{now}"

    def _untold(self) -> str:
        how = f"measure it with trailmark check {self.run}"
        if not self.answers:
            return f"How many of the {self.pages} pages it found are right is not measured yet: {how}."
        many = "1 answer is" if self.answers == 1 else f"{self.answers} answers are"
        return f"{many} too few to tell how many of the {self.pages} pages it found are right; {min(FEWEST, self.pages)} are needed: {how}."

    def __str__(self) -> str:
        return self.summary

    def to_json(self) -> dict[str, Json]:
        """What `--json` prints."""
        return {**super().to_json(), "summary": self.summary}


def check(
    workspace: Workspace,
    answer_to: CheckAnswer,
    run: int | None = None,
    *,
    count: int = COUNT,
    anew: bool = False,
    archives: NamedPaths = (),
) -> CheckReport:
    """Who answers, and a run (the last one unless its number is given) -> how many of the pages it found are right.

    So many answers are asked for; those of an earlier sitting count on, unless `anew` draws another sample from what is called a goal now.
    """
    number = _number(workspace, run)
    if anew:
        _keep_draw(workspace, number, _fresh(workspace, number))
    for _ in range(count):
        question = next_check(workspace, number)
        if question is None:
            break
        answer = answer_to(question, check_report(workspace, number))
        if answer is None:
            break
        answer_check(workspace, number, question.url, answer, archives)
    return check_report(workspace, number)


def check_report(workspace: Workspace, run: int) -> CheckReport:
    """The number of a run -> how far its check has come; nothing is drawn or written."""
    sample, answers = _sample(workspace, run), RunTable(workspace.database).answers(run)
    told = [page for page in _prefix(sample, answers) if page.url in answers]
    measured = estimate(sample.pages, [(page.stratum, answers[page.url]) for page in told])
    return CheckReport(
        run=run,
        goals=find_run(workspace, run).goals,
        pages=sample.pages,
        answers=len(told),
        right=sum(answers[page.url] for page in told),
        skipped=sum(page.skipped for page in sample.drawn),
        left=sum(page.url not in answers and not page.skipped for page in sample.drawn),
        share=measured.share if measured else None,
        low=measured.low if measured else None,
        high=measured.high if measured else None,
    )


def next_check(workspace: Workspace, run: int) -> CheckQuestion | None:
    """The number of a run -> the page to be asked about next; None where all of the sample is answered."""
    sample, rows = _sample(workspace, run), RunTable(workspace.database)
    answers = rows.answers(run)
    page = next((page for page in sample.drawn if page.url not in answers and not page.skipped), None)
    walked = None if page is None else RunView(workspace.database).walked([page.url], run=run)
    return None if walked is None else CheckQuestion(walked.url, walked.site, tuple(rows.trail(run, walked.n)))


def answer_check(workspace: Workspace, run: int, url: str, answer: str, archives: NamedPaths = ()) -> CheckReport:
    """A page of the sample and `goal`, `fail`, a name, or "" to skip -> how far the check has come with that answer."""
    sample = _sample(workspace, run)
    if url not in {page.url for page in sample.drawn}:
        raise InputError(f"{url} is not one of the pages of run {run} that are to be checked.")
    with workspace.database.transaction():
        _keep_draw(workspace, run, sample)
        if not answer:
            CheckTable(workspace.database).skip(run, url)
    if answer:
        keep_checked(workspace, run, url, answer, archives)
    return check_report(workspace, run)


def in_parts(share: float) -> str:
    """A share -> the nearest of a few plain fractions, in words."""
    if share >= 0.975 or share < 0.05:
        return "nearly all" if share > 0.5 else "hardly any"
    parts = [(part, whole) for whole in (2, 3, 4, 5, 10) for part in range(1, whole)]
    part, whole = min(parts, key=lambda each: (abs(each[0] / each[1] - share), each[1]))
    return f"about {part} of {whole}"


def _number(workspace: Workspace, run: int | None) -> int:
    if run is not None:
        return find_run(workspace, run).id
    last = RunTable(workspace.database).last()
    if last is None:
        raise InputError(f"There is no run in {workspace.folder} yet; begin one with trailmark forage URL.")
    return last.id


def _sample(workspace: Workspace, run: int) -> StoredCheck:
    """What was drawn of a run; where nothing was, or it has fetched more since, what would be drawn now."""
    stored = CheckTable(workspace.database).check(run)
    return stored if stored is not None and stored.fetched == find_run(workspace, run).pages else _fresh(workspace, run)


def _fresh(workspace: Workspace, run: int) -> StoredCheck:
    goals = [(page.url, page.goal_probability) for page in RunView(workspace.database).called_goals(run)]
    drawn = tuple(CheckPage(page.url, page.stratum) for page in draw(goals)[:MOST_DRAWN])
    return StoredCheck(len(goals), find_run(workspace, run).pages, drawn)


def _keep_draw(workspace: Workspace, run: int, sample: StoredCheck) -> None:
    table = CheckTable(workspace.database)
    if table.check(run) != sample:
        table.keep(run, pages=sample.pages, fetched=sample.fetched, drawn=sample.drawn)


def _prefix(sample: StoredCheck, answers: dict[str, bool]) -> list[CheckPage]:
    """The sample as far as it was gone through: what was answered elsewhere and comes later was not drawn by this sample yet."""
    pages: list[CheckPage] = []
    for page in sample.drawn:
        if page.url not in answers and not page.skipped:
            break
        pages.append(page)
    return pages


def keep_checked(workspace: Workspace, run: int, url: str, answer: str, archives: NamedPaths = ()) -> None:
    """The answer as a trail, where a way was taught, and as an answer of the run."""
    from trailmark.verbs.ask import goal_and_labels, keep_answer
    from trailmark.verbs.run_questions import keep_run_answer
    from trailmark.verbs.taught_pages import TaughtPages

    walked = RunView(workspace.database).walked([url], run=run)
    with suppress(InputError):
        goal, _ = goal_and_labels(workspace)
        site = walked.site if walked is not None else url
        with TaughtPages(workspace, named_paths(archives), [], silent) as pages:
            keep_answer(workspace, pages, Trail(site, "fail", (Step(url),)), answer, goal=goal, source=SOURCE, run=run)
        return
    keep_run_answer(workspace, url, wanted=answer == "goal", asked_by=SOURCE, run=run)
