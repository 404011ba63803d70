"""`answer`: a person's word on a page that `suggest` asked about becomes a trail at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trailmark.errors import InputError
from trailmark.progress import silent
from trailmark.quoting import count_of
from trailmark.report import Report
from trailmark.verbs.ask import keep_answer
from trailmark.verbs.named_paths import NamedPaths, named_paths
from trailmark.verbs.taught_pages import TaughtPages
from trailmark.verbs.waiting_questions import all_waiting, keep_questions
from trailmark.workspace import Workspace


@dataclass(frozen=True, slots=True)
class AnswerReport(Report):
    """The answer that was kept, and how many questions still wait."""

    url: str
    answer: str | None
    """None where the question was skipped."""
    left: int
    answered: int
    """Questions of this round that were answered, not counting those that were skipped."""
    goal: str = ""
    """What was asked about."""

    def __str__(self) -> str:
        return f"{self.url} is {self.answer or 'skipped'}. {count_of(self.left, 'question waits', 'questions wait')}."


def answer(
    workspace: Workspace, url: str, answer: str, archives: NamedPaths = (), *, goal: str | None = None
) -> AnswerReport:
    """A waiting question's page and `goal`, `fail`, a name, or "" to skip -> the answer kept as a trail, the question gone.

    `goal` says which goal was asked about, where several were taught; without it, the first about whom this page is asked.
    """
    wanted = [waiting for name, waiting in all_waiting(workspace).items() if goal in (None, "", name)]
    asked = [(waiting, question) for waiting in wanted if waiting and (question := waiting.find(url)) is not None]
    if not asked:
        raise InputError("That question was answered already, or is not one of those that wait.")
    waiting, question = asked[0]
    if answer:
        with TaughtPages(workspace, named_paths(archives), [], silent) as pages:
            keep_answer(workspace, pages, question.trail(), answer, goal=waiting.goal)
    left = tuple(other for other in waiting.questions if other.url != url)
    answered = waiting.answered + bool(answer)
    keep_questions(workspace, replace(waiting, questions=left, answered=answered))
    return AnswerReport(url, answer or None, len(left), answered, waiting.goal)
