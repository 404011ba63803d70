"""Check a run: one key for each page of a sample of what it found, and what the keys say of all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.report import as_json
from trailmark.serve.rendering import Sent, State, Text, Whole, page, to
from trailmark.serve.view_pages import signed
from trailmark.verbs.check import answer_check, check_report, next_check
from trailmark.verbs.runs import find_run

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/runs", tags=["runs"])

ANSWERS = {"goal": "goal", "fail": "fail", "skip": ""}


class CheckIn(BaseModel):
    """An answer about a page that a run found."""

    url: Text
    answer: Literal["goal", "fail", "skip"]


@router.get("/runs/{number}/check")
def check_page(request: Request, state: State, number: Whole) -> Response:
    """The page that is to be checked next."""
    with state.workspace() as workspace:
        find_run(workspace, number)
        report, question = check_report(workspace, number), next_check(workspace, number)
    return page(
        request,
        "check.html",
        title=f"Check run {number}",
        check=report,
        question=question,
        frame=signed(state, "/view/question", url=question.url) if question else "",
    )


@router.post("/runs/{number}/check")
def answer(request: Request, state: State, number: Whole, form: Sent) -> Response:
    """One answer: right, wrong, or skip."""
    here = f"/runs/{number}/check"
    if form["answer"] not in ANSWERS:
        return to(request, here, said="Press one of the buttons: yes, no, or skip.", wrong=True)
    try:
        with state.workspace() as workspace:
            answer_check(workspace, number, form["url"], ANSWERS[form["answer"]], state.pages.archives_and_seen)
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here)


@api.get("/{number}/check")
def check_json(state: State, number: Whole) -> Mapping[str, object]:
    """How many of the pages that a run found are right, as far as that was measured, and the page to be asked about next."""
    with state.workspace() as workspace:
        find_run(workspace, number)
        question = next_check(workspace, number)
        return {**check_report(workspace, number).to_json(), "question": as_json(question)}


@api.post("/{number}/check")
def answer_json(state: State, number: Whole, sent: CheckIn) -> Mapping[str, object]:
    """Say whether a page of the sample is right."""
    with state.workspace() as workspace:
        archives = state.pages.archives_and_seen
        return answer_check(workspace, number, sent.url, ANSWERS[sent.answer], archives).to_json()
