"""The JSON API over the calls that the pages and the command line make; /api shows it to a person, /api/openapi.json to a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import PlainTextResponse, Response

from trailmark.errors import InputError
from trailmark.quoting import json_text
from trailmark.serve.job_pages import job_report
from trailmark.serve.job_words import MOST_WORDS
from trailmark.serve.rendering import State, Text, page
from trailmark.teach import parse_trails
from trailmark.verbs.metrics import CONTENT_TYPE, metrics
from trailmark.verbs.status import status

router = APIRouter(prefix="/api")
MOST_TRAILS = 10_000
SENT = "sent to the app"


class StepIn(BaseModel):
    """A page of a trail."""

    url: Text
    label: Text | None = None
    anchor: Text | None = None


class TrailIn(BaseModel):
    """A demonstrated click path, as in a trails file."""

    site: Text
    outcome: Literal["goal", "fail"]
    steps: list[StepIn] = Field(min_length=1, max_length=100)


class TrailsIn(BaseModel):
    """Trails to teach."""

    trails: list[TrailIn] = Field(min_length=1, max_length=MOST_TRAILS)


class JobIn(BaseModel):
    """A verb of the command line with its arguments."""

    verb: Text = Field(max_length=20)
    arguments: list[Text] = Field([], max_length=MOST_WORDS)
    """Relative paths are meant from the workspace; files are read there, and written below its folder exports/."""
    title: Text = Field("", max_length=200)


class WishIn(BaseModel):
    """What is wished of a job."""

    do: Literal["pause", "resume", "stop"]


@router.get("", include_in_schema=False)
def api_page(request: Request) -> Response:
    """The API for a person."""
    paths = request.app.openapi()["paths"]
    calls = [
        (method.upper(), path, call.get("summary", ""), call.get("description", ""))
        for path, methods in sorted(paths.items())
        for method, call in methods.items()
    ]
    return page(request, "api.html", title="For programs", calls=calls)


@router.get("/metrics", tags=["workspace"], response_class=PlainTextResponse)
def read_metrics(state: State) -> Response:
    """What the workspace holds and how its last run stands, as Prometheus reads it (`trailmark status --metrics`)."""
    with state.workspace() as workspace:
        return Response(metrics(workspace), media_type=CONTENT_TYPE)


@router.get("/status", tags=["workspace"])
def read_status(state: State) -> Mapping[str, object]:
    """What the workspace holds, and what to do next (`trailmark status`)."""
    with state.workspace() as workspace:
        return status(workspace).to_json()


@router.post("/trails", tags=["teach"])
def teach(state: State, sent: TrailsIn) -> Mapping[str, object]:
    """Teach trails (`trailmark teach TRAILS.jsonl`); their pages are taken from the workspace or fetched."""
    lines = [json_text(trail.model_dump()) for trail in sent.trails]
    good, bad = parse_trails(lines, SENT)
    if not good:
        raise InputError(f"{bad[0].reason}.")
    report = state.demonstrations.teach([trail for _, trail in good], source=SENT)
    return replace(report, problems=(*report.problems, *bad)).to_json()


@router.get("/trails", tags=["teach"])
def trails(state: State) -> list[TrailIn]:
    """The trails that were taught."""
    with state.workspace() as workspace:
        return [
            TrailIn(
                site=trail.site,
                outcome=trail.outcome,
                steps=[StepIn(url=step.url, label=step.label, anchor=step.anchor) for step in trail.steps],
            )
            for trail in workspace.database.trails()
        ]


@router.get("/jobs", tags=["jobs"])
def jobs(state: State) -> list[Mapping[str, object]]:
    """Jobs, the latest first."""
    return [job_report(job).to_json() for job in state.jobs.all()]


@router.post("/jobs", tags=["jobs"], status_code=201)
def start_job(state: State, sent: JobIn) -> Mapping[str, object]:
    """Run a verb in the background."""
    job = state.jobs.start(sent.verb, *sent.arguments, title=sent.title or f"trailmark {sent.verb}")
    return job_report(job).to_json()


@router.get("/jobs/{name}", tags=["jobs"])
def job(state: State, name: str) -> Mapping[str, object]:
    """How a job stands, with the verb's report once it is done."""
    return {**job_report(state.jobs.get(name)).to_json(), "report": state.jobs.report(name)}


@router.post("/jobs/{name}", tags=["jobs"])
def wish(state: State, name: str, sent: WishIn) -> Mapping[str, object]:
    """Pause, resume or stop a job."""
    wishes = {"pause": state.jobs.pause, "resume": state.jobs.resume, "stop": state.jobs.stop}
    return job_report(wishes[sent.do](name)).to_json()
