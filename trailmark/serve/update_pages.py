"""Updates: all that is due in one go, now or by cron, and what earlier ones did."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.serve.rendering import Sent, State, page, to
from trailmark.verbs.revisit import due_revisits
from trailmark.verbs.suggestions import suggestions
from trailmark.verbs.update import past_updates

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/updates", tags=["update"])

DUE_SHOWN = 20


@router.get("/updates")
def updates_page(request: Request, state: State) -> Response:
    """What is due, a button that does it, and earlier updates."""
    with state.workspace() as workspace:
        due = due_revisits(workspace, archived=bool(state.pages.archives))
        past = past_updates(workspace).updates
        suggested = len(suggestions(workspace, "waiting"))
    sites = [site for revisit in due.revisits for site in revisit.sites]
    return page(
        request,
        "updates.html",
        title="Keep it fresh",
        due=sites[:DUE_SHOWN],
        more=max(len(sites) - DUE_SHOWN, 0),
        waiting=due.waiting,
        past=past,
        suggested=suggested,
        working=state.jobs.active("update"),
        cron=f"0 3 * * * {shlex.join(['trailmark', '-w', str(state.folder.resolve()), 'update', '--tell'])}".replace(
            "%", "\\%"
        ),
    )


@router.post("/updates")
def update_now(request: Request, state: State, form: Sent) -> Response:
    """Do all that is due."""
    everything = ["--all"] if form["do"] == "all" else []
    state.jobs.start("update", *everything, *state.archive_words("--replay"), title="Updating", back="/updates")
    return to(request, "/updates")


@api.get("")
def updates_json(state: State) -> Mapping[str, object]:
    """Earlier updates, the latest first (`trailmark update --list --json`)."""
    with state.workspace() as workspace:
        return past_updates(workspace).to_json()
