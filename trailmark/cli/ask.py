"""How `trailmark teach --ask N` puts its questions on the terminal; answers may come from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from trailmark.cli.printing import Printer
from trailmark.cli.taking_back import WHO
from trailmark.workspace import Workspace

if TYPE_CHECKING:
    from trailmark.learn.questions import Question
    from trailmark.verbs.question_rounds import Asking

NAMES_SHOWN = 8
LONGEST = 80
_WORDS = {"y": "goal", "yes": "goal", "goal": "goal", "n": "fail", "no": "fail", "fail": "fail"}
_SKIP, _QUIT = ("", "s", "skip", "?"), ("q", "quit")


def ask_on_terminal(folder: Path, count: int, archives: tuple[Path, ...], goal: str | None, as_json: bool) -> int:
    """Ask, keep, and say what was kept."""
    from trailmark.verbs.ask import ask

    printer = Printer(as_json)
    with Workspace.open(folder, who=WHO) as workspace:
        report = ask(workspace, count, _asker(printer), archives, goal=goal, progress=printer.progress)
    printer.say(report.summary)
    printer.report(report)
    return 0


def read_answer(line: str) -> str | None:
    """A line -> `goal`, `fail`, a name, "" for skip, or None to stop: at the end of the input or on `quit`."""
    words = " ".join(line.split())
    if not line or words.lower() in _QUIT:
        return None
    if words.lower() in _SKIP:
        return ""
    return _WORDS.get(words.lower(), words[:LONGEST])


def _asker(printer: Printer) -> Callable[[Question, Asking], str | None]:
    def ask(question: Question, asking: Asking) -> str | None:
        _show(printer, question, asking)
        return read_answer(sys.stdin.readline())

    return ask


def _show(printer: Printer, question: Question, asking: Asking) -> None:
    title = asking.titles.get(question.url) or "(no title)"
    path = " > ".join(asking.titles.get(step.url) or step.url for step in question.example.trail.steps)
    names = ", ".join(map(short_name, asking.labels[:NAMES_SHOWN]))
    printer.say()
    printer.say(f"Question {len(asking.answers) + 1} of {asking.total}: {title}", style="bold")
    printer.say(question.url)
    printer.say(f"path: {path}")
    if question.run is not None:
        printer.say(f"Run {question.run} left it unsure: a goal with {question.goal_probability:.0%}.")
    else:
        printer.say(
            f"It is taken for '{short_name(question.label)}' ({question.chance:.0%}); a goal with {question.goal_probability:.0%}."
        )
    printer.say(
        f"Is it a page you want ({short_name(asking.goal)})? yes, no, a name{f' ({names})' if names else ''}, skip, quit"
    )


def short_name(name: str) -> str:
    """A name as a question has it: somebody may have given one of any length."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}..."
