"""Check a run: one key for each page of a sample of what it found, and what the keys say of all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from urllib.parse import quote

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
    goal: Text | None = None
    """The goal whose sample the page is of, where the run looked for several and only its pages are checked."""


@router.get("/runs/{number}/check")
def check_page(request: Request, state: State, number: Whole, goal: str = "") -> Response:
    """The page that is to be checked next, of all that was found or of those of one goal."""
    with state.workspace() as workspace:
        run = find_run(workspace, number)
        goal = goal if goal in run.goal_names else ""
        report, question = check_report(workspace, number, goal), next_check(workspace, number, goal)
    return page(
        request,
        "check.html",
        title=f"Check run {number}",
        check=report,
        goals=run.goal_names if len(run.goal_names) > 1 else (),
        question=question,
        frame=signed(state, "/view/question", url=question.url) if question else "",
    )


@router.post("/runs/{number}/check")
def answer(request: Request, state: State, number: Whole, form: Sent) -> Response:
    """One answer: right, wrong, or skip."""
    goal = next(iter(form.all("goal")), "")
    here = f"/runs/{number}/check" + (f"?goal={quote(goal, safe='')}" if goal else "")
    if form["answer"] not in ANSWERS:
        return to(request, here, said="Press one of the buttons: yes, no, or skip.", wrong=True)
    try:
        with state.workspace() as workspace:
            archives = state.pages.archives_and_seen
            answer_check(workspace, number, form["url"], ANSWERS[form["answer"]], archives, goal=goal)
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here)


@api.get("/{number}/check")
def check_json(state: State, number: Whole, goal: str = "") -> Mapping[str, object]:
    """How many of the pages that a run found (of one goal) are right, as far as that was measured, and the page to be asked about next."""
    with state.workspace() as workspace:
        find_run(workspace, number)
        question = next_check(workspace, number, goal)
        return {**check_report(workspace, number, goal).to_json(), "question": as_json(question)}


@api.post("/{number}/check")
def answer_json(state: State, number: Whole, sent: CheckIn) -> Mapping[str, object]:
    """Say whether a page of the sample is right."""
    with state.workspace() as workspace:
        archives = state.pages.archives_and_seen
        return answer_check(workspace, number, sent.url, ANSWERS[sent.answer], archives, goal=sent.goal).to_json()
