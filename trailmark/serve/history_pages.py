"""History: what was done, each with a button that takes it back; and lists of what is kept, to be changed or forgotten.

Before anything is forgotten its page says what hangs on it. Pages that are both wanted and not wanted are asked about here.
"""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from trailmark.errors import InputError, TrailmarkError
from trailmark.serve.rendering import Form, Sent, State, Text, Whole, number_in, own_path, page, to
from trailmark.serve.state import AppState
from trailmark.teach.trail_draft import clean_label
from trailmark.verbs.contradictions import contradictions, settle
from trailmark.verbs.forget import change_answer, change_trail, forget
from trailmark.verbs.kept_things import KINDS, ONE, KeptThing, Kind, counted, find_things, kept_things
from trailmark.verbs.resting import resting
from trailmark.verbs.staleness import ORGANISE, stale_things
from trailmark.verbs.undo import acts, undo

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api", tags=["history"])

ACTS_SHOWN, THINGS_SHOWN = 100, 200
NAMES: Mapping[Kind, str] = {
    "trails": "Trails that were taught",
    "marks": "Values that were marked",
    "answers": "Answers about pages of runs",
    "runs": "Runs",
    "rules": "Rules",
    "records": "Records",
}


class UndoIn(BaseModel):
    """An act to be undone."""

    act: int | None = Field(None, ge=1, le=2**53)
    """Without a number, the last one that stands."""


class ForgetIn(BaseModel):
    """Things to be forgotten, by their numbers."""

    ids: list[Text] = Field(min_length=1, max_length=10_000)


@router.get("/history")
def history_page(request: Request, state: State, skip: Whole = 0) -> Response:
    """What was done, the latest first."""
    skip = max(skip, 0)
    with state.workspace() as workspace:
        report = acts(workspace, ACTS_SHOWN + 1, skip)
        stale, both = stale_things(workspace), contradictions(workspace)
    return page(
        request,
        "history.html",
        title="History",
        acts=report.acts[:ACTS_SHOWN],
        more=len(report.acts) > ACTS_SHOWN,
        dropped=report.dropped,
        skip=skip,
        most=ACTS_SHOWN,
        stale=stale,
        contradictions=both,
        kinds=NAMES,
    )


@router.post("/history")
def act(request: Request, state: State, form: Sent) -> Response:
    """Undo an act, or settle a contradiction."""
    try:
        said = _settled(state, form) if form["do"] == "settle" else _undone(state, form)
    except TrailmarkError as error:
        return to(request, "/history", said=str(error), wrong=True)
    return to(request, "/history", said=said)


def _undone(state: AppState, form: Form) -> str:
    with state.workspace() as workspace:
        report = undo(workspace, number_in(form["act"]))
    if any(thing.renew == ORGANISE for thing in report.stale) and not state.jobs.active("organise"):
        state.jobs.start("organise", title="Organising what was curated", back="/history")
    return f"Undone: {report.undone.what.removeprefix('Undone: ')}"


def _settled(state: AppState, form: Form) -> str:
    with state.workspace() as workspace:
        wished = (form["url"], form["goal"])
        found = next((each for each in contradictions(workspace) if (each.url, each.goal) == wished), None)
        if found is None:
            raise InputError("That is settled already.")
        settle(workspace, found, wanted=form["answer"] == "yes")
    return f"Settled: {found.url} is {'wanted' if form['answer'] == 'yes' else 'not wanted'}."


@router.get("/kept/{kind}")
def kept_page(request: Request, state: State, kind: str, q: str = "", skip: Whole = 0) -> Response:
    """All of one kind, each to be changed or forgotten."""
    with state.workspace() as workspace:
        things = kept_things(workspace, _kind(kind)).things
    found = [thing for thing in things if q.lower() in f"{thing.url} {thing.says} {thing.source}".lower()]
    skip = max(skip, 0)
    return page(
        request,
        "kept.html",
        title=NAMES[_kind(kind)],
        kind=kind,
        one=ONE[_kind(kind)],
        things=found[skip : skip + THINGS_SHOWN],
        count=len(found),
        q=q,
        skip=skip,
        most=THINGS_SHOWN,
        kinds=NAMES,
    )


@router.post("/kept/{kind}")
def change(request: Request, state: State, kind: str, form: Sent) -> Response:
    """Ask whether things are to be forgotten, forget them, or change one."""
    name, ids = _kind(kind), [each for each in form.all("id") if each]
    here = own_path(form["back"], f"/kept/{kind}")
    if not ids:
        return to(request, here, said="Tick what is to be forgotten first.", wrong=True)
    try:
        with state.workspace() as workspace:
            things = find_things(workspace, name, ids)
            if form["do"] == "ask":
                return _asked(request, name, things, resting(workspace, name, things), here, own_path(form["back"], ""))
            if form["do"] == "label" and name == "trails":
                change_trail(workspace, ids[0], label=clean_label(form["label"]) or "")
                return to(request, here, said="Renamed. It can be undone under History.")
            if form["do"] == "change":
                wanted = form["wanted"] == "yes"
                if name == "answers":
                    change_answer(workspace, ids[0], wanted=wanted)
                elif name == "trails":
                    change_trail(workspace, ids[0], wanted=wanted)
                return to(
                    request,
                    here,
                    said=f"{things[0].url} is {'wanted' if wanted else 'not wanted'} now. It can be undone under History.",
                )
            report = forget(workspace, name, ids)
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    gone = f"Forgot {counted(len(report.forgotten), name)}."
    if form["back"]:
        return to(request, here, said=f"{gone} History brings it back.")
    return to(request, "/history", said=f"{gone} Undo brings it back.")


def _asked(
    request: Request, kind: Kind, things: list[KeptThing], hanging: list[str], back: str, wished: str
) -> Response:
    """`back`: where one came from; `wished`: where one wants to be afterwards, if anywhere."""
    return page(
        request,
        "forget.html",
        title=f"Forget {counted(len(things), kind)}?",
        kind=kind,
        things=things,
        resting=hanging,
        back=back,
        wished=wished,
        counted=counted(len(things), kind),
    )


def _kind(word: str) -> Kind:
    for kind in KINDS:
        if kind == word:
            return kind
    raise InputError(f"There is no list of '{word[:20]}'; there are {', '.join(KINDS)}.")


@api.get("/history")
def history_json(state: State, skip: Whole = 0) -> Mapping[str, object]:
    """What was done, the latest first (`trailmark undo --list --json`)."""
    with state.workspace() as workspace:
        return acts(workspace, 1000, max(skip, 0)).to_json()


@api.post("/history/undo")
def undo_json(state: State, sent: UndoIn) -> Mapping[str, object]:
    """Undo an act (`trailmark undo ID`)."""
    with state.workspace() as workspace:
        return undo(workspace, sent.act).to_json()


@api.get("/kept/{kind}")
def kept_json(state: State, kind: str) -> Mapping[str, object]:
    """What is kept of a kind, with numbers (`trailmark teach --list --json` and its like)."""
    with state.workspace() as workspace:
        return kept_things(workspace, _kind(kind)).to_json()


@api.post("/kept/{kind}/forget")
def forget_json(state: State, kind: str, sent: ForgetIn) -> Mapping[str, object]:
    """Forget things by their numbers; the report says what rested on them (`trailmark teach --forget ID --yes` and its like)."""
    with state.workspace() as workspace:
        return forget(workspace, _kind(kind), sent.ids).to_json()
