"""Watch a run: begin, pause, go on, stop; the harvest curve, sites and goals while they come.

A run is `trailmark forage` as a job, a process of its own: closing the browser or ending the app does not stop it. What is shown is read
from the workspace, so that runs begun on the command line are shown as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.report import Report, as_json
from trailmark.serve.console_pages import at_rest, live_figures
from trailmark.serve.curve import harvest_path, ticks
from trailmark.serve.events import events
from trailmark.serve.job_pages import job_words
from trailmark.serve.rendering import Form, Sent, State, Whole, page, to
from trailmark.serve.run_jobs import bad_lines, begin_run, job_of, run_of, state_words
from trailmark.serve.state import AppState
from trailmark.store.run_view import SITE_ORDERS, RunSums, RunView
from trailmark.verbs.check import check_report
from trailmark.verbs.run_console import run_console
from trailmark.verbs.runs import all_runs, find_run, goal_trails, in_words, run_report, runs
from trailmark.verbs.strategies import STRATEGIES
from trailmark.workspace import Workspace

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/runs", tags=["runs"])

SITES_SHOWN, GOALS_SHOWN = 50, 25


@router.get("/runs")
def runs_page(request: Request, state: State) -> Response:
    """Begin a run, and those that were begun."""
    return _begin_page(request, state)


def _begin_page(
    request: Request,
    state: AppState,
    *,
    form: Form | None = None,
    wrong: str = "",
    bad: Mapping[int, str] = MappingProxyType({}),
) -> Response:
    """The form to begin a run, with what was sent where that could not be used; `bad` says why, by line."""
    sent = form or Form({})
    with state.workspace() as workspace:
        report = runs(workspace)
        goals = workspace.goals()
        states = state_words(state, workspace)
    settings = state.settings.forage
    return page(
        request,
        "runs.html",
        title="Crawl",
        runs=report.runs,
        states=states,
        learnt=bool(goals),
        goals=goals,
        strategies=STRATEGIES,
        contact=settings.contact,
        budget=settings.budget,
        site_budget=settings.site_budget,
        working=state.jobs.active("forage"),
        archives=[path.name for path in state.pages.archives],
        sent=sent,
        ticked=sent.all("goal") if form is not None else goals,
        bad=bad,
        code=400 if wrong else 200,
        **({"said": (wrong, True)} if wrong else {}),
    )


@router.post("/runs")
def begin(request: Request, state: State, form: Sent) -> Response:
    """Begin a run over the seeds that were pasted."""
    try:
        job = begin_run(state, form)
    except TrailmarkError as error:
        return _begin_page(request, state, form=form, wrong=str(error), bad=bad_lines(form["seeds"]))
    return to(request, f"/runs/job/{job.id}")


@router.get("/runs/job/{name}")
def begun_page(request: Request, state: State, name: str) -> Response:
    """A run that was just begun; on to its own page once it is in the books."""
    job = state.jobs.get(name)
    with state.workspace() as workspace:
        run = run_of(state, job, all_runs(workspace))
    if run is not None:
        return to(request, f"/runs/{run.id}")
    return page(
        request, "run_begun.html", title=job.title, job=job, words=job_words(job), messages=state.jobs.messages(name)
    )


@router.get("/runs/{number}")
def run_page(
    request: Request,
    state: State,
    number: Whole,
    order: str = "goals",
    q: str = "",
    skip: Whole = 0,
    site: Whole | None = None,
) -> Response:
    """One run as it stands."""
    with state.workspace() as workspace:
        run = find_run(workspace, number)
        shown = _shown(workspace, run, order=order, containing=q, skip=max(skip, 0), site=site)
        console = run_console(workspace, number)
    job = job_of(state, run)
    return page(
        request,
        "run.html",
        title=f"Run {number}",
        console=at_rest(console, job),
        job=job,
        job_words=job_words(job) if job else "",
        order=order,
        q=q,
        skip=max(skip, 0),
        site=site,
        orders=list(SITE_ORDERS),
        most=SITES_SHOWN,
        **shown,
    )


@router.get("/runs/{number}/events")
def run_events(request: Request, state: State, number: Whole) -> Response:
    """The run's figures and its curve whenever they change."""
    over, job = False, None

    def produce() -> dict[str, Any] | None:
        nonlocal over, job
        if over:
            return None
        with state.workspace() as workspace:
            run = find_run(workspace, number)
            figures, console = _figures(workspace, run), run_console(workspace, number)
        # Which job it is takes a look at the seeds of many; how that one stands does not.
        job = job_of(state, run) if job is None else state.jobs.get(job.id)
        over = run.finished_at is not None or (job is not None and not job.active)
        words = job_words(job) if job else ""
        told = live_figures(at_rest(console, job))
        return {**figures.to_json(), **told, "active": not over, "words": words}

    return events(request, produce, every=1.0)


@api.get("")
def runs_json(state: State) -> list[dict[str, Any]]:
    """Runs, the latest first (`trailmark status --runs --json`)."""
    with state.workspace() as workspace:
        return [run.to_json() for run in runs(workspace).runs]


@api.get("/{number}")
def run_json(state: State, number: Whole) -> dict[str, Any]:
    """A run with its harvest curve and why its sites ended."""
    with state.workspace() as workspace:
        run, view = find_run(workspace, number), RunView(workspace.database)
        return {**run_report(run).to_json(), "harvest": view.harvest(number), "reasons": view.reasons(number)}


@api.get("/{number}/sites")
def sites_json(
    state: State, number: Whole, order: str = "goals", containing: str = "", skip: Whole = 0
) -> dict[str, Any]:
    """One page of the run's sites."""
    with state.workspace() as workspace:
        find_run(workspace, number)
        count, rows = RunView(workspace.database).sites(
            number, order=order, containing=containing, most=1000, skip=max(skip, 0)
        )
    return {"count": count, "sites": as_json(rows)}


@api.get("/{number}/goals")
def goals_json(state: State, number: Whole, skip: Whole = 0) -> list[dict[str, Any]]:
    """One page of the goals with their trails, the latest first."""
    with state.workspace() as workspace:
        find_run(workspace, number)
        return [goal.to_json() for goal in goal_trails(workspace, number, most=1000, skip=max(skip, 0))]


# --- what is shown -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RunFigures(Report):
    """The figures and the curve of a run as its page shows them, and sends them while it runs."""

    pages: int
    goals: int
    unsure: int
    ended: int
    sites: int
    harvest_rate: float
    pages_per_second: float
    path: str
    """The harvest curve as SVG writes it."""
    ticks: dict[str, list[tuple[float, int]]]


def _figures(workspace: Workspace, run: RunSums) -> RunFigures:
    points = RunView(workspace.database).harvest(run.id)
    report = run_report(run)
    return RunFigures(
        pages=run.pages,
        goals=run.goals,
        unsure=run.unsure,
        ended=run.ended,
        sites=run.sites,
        harvest_rate=round(report.harvest_rate, 3),
        pages_per_second=round(report.pages_per_second, 1),
        path=harvest_path(points, run.pages),
        ticks=ticks(run.pages, run.goals),
    )


def _shown(
    workspace: Workspace, run: RunSums, *, order: str, containing: str, skip: int, site: int | None
) -> dict[str, Any]:
    """What the template of a run is given."""
    view = RunView(workspace.database)
    count, sites = view.sites(run.id, order=order, containing=containing, most=SITES_SHOWN, skip=skip)
    return {
        "run": run,
        "figures": _figures(workspace, run),
        "sites": [(sums, in_words(sums.ended)) for sums in sites],
        "count": count,
        "reasons": [(in_words(reason), many) for reason, many in view.reasons(run.id).items()],
        "by_goal": view.goal_counts(run.id) if len(run.goal_names) > 1 else {},
        "check": check_report(workspace, run.id),
        "goals": list(goal_trails(workspace, run.id, site=site, most=GOALS_SHOWN)),
    }
