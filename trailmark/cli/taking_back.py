"""`--list`, `--forget ID...` and `--yes`, the same under every verb that makes something."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from trailmark.cli.printing import Printer
from trailmark.store.act_table import StoredAct
from trailmark.verbs.forget import forget
from trailmark.verbs.kept_things import ONE, KeptThing, Kind, counted, kept_things
from trailmark.workspace import Workspace

Command = TypeVar("Command", bound=Callable[..., Any])
SHOWN = 20
WHO = "command line"
"""How the journal calls a person at the command line."""


def taking_back(what: str) -> Callable[[Command], Command]:
    """What the verb makes -> the options `--list`, `--forget` and `--yes`."""

    def with_options(command: Command) -> Command:
        for option in (
            click.option(
                "--list", "listing", is_flag=True, help=f"List {what} with their numbers, and change nothing."
            ),
            click.option(
                "--forget",
                "forgotten",
                multiple=True,
                metavar="ID...",
                help=f"Take {what} back by their numbers; trailmark undo brings them back.",
            ),
            click.option("--yes", is_flag=True, help="Do it without asking."),
        ):
            command = option(command)
        return command

    return with_options


def list_kept(folder: Path, kind: Kind, as_json: bool) -> int:
    """Print all of a kind."""
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        report = kept_things(workspace, kind)
    rows = [
        (thing.id, _short(thing.says), thing.url, thing.at[:16].replace("T", " "), thing.source)
        for thing in report.things
    ]
    if rows:
        printer.table(kind.capitalize(), ["id", "what it says", "page", "when", "from"], rows)
    printer.say(report.summary)
    printer.report(report)
    return 0


def forget_kept(folder: Path, kind: Kind, ids: Sequence[str], *, yes: bool, as_json: bool) -> int:
    """Take things back, after saying what hangs on them."""
    printer = Printer(as_json)

    def sure(things: Sequence[KeptThing], resting: Sequence[str]) -> bool:
        for thing in things[:SHOWN]:
            printer.say(f"{ONE[kind].capitalize()} {thing.id}: {_short(thing.says)} {thing.url}")
        if len(things) > SHOWN:
            printer.say(f"and {len(things) - SHOWN} more")
        for sentence in resting:
            printer.say(sentence)
        return yes or confirmed(f"Forget {counted(len(things), kind)}?")

    with Workspace.open(folder, who=WHO) as workspace:
        report = forget(workspace, kind, ids, sure=sure)
    printer.say(report.summary, style="bold")
    printer.report(report)
    return 0


def confirmed(question: str) -> bool:
    """Whether a person says yes; where nobody can be asked, a usage error that names --yes."""
    if not sys.stdin.isatty():
        raise click.UsageError("nobody is there to be asked: say --yes to do it without asking; nothing was changed")
    return click.confirm(question, default=False, err=True)


def act_line(act: StoredAct) -> str:
    """An act in a line."""
    return f"{act.id}  {act.at[:16].replace('T', ' ')}  {act.who}: {act.what}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
