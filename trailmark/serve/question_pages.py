"""Its questions: the few pages whose answer would help most, one at a time; what the answers changed is shown.

Questions are chosen by a job (`trailmark teach --suggest`), because that takes a model and every page at hand. An answer is kept at once; after
every few, and after the last, the way is learnt again in the background.
"""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.serve.rendering import Sent, State, Text, page, to
from trailmark.serve.state import AppState
from trailmark.serve.view_pages import check, shown, signed
from trailmark.teach.trail_draft import clean_label
from trailmark.verbs.learn import learnt
from trailmark.verbs.status import status
from trailmark.verbs.suggest import answer_question, kept_questions

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api", tags=["questions"])

ROUND = 10
"""Questions that are chosen at a time."""
LEARN_AFTER = 5
LABELS_SHOWN = 30


class AnswerIn(BaseModel):
    """An answer to a question."""

    url: Text
    answer: Literal["goal", "fail", "skip"] | None = None
    label: Text | None = Field(None, max_length=80)
    """A name for this kind of page, where it is neither."""


@router.get("/questions")
def question_page(request: Request, state: State) -> Response:
    """The question that would help most."""
    with state.workspace() as workspace:
        kept = kept_questions(workspace)
        latest = learnt(workspace)
        taught = status(workspace).counts.get("trails", 0)
    waiting = kept["questions"] if kept else []
    question = waiting[0] if waiting else None
    return page(
        request,
        "questions.html",
        title="Its questions",
        question=question,
        frame=signed(state, "/view/question", url=question["url"]) if question else "",
        left=len(waiting),
        goal=kept["goal"] if kept else "",
        labels=kept["labels"][:LABELS_SHOWN] if kept else [],
        choosing=_choosing(state),
        learning=state.jobs.active("learn"),
        changed=latest.changed if latest else (),
        judged=(kept.get("pages", 0), kept.get("judged_otherwise", 0)) if kept else (0, 0),
        asked=kept is not None,
        taught=taught,
    )


@router.post("/questions/choose")
def choose(request: Request, state: State) -> Response:
    """Choose questions in the background."""
    _choose(state)
    return to(request, "/questions")


@router.post("/questions")
def answer(request: Request, state: State, form: Sent) -> Response:
    """One answer: yes, no, a name, or skip."""
    said = form["answer"]
    label = clean_label(form["label"]) if said == "label" else None
    if said == "label" and not label:
        return to(request, "/questions", said="Write a name for this kind of page first.", wrong=True)
    try:
        report = _answered(state, form["url"], label or ("" if said == "skip" else said))
    except TrailmarkError as error:
        return to(request, "/questions", said=str(error), wrong=True)
    return to(request, "/questions", said="Thank you. It is learning from your answers." if report["learning"] else "")


@router.get("/view/question")
def question_view(request: Request, state: State, url: str = "", k: str = "") -> Response:
    """The page that is asked about, for the frame; its links lead nowhere."""
    if not check(state, "/view/question", url=url, k=k):
        return Response("This address is not one of ours.\n", 403, media_type="text/plain")
    answer = state.pages.page(url, live=False, seen=state.pages.seen)
    return shown(request, answer, link_href=lambda _number, _link: None, live=False)[0]


@api.get("/questions")
def questions_json(state: State) -> dict[str, Any]:
    """Questions that wait for an answer, the one that helps most first."""
    with state.workspace() as workspace:
        kept = kept_questions(workspace)
    return (
        {"questions": kept["questions"], "goal": kept["goal"], "labels": kept["labels"]} if kept else {"questions": []}
    )


@api.post("/questions")
def answer_json(state: State, sent: AnswerIn) -> dict[str, Any]:
    """Answer a question."""
    label = clean_label(sent.label or "")
    return _answered(state, sent.url, label or ("" if sent.answer in (None, "skip") else str(sent.answer)))


def _answered(state: AppState, url: str, answer: str) -> dict[str, Any]:
    with state.workspace() as workspace:
        report = answer_question(workspace, url, answer, state.pages.archives_and_seen)
    learning = bool(answer) and (report["left"] == 0 or report["answered"] % LEARN_AFTER == 0)
    if learning and not state.jobs.active("learn"):
        state.jobs.start("learn", title="Learning from your answers", back="/questions")
    if report["left"] == 0:
        _choose(state)
    return {**report, "learning": learning}


def _choosing(state: AppState) -> list[Any]:
    return [job for job in state.jobs.active("teach") if "--suggest" in job.arguments]


def _choose(state: AppState) -> None:
    if not _choosing(state):
        named = [word for path in state.pages.archives_and_seen for word in ("--replay", str(path.resolve()))]
        state.jobs.start("teach", "--suggest", str(ROUND), *named, title="Choosing questions", back="/questions")
