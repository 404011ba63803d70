"""`trailmark status`."""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import Printer, json_option
from trailmark.workspace import Workspace


@click.command("status")
@json_option
@click.pass_obj
def verb(folder: Path, as_json: bool) -> None:
    """Say what the workspace holds, and what to do next.

    \b
    trailmark -w my-project status
    trailmark -w my-project status --json
    """
    with Workspace.open(folder) as workspace:
        report = workspace.status()
    printer = Printer(as_json)
    printer.table(f"Workspace {folder}", ["what", "how many"], list(report["counts"].items()))
    if report["labels"]:
        rows = [(label, count) for label, count in report["labels"].items()]
        printer.table("Labels that were taught", ["label", "steps"], rows)
    printer.say(report["next"])
    printer.report(report)
