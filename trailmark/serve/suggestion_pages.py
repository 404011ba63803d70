"""What the public sent in by the portal: sites, documents, mistakes; the owner accepts or refuses each."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.report import as_json
from trailmark.serve.rendering import Sent, State, number_in, page, to
from trailmark.store.suggestion_box import Decision
from trailmark.verbs.suggestions import decide, suggestions

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/suggestions", tags=["portal"])

HERE = "/suggestions"
DECISIONS: dict[str, Decision] = {"accept": "accepted", "refuse": "refused", "done": "done", "again": "waiting"}
"""What a button says -> what is decided."""


@router.get(HERE)
def suggestions_page(request: Request, state: State) -> Response:
    """Those that wait first, then what was decided."""
    with state.workspace() as workspace:
        every = suggestions(workspace, most=500)
    return page(
        request,
        "suggestions.html",
        title="Suggestions",
        waiting=[each for each in every if each.decision == "waiting"],
        decided=[each for each in every if each.decision != "waiting"],
        working=state.jobs.active("update"),
    )


@router.post(HERE)
def decided(request: Request, state: State, form: Sent) -> Response:
    """Accept, refuse, or take either back."""
    decision = DECISIONS.get(form["do"], "waiting")
    try:
        with state.workspace() as workspace:
            found = decide(workspace, number_in(form["id"]), decision)
    except TrailmarkError as error:
        return to(request, HERE, said=str(error), wrong=True)
    if decision == "accepted" and found.kind != "mistake":
        if form["now"]:
            state.jobs.start("update", *state.archive_words("--replay"), title="Updating", back=HERE)
            return to(request, HERE, said=f"Accepted: {found.url} is being walked.")
        return to(request, HERE, said=f"Accepted: the next update walks {found.url}.")
    return to(request, HERE)


@api.get("")
def suggestions_json(state: State) -> Mapping[str, object]:
    """What was sent in, the latest first."""
    with state.workspace() as workspace:
        return {"suggestions": [as_json(each) for each in suggestions(workspace)]}
