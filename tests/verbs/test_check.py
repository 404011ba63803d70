"""`check`: a sample of what a run found is asked about, the answers are kept and settle the run, and the figure speaks of all it found."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from tests.forage.forage_deaths import SITES, errand, forage
from tests.forage.forage_strategies import UrlGoals
from tests.serve.app_visitor import Visitor
from trailmark.datatypes import Step, Trail
from trailmark.errors import InputError
from trailmark.forage.check_report import CheckReport, in_parts
from trailmark.settings import ForageSettings
from trailmark.store.run_table import RunTable
from trailmark.verbs.check import CheckQuestion, answer_check, check, check_report, next_check
from trailmark.verbs.status import status
from trailmark.workspace import Workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run over the generated web that takes half of its pages for goals, in a workspace that was taught one."""
    Workspace.create(tmp_path / "w").close()
    with Workspace.open(tmp_path / "w") as workspace:
        workspace.database.add_trails([Trail(SITES[0].root, "goal", (Step(SITES[0].root, "page"),))], "a.jsonl")
    forage(tmp_path / "w", ForageSettings(budget=120), errand(UrlGoals("a", probability=0.8)))
    return tmp_path / "w"


def is_right(url: str) -> bool:
    return len(url) % 4 != 0


def truthful(question: CheckQuestion, report: CheckReport) -> str:
    del report
    assert question.trail[-1] == question.url
    return "goal" if is_right(question.url) else "fail"


def test_before_the_first_answer_it_says_how_to_measure(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        report = check_report(workspace, 1)
        assert report.pages == report.goals > 30
        assert (report.answers, report.share, report.left) == (0, None, report.pages)
        assert report.summary.endswith("is not measured yet: measure it with trailmark check 1.")
        assert status(workspace).check == report


def test_answers_give_an_interval_teach_and_settle(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        pages, trails = check_report(workspace, 1).pages, len(list(workspace.database.trails()))
        few = check(workspace, truthful, count=4)
        assert few.share is None
        assert "4 answers are too few to tell" in few.summary
        report = check(workspace, truthful, 1, count=16)
        assert (report.answers, report.pages) == (20, pages)
        answers = RunTable(workspace.database).answers(1)
        assert report.right == sum(answers.values()) == sum(map(is_right, answers))
        assert report.share is not None
        assert report.low is not None
        assert report.high is not None
        assert report.low < report.share < report.high
        assert f"Of the {pages} pages it found, about" in report.summary
        assert "from 20 answers." in report.summary
        assert report.goals <= pages - (20 - report.right), (
            "what was said to be wrong is no goal any more, nor what is like it"
        )
        taught = list(workspace.database.trails())[trails:]
        assert {trail.steps[-1].url: trail.outcome == "goal" for trail in taught} == answers
        rest = check(workspace, truthful, count=10_000)
        assert (rest.answers, rest.left, rest.low) == (pages, 0, rest.high)
        truth = sum(map(is_right, RunTable(workspace.database).answers(1))) / pages
        assert rest.share == pytest.approx(truth)
        assert rest.summary == f"All {pages} pages it found were checked: {rest.right} are right."
        anew = check(workspace, truthful, count=0, anew=True)
        assert anew.pages == anew.answers == anew.right == rest.right, "what is known is not asked again"


def test_skipped_pages_are_not_asked_again_and_stopping_keeps_all(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        first = next_check(workspace, 1)
        assert first is not None
        assert answer_check(workspace, 1, first.url, "").skipped == 1
        second = next_check(workspace, 1)
        assert second is not None
        assert second.url != first.url
        answers = iter(["goal", "goal", None])
        report = check(workspace, lambda *_: next(answers))
        assert (report.answers, report.skipped) == (2, 1)
        with pytest.raises(InputError, match="not one of the pages"):
            answer_check(workspace, 1, "http://elsewhere.test/", "goal")


def test_the_sample_is_of_the_run_as_it_is(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        before = check(workspace, truthful, count=6)
    forage(folder, ForageSettings(budget=140), errand(UrlGoals("a", probability=0.8)))
    with Workspace.open(folder) as workspace:
        after = check_report(workspace, 1)
        assert after.pages > before.pages - 6
        assert after.pages == after.goals


def test_without_a_run_or_goals_there_is_nothing_to_check(tmp_path: Path) -> None:
    Workspace.create(tmp_path / "w").close()
    with Workspace.open(tmp_path / "w") as workspace:
        with pytest.raises(InputError, match="no run"):
            check(workspace, truthful)
        with pytest.raises(InputError, match="There is no run 7"):
            check(workspace, truthful, 7)
    forage(tmp_path / "w", ForageSettings(budget=5), errand(UrlGoals("no such word")))
    with Workspace.open(tmp_path / "w") as workspace:
        assert check(workspace, truthful).summary == "Run 1 found no goals: there is nothing to check."


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.74, "about 3 of 4"), (0.9, "about 9 of 10"), (0.5, "about 1 of 2"), (0.66, "about 2 of 3"), (1.0, "nearly all"), (0.0, "hardly any")],
)  # fmt: skip
def test_a_share_in_words(share: float, words: str) -> None:
    assert in_parts(share) == words


def test_on_the_command_line(folder: Path, trailmark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\ny\nn\ns\ny\ny\nq\n"))
    ended = trailmark("-w", folder, "check", "--count", 9)
    assert ended.code == 0
    assert "Page 1 of 9" in ended.out
    assert "Is it right?" in ended.out
    assert "from 5 answers." in ended.out
    report = trailmark("-w", folder, "check", 1, "--count", 0, "--json").report
    assert (report["answers"], report["right"], report["skipped"]) == (5, 4, 1)
    assert 0 < report["low"] < report["share"] < report["high"] <= 1
    said = trailmark("-w", folder, "status").out
    assert " ".join(report["summary"].split()) in " ".join(said.split())
    missing = trailmark("-w", folder, "check", 9)
    assert (missing.code, missing.out) == (2, "")


def test_in_the_app(folder: Path) -> None:
    visitor = Visitor(folder)
    assert "is not measured yet" in visitor.get("/runs/1").text
    for number in range(6):
        question = visitor.get("/api/runs/1/check").json()["question"]
        shown = visitor.get("/runs/1/check")
        assert question["url"] in shown.text
        answer = visitor.post("/runs/1/check", url=question["url"], answer="fail" if number == 2 else "goal")
        assert not visitor.said(answer)
    report = visitor.get("/api/runs/1/check").json()
    assert (report["answers"], report["right"]) == (6, 5)
    for place in ("/runs/1", "/runs/1/check"):
        assert "from 6 answers." in visitor.get(place).text
    sent = visitor.http.post(
        "/api/runs/1/check", json={"url": report["question"]["url"], "answer": "skip"}, headers=visitor.bearer()
    )
    assert (sent.status_code, sent.json()["skipped"]) == (200, 1)
    assert "Press one of the buttons" in visitor.said(visitor.post("/runs/1/check", url="x", answer="perhaps"))
    assert "not one of the pages" in visitor.said(visitor.post("/runs/1/check", url="http://x.test/", answer="goal"))
    assert visitor.get("/runs/77/check").status_code == 404 or "no run 77" in visitor.get("/runs/77/check").text


def test_one_page_is_one_page() -> None:
    one = {
        "run": 1,
        "goals": 1,
        "pages": 1,
        "right": 0,
        "skipped": 0,
        "left": 1,
        "share": None,
        "low": None,
        "high": None,
    }
    assert CheckReport(answers=0, **one).summary == "Whether the one page it found is right is not measured yet: measure it with trailmark check 1."  # type: ignore[arg-type]  # fmt: skip
    assert CheckReport(answers=1, **one).summary == "The one page it found was checked: it is not right."  # type: ignore[arg-type]
