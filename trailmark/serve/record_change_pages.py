"""Changes of records: a value given by hand, a field renamed, split, joined, cut or brought to one form; tried first, listed, undone."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.serve.record_columns import step_of
from trailmark.serve.record_pages import Asked, table_page
from trailmark.serve.rendering import Form, Sent, State, number_in, own_path, page, to
from trailmark.shape.field_step import FieldStep
from trailmark.verbs.shape import change_field, edit_value, redo, try_change, undo

router = APIRouter(include_in_schema=False)
TABLE = "/records"
_WORDS = ("how", "into", "pattern", "put", "form", "order", "decimal")


@router.post("/records/edit")
def edit(request: Request, state: State, form: Sent) -> Response:
    """A value of a record, given by hand: a line each where there are several."""
    back = own_path(form["back"], TABLE)
    values = tuple(line.strip() for line in form["value"].splitlines() if line.strip())
    try:
        with state.workspace() as workspace:
            report = edit_value(workspace, number_in(form["id"]), form["field"], values)
    except TrailmarkError as error:
        return to(request, back, said=str(error), wrong=True)
    return to(request, back, said=report.acts[-1].sentence if report.acts else "")


@router.post("/records/fields")
def change(request: Request, state: State, form: Sent) -> Response:
    """A change of a field: tried, or made."""
    sent, step = _step(form)
    try:
        with state.workspace() as workspace:
            if form["do"] == "try":
                trial = try_change(workspace, step)
                return table_page(request, state, Asked(), trial, sent)
            change_field(workspace, step)
    except TrailmarkError as error:
        return table_page(request, state, Asked(), None, sent, str(error))
    return to(request, TABLE, said=step.sentence)


@router.post("/records/trial")
def trial_part(request: Request, state: State, form: Sent) -> Response:
    """The same trial as a part of a page, for the script that shows it while a person writes."""
    _, step = _step(form)
    try:
        with state.workspace() as workspace:
            return page(request, "record_trial.html", title="", step_trial=try_change(workspace, step), wrong="")
    except TrailmarkError as error:
        return page(request, "record_trial.html", title="", step_trial=None, wrong=str(error))


@router.post("/records/acts")
def act(request: Request, state: State, form: Sent) -> Response:
    """A change taken back, or made again."""
    try:
        with state.workspace() as workspace:
            (redo if form["do"] == "redo" else undo)(workspace, number_in(form["id"]))
    except TrailmarkError as error:
        return to(request, TABLE, said=str(error), wrong=True)
    return to(request, TABLE, said="It is made again." if form["do"] == "redo" else "It is taken back.")


def _step(form: Form) -> tuple[dict[str, Any], FieldStep]:
    """What was sent, for the form to show again, and the change that it means."""
    words = {name: form[name] for name in _WORDS}
    pattern = form.raw("pattern")  # a blank may be where a text is split
    fields = [name for name in form.all("field") if name]
    step = step_of(form["how"], fields, {**words, "pattern": pattern, "put": form.raw("put")})
    return {**words, "pattern": pattern, "field": fields}, step
