"""Check: what a walk found, to be looked through."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.serve.rendering import State, to
from trailmark.verbs.runs import runs

router = APIRouter(include_in_schema=False)


@router.get("/check")
def review_page(request: Request, state: State) -> Response:
    """The latest run that found something; before there is one, the questions."""
    with state.workspace() as workspace:
        run = next((run.id for run in runs(workspace).runs if run.goals), None)
    return to(request, "/questions" if run is None else f"/runs/{run}/check")
