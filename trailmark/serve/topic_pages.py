"""Topics: what is in each, what is doubtful, things moved to where they belong, and the file of topics changed or drafted."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.serve.rendering import Form, Sent, State, Text, Whole, own_path, page, to
from trailmark.serve.state import AppState
from trailmark.store.record_view import RecordView
from trailmark.verbs.organise import leaf_topics, move_item, propose_topics, write_topics
from trailmark.verbs.topic_view import DOUBT, NOWHERE, topic_view

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/topics", tags=["topics"])
SHOWN = 50
LONGEST_FILE = 500_000


class MoveIn(BaseModel):
    """A thing, and the topic that it belongs in; empty for none."""

    key: Text
    topic: Text = Field("")


@router.get("/topics")
def topics_page(request: Request, state: State, topic: str = DOUBT, skip: Whole = 0) -> Response:
    """The topics, and the things of one of them; those that are doubtful unless one is named."""
    return _page(request, state, topic, max(skip, 0))


def _page(
    request: Request,
    state: AppState,
    topic: str,
    skip: int = 0,
    *,
    written: str | None = None,
    wrong: str = "",
    drafted: bool = False,
) -> Response:
    """`written`: what stands in the box of the file instead of what is kept."""
    with state.workspace() as workspace:
        view = topic_view(workspace, topic, most=SHOWN, skip=skip)
        leaves = leaf_topics(workspace)
    return page(
        request,
        "topics.html",
        title="Topics",
        view=view,
        topic=topic,
        leaves=leaves,
        skip=skip,
        most=SHOWN,
        nowhere=NOWHERE,
        doubt=DOUBT,
        working=state.jobs.active("organise"),
        written=view.written if written is None else written,
        wrong=wrong,
        drafted=drafted,
    )


@router.post("/topics")
def act(request: Request, state: State, form: Sent) -> Response:
    """Organise now, keep another topics file, draft one, or move a thing."""
    here = own_path(form["back"], "/topics")
    if form["do"] == "move":
        return _moved(request, state, form, here)
    if form["do"] == "draft":
        return _drafted(request, state)
    if form["do"] == "save":
        text = form["topics"][:LONGEST_FILE]
        try:
            with state.workspace() as workspace:
                write_topics(workspace, text)
        except TrailmarkError as error:
            # What was typed stays in its box.
            return _page(request, state, DOUBT, written=text, wrong=str(error))
    if not state.jobs.active("organise"):
        state.jobs.start("organise", title="Organising records", back="/topics")
    return to(request, here)


def _moved(request: Request, state: AppState, form: Form, here: str) -> Response:
    try:
        with state.workspace() as workspace:
            move_item(workspace, form["key"], form["topic"])
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    if not state.jobs.active("organise"):
        state.jobs.start("organise", title="Learning from what you moved", back="/topics")
    return to(request, here, said="Moved. It can be undone under History.")


def _drafted(request: Request, state: AppState) -> Response:
    try:
        with state.workspace() as workspace:
            if not RecordView(workspace.database).kinds():
                return to(
                    request, "/topics", said="There are no records to organise; lift some first under Data.", wrong=True
                )
            text = propose_topics(workspace)
    except TrailmarkError as error:
        return to(request, "/topics", said=str(error), wrong=True)
    return _page(request, state, DOUBT, written=text, drafted=True)


@api.get("")
def topics_json(state: State, topic: str = DOUBT, skip: Whole = 0) -> Mapping[str, object]:
    """Topics with counts, and things of one of them: its id, `-` for things in no topic, `?` for doubtful ones."""
    with state.workspace() as workspace:
        return topic_view(workspace, topic, most=SHOWN, skip=max(skip, 0)).to_json()


@api.post("/move")
def move_json(state: State, sent: MoveIn) -> Mapping[str, object]:
    """Put a thing in a topic (`trailmark organise --move KEY TOPIC`, without organising)."""
    with state.workspace() as workspace:
        move_item(workspace, sent.key, sent.topic)
    return {"moved": sent.key, "topic": sent.topic}
