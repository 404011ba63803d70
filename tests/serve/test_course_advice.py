"""Beside the items of a course: an abstract, and what other courses have on the same, in the portal, in its files and in the app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.serve.advice_world import EVIL, LANGUAGES, MACHINES, advised_workspace
from tests.serve.app_visitor import Visitor
from tests.serve.portal_world import Reader
from trailmark.datatypes import course_id
from trailmark.serve.portal.file_ways import item_file_name
from trailmark.serve.portal.publishing import publish
from trailmark.verbs.correct_course import forget_course
from trailmark.verbs.curate import hide
from trailmark.verbs.organise import organise
from trailmark.workspace import Workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return advised_workspace(tmp_path)


def test_a_page_of_the_portal_tells_of_each_item(folder: Path) -> None:
    reader = Reader(folder)
    text = reader.get(f"/item/{course_id(LANGUAGES)}").text
    first = text.partition("Lecture 1: Grammars")[2].partition("Lecture 2: Machines")[0]
    assert f'href="{MACHINES}g.html"' in first
    assert f'href="/item/{course_id(MACHINES)}"' in first
    assert "regular grammar" in first.partition("Both speak of")[2]
    assert "Every regular grammar has a finite automaton." in first
    reader.desk.close()


def test_what_means_harm_is_text(folder: Path) -> None:
    reader = Reader(folder)
    for url in (LANGUAGES, MACHINES, EVIL):
        text = reader.get(f"/item/{course_id(url)}").text
        assert "<script>alert" not in text
    reader.desk.close()


@pytest.mark.parametrize("take_out", [forget_course, hide])
def test_a_course_that_is_gone_or_hidden_is_not_recommended(folder: Path, take_out: Callable[..., Any]) -> None:
    with Workspace.open(folder) as workspace:
        take_out(workspace, course_id(MACHINES))
        organise(workspace)
    reader = Reader(folder)
    assert f"{MACHINES}g.html" not in reader.get(f"/item/{course_id(LANGUAGES)}").text
    reader.desk.close()


def test_the_app_tells_the_same_beside_an_item(folder: Path) -> None:
    text = Visitor(folder).get(f"/courses/{course_id(LANGUAGES)}").text
    assert f'href="/courses/{course_id(MACHINES)}"' in text
    assert "Both speak of" in text
    assert "Every regular grammar has a finite automaton." in text
    evil = Visitor(folder).get(f"/courses/{course_id(EVIL)}").text
    assert "<script>alert" not in evil
    assert "come here with" not in evil


def test_the_same_in_files(folder: Path, tmp_path: Path) -> None:
    with Workspace.open(folder) as workspace:
        report = publish(workspace, tmp_path / "site")
    assert report.broken == ()
    text = (tmp_path / "site" / item_file_name(course_id(LANGUAGES), "html")).read_text(encoding="utf-8")
    assert f'href="{MACHINES}g.html"' in text
    assert f"{course_id(MACHINES)}.html" in text
    assert "Both speak of" in text


def test_nothing_is_compared_again_where_nothing_changed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Workspace.open(folder) as workspace:
        first = organise(workspace)
        assert first.advised == 5
        monkeypatch.setattr("trailmark.verbs.organise_courses.shelf", None)
        assert organise(workspace).advised == 5


def test_how_much_is_told_is_a_setting(folder: Path) -> None:
    file = folder / "trailmark.toml"
    file.write_text("[course]\nrecommended = 1\nsentences = 0\n", encoding="utf-8")
    with Workspace.open(folder) as workspace:
        organise(workspace)
    reader = Reader(folder)
    text = reader.get(f"/item/{course_id(LANGUAGES)}").text
    assert "<blockquote>" not in text
    assert text.count("Both speak of") == 2
    reader.desk.close()
