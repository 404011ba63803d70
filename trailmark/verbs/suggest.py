"""`teach --suggest N`: questions chosen beforehand and kept, to be answered one by one elsewhere (`answer`).

Choosing takes a model and every page at hand, which is too slow while a person waits. So it is done in one go.
"""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.learn.questions import Question
from trailmark.progress import Progress, silent
from trailmark.quoting import count_of
from trailmark.report import Json, Report, as_json
from trailmark.verbs.ask import goal_and_labels
from trailmark.verbs.named_paths import NamedPaths, named_paths
from trailmark.verbs.question_rounds import Asking, QuestionRounds
from trailmark.verbs.taught_pages import TaughtPages
from trailmark.verbs.waiting_questions import (
    QuestionStep,
    WaitingQuestion,
    WaitingQuestions,
    keep_questions,
    waiting_questions,
)
from trailmark.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SuggestReport(Report):
    """The questions that wait now, the one that helps most first."""

    goal: str
    labels: tuple[str, ...]
    questions: tuple[WaitingQuestion, ...]
    judged_otherwise: int
    """Pages that are taken for something else than when questions were chosen before."""
    pages: int
    """Pages that the questions were chosen from."""

    @property
    def summary(self) -> str:
        """One line for a person."""
        return f"{count_of(len(self.questions), 'question')} chosen from {count_of(self.pages, 'page')}."

    def __str__(self) -> str:
        return self.summary

    def to_json(self) -> dict[str, Json]:
        """What `--json` prints."""
        names = ("goal", "labels", "questions", "judged_otherwise", "summary")
        return {name: as_json(getattr(self, name)) for name in names}


def suggest(
    workspace: Workspace,
    count: int,
    archives: NamedPaths = (),
    *,
    goal: str | None = None,
    progress: Progress = silent,
) -> SuggestReport:
    """How many -> that many pages whose answers would help most, kept as questions until they are answered.

    Where several goals were taught, `goal` says which one is asked about.
    """
    goal, labels = goal_and_labels(workspace, goal)
    asking = Asking(goal, labels, count)
    with TaughtPages(workspace, named_paths(archives), [], progress) as pages:
        chosen, guesses = QuestionRounds(workspace, pages.replay, asking, progress).chosen(count)
    earlier = waiting_questions(workspace, goal)
    judged_before = earlier.guesses if earlier else {}
    both = guesses.keys() & judged_before.keys()
    questions = WaitingQuestions(
        goal=goal,
        labels=tuple(labels),
        questions=tuple(_question(question, asking) for question in chosen),
        guesses=guesses,
        pages=len(both),
        judged_otherwise=sum(guesses[url] != judged_before[url] for url in both),
    )
    keep_questions(workspace, questions)
    return SuggestReport(goal, tuple(labels), questions.questions, questions.judged_otherwise, len(guesses))


def _question(question: Question, asking: Asking) -> WaitingQuestion:
    trail, titles = question.example.trail, asking.titles
    return WaitingQuestion(
        url=question.url,
        title=titles.get(question.url, ""),
        site=trail.site,
        steps=tuple(QuestionStep(step.url, step.label, step.anchor, titles.get(step.url, "")) for step in trail.steps),
        label=question.label,
        chance=float(question.chance),
        goal_probability=float(question.goal_probability),
        run=question.run,
    )
