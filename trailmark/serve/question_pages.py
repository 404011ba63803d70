"""Its questions: the few pages whose answer would help most, one at a time; what the answers changed is shown.

Where several goals were taught, each has its own questions, side by side; a question, its answer and what is learnt from it name their goal.

Questions are chosen by a job (`trailmark teach --suggest`), because that takes a model and every page at hand. An answer is kept at once; after
every few, and after the last, the way is learnt again in the background.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.report import as_json
from trailmark.serve.jobs import Job
from trailmark.serve.rendering import Form, Sent, State, Text, page, to
from trailmark.serve.state import AppState
from trailmark.serve.view_crew import by_view_crew
from trailmark.serve.view_pages import check, shown, signed
from trailmark.teach.trail_draft import clean_label
from trailmark.verbs.answer import AnswerReport
from trailmark.verbs.answer import answer as keep_answer
from trailmark.verbs.learn import learnt
from trailmark.verbs.status import status
from trailmark.verbs.waiting_questions import WaitingQuestions, all_waiting
from trailmark.workspace import Workspace

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
    goal: Text | None = None
    """What was asked about, where several goals were taught."""


class GoalQuestions(NamedTuple):
    """The goal that is asked about, its questions, and how many wait about each goal."""

    goal: str
    waiting: WaitingQuestions | None
    counts: dict[str, int]

    @property
    def several(self) -> dict[str, int]:
        """The goals to choose from with their questions; none where there is no choice."""
        return self.counts if len(self.counts) > 1 else {}


@router.get("/questions")
def question_page(request: Request, state: State, goal: str = "") -> Response:
    """The question that would help most, about the goal that was chosen."""
    with state.workspace() as workspace:
        about = _goal_questions(workspace, goal)
        latest = learnt(workspace)
        taught = status(workspace).counts.get("trails", 0)
    waiting = about.waiting
    questions = waiting.questions if waiting else ()
    question = questions[0] if questions else None
    return page(
        request,
        "questions.html",
        title="Its questions",
        question=question,
        frame=signed(state, "/view/question", url=question.url) if question else "",
        left=len(questions),
        goal=about.goal,
        labels=waiting.labels[:LABELS_SHOWN] if waiting else (),
        choosing=_choosing(state, about),
        learning=state.jobs.active("learn"),
        changed=next((each.changed for each in latest if waiting and each.report.goal == waiting.goal), ()),
        goals=about.several,
        judged=(waiting.pages, waiting.judged_otherwise) if waiting else (0, 0),
        asked=waiting is not None,
        taught=taught,
    )


@router.post("/questions/choose")
def choose(request: Request, state: State, form: Sent) -> Response:
    """Choose questions in the background, about a goal where several were taught."""
    with state.workspace() as workspace:
        about = _goal_questions(workspace, _goal_in(form))
    try:
        _choose(state, about)
    except TrailmarkError as error:
        return to(request, _address(about), said=str(error), wrong=True)
    return to(request, _address(about))


@router.post("/questions")
def answer(request: Request, state: State, form: Sent) -> Response:
    """One answer: yes, no, a name, or skip."""
    choice = form["answer"]
    with state.workspace() as workspace:
        here = _address(_goal_questions(workspace, _goal_in(form)))
    label = clean_label(form["label"]) if choice == "label" else None
    if choice == "label" and not label:
        return to(request, here, said="Write a name for this kind of page first.", wrong=True)
    try:
        said = label or ("" if choice == "skip" else choice)
        learning = _answered(state, form["url"], said, _goal_in(form)).learning
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here, said="Thank you. It is learning from your answers." if learning else "")


@router.get("/view/question")
@by_view_crew
def question_view(request: Request, state: State, url: str = "", k: str = "") -> Response:
    """The page that is asked about, for the frame; its links lead nowhere."""
    if not check(state, "/view/question", url=url, k=k):
        return Response("This address is not one of ours.\n", 403, media_type="text/plain")
    answer = state.pages.page(url, live=False, seen=state.pages.seen)
    return shown(request, answer, link_href=lambda _number, _link: None, live=False)[0]


@api.get("/questions")
def questions_json(state: State, goal: str = "") -> Mapping[str, object]:
    """Questions that wait for an answer, the one that helps most first; where several goals were taught, about the one named."""
    with state.workspace() as workspace:
        about = _goal_questions(workspace, goal)
    counts = {"goals": as_json(about.several)} if about.several else {}
    waiting = about.waiting
    if waiting is None:
        return {"questions": [], **counts}
    return {"questions": as_json(waiting.questions), "goal": waiting.goal, "labels": list(waiting.labels), **counts}


@api.post("/questions")
def answer_json(state: State, sent: AnswerIn) -> Mapping[str, object]:
    """Answer a question."""
    label = clean_label(sent.label or "")
    said = label or ("" if sent.answer in (None, "skip") else str(sent.answer))
    answered = _answered(state, sent.url, said, sent.goal or "")
    return {**answered.report.to_json(), "learning": answered.learning}


class Answered(NamedTuple):
    """An answer that was kept, and whether the way is learnt again because of it."""

    report: AnswerReport
    learning: bool


def _answered(state: AppState, url: str, answer: str, goal: str) -> Answered:
    with state.workspace() as workspace:
        report = keep_answer(workspace, url, answer, state.pages.archives_and_seen, goal=goal)
        about = _goal_questions(workspace, report.goal)
    learning = bool(answer) and (report.left == 0 or report.answered % LEARN_AFTER == 0)
    if learning and not state.jobs.active("learn"):
        state.jobs.start("learn", *_words(about), title="Learning from your answers", back=_address(about))
    if report.left == 0:
        _choose(state, about)
    return Answered(report, learning)


def _goal_questions(workspace: Workspace, goal: str) -> GoalQuestions:
    """The goal that was asked for; else the first about which questions wait, else the first that was taught."""
    waiting = all_waiting(workspace)
    counts = {name: len(each.questions) if each else 0 for name, each in waiting.items()}
    if goal not in waiting:
        goal = next((name for name, many in counts.items() if many), next(iter(waiting), ""))
    return GoalQuestions(goal, waiting.get(goal), counts)


def _goal_in(form: Form) -> str:
    """The name of the goal as it was sent: it may begin or end with a blank."""
    return next(iter(form.all("goal")), "")


def _address(about: GoalQuestions) -> str:
    return f"/questions?goal={quote(about.goal, safe='')}" if about.several else "/questions"


def _words(about: GoalQuestions) -> list[str]:
    """The words of a job that name the goal, where several were taught."""
    return ["--goal", about.goal] if about.several else []


def _choosing(state: AppState, about: GoalQuestions) -> list[Job]:
    jobs = [job for job in state.jobs.active("teach") if "--suggest" in job.arguments]
    return [job for job in jobs if _goal_asked(job) in ("", about.goal)]


def _goal_asked(job: Job) -> str:
    words = list(job.arguments)
    return words[words.index("--goal") + 1] if "--goal" in words else ""


def _choose(state: AppState, about: GoalQuestions) -> None:
    if not _choosing(state, about):
        named = [word for path in state.pages.archives_and_seen for word in ("--replay", str(path.resolve()))]
        words = ["--suggest", str(ROUND), *_words(about), *named]
        state.jobs.start("teach", *words, title="Choosing questions", back=_address(about))
