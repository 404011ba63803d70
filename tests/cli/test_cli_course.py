"""`trailmark course` at the command line: read, listed, shown, put right, forgotten; what can't be said together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.verbs.course_world import course_site, write_courses, write_pages

SITE = course_site(0, "headings")
EVIL = "http://evil.example/c/"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return write_courses(tmp_path / "c.warc.gz", [SITE])


def test_a_course_is_read_listed_shown_put_right_and_forgotten(trailmark: Any, workspace: Path, archive: Path) -> None:
    read = trailmark("-w", workspace, "course", SITE.home, "--archive", archive)
    assert read.code == 0
    assert SITE.title in read.out
    (line,) = trailmark("-w", workspace, "course", "--list", "--json").report["courses"]
    shown = trailmark("-w", workspace, "course", "--show", line["id"][:6], "--json").report
    assert len(shown["items"]) == line["items"]
    link = shown["items"][0]["url"]
    assert "is video." in trailmark("-w", workspace, "course", "--correct", line["id"], link, "video").out
    again = trailmark("-w", workspace, "course", "--show", line["id"], "--json").report
    assert next(item for item in again["items"] if item["url"] == link)["kind"] == "video"
    assert trailmark("-w", workspace, "course", "--json").report["corrections"] == 1
    assert trailmark("-w", workspace, "course", "--forget", line["id"]).code == 0
    assert trailmark("-w", workspace, "course", "--list", "--json").report["courses"] == []
    assert trailmark("-w", workspace, "undo", "--yes").code == 0
    assert len(trailmark("-w", workspace, "course", "--list", "--json").report["courses"]) == 1


def test_what_gave_no_course_ends_with_1_and_what_is_wrong_with_2(
    trailmark: Any, workspace: Path, archive: Path
) -> None:
    ended = trailmark("-w", workspace, "course", "http://nowhere.example/", "--archive", archive)
    assert ended.code == 1
    assert "--fetch" in ended.out
    assert trailmark("-w", workspace, "course").code == 2
    assert trailmark("-w", workspace, "course", "--list", "--show", "x").code == 2
    assert trailmark("-w", workspace, "course", "--show", "x").code == 2
    assert trailmark("-w", workspace, "course", "--train", workspace / "nothing.jsonl").code == 2
    assert trailmark("-w", workspace, "course", "http://a.example/", "--archive", workspace / "nothing.warc").code == 2


def test_what_a_page_says_does_not_steer_the_terminal(trailmark: Any, workspace: Path, tmp_path: Path) -> None:
    body = "<title>\x1b[31m\u202eevil</title><h2>Lectures</h2><a href='l1.ps'>Lecture 1 \x1b]0;x\x07\u202e</a>"
    ended = trailmark("-w", workspace, "course", EVIL, "--archive", write_pages(tmp_path / "e.warc.gz", {EVIL: body}))
    assert ended.code == 0
    assert not set("\x1b\x07\u202e") & set(ended.out)
