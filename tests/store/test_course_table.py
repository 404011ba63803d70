"""Courses come back as they were kept, and what people said of their items is laid over them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.datatypes import Course, CourseItem, course_id
from trailmark.store.act_table import ActTable
from trailmark.store.course_table import (
    COURSE_CORRECTIONS,
    ItemCorrection,
    StoredCourse,
    keep_courses,
    keep_item_correction,
    read_course,
    read_courses,
    read_item_corrections,
    read_stored_course,
    remove_courses,
)
from trailmark.store.database import Database
from trailmark.store.item_addresses import page_address

HOME = "http://www.cs.example.edu/cs211/"
LECTURE = CourseItem("lecture", "Graphs", f"{HOME}graphs.pdf", 3, "print", HOME, 0.75, 0, "Lectures")
HOMEWORK = CourseItem("assignment", "Homework 1", f"{HOME}hw1.ps", 1, "print", HOME, 0.5, 2, "Homework")
HELP = CourseItem("other", "Department", "http://www.cs.example.edu/", None, "folder", HOME, 0.9, 1)
COURSE = Course(
    HOME, "Computers and Programming", "CS 211", "1996 autumn", ("Ada Lovelace",), "example.edu",
    (LECTURE, HOMEWORK), (HOME,), (HELP,), (f"{HOME}staff.html",),
)  # fmt: skip


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "trailmark.db") as opened:
        yield opened


def correction(item: CourseItem, kind: str) -> ItemCorrection:
    return ItemCorrection(HOME, item.page, item.url, item.title, item.heading, kind)


def test_a_course_comes_back_as_it_was(database: Database) -> None:
    keep_courses(database, [StoredCourse(COURSE, "pages", "typer")])
    assert read_courses(database) == [COURSE]
    assert read_course(database, COURSE.id) == COURSE
    assert read_course(database, "0" * 12) is None
    assert read_stored_course(database, COURSE.id) == StoredCourse(COURSE, "pages", "typer")
    keep_courses(database, [StoredCourse(Course(HOME, "Anew"), "", "")])
    assert read_courses(database) == [Course(HOME, "Anew")]
    remove_courses(database, [COURSE.id])
    assert read_courses(database) == []


def test_its_id_is_the_address_that_the_portal_gives_it() -> None:
    assert COURSE.id == course_id(HOME) == page_address("course", HOME)


def test_what_a_person_said_holds_over_what_the_typer_says_and_can_be_undone(database: Database) -> None:
    keep_courses(database, [StoredCourse(COURSE, "", "")])
    journal = ActTable(database)
    with journal.act("course", "the department is people", COURSE_CORRECTIONS).part():
        keep_item_correction(database, correction(HELP, "people"))
        keep_item_correction(database, correction(LECTURE, "other"))
    (course,) = read_courses(database)
    assert [(item.kind, item.chance, item.is_given) for item in course.items] == [
        ("people", 1.0, True),
        ("assignment", 0.5, False),
    ]
    assert [item.url for item in course.others] == [LECTURE.url]
    keep_courses(database, [StoredCourse(COURSE, "", "later")])
    assert read_courses(database) == [course]
    act = journal.find(None)
    assert act is not None
    journal.undo(act, "undone")
    assert read_courses(database) == [COURSE]
    assert read_item_corrections(database) == []


def test_a_later_word_takes_the_place_of_an_earlier(database: Database) -> None:
    keep_item_correction(database, correction(HELP, "people"))
    keep_item_correction(database, correction(HELP, "reading"))
    assert read_item_corrections(database, HOME) == [correction(HELP, "reading")]
    assert read_item_corrections(database, "http://elsewhere.example/") == []


_text = st.text(st.characters(codec="utf-8"), max_size=12)
_items = st.lists(
    st.builds(CourseItem, st.sampled_from(["lecture", "exam", "other"]), _text, _text, st.none() | st.integers(0, 999)),
    max_size=6,
    unique_by=lambda item: item.url,
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(_text, _text, _items, st.lists(_text, max_size=3))
def test_any_course_comes_back(url: str, title: str, items: list[CourseItem], teachers: list[str]) -> None:
    placed = sorted(items, key=lambda item: item.url)
    kept = tuple(item for item in placed if item.kind != "other")
    others = tuple(item for item in placed if item.kind == "other")
    course = Course(url, title, teachers=tuple(teachers), items=kept, others=others)
    with Database.open(":memory:") as database:
        keep_courses(database, [StoredCourse(course, "", "")])
        assert read_courses(database) == [course]
        again = course.with_kinds((item.url, item.kind) for item in placed)
        assert sorted(item.url for item in (*again.items, *again.others)) == sorted(item.url for item in placed)
