"""`trailmark status --watch`: a run as it goes on; redrawn on a terminal, a line for each look elsewhere."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from datetime import datetime
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from trailmark.cli.printing import Printer, shown
from trailmark.quoting import count_of, json_text
from trailmark.store.json_lines import written_whole
from trailmark.verbs.metrics import metrics, metrics_at
from trailmark.verbs.watch import WatchReport, watch
from trailmark.workspace import Workspace

WINDOW = 60.0
"""Seconds over which pages a second are counted."""
NO_RUN = "There is no run yet; begin one with: trailmark forage URL"


def watch_run(folder: Path, printer: Printer, every: float, file: Path | None) -> None:
    """Looks at the last run until it has ended or stopped, or until Ctrl-C, which is how it is meant to be left."""
    drawn = not printer.as_json and sys.stdout.isatty()
    live = Live(console=Console(highlight=False), auto_refresh=False) if drawn else None
    with suppress(KeyboardInterrupt), Workspace.open(folder) as workspace, live or nullcontext():
        for report in _looks(workspace, every, file):
            if report is None:
                printer.say(NO_RUN)
            elif live is not None:
                live.update(run_table(report), refresh=True)
            else:
                line = json_text(report.to_json()) if printer.as_json else run_words(report)
                print(line, flush=True)  # noqa: T201 - a line for each look, at once, also into a pipe


def write_metrics(folder: Path, file: Path) -> None:
    """The metrics in a file, for a collector that reads it."""
    with Workspace.open(folder) as workspace:
        _write(metrics(workspace), file)


def _looks(workspace: Workspace, every: float, file: Path | None) -> Iterator[WatchReport | None]:
    seen: deque[WatchReport] = deque()
    while True:
        report = watch(workspace, seen[0] if seen else None)
        if file is not None:
            _write(metrics_at(workspace, report), file)
        yield report
        if report is None or report.state != "walking":
            return
        seen.append(report)
        while report.at - seen[0].at > WINDOW:
            seen.popleft()
        time.sleep(every)


def _write(text: str, file: Path) -> None:
    with written_whole(file) as opened:
        opened.write(text.encode())


def run_words(run: WatchReport) -> str:
    """A look in a line."""
    clock = datetime.fromtimestamp(run.at).astimezone().strftime("%H:%M:%S")
    rate = "" if run.pages_per_second is None else f" ({run.pages_per_second:.1f} a second)"
    dealt = f", {run.parts_done} of {count_of(run.parts, 'part')}" if run.parts else ""
    who = f", {count_of(run.workers, 'worker')} on {count_of(run.machines, 'machine')}" if run.workers else ""
    late = f", {count_of(len(run.stragglers), 'straggler')}" if run.stragglers else ""
    return (
        f"{clock} run {run.run} {run.state}: {run.sites_done} of {count_of(run.sites, 'site')} done{dealt}, "
        f"{count_of(run.pages, 'page')}{rate}, {count_of(run.goals, 'goal')}, {count_of(run.errors, 'error')}{who}{late}"
    )


def run_table(run: WatchReport) -> Group:
    """A look for a terminal."""
    table = Table(show_header=False, title=shown(f"Run {run.run}, {run.strategy}: {run.state}"), title_justify="left")
    rate = "not known yet" if run.pages_per_second is None else f"{run.pages_per_second:.1f}"
    rows = [
        ("sites done", f"{run.sites_done} of {run.sites}"),
        *([("parts done", f"{run.parts_done} of {run.parts}")] if run.parts else []),
        ("pages", str(run.pages)),
        ("pages a second", rate),
        ("goals", str(run.goals)),
        ("errors", str(run.errors)),
        ("workers", f"{run.workers} on {count_of(run.machines, 'machine')}"),
    ]
    for name, value in rows:
        table.add_row(shown(name), shown(value))
    late = [f"{each.name} takes {each.seconds:.0f} s, others {each.usual_seconds:.0f} s" for each in run.stragglers]
    return Group(table, *map(shown, late), shown("Ctrl-C leaves the run alone and ends this.", "dim"))
