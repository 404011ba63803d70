"""Curating: items looked for, hidden, made one, taken apart; and what was curated, each with a button that takes it back."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from trailmark.errors import InputError, TrailmarkError
from trailmark.serve.rendering import Sent, State, Text, Whole, number_in, own_path, page, to
from trailmark.serve.state import AppState
from trailmark.verbs.curate import CurateReport, hide_all, merge, split
from trailmark.verbs.curated import curated, items_to_curate
from trailmark.verbs.undo import undo
from trailmark.workspace import Workspace

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/curate", tags=["curate"])
HERE = "/curate"
SHOWN = 20


class CurateIn(BaseModel):
    """What is said of items: `hide` one or several, `merge` some into the first, or `split` one that was found at `source` from its item."""

    do: Text
    items: list[Text] = Field(min_length=1, max_length=100)
    """Keys or permanent addresses."""
    source: Text = ""
    why: Text = ""


@router.get(HERE)
def curate_page(request: Request, state: State, q: str = "", skip: Whole = 0) -> Response:
    """Items with these words, those that were made of several first where none are asked for; and what was curated."""
    skip = max(skip, 0)
    with state.workspace() as workspace:
        found, acts = items_to_curate(workspace, q, most=SHOWN, skip=skip), curated(workspace)
    working = state.jobs.active("organise")
    return page(
        request, "curate.html", title="Curate", found=found, acts=acts.acts, due=acts.due and not working, q=q, skip=skip, most=SHOWN, working=working
    )  # fmt: skip


@router.post(HERE)
def act(request: Request, state: State, form: Sent) -> Response:
    """Hide, merge or split items, or take one of these back."""
    here = own_path(form["back"], HERE)
    items = [each for each in form.all("item") if each]
    if form["into"] in items:
        items = [form["into"], *(each for each in items if each != form["into"])]
    try:
        with state.workspace() as workspace:
            if form["do"] == "undo":
                said = f"Undone: {undo(workspace, number_in(form['act'])).undone.what.removeprefix('Undone: ')}."
            elif form["do"] == "organise":
                said = "Organising."
            else:
                reports = _said(workspace, form["do"], items, form["source"], form["why"])
                said = " ".join(each.what for each in reports[:3]) + " It can be undone below."
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    _organise(state)
    return to(request, here, said=said)


def _said(workspace: Workspace, do: str, items: list[str], source: str, why: str) -> list[CurateReport]:
    if do == "hide" and items:
        return hide_all(workspace, items, why)
    if do == "merge" and len(items) > 1:
        return [merge(workspace, items[0], items[1:], why)]
    if do == "split" and len(items) == 1 and source:
        return [split(workspace, items[0], source, why)]
    raise InputError("Tick items to hide, two or more to make one, or name a source to take out.")


def _organise(state: AppState) -> None:
    """All that was said holds once things are organised; one that is at work began before, and begins again by itself where it must."""
    if not state.jobs.active("organise"):
        with state.workspace() as workspace:
            due = curated(workspace).due
        if due:
            state.jobs.start("organise", title="Organising what was curated", back=HERE)


@api.get("")
def curated_json(state: State, q: str = "", skip: Whole = 0) -> Mapping[str, object]:
    """What was curated, and items with what each was made of."""
    with state.workspace() as workspace:
        items = items_to_curate(workspace, q, most=SHOWN, skip=max(skip, 0))
        return {**curated(workspace).to_json(), **items.to_json()}


@api.post("")
def curate_json(state: State, sent: CurateIn) -> Mapping[str, object]:
    """Hide, merge or split items (`trailmark curate`, without organising); each can be undone (`trailmark undo`)."""
    with state.workspace() as workspace:
        reports = _said(workspace, sent.do, sent.items, sent.source, sent.why)
        return {"said": [report.to_json() for report in reports]}
