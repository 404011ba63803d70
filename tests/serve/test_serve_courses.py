"""Courses in the app: listed, one with its items by type, a type put right and brought back; what a page says is text."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tests.serve.app_visitor import Visitor
from tests.verbs.course_world import course_site, write_courses, write_pages
from trailmark.course.package.package_check import checked_package
from trailmark.datatypes import Course
from trailmark.store.course_table import read_courses
from trailmark.verbs.course import course
from trailmark.verbs.undo import undo
from trailmark.workspace import Workspace

SITE = course_site(0, "headings")
BIDI = "\u202eevil\u2066\u0000\ud7ff"
HOSTILE = "http://evil.example/c/"
BODY = f'<title><script>alert(1)</script>{BIDI}</title><h2>{BIDI}</h2><a href="x.ps">&lt;script&gt;alert(2)&lt;/script&gt; {BIDI}</a>'


@pytest.fixture
def taught(folder: Path, tmp_path: Path) -> Path:
    """A workspace with a course, and one that means ill."""
    archive = write_courses(tmp_path / "c.warc.gz", [SITE])
    evil = write_pages(tmp_path / "e.warc.gz", {HOSTILE: BODY})
    with Workspace.open(folder) as workspace:
        course(workspace, [SITE.home, HOSTILE], [archive, evil])
    return folder


def of(folder: Path, url: str = SITE.home) -> Course:
    with Workspace.open(folder) as workspace:
        return next(each for each in read_courses(workspace.database) if each.url == url)


def test_courses_are_listed_and_found(taught: Path) -> None:
    visitor = Visitor(taught)
    assert SITE.title in visitor.get("/courses").text
    assert "No course is so." in visitor.get("/courses?q=nothing+like+it").text
    assert HOSTILE not in visitor.get(f"/courses?q={SITE.code.replace(' ', '+')}").text
    listed = visitor.http.get("/api/courses", headers=visitor.bearer()).json()
    assert {row["url"] for row in listed["courses"]} == {SITE.home, HOSTILE}


@pytest.mark.parametrize("form", ["scorm12", "scorm2004", "imscc"])
def test_a_course_is_taken_away_as_a_package(taught: Path, form: str) -> None:
    visitor, found = Visitor(taught), of(taught)
    assert f"/courses/{found.id}/package/{form}" in visitor.get(f"/courses/{found.id}").text
    answer = visitor.get(f"/courses/{found.id}/package/{form}")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert checked_package(io.BytesIO(answer.content)).faults == ()


def test_what_a_course_teaches_is_taken_away(taught: Path) -> None:
    visitor, found = Visitor(taught), of(taught)
    answer = visitor.get(f"/courses/{found.id}/map/html")
    assert "<svg" in answer.text
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "one of these forms" in visitor.said(visitor.get(f"/courses/{found.id}/map/exe"))
    assert "no format of packages" in visitor.said(visitor.get(f"/courses/{found.id}/package/exe"))
    assert visitor.said(visitor.get("/courses/nothing/package/imscc"))


def test_a_hostile_course_makes_a_harmless_package(taught: Path) -> None:
    answer = Visitor(taught).get(f"/courses/{of(taught, HOSTILE).id}/package/scorm12")
    found = checked_package(io.BytesIO(answer.content))
    assert (found.items, found.faults) == (1, ())
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        page = next(packed.read(name).decode() for name in packed.namelist() if name.startswith("items/"))
    assert "<script>alert" not in page


def test_a_type_is_put_right_and_brought_back(taught: Path) -> None:
    visitor, before = Visitor(taught), of(taught)
    item = before.items[0]
    shown = visitor.get(f"/courses/{before.id}").text
    assert item.url in shown
    assert " %" in shown
    answer = visitor.post(f"/courses/{before.id}", item=item.url, type="video", skip="0", others="0", do="correct")
    assert "is video. It can be undone under History." in visitor.said(answer)
    assert "by hand" in answer.text
    assert next(each for each in of(taught).items if each.url == item.url).kind == "video"
    other = of(taught).others[0]
    visitor.post(f"/courses/{before.id}", item=other.url, type="reading", skip="0", others="1", do="correct")
    assert any(each.url == other.url and each.is_given for each in of(taught).items)
    with Workspace.open(taught) as workspace:
        undo(workspace)
        undo(workspace)
    assert of(taught) == before
    assert "by hand" not in visitor.get(f"/courses/{before.id}").text


def test_programs_put_a_type_right(taught: Path) -> None:
    visitor, found = Visitor(taught), of(taught)
    bearer = visitor.bearer()
    shown = visitor.http.get(f"/api/courses/{found.id}", headers=bearer).json()
    assert len(shown["items"]) == len(found.items)
    sent = {"course": found.id, "url": found.items[0].url, "type": "exam"}
    assert "is exam" in visitor.http.post("/api/courses/correct", json=sent, headers=bearer).json()["said"]
    wrong = visitor.http.post("/api/courses/correct", json=sent | {"type": "joke"}, headers=bearer)
    assert wrong.status_code == 400


def test_what_is_wrong_is_said(taught: Path) -> None:
    visitor, found = Visitor(taught), of(taught)
    assert (
        "Choose an item first."
        in visitor.post(f"/courses/{found.id}", item="", type="exam", skip="0", others="0", do="correct").text
    )
    assert (
        "is no type"
        in visitor.post(
            f"/courses/{found.id}", item=found.items[0].url, type="joke", skip="x", others="0", do="correct"
        ).text
    )
    assert visitor.get("/courses/nothing").status_code == 400


def test_what_a_page_says_is_text(taught: Path) -> None:
    visitor, found = Visitor(taught), of(taught, HOSTILE)
    for path in ("/courses", f"/courses/{found.id}", f"/courses/{found.id}?others=1"):
        text = visitor.get(path).text
        assert "<script>alert" not in text


def test_a_course_is_forgotten_and_brought_back(taught: Path) -> None:
    visitor, found = Visitor(taught), of(taught)
    answer = visitor.post(f"/courses/{found.id}", do="forget", item="", type="", skip="0", others="0")
    assert "It can be undone under History." in visitor.said(answer)
    with Workspace.open(taught) as workspace:
        assert [each.url for each in read_courses(workspace.database)] == [HOSTILE]
        undo(workspace)
    assert of(taught) == found


def test_the_button_reads_courses(taught: Path) -> None:
    visitor = Visitor(taught)
    answer = visitor.post("/courses", do="read")
    assert "Reading courses" in answer.text
