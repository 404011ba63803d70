"""Courses: the list, one with its items by type and how sure each is, and types put right."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import Response

from trailmark.course.type_word import TYPES
from trailmark.datatypes import Course, CourseItem
from trailmark.errors import TrailmarkError
from trailmark.serve.rendering import Sent, State, Text, Whole, number_in, page, to
from trailmark.store.course_table import read_item_corrections, read_runs
from trailmark.verbs.correct_course import correct_item, find_course, forget_course
from trailmark.verbs.course import courses, show_course
from trailmark.verbs.course_advice import item_advice
from trailmark.verbs.course_lines import course_runs
from trailmark.workspace import Workspace

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/courses", tags=["courses"])
SHOWN, LISTED = 300, 100
"""Items of one page of a course; and courses of one page of the list."""


class ItemIn(BaseModel):
    """A link of a course, and what it is."""

    course: Text
    url: Text
    type: Text


@router.get("/courses")
def courses_page(request: Request, state: State, q: str = "", skip: Whole = 0) -> Response:
    """The courses, one page of the list."""
    with state.workspace() as workspace:
        report = courses(workspace)
        corrections = len(read_item_corrections(workspace.database))
    words = q.lower().split()
    rows = [each for each in report.courses if all(word in f"{each.number} {each.title} {each.term} {each.url}".lower() for word in words)]  # fmt: skip
    skip = min(max(skip, 0), len(rows))
    return page(
        request, "courses.html", title="Courses", rows=rows[skip : skip + LISTED], count=len(rows), q=q, skip=skip, most=LISTED,
        runs=report.runs, corrections=corrections, working=state.jobs.active("course"),
    )  # fmt: skip


@router.post("/courses")
def work(request: Request, state: State, form: Sent) -> Response:
    """Read what was found for a goal that is a course, and the known courses again, in the background."""
    if not state.jobs.active("course"):
        fetch = ("--fetch",) if form["do"] == "fetch" else ()
        state.jobs.start("course", *fetch, title="Reading courses", back="/courses")
    return to(request, "/courses")


@router.get("/courses/{number}")
def course_page(request: Request, state: State, number: str, skip: Whole = 0, others: Whole = 0) -> Response:
    """A course with its items by type; or its links that are no material."""
    with state.workspace() as workspace:
        found, sure = find_course(workspace, number), workspace.settings.course.sure
        other_runs = _other_runs(workspace, found)
        advice = item_advice(workspace.folder, found.id)
    links = _links(found, others=bool(others))
    skip = min(max(skip, 0), len(links))
    return page(
        request, "course.html", title="A course", course=found, groups=_groups(links[skip : skip + SHOWN]), sure=sure, types=TYPES, skip=skip, most=SHOWN,
        count=len(links), others=bool(others), runs=other_runs, here=_address(number, skip, bool(others)),
        unsure=sum(item.chance < sure for item in found.items), advice=advice or {}, organised=advice is not None,
    )  # fmt: skip


@router.post("/courses/{number}")
def put_right(request: Request, state: State, number: str, form: Sent) -> Response:
    """An item of a course is of another type; or the course is forgotten."""
    here = _address(number, number_in(form["skip"]), form["others"] == "1")
    try:
        with state.workspace() as workspace:
            if form["do"] == "forget":
                act = forget_course(workspace, number)
                return to(
                    request,
                    "/courses",
                    said=f"The course and its records are gone (act {act}). It can be undone under History.",
                )
            if not form["item"]:
                return to(request, here, said="Choose an item first.", wrong=True)
            said = correct_item(workspace, number, form["item"], form["type"])
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here, said=f"{said} It can be undone under History.")


def _address(number: str, skip: int, others: bool) -> str:
    safe = "".join(letter for letter in number if letter.isascii() and letter.isalnum())[:40]
    return f"/courses/{safe}?skip={max(skip, 0)}{'&others=1' if others else ''}"


def _links(found: Course, *, others: bool) -> list[CourseItem]:
    """Items in the order of types, then by position, then as they stand on the page."""
    if others:
        return list(found.others)
    return sorted(
        found.items,
        key=lambda item: (TYPES.index(item.kind), item.position is None, item.position or 0, item.place),
    )


def _groups(links: list[CourseItem]) -> list[tuple[str, list[CourseItem]]]:
    return [(kind, own) for kind in TYPES if (own := [item for item in links if item.kind == kind])]


def _other_runs(workspace: Workspace, found: Course) -> list[tuple[str, str]]:
    """(id, term) of the same course in other terms."""
    if not found.number:
        return []
    return [
        (number, term)
        for runs in course_runs(read_runs(workspace.database, found.institution, found.number))
        for number, term in zip(runs.ids, runs.terms, strict=True)
        if number != found.id
    ]


@api.get("")
def courses_json(state: State) -> Mapping[str, object]:
    """The courses in a few words each, and which of them are one course in several terms."""
    with state.workspace() as workspace:
        return courses(workspace).to_json()


@api.get("/{number}")
def course_json(state: State, number: str) -> Mapping[str, object]:
    """A course with all its items."""
    with state.workspace() as workspace:
        return show_course(workspace, number).to_json()


@api.post("/correct")
def correct_json(state: State, sent: ItemIn) -> Mapping[str, object]:
    """Say what a link of a course is; the records follow."""
    with state.workspace() as workspace:
        return {"said": correct_item(workspace, sent.course, sent.url, sent.type)}
