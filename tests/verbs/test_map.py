"""`trailmark map`: courses of a workspace to a map of what they teach."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ended
from trailmark.datatypes import Course, CourseItem, Response
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.body_table import keep_bodies
from trailmark.store.course_table import StoredCourse, keep_courses
from trailmark.workspace import Workspace

Run = Callable[..., Ended]
HTML = (("Content-Type", "text/html"),)
HOME = "http://cs.example.edu/101/"
TEXT = (
    "<h1>Regular grammars</h1><p>A regular grammar has productions. Every regular grammar has a finite automaton.</p>"
    * 6
)


@pytest.fixture
def school(workspace: Path) -> Path:
    """A workspace with two courses: one of a page and a document that was read, one that is not archived."""
    items = (
        CourseItem("lecture", "Grammars", f"{HOME}l1.html", 1),
        CourseItem("lecture", "Machines", f"{HOME}l2.pdf", 2),
    )
    courses = [
        Course(HOME, "Languages", "CS 101", items=items, pages=(HOME,)),
        Course("http://cs.example.edu/202/", "Nothing"),
    ]
    with Workspace.open(workspace) as opened, ArchiveWriter(opened.archive_folder) as writer:
        for url, body in ((HOME, "<p>Welcome</p>"), (f"{HOME}l1.html", TEXT)):
            opened.keep_page(url, Response(url, 200, HTML, body.encode()), writer)
        with opened.database.transaction() as connection:
            keep_bodies(
                connection,
                [(f"{HOME}l2.pdf", "The Turing machine reads.\nA Turing machine and a regular grammar.\n" * 4)],
            )
        keep_courses(opened.database, [StoredCourse(each, "", "") for each in courses])
    return workspace


@pytest.mark.parametrize("ending", ["svg", "html", "ttl", "jsonld", "graphml", "json"])
def test_a_map_in_every_form(trailmark: Run, school: Path, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"map.{ending}"
    report = trailmark("-w", school, "map", file, "--json").report
    assert {"regular grammar", "turing machine"} <= {phrase["label"].lower() for phrase in report["phrases"]}
    assert report["texts"] == 3
    assert "turing machine" in file.read_text(encoding="utf-8").lower()
    first = file.read_bytes()
    assert trailmark("-w", school, "map", file).code == 0
    assert file.read_bytes() == first


def test_people_read_what_the_courses_are_about(trailmark: Run, school: Path, tmp_path: Path) -> None:
    ended = trailmark("-w", school, "map", tmp_path / "m.html", "--course", HOME, "--phrases", "3")
    assert "Most telling: " in ended.out
    assert "of 1 course" in ended.out


def test_bad_input_is_told_in_a_sentence(trailmark: Run, school: Path, tmp_path: Path) -> None:
    assert "can't be written as '.doc'" in trailmark("-w", school, "map", tmp_path / "m.doc").err
    assert "There is no course 'x'" in trailmark("-w", school, "map", tmp_path / "m.svg", "--course", "x").err
    empty = trailmark("-w", school, "map", tmp_path / "m.svg", "--course", "http://cs.example.edu/202/")
    assert "No page with a text of these courses is archived" in empty.err
    assert empty.code == 2


def test_what_other_courses_have_on_the_same(trailmark: Run, school: Path) -> None:
    other = "http://cs.example.edu/303/"
    item = CourseItem("lecture", "Grammar again", f"{other}l1.html", 1)
    with Workspace.open(school) as opened, ArchiveWriter(opened.archive_folder) as writer:
        opened.keep_page(item.url, Response(item.url, 200, HTML, TEXT.encode()), writer)
        keep_courses(opened.database, [StoredCourse(Course(other, "Grammars", items=(item,)), "", "")])
    report = trailmark("-w", school, "recommend", f"{HOME}l1.html", "--json").report
    assert [each["url"] for each in report["recommended"]] == [item.url]
    assert report["recommended"][0]["title"] == "Grammar again"
    assert "regular grammar" in " ".join(report["abstract"])
    ended = trailmark("-w", school, "recommend", item.url)
    assert "On the same, in other courses" in ended.out
    assert "is no item of a course" in trailmark("-w", school, "recommend", "http://x.example/").err
