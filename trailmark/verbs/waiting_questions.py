"""Questions that wait for an answer: chosen beforehand, kept in `models/questions.json`, answered one by one.

A file that an older version wrote may lack the figures; one that is no such file counts as none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trailmark.datatypes import Step, Trail
from trailmark.quoting import json_text
from trailmark.report import as_json
from trailmark.store.json_lines import written_whole
from trailmark.workspace import Workspace


@dataclass(frozen=True, slots=True)
class QuestionStep:
    """A page on the way to the one that is asked about."""

    url: str
    label: str | None = None
    anchor: str | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class WaitingQuestion:
    """A page whose answer would help, the way to it, and what it is taken for so far."""

    url: str
    title: str
    site: str
    steps: tuple[QuestionStep, ...]
    label: str
    chance: float
    goal_probability: float
    run: int | None = None
    """The run that left it unsure; None where none did."""

    def trail(self) -> Trail:
        """The way to the page, not wanted until somebody says so."""
        return Trail(self.site, "fail", tuple(Step(step.url, step.label, step.anchor) for step in self.steps))


@dataclass(frozen=True, slots=True)
class WaitingQuestions:
    """All that wait, and what was thought when they were chosen."""

    goal: str
    labels: tuple[str, ...]
    questions: tuple[WaitingQuestion, ...]
    guesses: Mapping[str, str] = field(default_factory=dict)
    """What each page at hand was taken for."""
    pages: int = 0
    """Pages that were judged last time too."""
    judged_otherwise: int = 0
    """Pages of these that are taken for something else now."""
    answered: int = 0

    def find(self, url: str) -> WaitingQuestion | None:
        """The question about a page."""
        return next((question for question in self.questions if question.url == url), None)


def questions_file(workspace: Workspace) -> Path:
    """Where questions wait for an answer."""
    return workspace.folder / "models" / "questions.json"


def waiting_questions(workspace: Workspace) -> WaitingQuestions | None:
    """The questions that were chosen last; None where none were, or where their file can't be read."""
    try:
        return _questions(json.loads(questions_file(workspace).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def keep_questions(workspace: Workspace, questions: WaitingQuestions) -> None:
    """Put these questions in place of those that waited."""
    with written_whole(questions_file(workspace)) as file:
        file.write(json_text(as_json(questions)).encode())


def _questions(value: Any) -> WaitingQuestions:
    return WaitingQuestions(
        goal=str(value["goal"]),
        labels=tuple(map(str, value["labels"])),
        questions=tuple(_question(entry) for entry in value["questions"]),
        guesses={str(url): str(label) for url, label in value["guesses"].items()},
        **{name: int(value.get(name, 0)) for name in ("pages", "judged_otherwise", "answered")},
    )


def _question(value: Any) -> WaitingQuestion:
    return WaitingQuestion(
        url=str(value["url"]),
        title=str(value["title"]),
        site=str(value["site"]),
        steps=tuple(_step(entry) for entry in value["steps"]),
        label=str(value["label"]),
        chance=float(value["chance"]),
        goal_probability=float(value["goal_probability"]),
        run=None if value.get("run") is None else int(value["run"]),
    )


def _step(value: Any) -> QuestionStep:
    label, anchor = (None if value[name] is None else str(value[name]) for name in ("label", "anchor"))
    return QuestionStep(str(value["url"]), label, anchor, str(value.get("title", "")))
