"""Courses out of pages: which pages are their own, number, term, teachers, titles and positions, doubles between terms."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.course.test_item_typer import course as labelled_course
from tests.hostile_text import HOSTILE
from trailmark.course.course import make_course, offerings
from trailmark.course.course_pages import owned_pages
from trailmark.course.course_words import course_number, course_term
from trailmark.course.item_typer import learnt_typer
from trailmark.course.page_item import ItemPage, item_page
from trailmark.datatypes import Course, Response

HOME = "http://www.cs.example.edu/courses/cs211/fall96/"
BODY = """<title>CS 211: Computers and Programming</title><h1>CS 211, Fall 1996</h1>
<p>Instructor: <a href="http://www.cs.example.edu/people/lovelace/">Ada Lovelace</a>
<table><tr><th>Week<th>Lectures</tr><tr><td>Week 3<td><a href="graphs.pdf">Graphs</a></tr></table>
<h2>Sections</h2><ul><li><a href="staff.html">Staff</a><li><a href="labs/">Labs</a><li><a href="/index.html">Department</a>
<li><a href="../../cs999/">Another course</a></ul>
<h2>Homework</h2><ul><li><a href="hw1.ps">1</a><li><a href="hw2.ps">Homework 2</a></ul>"""


def page(url: str, body: str) -> ItemPage:
    return item_page(Response(url, 200, (("Content-Type", "text/html"),), body.encode()))


def made() -> Course:
    typer = learnt_typer([labelled_course("a.example"), labelled_course("b.example", names=("Exams", "Homework"))])
    return make_course([page(HOME, BODY)], typer)


def test_what_a_page_says_of_its_course() -> None:
    course = made()
    assert (course.number, course.term, course.institution) == ("CS 211", "1996 autumn", "example.edu")
    assert course.title == "CS 211: Computers and Programming"
    assert course.teachers == ("Ada Lovelace",)


def test_items_have_types_titles_and_positions() -> None:
    items = {item.url.removeprefix(HOME): item for item in made().items}
    assert (items["hw1.ps"].kind, items["hw1.ps"].title, items["hw1.ps"].position) == ("assignment", "Homework 1", 1)
    assert (items["hw2.ps"].title, items["hw2.ps"].position, items["hw2.ps"].file_kind) == ("Homework 2", 2, "print")
    assert (items["graphs.pdf"].kind, items["graphs.pdf"].title, items["graphs.pdf"].position) == (
        "lecture",
        "Graphs",
        3,
    )
    assert all(item.kind != "other" for item in items.values())


def test_a_course_owns_what_stands_in_its_folder() -> None:
    assert owned_pages(page(HOME, BODY)) == (f"{HOME}staff.html", f"{HOME}labs/")
    framed = page(HOME, '<frameset><frame src="menu.html"></frameset>')
    assert owned_pages(framed) == (f"{HOME}menu.html",)
    alone = page(
        "http://course.example/",
        '<a href="people.html">x</a> <a href="http://www.example/">y</a> <a href="notes/">z</a>',
    )
    assert owned_pages(alone) == ("http://course.example/people.html", "http://course.example/notes/")


@pytest.mark.parametrize(
    ("text", "number"),
    [("CSE/ENGR 142 Home", "CSE/ENGR 142"), ("Cs211", "CS 211"), ("Fall 96", ""), ("Room 101", ""), ("", "")],
)
def test_numbers(text: str, number: str) -> None:
    assert course_number([text]) == number


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Spring Quarter, 1996", "1996 spring"), ("fall16", "2016 autumn"), ("Winter '97", "1997 winter"), ("2018-fall", "2018 autumn"),
        ("Summer school", ""),
    ],
)  # fmt: skip
def test_terms(text: str, term: str) -> None:
    assert course_term([text]) == term


def test_terms_of_one_course_stand_together_the_latest_first() -> None:
    first, second = (
        Course(f"http://a.edu/{n}", "x", "CS 1", term, institution="a.edu")
        for n, term in enumerate(("1996 spring", "1996 autumn"))
    )
    other, nameless = (
        Course("http://b.edu/", "x", "CS 1", institution="b.edu"),
        Course("http://a.edu/9", "x", institution="a.edu"),
    )
    assert offerings([first, other, second, nameless]) == ((second, first), (other,), (nameless,))


@given(HOSTILE)
def test_no_text_raises(text: str) -> None:
    course_number([text])
    course_term([text])
