"""Drift alarms: what broke, since when, the proposed repair and what it would change; accept it, or go back.

A visit of the bellwethers is `trailmark monitor` as a job; what it found is read from its report.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.monitor.cluster_finding import STATUS_WORDS
from trailmark.serve.rendering import Sent, State, page, to
from trailmark.serve.state import AppState
from trailmark.verbs.monitor import monitor_history, roll_back

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/alarms", tags=["monitor"])

VISITS_SHOWN = 30


@router.get("/alarms")
def alarms_page(request: Request, state: State) -> Response:
    """What the last visit found."""
    with state.workspace() as workspace:
        has_rules = workspace.has_rules()
        visits = monitor_history(workspace).visits[-VISITS_SHOWN:][::-1]
    last = _last(state)
    return page(
        request,
        "alarms.html",
        title="Watch",
        has_rules=has_rules,
        clusters=sorted(last.get("clusters", []), key=lambda cluster: cluster["status"] == "ok"),
        at=last.get("at", ""),
        words=STATUS_WORDS,
        visits=visits,
        working=state.jobs.active("monitor"),
        archives=[path.name for path in state.pages.archives],
    )


@router.post("/alarms")
def act(request: Request, state: State, form: Sent) -> Response:
    """Visit now, accept repairs, or put back what a repair replaced."""
    notice = ""
    if form["do"] == "back":
        try:
            with state.workspace() as workspace:
                back = roll_back(workspace, form["cluster"])
        except TrailmarkError as error:
            return to(request, "/alarms", said=str(error), wrong=True)
        # What the last visit said of the rules no longer holds: look again.
        notice = (
            f"{form['cluster']} has the rules back that were replaced at {back.replaced_at}; it is being visited again."
        )
    named = state.archive_words("--replay")
    repair = ["--repair"] if form["do"] == "repair" else []
    if not state.jobs.active("monitor"):
        state.jobs.start("monitor", *repair, *named, title="Visiting bellwether pages", back="/alarms")
    return to(request, "/alarms", said=notice)


@api.get("")
def alarms_json(state: State) -> dict[str, Any]:
    """What the last visit found (`trailmark monitor --json`), and every visit's outcome."""
    with state.workspace() as workspace:
        return {"last": _last(state), **monitor_history(workspace).to_json()}


def _last(state: AppState) -> dict[str, Any]:
    """The report of the last visit that ended."""
    for job in state.jobs.all():
        if job.verb == "monitor" and not job.active and "clusters" in (report := state.jobs.report(job.id)):
            return report
    return {}
