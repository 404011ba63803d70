"""Verdicts carry the goal that they speak of, in runs for one goal as in runs for several: none is shown, asked about or settled as another's."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import trailmark
from tests.forage.forage_deaths import SITES, errand, forage
from tests.forage.forage_strategies import UrlGoals
from tests.serve.app_visitor import Visitor
from trailmark.cli.ask import short_name
from trailmark.datatypes import Step, Trail
from trailmark.errors import InputError
from trailmark.forage.check_report import CheckReport
from trailmark.forage.several_goals import several_goals
from trailmark.learn.questions import answer_trail, is_wanted
from trailmark.settings import ForageSettings
from trailmark.store.run_table import RunTable
from trailmark.store.run_view import RunView
from trailmark.store.schema import MIGRATIONS
from trailmark.verbs.answer import answer
from trailmark.verbs.check import CheckQuestion, check, check_report, next_check
from trailmark.verbs.explain import explain
from trailmark.verbs.run_questions import keep_run_answer
from trailmark.verbs.suggest import suggest
from trailmark.verbs.waiting_questions import (
    QuestionStep,
    WaitingQuestion,
    WaitingQuestions,
    all_waiting,
    keep_questions,
)
from trailmark.workspace import Workspace

SITE = "http://dept.example/"
GOALS = ("red <b>", "blue")


@pytest.fixture
def walked(workspace: Path, small_web: Any) -> Iterator[Workspace]:
    """The small web with two goals taught and learnt, walked for the first of them alone."""
    trails = small_web.good()
    others = [small_web.trail("", "people/", "~ada/", labels=["department", None, "other"])]
    with Workspace.open(workspace) as opened:
        trailmark.teach(opened, [small_web.file(*trails, *others)], [small_web.archive])
        trailmark.learn(opened, choose_recipe=False)
        yield opened


def main_goal(workspace: Workspace) -> str:
    return next(goal for goal in workspace.goals() if goal != "other")


def doubt(workspace: Workspace, run: int, urls: list[str]) -> None:
    with workspace.database.transaction() as connection:
        connection.executemany(
            "UPDATE fetches SET walk_goal = NULL, walk_probability = 0.45, goal = NULL, goal_probability = 0.45, evidence = 0, "
            "content_hash = 'ff' WHERE final_url = ? AND run_id = ?",
            [(url, run) for url in urls],
        )


def fresh_pages(workspace: Workspace, run: int) -> list[str]:
    taught = {step.url for trail in workspace.database.trails() for step in trail.steps}
    fetches = [fetch for _, fetch in RunTable(workspace.database).fetches(run)]
    return [
        fetch.final_url for fetch in fetches if fetch.content_hash and fetch.depth and fetch.final_url not in taught
    ]


def test_a_run_for_one_goal_says_nothing_of_another(walked: Workspace, small_web: Any) -> None:
    goal = main_goal(walked)
    trailmark.forage(walked, SITE, archives=[small_web.archive], goal=goal)
    assert [run.goal_names for run in RunView(walked.database).runs()] == [(goal,)]
    page = fresh_pages(walked, 1)[0]
    assert explain(walked, page, [small_web.archive], goal=goal).page.run == 1
    about_other = explain(walked, page, [small_web.archive], goal="other").page
    assert about_other.run is None
    assert about_other.path, "the way that the run took stands"
    trailmark.forage(walked, SITE, archives=[small_web.archive], goal="other")
    assert [explain(walked, page, [small_web.archive], goal=each).page.run for each in (goal, "other")] == [1, 2]


def test_questions_are_about_pages_that_were_judged_for_their_goal(walked: Workspace, small_web: Any) -> None:
    goal, archives = main_goal(walked), [small_web.archive]
    for each in (goal, "other"):
        trailmark.forage(walked, SITE, archives=archives, goal=each)
    first, second = fresh_pages(walked, 1)[:2]
    doubt(walked, 1, [first])
    doubt(walked, 2, [second])
    for each, run, page in ((goal, 1, first), ("other", 2, second)):
        asked = [question for question in suggest(walked, 5, archives, goal=each).questions if question.run is not None]
        assert [(question.run, question.url) for question in asked] == [(run, page)]
    waiting = all_waiting(walked)
    assert {name: each.goal for name, each in waiting.items() if each} == {goal: goal, "other": "other"}
    report = answer(walked, second, "fail", archives, goal="other")
    assert report.goal == "other"
    rows = RunTable(walked.database)
    assert (rows.answers(1), rows.answers(2)) == ({}, {second: False}), "it is no answer about the other goal"
    assert list(walked.database.trails())[-1].about == ("other",)
    with pytest.raises(InputError, match="not one of those that wait"):
        answer(walked, second, "fail", archives, goal="other")
    assert answer(walked, first, "goal", archives, goal=goal).goal == goal
    assert rows.answers(1) == {first: True}


@pytest.fixture
def both(tmp_path: Path) -> Path:
    """A run for two goals over the generated web, in a workspace that was taught both."""
    folder = tmp_path / "w"
    Workspace.create(folder).close()
    with Workspace.open(folder) as workspace:
        root = SITES[0].root
        workspace.database.add_trails(
            [Trail(root, "goal", (Step(f"{root}taught/", goal),)) for goal in GOALS], "a.jsonl"
        )
    strategy = several_goals([UrlGoals("a", probability=0.9), UrlGoals("e", probability=0.8)], GOALS)
    forage(folder, ForageSettings(budget=120), errand(strategy, goals=GOALS))
    return folder


def test_a_check_names_the_goal_and_may_be_of_one(both: Path) -> None:
    asked: list[str] = []

    def say(question: CheckQuestion, report: CheckReport) -> str:
        assert report.goal in ("", question.goal_name)
        asked.append(question.goal_name)
        return "goal" if len(asked) % 3 else "fail"

    with Workspace.open(both) as workspace:
        counts = RunView(workspace.database).goal_counts(1)
        assert set(counts) == set(GOALS)
        for goal in GOALS:
            report = check_report(workspace, 1, goal)
            assert (report.pages, report.goals, report.goal) == (counts[goal], counts[goal], goal)
        report = check(workspace, say, 1, count=6, goal=GOALS[0])
        assert asked == [GOALS[0]] * 6
        assert (report.answers, report.pages) == (6, counts[GOALS[0]])
        assert f"pages ({GOALS[0]}) it found" in report.summary
        assert check_report(workspace, 1, GOALS[1]).answers == 0
        check(workspace, say, 1, count=30)
        assert set(asked) == set(GOALS)
        kept = list(workspace.database.trails())[2:]
        assert len(kept) == len(asked)
        goals = [trail.steps[-1].label if trail.outcome == "goal" else trail.about[0] for trail in kept]
        assert goals == asked, "each answer teaches the goal that it is about"
        with pytest.raises(InputError, match=r"did not look for 'green'. It looked for 'red <b>', 'blue'"):
            check_report(workspace, 1, "green")


def test_an_answer_about_one_goal_leaves_the_verdict_on_another(both: Path) -> None:
    with Workspace.open(both) as workspace:
        page = next(page for page in RunView(workspace.database).called_goals(1) if page.goal_name == GOALS[1])
        assert keep_run_answer(workspace, page.url, goal=GOALS[0], wanted=False, asked_by="test") is None
        assert RunTable(workspace.database).answers(1) == {}
        assert keep_run_answer(workspace, page.url, goal=GOALS[1], wanted=False, asked_by="test") == 1
        settled = RunView(workspace.database).walked([page.url])
        assert settled is not None
        assert settled.goal is False


def test_the_command_line_names_the_goal(both: Path, trailmark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\nq\n"))
    ended = trailmark("-w", both, "check", "--goal", GOALS[0])
    assert f"Is it what you want ({GOALS[0]})?" in ended.out
    ended = trailmark("-w", both, "check", "--goal", "green")
    assert (ended.code, ended.out) == (2, "")
    assert "did not look for 'green'" in ended.err


def test_the_app_lets_a_person_choose_the_goal(both: Path) -> None:
    visitor = Visitor(both)
    text = visitor.get("/questions").text
    assert '<a href="/questions?goal=red%20%3Cb%3E" aria-current="true"><bdi>red &lt;b&gt;</bdi></a>: 0' in text
    text = visitor.get("/questions", params={"goal": GOALS[1]}).text
    assert 'aria-current="true"><bdi>blue</bdi>' in text
    assert '<input type="hidden" name="goal" value="blue">' in text
    text = visitor.get("/runs/1/check", params={"goal": GOALS[0]}).text
    assert "Is this what you want (<bdi>red &lt;b&gt;</bdi>)?" in text
    with Workspace.open(both) as workspace:
        question = next_check(workspace, 1, GOALS[0])
    assert question is not None
    visitor.post("/runs/1/check", url=question.url, answer="goal", goal=GOALS[0])
    with Workspace.open(both) as workspace:
        assert check_report(workspace, 1, GOALS[0]).answers == 1
    assert visitor.get("/api/runs/1/check", params={"goal": GOALS[0]}).json()["goal"] == GOALS[0]
    assert visitor.get("/api/questions").json() == {"questions": [], "goals": dict.fromkeys(GOALS, 0)}


def test_runs_of_an_older_version_get_the_name_that_their_pages_bear(tmp_path: Path) -> None:
    connection = sqlite3.connect(":memory:")
    named = next(
        n for n, migration in enumerate(MIGRATIONS) if any("runs ADD COLUMN goal_name" in each for each in migration)
    )
    for statement in (statement for migration in MIGRATIONS[:named] for statement in migration):
        connection.execute(statement)
    for number, strategy in enumerate(("path", "own", "path"), 1):
        connection.execute(
            "INSERT INTO runs (id, digest, said, started_at) VALUES (?, '', ?, '')",
            (number, json.dumps({"strategy": strategy, "seeds": []})),
        )
        connection.execute("INSERT INTO checks VALUES (?, 5, 9, '')", (number,))
        connection.execute("INSERT INTO check_pages VALUES (?, 0, 'http://h.test/', 1, 1)", (number,))
        for n, label in enumerate(("course", "course", "staff", "")):
            connection.execute(
                "INSERT INTO fetches (run_id, n, site, url, status, score, label, goal, goal_probability, depth, parent_n, final_url, "
                "content_hash, gist, failure, walk_goal, goal_name) VALUES (?, ?, 0, '', 200, 0, ?, 1, 1, 0, 0, '', '', 0, '', 1, ?)",
                (number, n, label, "course" if number == 3 else ""),
            )
    for statement in (statement for migration in MIGRATIONS[named:] for statement in migration):
        connection.execute(statement)
    assert connection.execute("SELECT goal_name FROM runs ORDER BY id").fetchall() == [("course",), ("",), ("",)]
    assert connection.execute("SELECT * FROM checks WHERE run_id = 2").fetchall() == [(2, "", 5, 9, "")]
    assert connection.execute("SELECT * FROM check_pages WHERE run_id = 2").fetchall() == [
        (2, "", 0, "http://h.test/", 1, 1)
    ]


def test_no_is_no_where_the_goal_is_called_fail(walked: Workspace, small_web: Any) -> None:
    path = Trail(SITE, "fail", (Step(SITE), Step(SITE + "contact/")))
    assert [answer_trail(path, each, goal="fail").outcome for each in ("goal", "fail", "staff")] == [
        "goal",
        "fail",
        "fail",
    ]
    assert [answer_trail(path, each, goal="course").outcome for each in ("course", "fail")] == ["goal", "fail"]
    assert [is_wanted(each, "fail") for each in ("goal", "fail", "")] == [True, False, False]


def test_a_goal_whose_name_has_a_line_end_is_asked_about_in_the_app(both: Path) -> None:
    """A browser sends every line end of a field as CR LF."""
    odd = "two\nlines"
    with Workspace.open(both) as workspace:
        workspace.database.add_trails([Trail(SITES[0].root, "goal", (Step(SITES[0].root, odd),))], "b.jsonl")
        url = SITES[0].root
        question = WaitingQuestion(url, "", url, (QuestionStep(url),), odd, 0.5, 0.5)
        keep_questions(workspace, WaitingQuestions(odd, (), (question,)))
    visitor, sent = Visitor(both), odd.replace("\n", "\r\n")
    assert visitor.get("/questions", params={"goal": odd}).text.count("<bdi>two\nlines</bdi>") >= 2
    visitor.post("/questions", url=url, answer="skip", goal=sent)
    with Workspace.open(both) as workspace:
        waiting = all_waiting(workspace)[odd]
    assert waiting is not None
    assert waiting.questions == ()
    assert "A word of the job holds a character" in visitor.said(visitor.post("/questions/choose", goal=sent))


def test_a_name_of_any_length_is_cut_where_it_is_asked_about() -> None:
    assert short_name("course") == "course"
    assert len(short_name("x" * 5000)) == 80
