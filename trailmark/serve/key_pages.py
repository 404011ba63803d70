"""Keys in use: which browsers and programs may come in, until when; make one for a program, take any back."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.serve.rendering import Sent, State, page, to
from trailmark.serve.state import AppState

router = APIRouter(include_in_schema=False)

WORDS = {"browser": "a browser", "program": "a program, for the JSON API", "recorder": "the recorder, to teach trails"}
"""What each kind of key opens the app to."""


@router.get("/keys")
def keys_page(request: Request, state: State) -> Response:
    """All keys that hold."""
    return _shown(request, state)


@router.post("/keys")
def change(request: Request, state: State, form: Sent) -> Response:
    """Make a key for a program, which is shown this once, or take keys back."""
    if form["do"] == "make":
        secret = state.ring.make("program", form["name"], state.options.key_days)[1]
        return _shown(request, state, secret=secret)
    try:
        if form["do"] == "revoke":
            state.ring.revoke(form["id"])
        elif form["do"] == "others":
            for key in state.ring.all():
                if key.id != request.state.session:
                    state.ring.revoke(key.id)
    except TrailmarkError as error:
        return to(request, "/keys", said=str(error), wrong=True)
    return to(request, "/keys", said="Taken back.")


def _shown(request: Request, state: AppState, secret: str = "") -> Response:
    return page(
        request,
        "keys.html",
        title="Keys",
        keys=state.ring.all(),
        words=WORDS,
        own=request.state.session,
        secret=secret,
        days=state.options.key_days,
        has_token=bool(state.options.token),
    )
