"""Questions that wait for an answer: chosen beforehand, kept in `models/questions-GOAL.json`, answered one by one.

Each goal has its own, side by side; GOAL is spelt as `quoting.file_name` spells it. `models/questions.json` is that of an older version,
and counts for the goal that it names until others are chosen. A file may lack the figures; one that is no such file counts as none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trailmark.datatypes import Step, Trail
from trailmark.learn.taught_goals import taught_goals
from trailmark.quoting import file_name, json_text
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


def questions_file(workspace: Workspace, goal: str = "") -> Path:
    """Where questions about a goal wait for an answer; without its name, where an older version kept all."""
    return workspace.folder / "models" / (f"questions-{file_name(goal)}.json" if goal else "questions.json")


def waiting_questions(workspace: Workspace, goal: str) -> WaitingQuestions | None:
    """The questions about a goal that were chosen last; None where none were, or where their file can't be read."""
    files = (questions_file(workspace, goal), questions_file(workspace))
    return next((waiting for file in files if (waiting := _read(file)) is not None and waiting.goal == goal), None)


def all_waiting(workspace: Workspace) -> dict[str, WaitingQuestions | None]:
    """The questions about each goal that was taught, in the order of teaching; None where none were chosen."""
    old = _read(questions_file(workspace))
    goals = taught_goals(workspace.database.trails()) or ([old.goal] if old else [])
    return {goal: waiting_questions(workspace, goal) for goal in goals}


def keep_questions(workspace: Workspace, questions: WaitingQuestions) -> None:
    """Put these questions in place of those that waited about the same goal."""
    with written_whole(questions_file(workspace, questions.goal)) as file:
        file.write(json_text(as_json(questions)).encode())


def _read(file: Path) -> WaitingQuestions | None:
    try:
        return _questions(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


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
