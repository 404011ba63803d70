"""Citations: groups of references that mean one paper, who cites it in which words; groups merged, split, and told from a paper."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import Response

from trailmark.errors import InputError, TrailmarkError
from trailmark.serve.rendering import Form, Sent, State, Text, Whole, number_in, own_path, page, to
from trailmark.verbs.cited_groups import cited_groups, merge, split, tell_apart, unlink
from trailmark.workspace import Workspace

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/citations", tags=["citations"])
SHOWN = 20


class SaidIn(BaseModel):
    """What is said of groups: `merge` some, `split` a reference off, two references are `apart`, a group is to `unlink` from its paper."""

    do: Text
    groups: list[Whole] = []
    references: list[Whole] = []


@router.get("/citations")
def citations_page(request: Request, state: State, q: str = "", group: Whole = 0, skip: Whole = 0) -> Response:
    """Groups, the most cited first; those with some letters, or one."""
    with state.workspace() as workspace:
        view = cited_groups(workspace, q, group=group or None, most=SHOWN, skip=max(skip, 0))
    working = state.jobs.active("organise")
    return page(
        request, "citations.html", title="Citations", view=view, q=q, group=group, skip=max(skip, 0), most=SHOWN, working=working
    )  # fmt: skip


@router.post("/citations")
def act(request: Request, state: State, form: Sent) -> Response:
    """Merge the groups that were ticked, take a reference out, tell two apart, or a group from its paper."""
    here = own_path(form["back"], "/citations")
    try:
        with state.workspace() as workspace:
            said = _said(workspace, form["do"], _numbers(form, "group"), _numbers(form, "reference"))
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here, said=f"{said} It can be undone under History.")


def _numbers(form: Form, name: str) -> list[int]:
    return [number_in(value) for value in form.all(name) if value]


def _said(workspace: Workspace, do: str, groups: list[int], references: list[int]) -> str:
    if do == "merge":
        return merge(workspace, groups)
    if do == "split" and len(references) == 1:
        return split(workspace, references[0])
    if do == "apart" and len(references) == 2:
        return tell_apart(workspace, references[0], references[1])
    if do == "unlink" and len(groups) == 1:
        return unlink(workspace, groups[0])
    raise InputError("Choose groups to merge, one reference to take out, two that differ, or a group to unlink.")


@api.get("")
def citations_json(state: State, q: str = "", group: Whole = 0, skip: Whole = 0) -> Mapping[str, object]:
    """Groups of references, the most cited first, with the sentences in which each is cited."""
    with state.workspace() as workspace:
        return cited_groups(workspace, q, group=group or None, most=SHOWN, skip=max(skip, 0)).to_json()


@api.post("")
def say_json(state: State, sent: SaidIn) -> Mapping[str, object]:
    """Say of groups what they mean; it can be undone (`trailmark undo`)."""
    with state.workspace() as workspace:
        return {"said": _said(workspace, sent.do, sent.groups, sent.references)}
