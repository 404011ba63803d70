"""Courses with their items as rows, by their permanent ids, and what people said of the types of items.

The rows hold what the typer said; what people said is laid over them when they are read, so that it can be taken back.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from trailmark.datatypes import OTHER, Course, CourseItem, Record
from trailmark.store.database import Database
from trailmark.store.forgotten_table import wanted_records
from trailmark.store.moment import present
from trailmark.store.record_table import ShownColumns, add_records, remove_records

COURSE_CORRECTIONS = ("course_corrections",)
_COURSE = "id, url, title, number, term, teachers, institution, pages, missing, content_hash, typer"
_ITEM = "course_id, place, kind, title, url, position, file_kind, page, chance, heading"


@dataclass(frozen=True, slots=True)
class StoredCourse:
    """A course as the typer read it, and by which pages and which typer."""

    course: Course
    content_hash: str
    """Of the pages that it was read from."""
    typer: str


@dataclass(frozen=True, slots=True)
class ItemCorrection:
    """The type that a person gave to an item of a course, with what the typer saw of it."""

    course: str
    """The address of the course's home."""
    page: str
    url: str
    text: str
    heading: str
    kind: str


def keep_courses(database: Database, courses: Iterable[StoredCourse]) -> None:
    """Courses in place of what was kept of them, in one transaction."""
    with database.transaction() as connection:
        for stored in courses:
            _keep(connection, stored)


def read_courses(database: Database, ids: Sequence[str] | None = None) -> list[Course]:
    """All courses, or those of these ids, with what people said of their items: by institution, number, term and address."""
    with database.snapshot() as connection:
        given = _given(connection)
        return [stored.course.with_kinds(given.get(stored.course.url, ())) for stored in _stored(connection, ids)]


def read_runs(database: Database, institution: str, number: str) -> list[Course]:
    """The courses of an institution with a number: one course in its terms."""
    query = "SELECT id FROM courses WHERE institution = ? AND number = ? ORDER BY term, url"
    with database.snapshot() as connection:
        ids = [str(each) for (each,) in connection.execute(query, (institution, number))]
    return read_courses(database, ids)


def read_course(database: Database, course: str) -> Course | None:
    """The course of an id, with what people said of its items; None where there is none."""
    return next(iter(read_courses(database, [course])), None)


def read_stored_course(database: Database, course: str) -> StoredCourse | None:
    """The id of a course -> the course as the typer read it; None where there is none."""
    with database.snapshot() as connection:
        return next(_stored(connection, [course]), None)


def remove_courses(database: Database, ids: Iterable[str]) -> None:
    """Forget courses of these ids; what people said of their items stays."""
    with database.transaction() as connection:
        connection.executemany("DELETE FROM courses WHERE id = ?", [(each,) for each in ids])


def course_addresses(database: Database) -> list[str]:
    """The addresses of all courses, in their order."""
    with database.snapshot() as connection:
        return [str(url) for (url,) in connection.execute("SELECT url FROM courses ORDER BY url")]


def keep_course_records(
    database: Database,
    records: Iterable[tuple[str, Sequence[Record]]],
    *,
    maker: str,
    shown: Callable[[Sequence[Record]], Sequence[ShownColumns]] | None = None,
) -> None:
    """(Address of a course, its records) in place of those that such makers made of it before."""
    at = present()
    with database.transaction() as connection:
        for url, of_course in records:
            remove_records(connection, [url], maker=maker)
            add_records(connection, wanted_records(connection, of_course), at=at, shown=shown)


def read_item_corrections(database: Database, course: str | None = None) -> list[ItemCorrection]:
    """What people said of items, of all courses or of the one with that address, in the order of addresses."""
    query = (
        "SELECT course, page, url, text, heading, kind FROM course_corrections "
        "WHERE ?1 IS NULL OR course = ?1 ORDER BY course, url"
    )
    with database.plain_errors():
        rows = database.connection.execute(query, (course,)).fetchall()
    return [ItemCorrection(*row) for row in rows]


def keep_item_correction(database: Database, correction: ItemCorrection) -> None:
    """A correction takes the place of the earlier one of the same item."""
    row = (
        correction.course,
        correction.url,
        correction.page,
        correction.text,
        correction.heading,
        correction.kind,
        present(),
    )
    with database.transaction() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO course_corrections (course, url, page, text, heading, kind, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            row,
        )


def _keep(connection: sqlite3.Connection, stored: StoredCourse) -> None:
    course = stored.course
    connection.execute("DELETE FROM courses WHERE id = ?", (course.id,))
    connection.execute(
        f"INSERT INTO courses ({_COURSE}, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (
            *(course.id, course.url, course.title, course.number, course.term, _list(course.teachers)),
            *(course.institution, _list(course.pages), _list(course.missing), stored.content_hash, stored.typer),
            present(),
        ),
    )
    connection.executemany(
        f"INSERT INTO course_items ({_ITEM}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (
            (
                *(course.id, item.place, item.kind, item.title, item.url, item.position),
                *(item.file_kind, item.page, item.chance, item.heading),
            )
            for item in (*course.items, *course.others)
        ),
    )


def _stored(connection: sqlite3.Connection, ids: Sequence[str] | None) -> Iterator[StoredCourse]:
    query = f"SELECT {_COURSE} FROM courses "  # noqa: S608
    if ids is None:
        rows = connection.execute(f"{query} ORDER BY institution, number, term, url").fetchall()
    else:
        rows = [row for each in dict.fromkeys(ids) for row in connection.execute(f"{query} WHERE id = ?", (each,))]
    for number, url, title, code, term, teachers, institution, pages, missing, content_hash, typer in rows:
        items = [_item(*row) for row in connection.execute(f"{_ITEMS} ORDER BY place, url", (number,))]
        course = Course(
            url,
            title,
            code,
            term,
            _texts(teachers),
            institution,
            tuple(item for item in items if item.kind != OTHER),
            _texts(pages),
            tuple(item for item in items if item.kind == OTHER),
            _texts(missing),
        )
        yield StoredCourse(course, content_hash, typer)


_ITEMS = (
    "SELECT kind, title, url, position, file_kind, page, chance, place, heading FROM course_items WHERE course_id = ?"
)


def _item(
    kind: str,
    title: str,
    url: str,
    position: int | None,
    file_kind: str,
    page: str,
    chance: float,
    place: int,
    heading: str,
) -> CourseItem:
    return CourseItem(kind, title, url, position, file_kind, page, chance, place, heading)


def _given(connection: sqlite3.Connection) -> dict[str, list[tuple[str, str]]]:
    """Address of a course -> (address of an item, the type that a person gave it)."""
    given: dict[str, list[tuple[str, str]]] = {}
    for course, url, kind in connection.execute(
        "SELECT course, url, kind FROM course_corrections ORDER BY course, url"
    ):
        given.setdefault(course, []).append((url, kind))
    return given


def _list(texts: Sequence[str]) -> str:
    return json.dumps(list(texts))


def _texts(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))
