"""`trailmark init DIR`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from trailmark.cli.log_file import log_to
from trailmark.cli.printing import FILE, Printer, json_option
from trailmark.quoting import shell_command
from trailmark.report import Report
from trailmark.workspace import Workspace


@dataclass(frozen=True, slots=True)
class InitReport(Report):
    """Where the new workspace is."""

    workspace: Path


@click.command("init")
@click.argument("folder", type=FILE, metavar="DIR")
@json_option
def verb(folder: Path, as_json: bool) -> None:
    """Make a new workspace with a commented trailmark.toml.

    \b
    trailmark init my-project
    """
    Workspace.create(folder).close()
    log_to(folder)
    printer = Printer(as_json)
    printer.say(f"Made the workspace {folder}.")
    command = shell_command("trailmark", "-w", folder, "teach", "trails.jsonl")
    printer.say(f"Next: look at {folder / 'trailmark.toml'}, then teach it: {command}")
    printer.report(InitReport(folder))
