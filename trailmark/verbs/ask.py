"""`teach --ask N`: a person is asked about the pages whose answers help most (`question_rounds`), and what is done with the answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from trailmark.datatypes import Trail
from trailmark.errors import InputError
from trailmark.learn.questions import Question, answer_trail, family, is_wanted
from trailmark.learn.taught_goals import taught_goals
from trailmark.progress import Progress, silent
from trailmark.quoting import count_of
from trailmark.report import Json, Report, as_json
from trailmark.verbs.named_paths import NamedPaths, named_paths
from trailmark.verbs.question_rounds import Answer, Asking, QuestionRounds
from trailmark.verbs.run_questions import keep_run_answer
from trailmark.verbs.taught_pages import TaughtPages
from trailmark.workspace import Workspace, names_of

SOURCE = "questions"

Ask = Callable[[Question, Asking], str | None]
"""Shows a question; `goal`, `fail`, a milestone's name, "" to skip, or None to stop."""


@dataclass(frozen=True, slots=True)
class AskReport(Report):
    """The answers of one sitting."""

    answers: tuple[Answer, ...]
    goals: int
    """Answers that a page is wanted."""

    @property
    def skipped(self) -> int:
        return sum(answer.answer is None for answer in self.answers)

    @property
    def trails(self) -> int:
        """Answers that were kept as trails."""
        return len(self.answers) - self.skipped

    @property
    def summary(self) -> str:
        """One line for a person."""
        if not self.answers:
            return "No answers."
        counts = f"Kept {count_of(self.trails, 'answer as a trail', 'answers as trails')} ({self.goals} to goals). {self.skipped} skipped."
        return counts + (" Next: trailmark learn." if self.trails else "")

    def __str__(self) -> str:
        return self.summary

    def to_json(self) -> dict[str, Json]:
        """What `--json` prints."""
        counts: dict[str, Json] = {"asked": len(self.answers), "trails": self.trails, "goals": self.goals}
        return {**counts, "skipped": self.skipped, "answers": as_json(self.answers), "summary": self.summary}


def ask(
    workspace: Workspace,
    count: int,
    answer_to: Ask,
    archives: NamedPaths = (),
    *,
    goal: str | None = None,
    progress: Progress = silent,
) -> AskReport:
    """How many questions, and who answers them -> the answers; each is kept at once, so stopping loses nothing.

    `answer_to(question, asking)` says `goal`, `fail`, a milestone's name, "" to skip, or None to stop. Where several goals were
    taught, `goal` says which one is asked about.
    """
    goal, labels = goal_and_labels(workspace, goal)
    asking = Asking(goal, labels, count)
    with TaughtPages(workspace, named_paths(archives), [], progress) as pages:
        for question in QuestionRounds(workspace, pages.replay, asking, progress).all():
            answer = answer_to(question, asking)
            if answer is None:
                break
            asking.answers.append(Answer(question.url, answer or None))
            asking.asked.append(family(question.example))
            if answer:
                keep_answer(workspace, pages, question.example.trail, answer, goal=goal)
    goals = sum(is_wanted(answer.answer or "", goal) for answer in asking.answers)
    return AskReport(tuple(asking.answers), goals)


def goal_and_labels(workspace: Workspace, goal: str | None = None) -> tuple[str, list[str]]:
    """The goal that is asked about, by its name or as the only one, and the other names that pages have been given."""
    taught = list(workspace.database.trails())
    goals = taught_goals(taught)
    if not goals:
        raise InputError(
            f"There is no trail to a goal in {workspace.folder}; questions come after the first: trailmark teach TRAILS.jsonl"
        )
    if goal is None and len(goals) > 1:
        raise InputError(
            f"Several goals were taught in {workspace.folder}: {names_of(goals)}; say which one to ask about with --goal NAME."
        )
    if goal is not None and goal not in goals:
        raise InputError(f"The goal {names_of([goal])} was not taught in {workspace.folder}, but {names_of(goals)}.")
    goal = goals[0] if goal is None else goal
    names = dict.fromkeys(step.label for trail in taught for step in trail.steps if step.label and step.label != goal)
    return goal, list(names)


def keep_answer(
    workspace: Workspace,
    pages: TaughtPages,
    asked: Trail,
    answer: str,
    *,
    goal: str,
    source: str = SOURCE,
    run: int | None = None,
) -> None:
    """The answer about the last page of a path, as a trail; where a run read the page, as an answer of that run too."""
    trail = answer_trail(asked, answer, goal=goal)
    trail = trail if trail.outcome == "goal" else replace(trail, about=(goal,))
    what = f"Answered: {asked.steps[-1].url} is {'wanted' if trail.outcome == 'goal' else 'not wanted'}"
    with workspace.acts.act("answer", what).part():
        pages.keep(trail)
        workspace.database.add_trails([trail], source=source, told_again=True)
        wanted, url = trail.outcome == "goal", asked.steps[-1].url
        keep_run_answer(workspace, url, goal=goal, wanted=wanted, asked_by=source, run=run)
