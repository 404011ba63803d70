"""Documents that were tagged: the list, a page of one with its fields coloured, and fields put right."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from trailmark.errors import InputError, TrailmarkError
from trailmark.serve.document_sheet import colours_of, draw_sheet
from trailmark.serve.rendering import Sent, State, Text, Whole, number_in, page, to
from trailmark.serve.state import AppState
from trailmark.store.document_list import OnlyDocuments, list_documents
from trailmark.store.tag_corrections import read_corrections
from trailmark.verbs.correct_document import OpenDocument, correct, given_of, open_document
from trailmark.workspace import Workspace

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/documents", tags=["documents"])
SHOWN, KEPT = 50, 3
"""Documents of one page of the list; and documents whose words stay at hand."""
AT_ONCE, PATIENCE = 2, 30.0
"""Documents that are read at the same time, and seconds that the next one waits for its turn."""
_READING = threading.BoundedSemaphore(AT_ONCE)


class CorrectionIn(BaseModel):
    """Words of a part of a document, and the field that they are; empty for none."""

    url: Text
    part: Text
    first: Whole
    last: Whole
    field: Text = ""


def opened_document(state: AppState, workspace: Workspace, url: str) -> OpenDocument:
    """A document that was tagged; read once, and kept at hand until others took its place or it is tagged otherwise."""
    tagging = workspace.database.tagging(url)
    key = "" if tagging is None else f"{url} {tagging.content_hash} {tagging.rules.partition('+')[0]}"
    if key in state.documents:
        return state.documents[key]
    if not _READING.acquire(timeout=PATIENCE):
        raise InputError("Other documents are being read; try again in a moment.")
    try:
        opened = open_document(workspace, url)
    finally:
        _READING.release()
    if opened.read.document is not None:
        for old in list(state.documents)[: -KEPT + 1]:
            state.documents.pop(old, None)
        state.documents[key] = opened
    return opened


@router.get("/documents")
def documents_page(request: Request, state: State, q: str = "", show: OnlyDocuments = "", skip: Whole = 0) -> Response:
    """The documents, one page of the list."""
    with state.workspace() as workspace:
        count, rows = list_documents(workspace.database, containing=q, only=show, most=SHOWN, skip=max(skip, 0))
        corrections = len(read_corrections(workspace.database))
    return page(
        request, "documents.html", title="Documents", rows=rows, count=count, q=q, only=show, skip=max(skip, 0),
        most=SHOWN, corrections=corrections, working=state.jobs.active("tag"),
    )  # fmt: skip


@router.post("/documents")
def work(request: Request, state: State, form: Sent) -> Response:
    """Tag what was fetched, or learn from what was corrected and tag everything again, in the background."""
    if form["do"] == "learn" and not state.jobs.active("tag"):
        state.jobs.start("tag", "--learn", title="Learning from corrections, then tagging again", back="/documents")
    elif not state.jobs.active("tag"):
        state.jobs.start("tag", title="Tagging documents", back="/documents")
    return to(request, "/documents")


@router.get("/documents/view")
def document_page(
    request: Request, state: State, url: str = "", number: Annotated[Whole, Query(alias="page")] = 1
) -> Response:
    """A page of a document with its fields."""
    with state.workspace() as workspace:
        opened = opened_document(state, workspace, url)
        given, sure = given_of(workspace, url), workspace.settings.tag.sure
    if opened.read.document is None:
        raise InputError(f"{url[:200]} can't be read: {opened.read.note}")
    drawn = draw_sheet(opened, given, number, sure)
    return page(
        request,
        "document.html",
        title="A document",
        url=url,
        sheet=drawn,
        note=opened.read.note,
        labels=opened.labels,
        colours=colours_of(opened),
        here=_address(url, drawn.number),
    )


def _address(url: str, number: int) -> str:
    return f"/documents/view?{urlencode({'url': url, 'page': number})}"


@router.post("/documents/view")
def put_right(request: Request, state: State, form: Sent) -> Response:
    """Words of a page are another field, or none."""
    url, here = form["url"], _address(form["url"], max(number_in(form["page"]), 1))
    part, _, places = form["choice"].partition(":")
    first, _, last = places.partition(":")
    if not part:
        return to(request, here, said="Choose words or a value first.", wrong=True)
    try:
        with state.workspace() as workspace:
            opened = opened_document(state, workspace, url)
            said = correct(workspace, opened, part, number_in(first), number_in(last), form["field"])
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here, said=f"{said} It can be undone under History.")


@api.get("")
def documents_json(state: State, q: str = "", only: OnlyDocuments = "", skip: Whole = 0) -> Mapping[str, object]:
    """Documents that were tagged, one page of the list."""
    with state.workspace() as workspace:
        count, rows = list_documents(workspace.database, containing=q, only=only, most=SHOWN, skip=max(skip, 0))
    return {"count": count, "documents": [asdict(row) for row in rows]}


@api.get("/page")
def page_json(state: State, url: str, number: Whole = 1) -> Mapping[str, object]:
    """A page of a document: its words with places and fields, and the values of its header and references."""
    with state.workspace() as workspace:
        opened = opened_document(state, workspace, url)
        given, sure = given_of(workspace, url), workspace.settings.tag.sure
    if opened.read.document is None:
        raise InputError(f"{url[:200]} can't be read: {opened.read.note}")
    return asdict(draw_sheet(opened, given, number, sure))


@api.post("/correct")
def correct_json(state: State, sent: CorrectionIn) -> Mapping[str, object]:
    """Say of words of a part which field they are; the record follows."""
    with state.workspace() as workspace:
        opened = opened_document(state, workspace, sent.url)
        return {"said": correct(workspace, opened, sent.part, sent.first, sent.last, sent.field)}
