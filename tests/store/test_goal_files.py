"""Files of goals: a name of its own for any goal on any disk, and the files of an earlier version are still found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.hostile_text import HOSTILE_GOALS
from trailmark.quoting import LONGEST_FILE_NAME, file_name, file_name_text
from trailmark.store.goal_files import NAVIGATOR, PICTURE, REPORT, REPORT_BEFORE, GoalFiles

PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-%~")


@given(st.text(), st.text())
@example("Course", "course")
@example("course.before", "course")
@example("CON", "con")
@example("é", "é")
@example("x" * 300, "x" * 301)
@example("%41", "A")
@example("\ud800", "?")
def test_no_two_texts_share_a_name_where_capitals_count_for_nothing(one: str, other: str) -> None:
    assert (file_name(one).casefold() == file_name(other).casefold()) == (one == other)


@given(st.text())
@example("..")
@example("a/b\\c:d")
@example("\N{CROCODILE}" * 400)
@example("\ud83d")
def test_a_name_is_short_plain_and_read_back(text: str) -> None:
    name = file_name(text)
    assert set(name) <= PLAIN
    assert len(name) <= LONGEST_FILE_NAME
    assert file_name_text(name) == (None if "~" in name else text)


@pytest.mark.parametrize("name", ["%zz", "A", "a.b", "%ff", "x~0", "%2", "%61"])
def test_what_is_no_such_name_has_no_text(name: str) -> None:
    assert file_name_text(name) is None


def write(files: GoalFiles, goal: str) -> None:
    files.file(goal).write_bytes(b"weights of " + goal.encode("utf-8", "surrogatepass"))
    files.file(goal, REPORT).write_text(json.dumps({"goal": goal}))


def test_goals_with_odd_names_have_files_in_the_folder_itself(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    for goal in HOSTILE_GOALS:
        write(files, goal)
    assert files.goals() == sorted(HOSTILE_GOALS)
    assert all(path.parent == tmp_path for path in tmp_path.rglob("*"))
    for goal in HOSTILE_GOALS:
        assert files.file(goal).read_bytes() == b"weights of " + goal.encode("utf-8", "surrogatepass")
        files.forget(goal)
    assert list(tmp_path.iterdir()) == []


def old_files(folder: Path, goal: object) -> None:
    for ending in (NAVIGATOR, PICTURE, REPORT_BEFORE):
        (folder / f"navigator{ending}").write_bytes(b"old")
    (folder / "navigator.json").write_text(json.dumps({"goal": goal}))


def test_a_navigator_of_an_earlier_version_counts_as_its_goal(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    old_files(tmp_path, "course")
    assert files.goals() == ["course"]
    assert files.file("course") == tmp_path / "navigator.npz"
    assert files.file("faculty") == tmp_path / "navigator-faculty.npz"
    files.take_over()
    assert files.goals() == ["course"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "navigator-course.before.json",
        "navigator-course.json",
        "navigator-course.npz",
        "navigator-course.svg",
    ]


def test_what_was_learnt_since_is_not_overwritten_by_an_earlier_version(tmp_path: Path) -> None:
    files = GoalFiles(tmp_path)
    write(files, "course")
    old_files(tmp_path, "course")
    assert files.goals() == ["course"]
    assert files.file("course").name == "navigator-course.npz"
    files.take_over()
    assert files.file("course").read_bytes() == b"weights of course"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["navigator-course.json", "navigator-course.npz"]


@pytest.mark.parametrize("goal", [7, None, ["x"]])
def test_an_old_navigator_with_a_spoilt_report_is_the_goal_without_a_name(tmp_path: Path, goal: object) -> None:
    old_files(tmp_path, goal)
    assert GoalFiles(tmp_path).goals() == ["goal"]


def test_files_that_are_not_ours_are_left_alone(tmp_path: Path) -> None:
    for name in ("navigator-A.npz", "navigator-%zz.npz", "navigators.npz", "navigator-x~0.npz", "rules.json"):
        (tmp_path / name).write_bytes(b"")
    files = GoalFiles(tmp_path)
    files.take_over()
    assert files.goals() == []
    assert len(list(tmp_path.iterdir())) == 5
