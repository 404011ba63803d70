"""`Course` -> records: one of the course, with the titles of its items by type, and one of each item with its address."""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.course.type_word import TYPES
from trailmark.datatypes import COURSE, COURSE_ITEM, Course, CourseItem, Record

MAKER = "course:"
"""What the records of courses are made by begins so."""
MADE_BY = f"{MAKER}typer"
MOST_RECORDS = 2_000
"""Items of a course that become records; its own record names as many."""


def course_records(course: Course, sure: float) -> tuple[Record, ...]:
    """A course, and the chance from which a type counts as sure -> its record, then those of its items in page order."""
    items = course.items[:MOST_RECORDS]
    return (_course(course, items, sure), *(_item(course, item, sure) for item in items))


def _course(course: Course, items: Sequence[CourseItem], sure: float) -> Record:
    own = {
        "title": (course.title,),
        "number": (course.number,),
        "term": (course.term,),
        "teacher": course.teachers,
        "institution": (course.institution,),
    }
    fields = {name: tuple(filter(None, values)) for name, values in own.items()}
    by_kind = {kind: [item for item in items if item.kind == kind] for kind in TYPES}
    fields |= {kind: tuple(item.title for item in found) for kind, found in by_kind.items()}
    unsure = tuple(kind for kind, found in by_kind.items() if any(item.chance < sure for item in found))
    chances = {kind: tuple(round(item.chance, 4) for item in found) for kind, found in by_kind.items() if found}
    told = {name: values for name, values in fields.items() if values}
    return Record(course.url, COURSE, told, MADE_BY, unsure=unsure, probabilities=chances)


def _item(course: Course, item: CourseItem, sure: float) -> Record:
    fields = {
        "title": item.title,
        "type": item.kind,
        "link": item.url,
        "position": "" if item.position is None else str(item.position),
        "file": "" if item.file_kind == "none" else item.file_kind,
        "course": course.number or course.title,
        "term": course.term,
    }
    unsure = ("type",) if item.chance < sure else ()
    return Record(
        course.url,
        COURSE_ITEM,
        {name: (value,) for name, value in fields.items() if value},
        MADE_BY,
        unsure=unsure,
        probabilities={"type": (round(item.chance, 4),)},
    )
