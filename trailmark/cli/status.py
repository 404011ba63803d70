"""`trailmark status`."""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import FILE, Printer, json_option
from trailmark.cli.status_watch import watch_run, write_metrics
from trailmark.quoting import count_of
from trailmark.verbs.runs import RunReport, runs
from trailmark.verbs.status import status
from trailmark.workspace import Workspace


@click.command("status")
@click.option(
    "--runs", "list_runs", is_flag=True, help="List the runs of the forager, the latest first, also while they run."
)
@click.option(
    "--watch",
    "watching",
    is_flag=True,
    help="Show the last run while it goes on, until it has ended; Ctrl-C ends the watching alone.",
)
@click.option(
    "--every",
    type=click.FloatRange(0.1, 3600),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="With --watch: time between two looks.",
)
@click.option(
    "--metrics",
    "metrics_file",
    type=FILE,
    metavar="FILE",
    help="Write what Prometheus reads into this file; with --watch at every look.",
)
@json_option
@click.pass_obj
def verb(folder: Path, list_runs: bool, watching: bool, every: float, metrics_file: Path | None, as_json: bool) -> None:
    """Say what the workspace holds, and what to do next.

    With --watch: sites done, pages a second, errors, what lags behind and who walks, of runs of this machine and of a cluster. Into a pipe it
    writes a line for each look; with --json each line is a report.

    \b
    trailmark -w my-project status
    trailmark -w my-project status --json
    trailmark -w my-project status --runs
    trailmark -w my-project status --watch
    trailmark -w my-project status --metrics /var/lib/node_exporter/trailmark.prom
    """
    if watching:
        watch_run(folder, Printer(as_json), every, metrics_file)
        return
    if metrics_file is not None:
        write_metrics(folder, metrics_file)
    if list_runs:
        _list_runs(folder, Printer(as_json))
        return
    with Workspace.open(folder) as workspace:
        report = status(workspace)
    printer = Printer(as_json)
    printer.table(f"Workspace {folder}", ["what", "how many"], list(report.counts.items()))
    if report.labels:
        printer.table("Labels that were taught", ["label", "steps"], list(report.labels.items()))
    for named, records in report.data_set.items():
        printer.say(f"The data set {named} holds {count_of(records, 'record')} beside.")
    if report.last_run is not None:
        printer.say(run_line(report.last_run))
    if report.check is not None and report.check.pages:
        printer.say(report.check.summary)
    for thing in report.stale:
        printer.say(str(thing))
    if report.contradictions:
        pages = "1 page is" if report.contradictions == 1 else f"{report.contradictions} pages are"
        printer.say(f"{pages} both wanted and not wanted; settle it: trailmark teach --settle")
    printer.say(report.next)
    printer.report(report)


def run_line(run: RunReport) -> str:
    """A run -> what it found, in a line; goals and unsure pages apart."""
    return f"Run {run.id}: {count_of(run.pages, 'page')} fetched, {count_of(run.goals, 'goal')} found, {run.unsure} unsure."


def _list_runs(folder: Path, printer: Printer) -> None:
    with Workspace.open(folder) as workspace:
        report = runs(workspace)
    rows = [
        (run.id, run.started_at, run.strategy, run.sites, run.ended, run.pages, run.goals, run.unsure, run.harvest_rate)
        for run in report.runs
    ]
    printer.table("Runs", ["run", "begun", "strategy", "sites", "ended", "pages", "goals", "unsure", "harvest"], rows)
    printer.report(report)
