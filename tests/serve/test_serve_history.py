"""History in the app: what was done is listed and undone, what hangs on a thing is said before it goes, contradictions are asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, running, way_in
from trailmark.datatypes import Annotation, Outcome, Step, Trail
from trailmark.verbs.annotate import mark
from trailmark.workspace import Workspace

ROOT, PAGE = "http://a.test/", "http://a.test/courses"


def teach(folder: Path, outcome: Outcome = "goal") -> None:
    steps = (Step(ROOT), Step(PAGE, "course" if outcome == "goal" else None))
    with Workspace.open(folder) as workspace, workspace.acts.act("teach", f"Taught a trail ({outcome})").part():
        workspace.database.add_trails(
            [Trail(ROOT, outcome, steps, about=() if outcome == "goal" else ("course",))], "a.jsonl"
        )


def trails(folder: Path) -> list[str]:
    with Workspace.open(folder) as workspace:
        return [trail.outcome for trail in workspace.database.trails()]


def test_what_was_done_is_undone_by_a_button_and_done_again(folder: Path, visitor: Visitor) -> None:
    teach(folder)
    assert "Taught a trail (goal)" in visitor.get("/history").text
    answer = visitor.post("/history", act="1", do="undo")
    assert visitor.said(answer) == "Undone: Taught a trail (goal)"
    assert "undone by 2" in answer.text
    assert trails(folder) == []
    visitor.post("/history", act="2", do="undo")
    assert trails(folder) == ["goal"]
    assert "undone already" in visitor.said(visitor.post("/history", act="2", do="undo"))


def test_a_trail_is_forgotten_after_what_hangs_on_it_was_said(folder: Path, visitor: Visitor) -> None:
    teach(folder)
    (folder / "models" / "navigator-course.npz").write_bytes(b"x")
    listed = visitor.get("/kept/trails").text
    assert PAGE in listed
    assert "wanted (course)" in listed
    asked = visitor.post("/kept/trails", id="1", do="ask")
    assert "The navigator of &#39;course&#39; rests on it" in asked.text
    assert trails(folder) == ["goal"], "nothing went yet"
    gone = visitor.post("/kept/trails", id="1", do="forget")
    assert visitor.said(gone) == "Forgot 1 trail. Undo brings it back."
    assert "no trail leads to that goal any more" in gone.text
    assert trails(folder) == []


def test_a_trail_is_changed_in_its_list(folder: Path, visitor: Visitor) -> None:
    teach(folder)
    answer = visitor.post("/kept/trails", id="1", do="change", wanted="no")
    assert "is not wanted now" in visitor.said(answer)
    assert trails(folder) == ["fail"]


def test_trails_of_one_goal_are_told_apart_by_another_name(folder: Path, visitor: Visitor) -> None:
    teach(folder)
    assert "Renamed" in visitor.said(visitor.post("/kept/trails", id="1", do="label", label="seminar"))
    assert "wanted (seminar)" in visitor.get("/kept/trails").text
    visitor.post("/history", act="2", do="undo")
    assert "wanted (course)" in visitor.get("/kept/trails").text


@pytest.mark.parametrize("kind", ["trails", "marks", "answers", "runs", "rules", "records"])
def test_every_kind_has_its_list(visitor: Visitor, kind: str) -> None:
    assert visitor.get(f"/kept/{kind}").status_code == 200
    assert visitor.get(f"/api/kept/{kind}").json() == {"kind": kind, "things": []}
    assert "Tick what" in visitor.said(visitor.post(f"/kept/{kind}", do="ask"))


def test_there_is_no_such_list(visitor: Visitor) -> None:
    assert visitor.get("/kept/<b>").status_code == 400
    assert "There is no trail 7" in visitor.said(visitor.post("/kept/trails", id="7", do="ask"))
    assert visitor.http.post("/api/history/undo", json={}, headers=visitor.bearer()).status_code == 400


def test_a_contradiction_is_asked_about_and_settled(folder: Path, visitor: Visitor) -> None:
    teach(folder)
    teach(folder, "fail")
    shown = visitor.get("/history").text
    assert "Both wanted and not wanted" in shown
    assert "what was said last counts: <b>not wanted</b>" in shown
    answer = visitor.post("/history", do="settle", url=PAGE, goal="course", answer="yes")
    assert visitor.said(answer) == f"Settled: {PAGE} is wanted."
    assert trails(folder) == ["goal"]
    assert "Both wanted" not in answer.text
    assert "settled already" in visitor.said(
        visitor.post("/history", do="settle", url=PAGE, goal="course", answer="no")
    )


def test_programs_list_forget_and_undo(folder: Path, visitor: Visitor) -> None:
    with Workspace.open(folder, who="app") as workspace:
        mark(workspace, [Annotation(PAGE, "title", "Logic")])
    key = visitor.bearer()
    gone = visitor.http.post("/api/kept/marks/forget", json={"ids": ["1"]}, headers=key).json()
    assert [thing["says"] for thing in gone["forgotten"]] == ["title: Logic"]
    undone = visitor.http.post("/api/history/undo", json={"act": gone["act"]}, headers=key).json()
    assert undone["undone"]["id"] == gone["act"]
    assert [act["verb"] for act in visitor.get("/api/history").json()["acts"]] == ["undo", "forget", "mark"]
    assert len(visitor.get("/api/kept/marks").json()["things"]) == 1


def test_ticked_and_forgotten_and_undone_in_a_browser(folder: Path, browser_page: Any) -> None:
    teach(folder)
    with running(folder) as address:
        browser_page.goto(address + way_in(folder))
        browser_page.click("footer >> text=History")
        browser_page.click("text=Trails that were taught")
        browser_page.check("[aria-label='trail 1']")
        browser_page.click("text=Forget what is ticked")
        browser_page.click("button:has-text('Forget 1 trail')")
        assert "Forgot 1 trail" in browser_page.inner_text("[role=status]")
        assert trails(folder) == []
        browser_page.click("[aria-label='Undo act 2']")
        assert "Undone: Forgot trail 1" in browser_page.inner_text("[role=status]")
        assert trails(folder) == ["goal"]
