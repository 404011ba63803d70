"""Its questions: the few pages whose answer would help most, one at a time; what the answers changed is shown.

Questions are chosen by a job (`trailmark teach --suggest`), because that takes a model and every page at hand. An answer is kept at once; after
every few, and after the last, the way is learnt again in the background.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.learn.taught_goals import taught_goals
from trailmark.report import as_json
from trailmark.serve.jobs import Job
from trailmark.serve.rendering import Sent, State, Text, page, to
from trailmark.serve.state import AppState
from trailmark.serve.view_crew import by_view_crew
from trailmark.serve.view_pages import check, shown, signed
from trailmark.teach.trail_draft import clean_label
from trailmark.verbs.answer import AnswerReport
from trailmark.verbs.answer import answer as keep_answer
from trailmark.verbs.learn import learnt
from trailmark.verbs.status import status
from trailmark.verbs.waiting_questions import waiting_questions

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
        waiting = waiting_questions(workspace)
        latest = learnt(workspace)
        goals = taught_goals(workspace.database.trails())
        taught = status(workspace).counts.get("trails", 0)
    questions = waiting.questions if waiting else ()
    question = questions[0] if questions else None
    return page(
        request,
        "questions.html",
        title="Its questions",
        question=question,
        frame=signed(state, "/view/question", url=question.url) if question else "",
        left=len(questions),
        goal=waiting.goal if waiting else "",
        labels=waiting.labels[:LABELS_SHOWN] if waiting else (),
        choosing=_choosing(state),
        learning=state.jobs.active("learn"),
        changed=next((each.changed for each in latest if waiting and each.report.goal == waiting.goal), ()),
        goals=goals if len(goals) > 1 else [],
        judged=(waiting.pages, waiting.judged_otherwise) if waiting else (0, 0),
        asked=waiting is not None,
        taught=taught,
    )


@router.post("/questions/choose")
def choose(request: Request, state: State, form: Sent) -> Response:
    """Choose questions in the background, about a goal where several were taught."""
    _choose(state, form["goal"])
    return to(request, "/questions")


@router.post("/questions")
def answer(request: Request, state: State, form: Sent) -> Response:
    """One answer: yes, no, a name, or skip."""
    choice = form["answer"]
    label = clean_label(form["label"]) if choice == "label" else None
    if choice == "label" and not label:
        return to(request, "/questions", said="Write a name for this kind of page first.", wrong=True)
    try:
        learning = _answered(state, form["url"], label or ("" if choice == "skip" else choice)).learning
    except TrailmarkError as error:
        return to(request, "/questions", said=str(error), wrong=True)
    return to(request, "/questions", said="Thank you. It is learning from your answers." if learning else "")


@router.get("/view/question")
@by_view_crew
def question_view(request: Request, state: State, url: str = "", k: str = "") -> Response:
    """The page that is asked about, for the frame; its links lead nowhere."""
    if not check(state, "/view/question", url=url, k=k):
        return Response("This address is not one of ours.\n", 403, media_type="text/plain")
    answer = state.pages.page(url, live=False, seen=state.pages.seen)
    return shown(request, answer, link_href=lambda _number, _link: None, live=False)[0]


@api.get("/questions")
def questions_json(state: State) -> Mapping[str, object]:
    """Questions that wait for an answer, the one that helps most first."""
    with state.workspace() as workspace:
        waiting = waiting_questions(workspace)
    if waiting is None:
        return {"questions": []}
    return {"questions": as_json(waiting.questions), "goal": waiting.goal, "labels": list(waiting.labels)}


@api.post("/questions")
def answer_json(state: State, sent: AnswerIn) -> Mapping[str, object]:
    """Answer a question."""
    label = clean_label(sent.label or "")
    answered = _answered(state, sent.url, label or ("" if sent.answer in (None, "skip") else str(sent.answer)))
    return {**answered.report.to_json(), "learning": answered.learning}


class Answered(NamedTuple):
    """An answer that was kept, and whether the way is learnt again because of it."""

    report: AnswerReport
    learning: bool


def _answered(state: AppState, url: str, answer: str) -> Answered:
    with state.workspace() as workspace:
        report = keep_answer(workspace, url, answer, state.pages.archives_and_seen)
        waiting = waiting_questions(workspace)
    learning = bool(answer) and (report.left == 0 or report.answered % LEARN_AFTER == 0)
    goal = waiting.goal if waiting else ""
    if learning and not state.jobs.active("learn"):
        about = _about(state, goal)
        state.jobs.start("learn", *about, title="Learning from your answers", back="/questions")
    if report.left == 0:
        _choose(state, goal)
    return Answered(report, learning)


def _about(state: AppState, goal: str) -> list[str]:
    """The words of a job that name a goal, where several were taught: the one asked for, else the first."""
    with state.workspace() as workspace:
        goals = taught_goals(workspace.database.trails())
    return ["--goal", goal if goal in goals else goals[0]] if len(goals) > 1 else []


def _choosing(state: AppState) -> list[Job]:
    return [job for job in state.jobs.active("teach") if "--suggest" in job.arguments]


def _choose(state: AppState, goal: str = "") -> None:
    if not _choosing(state):
        named = [word for path in state.pages.archives_and_seen for word in ("--replay", str(path.resolve()))]
        words = ["--suggest", str(ROUND), *_about(state, goal), *named]
        state.jobs.start("teach", *words, title="Choosing questions", back="/questions")
