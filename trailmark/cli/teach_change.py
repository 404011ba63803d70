"""`trailmark teach --change ID` and `--settle`: another word on what was taught."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import click

from trailmark.cli.printing import Printer
from trailmark.cli.taking_back import WHO
from trailmark.report import Json
from trailmark.verbs.contradictions import Contradiction, contradictions, settle_all
from trailmark.verbs.forget import change_mark, change_trail
from trailmark.verbs.kept_things import Kind
from trailmark.workspace import Workspace


class ChangedWords(NamedTuple):
    """What is to be said instead; None where it stays."""

    wanted: bool | None
    label: str | None
    field: str | None
    value: str | None


def change_taught(folder: Path, kind: Kind, number: str, words: ChangedWords, *, as_json: bool) -> int:
    """Change a trail or a mark."""
    given = words[2:] if kind == "marks" else words[:2]
    if all(word is None for word in given):
        options = "--field or --value" if kind == "marks" else "--wanted, --not-wanted or --label"
        raise click.UsageError(f"say what to change with {options}")
    printer = Printer(as_json)
    with Workspace.open(folder, who=WHO) as workspace:
        if kind == "marks":
            act = change_mark(workspace, number, field=words.field, value=words.value)
        else:
            act = change_trail(workspace, number, wanted=words.wanted, label=words.label)
    printer.say(f"Changed. To have it as it was: trailmark undo {act}")
    report: dict[str, Json] = {"act": act}
    printer.report(report)
    return 0


def settle_on_terminal(folder: Path, as_json: bool) -> int:
    """Ask about each page that is both wanted and not wanted; ends with 1 while one is left."""
    printer = Printer(as_json)

    def answer_to(each: Contradiction) -> bool | None:
        printer.say(str(each))
        printer.say("Is it wanted? y: yes, n: no, s: skip")
        answers = {"y": True, "yes": True, "n": False, "no": False}
        return answers.get(sys.stdin.readline().strip().lower())

    with Workspace.open(folder, who=WHO) as workspace:
        settled = settle_all(workspace, answer_to)
        left = len(contradictions(workspace))
    printer.say(f"Settled {settled}, {left} left." if settled or left else "No page is both wanted and not wanted.")
    report: dict[str, Json] = {"settled": settled, "left": left}
    printer.report(report)
    return 1 if left else 0
