"""`trailmark status`."""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import Printer, json_option
from trailmark.verbs.status import status
from trailmark.workspace import Workspace


@click.command("status")
@click.option("--runs", is_flag=True, help="List the runs of the forager, the latest first, also while they run.")
@json_option
@click.pass_obj
def verb(folder: Path, runs: bool, as_json: bool) -> None:
    """Say what the workspace holds, and what to do next.

    \b
    trailmark -w my-project status
    trailmark -w my-project status --json
    trailmark -w my-project status --runs
    """
    if runs:
        _list_runs(folder, Printer(as_json))
        return
    with Workspace.open(folder) as workspace:
        report = status(workspace)
    printer = Printer(as_json)
    printer.table(f"Workspace {folder}", ["what", "how many"], list(report["counts"].items()))
    if report["labels"]:
        rows = [(label, count) for label, count in report["labels"].items()]
        printer.table("Labels that were taught", ["label", "steps"], rows)
    printer.say(report["next"])
    printer.report(report)


def _list_runs(folder: Path, printer: Printer) -> None:
    from trailmark.verbs.runs import all_runs, run_report

    with Workspace.open(folder) as workspace:
        found = [run_report(run) for run in all_runs(workspace)]
    columns = ("id", "started_at", "strategy", "sites", "ended", "pages", "goals", "harvest_rate")
    rows = [[run[name] for name in columns] for run in found]
    printer.table("Runs", ["run", "begun", "strategy", "sites", "ended", "pages", "goals", "harvest"], rows)
    printer.report({"runs": found})
