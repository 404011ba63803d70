"""`trailmark teach --ask N`: questions on the terminal or over a pipe, answers as trails."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trailmark.cli.ask import read_answer
from trailmark.datatypes import Trail
from trailmark.workspace import Workspace

SITE = "http://dept.example/"


@pytest.fixture
def taught(trailmark: Any, workspace: Path, small_web: Any) -> Path:
    file = small_web.file(*small_web.good())
    assert trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).code == 0
    return workspace


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def asked_trails(folder: Path) -> list[Trail]:
    with Workspace.open(folder) as workspace:
        return list(workspace.database.trails())[2:]


@pytest.mark.slow
def test_answers_become_trails(trailmark: Any, taught: Path, small_web: Any, answer: Callable[[str], None]) -> None:
    answer("y\nno\n")
    ended = trailmark("-w", taught, "teach", "--ask", 2, "--replay", small_web.archive, "--json")
    assert ended.code == 0
    report = ended.report
    assert (report["asked"], report["trails"], report["goals"], report["skipped"]) == (2, 2, 1, 0)
    goal, fail = asked_trails(taught)
    assert (goal.outcome, fail.outcome) == ("goal", "fail")
    assert (goal.site, fail.site) == (SITE, SITE)
    assert [step.label for step in (*goal.steps, *fail.steps)] == ["publications", None]
    assert [each["url"] for each in report["answers"]] == [goal.steps[-1].url, fail.steps[-1].url]
    # What was asked about is in the workspace now: learning needs no archive.
    learnt = trailmark("-w", taught, "learn", "--quick", "--json")
    assert learnt.code == 0
    assert learnt.report["trails"] == 4


def test_the_question_shows_title_url_and_path(
    trailmark: Any, taught: Path, small_web: Any, answer: Callable[[str], None]
) -> None:
    answer("quit\n")
    ended = trailmark("-w", taught, "teach", "--ask", 3, "--replay", small_web.archive)
    assert ended.code == 0
    assert "Question 1 of 3: " in ended.out
    assert "path: The Department > " in ended.out
    assert "Is it a page you want (publications)? yes, no, a name (department, faculty), skip, quit" in ended.out
    assert ended.out.endswith("No answers.\n")
    assert "\x1b]" not in ended.out
    assert asked_trails(taught) == []


@pytest.mark.slow
def test_names_skips_and_the_end_of_the_input(
    trailmark: Any, taught: Path, small_web: Any, answer: Callable[[str], None]
) -> None:
    answer("office page\n\n")
    report = trailmark("-w", taught, "teach", "--ask", 9, "--replay", small_web.archive, "--json").report
    assert [each["answer"] for each in report["answers"]] == ["office page", None]
    (named,) = asked_trails(taught)
    assert (named.outcome, named.steps[0].label) == ("fail", "office page")


@pytest.mark.slow
def test_nothing_is_asked_twice(trailmark: Any, taught: Path, small_web: Any, answer: Callable[[str], None]) -> None:
    answer("n\n" * 30)
    arguments = ("-w", taught, "teach", "--ask", 30, "--replay", small_web.archive, "--json")
    first = trailmark(*arguments).report
    urls = [each["url"] for each in first["answers"]]
    assert len(urls) == len(set(urls)) > 1
    answer("n\n" * 30)
    again = trailmark(*arguments)
    assert again.code == 2
    assert "taught already" in again.err


def test_bad_usage(trailmark: Any, workspace: Path, small_web: Any) -> None:
    empty = trailmark("-w", workspace, "teach", "--ask", 3)
    assert empty.code == 2
    assert "no trail to a goal" in empty.err
    assert trailmark("-w", workspace, "teach", "--ask", 0).code == 2
    both = trailmark("-w", workspace, "teach", "--ask", 1, small_web.file(*small_web.good()))
    assert both.code == 2
    assert "goes alone" in both.err


@pytest.mark.parametrize(
    ("line", "means"),
    [
        ("y\n", "goal"),
        (" YES \n", "goal"),
        ("No\n", "fail"),
        ("\n", ""),
        ("s\n", ""),
        ("q\n", None),
        ("", None),
        ("Faculty  list\n", "Faculty list"),
        ("x" * 500 + "\n", "x" * 80),
    ],
)
def test_what_an_answer_means(line: str, means: str | None) -> None:
    assert read_answer(line) == means
