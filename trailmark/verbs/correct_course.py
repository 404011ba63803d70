"""A person's word on the type of an item of a course: one act of the journal; the records follow, and the typer learns from it on the next run."""

from __future__ import annotations

from collections.abc import Iterable

from trailmark.course.course_record import MAKER, course_records
from trailmark.course.type_word import TYPES
from trailmark.datatypes import Course, course_id
from trailmark.errors import InputError
from trailmark.store.course_table import (
    COURSE_CORRECTIONS,
    ItemCorrection,
    course_addresses,
    keep_course_records,
    keep_item_correction,
    read_course,
    read_courses,
    remove_courses,
)
from trailmark.verbs.reshaping import shown_now
from trailmark.workspace import Workspace

LONGEST_NAME = 60
SHORTEST = 4
"""Digits by which an id may be named."""
COURSES = ("courses", "records")
"""Tables that change where a course is forgotten."""


def find_course(workspace: Workspace, number: str) -> Course:
    """The id of a course, the beginning of one, or an address -> the course; InputError where there is none, or not one alone."""
    found = read_course(workspace.database, course_id(number) if "://" in number else number)
    if found is None and len(number) >= SHORTEST:
        alike = [each for each in course_addresses(workspace.database) if course_id(each).startswith(number)]
        found = read_course(workspace.database, course_id(alike[0])) if len(alike) == 1 else None
    if found is None:
        raise InputError(
            f"There is no course '{number[:LONGEST_NAME]}' in {workspace.folder}; trailmark course --list lists them with their ids."
        )
    return found


def correct_item(workspace: Workspace, number: str, url: str, kind: str) -> str:
    """The id of a course, the address of one of its links, and its type -> a sentence; it is kept, and the records follow."""
    course = find_course(workspace, number)
    item = next((each for each in (*course.items, *course.others) if each.url == url), None)
    if item is None:
        raise InputError(f"'{course.title[:LONGEST_NAME]}' has no item {url[:200]}; load the page again.")
    if kind not in TYPES:
        raise InputError(f"'{kind[:LONGEST_NAME]}' is no type of an item; choose of {', '.join(TYPES)}.")
    told = f"“{item.title[:LONGEST_NAME]}” of {course.number or course.title[:LONGEST_NAME]} is {kind}"
    with workspace.acts.act("course", told, COURSE_CORRECTIONS).part():
        keep_item_correction(
            workspace.database, ItemCorrection(course.url, item.page, item.url, item.title, item.heading, kind)
        )
        keep_records(workspace, [course.id])
    return f"{told}."


def forget_course(workspace: Workspace, number: str) -> int:
    """The id of a course -> it and its records are gone; the number of the act, by which it can be undone. What was said of its items stays."""
    course = find_course(workspace, number)
    act = workspace.acts.act("course", f"Forgot the course {course.number} {course.title[:LONGEST_NAME]}", COURSES)
    with act.part():
        remove_courses(workspace.database, [course.id])
        keep_course_records(workspace.database, [(course.url, ())], maker=MAKER)
    return act.id


def keep_records(workspace: Workspace, ids: Iterable[str]) -> None:
    """Records of these courses as what people said has them now."""
    sure = workspace.settings.course.sure
    with workspace.database.transaction(), shown_now(workspace) as shown:
        found = read_courses(workspace.database, list(ids))
        records = [(course.url, course_records(course, sure)) for course in found]
        keep_course_records(workspace.database, records, maker=MAKER, shown=shown)


def follow_item_corrections(workspace: Workspace, urls: Iterable[str]) -> None:
    """Addresses of courses -> their records follow what people say now; one that is not kept any more has none."""
    keep_records(workspace, [course_id(url) for url in urls])
