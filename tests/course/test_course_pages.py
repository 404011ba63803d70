"""Which pages are a course's own; headings of every sort; pages that mean ill are bounded."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hostile_text import HOSTILE
from trailmark.course import course_pages as module
from trailmark.course.course import make_course
from trailmark.course.course_pages import belongs, course_pages
from trailmark.course.page_item import ItemPage, item_page
from trailmark.course.page_line import MOST_LINKS
from trailmark.course.typer_file import typer_from_bytes
from trailmark.datatypes import Response
from trailmark.verbs.ready_typer import ready_typer

HOME = "http://www.cs.example.edu/courses/cs211/"
TYPER = typer_from_bytes(ready_typer())
PATIENCE = 60.0
"""Seconds for one page that means ill, on a machine with much else to do; without bounds they take hours."""


def page(url: str, body: str) -> ItemPage:
    return item_page(
        Response(url, 200, (("Content-Type", "text/html; charset=utf-8"),), body.encode("utf-8", "replace"))
    )


def web(pages: dict[str, str]) -> Callable[[str], ItemPage | None]:
    return lambda url: page(url, pages[url]) if url in pages else None


def kinds(body: str) -> dict[str, str]:
    """A home's links -> their types."""
    course = make_course([page(HOME, body)], TYPER)
    return {item.url.removeprefix(HOME): item.kind for item in (*course.items, *course.others)}


def test_frames_of_frames_stand_for_the_page_that_holds_them() -> None:
    pages = {
        f"{HOME}menu.html": '<frameset><frame src="inner.html"></frameset>',
        f"{HOME}inner.html": '<a href="homework.html">Homework</a>',
        f"{HOME}homework.html": '<a href="hw1.ps">1</a>',
    }
    found = course_pages(page(HOME, '<frameset><frame src="menu.html"></frameset>'), web(pages))
    assert [each.url for each in found.pages] == [HOME, *pages]
    assert found.missing == ()


def test_frames_that_turn_in_a_circle_end() -> None:
    pages = {
        f"{HOME}f{n}.html": f'<frameset><frame src="f{(n + 1) % 50}.html"><frame src="./"></frameset>'
        for n in range(50)
    }
    found = course_pages(page(HOME, '<frameset><frame src="f0.html"><frame src="./"></frameset>'), web(pages))
    assert len(found.pages) <= module.MOST_FRAMES + 1
    assert len({each.url for each in found.pages}) == len(found.pages)


def test_frames_of_other_hosts_are_not_its_own() -> None:
    found = course_pages(page(HOME, '<iframe src="http://ads.example/x.html"></iframe><a href=x.ps>x</a>'), web({}))
    assert found.missing == ()


@pytest.mark.parametrize(
    ("title", "path", "own"),
    [
        ("CS 211: Homework", "homework.html", True),
        ("CS 212: Something else", "other.html", False),
        ("Homework 12", "homework.html", True),
        ("CS 211", "fall95/index.html", False),
        ("CS 211", "fall96/index.html", True),
        ("Old exams of Fall 1995", "exams.html", True),
    ],
)
def test_pages_of_other_courses_and_terms_are_not_its_own(title: str, path: str, own: bool) -> None:
    home = page(HOME, "<title>CS 211: Graphs, Fall 1996</title>")
    assert belongs(page(f"{HOME}{path}", f"<title>{title}</title>"), home) is own


def test_the_list_above_a_course_is_not_its_own() -> None:
    home = page("http://a.edu/courses/cs211.html", '<a href="./">All courses</a> <a href="cs211-hw.html">Homework</a>')
    assert course_pages(home, web({})).missing == ("http://a.edu/courses/cs211-hw.html",)


def test_a_page_that_moved_elsewhere_is_not_its_own() -> None:
    home = page(HOME, '<a href="staff.html">Staff</a>')
    moved = page("http://elsewhere.example/staff.html", "<a href=x>x</a>")
    assert course_pages(home, lambda _: moved).pages == (home,)


@pytest.mark.parametrize(
    "heading",
    [
        "<h2>{}</h2>",
        "<p><b>{}</b></p>",
        "<strong>{}</strong><br>",
        '<font size="+2">{}</font><br>',
        "<p>{}:</p>",
        "<dl><dt>{}<dd>",
    ],
)
def test_headings_of_every_sort_tell_the_type(heading: str) -> None:
    body = "".join(
        heading.format(name) + f'<ul><li><a href="{file}1.ps">1</a><li><a href="{file}2.ps">2</a></ul>'
        + ("</dl>" if "<dl>" in heading else "")
        for name, file in (("Lectures", "x"), ("Homework", "y"), ("Exams", "z"))
    )  # fmt: skip
    found = kinds(f"<title>CS 1</title>{body}")
    assert [found[f"{name}1.ps"] for name in "xyz"] == ["lecture", "assignment", "exam"]


def test_a_definition_list_tells_types_by_its_terms() -> None:
    found = kinds(
        "<dl><dt>Lectures<dd><a href=a1.ps>1</a> <a href=a2.ps>2</a><dt>Problem sets<dd><a href=b1.ps>1</a> <a href=b2.ps>2</a></dl>"
    )
    assert (found["a1.ps"], found["b2.ps"]) == ("lecture", "assignment")


def test_columns_of_a_table_by_week_tell_types_and_rows_positions() -> None:
    rows = "".join(
        f"<tr><td>Week {n}<td><a href=g{n}.ps>Graphs</a><td><a href=k{n}.ps>handed out</a></tr>" for n in range(1, 6)
    )
    course = make_course([page(HOME, f"<table><tr><th>Week<th>Lecture<th>Homework</tr>{rows}</table>")], TYPER)
    assert {item.kind for item in course.items if "/g" in item.url} == {"lecture"}
    assert {item.kind for item in course.items if "/k" in item.url} == {"assignment"}
    assert [item.position for item in course.items if "/g" in item.url] == [1, 2, 3, 4, 5]


BIDI = "\u202e\u2066evil\u2069"
MANY = 20_000
ILL = {
    "links in one line": "<p>" + " ".join(f'<a href="l{n}.ps">Lecture {n}</a> x' for n in range(MANY)),
    "links in a list": "<ul>" + "".join(f'<li><a href="l{n}.html">Lecture {n}</a>' for n in range(MANY)),
    "headings": "".join(f'<h{n % 6 + 1}>H {n}</h{n % 6 + 1}><a href="l{n}.ps">x</a>' for n in range(MANY)),
    "deep": "<div>" * MANY + '<a href="x.ps">x</a>',
    "deep lists": "<ul><li>x" * 5_000 + '<a href="x.ps">x</a>',
    "deep tables": "<table><tr><td>x" * 2_000 + '<a href="x.ps">x</a>',
    "a tall table": "<table>" + "".join(f"<tr><td>Week {n}<td><a href=x{n}.ps>x</a>" for n in range(MANY)),
    "a wide table": "<table><tr>" + "".join(f"<td><a href=x{n}.ps>x</a>" for n in range(MANY)),
    "words that turn": f"<title>{BIDI * 999}</title>"
    + "".join(f'<a href="{BIDI}{n}.ps">{BIDI}</a>' for n in range(500)),
    "frames": "<frameset>" + "".join(f'<frame src="f{n}.html">' for n in range(MANY)),
    "long names": "".join(f'<a href="{"a1" * 900}{n}.ps">{"1a " * 500}</a>' for n in range(300)),
    "one text": "<p>Instructor: " + "A " * 500_000 + "<a href=x.ps>x</a>",
    "pieces": "<p>" + "<i>a</i>b" * 50_000 + "".join(f"<a href=x{n}.ps>x</a>" for n in range(2_000)),
}


@pytest.mark.slow
@pytest.mark.parametrize("body", ILL.values(), ids=ILL)
def test_pages_that_mean_ill_are_bounded(body: str) -> None:
    begun = time.monotonic()
    home = page(HOME, body)
    found = course_pages(home, lambda _: None)
    course = make_course(found.pages, TYPER, found.missing)
    assert time.monotonic() - begun < PATIENCE
    assert len(home.items) <= MOST_LINKS
    assert len(found.pages) + len(found.missing) <= module.MOST_PAGES + 1
    assert len(course.title) <= 300
    assert all(len(item.title) <= 1000 for item in course.items)


def test_pages_with_too_many_links_are_not_read_without_end() -> None:
    asked: list[str] = []

    def heavy(url: str) -> ItemPage:
        asked.append(url)
        return page(url, "".join(f"<a href={n}.ps>x</a>" for n in range(50)))

    home = page(HOME, "".join(f"<a href=p{n}.html>x</a>" for n in range(100)))
    found = course_pages(home, heavy, most_items=220)
    assert sum(len(each.items) for each in found.pages) <= 220
    assert len(asked) <= 2 + module.REFUSED + 1


@settings(max_examples=30, deadline=None)
@given(st.lists(HOSTILE, max_size=6))
def test_no_page_raises(texts: list[str]) -> None:
    body = "".join(f'<h2>{text}</h2><a href="{text}">{text}</a><frame src="{text}">' for text in texts)
    found = course_pages(page(HOME, body), lambda url: page(url, body))
    course = make_course(found.pages, TYPER, found.missing)
    assert len({item.url for item in (*course.items, *course.others)}) == len(course.items) + len(course.others)
