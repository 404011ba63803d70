"""The console of a run beside its figures: its log with a filter, two runs side by side; and what its page is told while it goes on."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.report import as_json
from trailmark.serve.curve import curve_in, ticks
from trailmark.serve.jobs import Job
from trailmark.serve.rendering import State, Whole, page
from trailmark.store.run_view import RunView
from trailmark.store.run_watch import RunWatch
from trailmark.verbs.run_console import ComparedRuns, ConsoleReport, compare_runs, run_console, run_log
from trailmark.verbs.runs import find_run, runs
from trailmark.workspace import Workspace

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/runs", tags=["runs"])

LINES = 200


RESTING = {
    "paused": "It is paused: nothing is fetched until you press Resume.",
    "stopped": "It was stopped; what it found is kept.",
}


def at_rest(console: ConsoleReport, job: Job | None) -> ConsoleReport:
    """A console that does not say what comes next where a person made the run rest: its last words are a moment old."""
    if job is None or job.state not in RESTING:
        return console
    return replace(console, says=RESTING[job.state], waiting=(), ends="")


def live_figures(console: ConsoleReport) -> dict[str, Any]:
    """What the page of a run is told of its console; `changes` differs whenever a list on the page is out of date."""
    last = datetime.fromtimestamp(console.last_fetch_at).strftime("%H:%M:%S") if console.last_fetch_at else "–"
    told = {
        "says": console.says,
        "last": last,
        "queued": console.queued,
        "under_way": console.under_way,
        "retries": console.retries,
        "no_answer": console.statuses.get(0, 0),
        "ends": console.ends or "not known yet",
    }
    changes = f"{sorted(console.statuses)} {len(console.failures)} {console.retries} {len(console.waiting)}"
    return {"console": told, "changes": changes}


@router.get("/runs/compare")
def compare_page(request: Request, state: State, run: Whole | None = None, other: Whole | None = None) -> Response:
    """Two runs, each of them the latest that is left where it is not named."""
    with state.workspace() as workspace:
        every = runs(workspace).runs
        first = run if run is not None else next((each.id for each in every), 0)
        second = other if other is not None else next((each.id for each in every if each.id != first), 0)
        compared = compare_runs(workspace, first, second) if len(every) > 1 else None
        curves = _curves(workspace, compared) if compared else ("", "")
    most = (max(c.pages for c in (compared.one, compared.other)), max(c.goals for c in (compared.one, compared.other))) if compared else (0, 0)  # fmt: skip
    return page(
        request,
        "compare.html",
        title="Two runs",
        runs=every,
        one=first,
        other=second,
        compared=compared,
        curves=curves,
        ticks=ticks(*most),
    )


@router.get("/runs/{number}/log")
def log_page(request: Request, state: State, number: Whole, q: str = "", kind: str = "", skip: Whole = 0) -> Response:
    """One page of a run's log, of the lines that are asked for."""
    skip = max(skip, 0)
    with state.workspace() as workspace:
        count, lines = run_log(workspace, number, containing=q, kind=kind, most=LINES, skip=skip)
        kinds = RunWatch(workspace.database).kinds(number)
    return page(
        request,
        "run_log.html",
        title=f"The log of run {number}",
        run=number,
        count=count,
        lines=lines,
        kinds=kinds,
        q=q,
        kind=kind,
        skip=skip,
        most=LINES,
    )


@api.get("/compare")
def compare_json(state: State, run: Whole, other: Whole) -> dict[str, Any]:
    """Two runs side by side: figures of both, and what each of them alone found."""
    with state.workspace() as workspace:
        return compare_runs(workspace, run, other).to_json()


@api.get("/{number}/console")
def console_json(state: State, number: Whole) -> dict[str, Any]:
    """How a run stands at this moment: answers, failures, hosts, what waits and why, when it may end."""
    with state.workspace() as workspace:
        return run_console(workspace, number).to_json()


@api.get("/{number}/log")
def log_json(state: State, number: Whole, q: str = "", kind: str = "", skip: Whole = 0) -> dict[str, Any]:
    """One page of a run's log, the latest lines first."""
    with state.workspace() as workspace:
        find_run(workspace, number)
        count, lines = run_log(workspace, number, containing=q, kind=kind, most=1000, skip=max(skip, 0))
    return {"count": count, "lines": as_json(lines)}


def _curves(workspace: Workspace, compared: ComparedRuns) -> tuple[str, str]:
    """The harvest curves of both on one scale."""
    view, both = RunView(workspace.database), (compared.one, compared.other)
    pages, goals = max(run.pages for run in both), max(run.goals for run in both)
    one, other = (curve_in(view.harvest(run.id), run.pages, pages, goals) for run in both)
    return one, other
