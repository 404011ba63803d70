"""Jobs as pages: what runs, what ran, what came of it; pause, resume, stop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.quoting import json_text
from trailmark.report import Report
from trailmark.serve.events import Producer, events
from trailmark.serve.jobs import Job, JobState
from trailmark.serve.rendering import Sent, State, own_path, page, to
from trailmark.serve.state import AppState

router = APIRouter(include_in_schema=False)
SHOWN = 100

WORDS = {
    "running": "at work",
    "done": "done",
    "trouble": "done, with a remark",
    "failed": "could not be done",
    "paused": "paused",
    "stopped": "stopped",
    "broken": "broke off",
}
"""A job's state in plain words."""


def job_words(job: Job) -> str:
    """How a job stands, for a person."""
    if job.active and job.wish:
        return "stopping politely" if job.wish == "stop" else "pausing politely"
    return WORDS[job.state]


@dataclass(frozen=True, slots=True)
class JobReport(Report):
    """A job for the JSON API and the event stream."""

    id: str
    verb: str
    arguments: tuple[str, ...]
    title: str
    state: JobState
    words: str
    active: bool
    resumable: bool
    started: float
    ended: float | None
    message: str


def job_report(job: Job) -> JobReport:
    """A job as it stands -> what is told of it."""
    return JobReport(
        job.id,
        job.verb,
        job.arguments,
        job.title,
        job.state,
        job_words(job),
        job.active,
        job.resumable,
        job.started,
        job.ended,
        job.message,
    )


@router.get("/jobs")
def jobs_page(request: Request, state: State) -> Response:
    jobs = [(job, job_words(job)) for job in state.jobs.all()[:SHOWN]]
    return page(request, "jobs.html", title="Jobs", jobs=jobs)


@router.get("/jobs/events")
def jobs_events(request: Request, state: State, only: str = "") -> Response:
    """Several jobs in one stream: a browser has few connections to spare."""
    names = only.split(",")[:SHOWN]
    for name in names:
        state.jobs.get(name)
    return events(request, lambda: {name: job_report(state.jobs.get(name)).to_json() for name in names})


@router.get("/jobs/{name}")
def job_page(request: Request, state: State, name: str) -> Response:
    job = state.jobs.get(name)
    report = state.jobs.report(name)
    return page(
        request,
        "job.html",
        title=job.title,
        job=job,
        words=job_words(job),
        summary=report.get("summary", ""),
        report=json_text(report, indent=1)[:20_000] if report else "",
        messages=state.jobs.messages(name),
    )


@router.get("/jobs/{name}/events")
def job_events(request: Request, state: State, name: str) -> Response:
    state.jobs.get(name)
    return events(request, _watching(state, name))


@router.post("/jobs/{name}")
def job_wish(request: Request, state: State, name: str, form: Sent) -> Response:
    wishes = {"pause": state.jobs.pause, "stop": state.jobs.stop, "resume": state.jobs.resume}
    try:
        if form["do"] in wishes:
            wishes[form["do"]](name)
    except TrailmarkError as error:
        return to(request, "/jobs", said=str(error), wrong=True)
    return to(request, own_path(form["back"], f"/jobs/{name}"))


def _watching(state: AppState, name: str) -> Producer:
    over = False

    def produce() -> Mapping[str, object] | None:
        nonlocal over
        if over:
            return None
        job = state.jobs.get(name)
        over = not job.active
        return job_report(job).to_json()

    return produce
