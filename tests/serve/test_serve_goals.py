"""Goals side by side in the app: each with its report, ticked for a run, named where a page was found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.serve.app_visitor import Visitor
from trailmark.verbs.forage import forage
from trailmark.verbs.learn import learn
from trailmark.verbs.teach import teach
from trailmark.workspace import Workspace

GOALS = ["course", "publications"]


@pytest.fixture
def learnt(demo_folder: Path) -> Path:
    web = demo_folder / "demo" / "web"
    with Workspace.open(demo_folder) as workspace:
        for goal in GOALS:
            some = web / f"some-{goal}.jsonl"
            lines = (web / f"demo.trails.{goal}.jsonl").read_text(encoding="utf-8").splitlines()
            some.write_text("\n".join(lines[:16]), encoding="utf-8")
            teach(workspace, [some], [web / "demo.warc.gz"])
        learn(workspace, choose_recipe=False)
        root = list(workspace.database.trails())[-1].site
        forage(workspace, [root], archives=[web / "demo.warc.gz"], budget=40)
    return demo_folder


@pytest.mark.slow
def test_goals_stand_side_by_side(learnt: Path) -> None:
    visitor = Visitor(learnt)
    text = visitor.get("/learnt").text
    for number, goal in enumerate(GOALS, 1):
        assert f'href="#goal-{number}"><bdi>{goal}</bdi>' in text
        assert f"/learnt/picture.svg?goal={goal}" in text
        assert visitor.get("/learnt/picture.svg", params={"goal": goal}).headers["content-type"] == "image/svg+xml"
    one = visitor.get("/learnt", params={"goal": "publications"}).text
    assert "The way to <b><bdi>publications" in one
    assert "The way to <b><bdi>course" not in one, "the picker shows one way alone"
    assert '<option value="publications" selected' in one
    home = visitor.get("/").text
    assert all(f"<bdi>{goal}</bdi>" in home for goal in GOALS), "side by side on the first page"
    assert visitor.get("/learnt/picture.svg", params={"goal": "../navigator"}).status_code == 404
    assert [each["goal"] for each in visitor.get("/api/learnt").json()["goals"]] == GOALS
    root = visitor.get("/api/runs").json()[0]["seeds"][0]
    pages = [visitor.get("/learnt/page", params={"url": root, "goal": goal}) for goal in GOALS]
    assert all('<select id="goal"' in page.text for page in pages)
    assert all(visitor.frame(page).status_code == 200 for page in pages)
    assert "was not learnt" in visitor.get("/learnt/page", params={"url": root, "goal": "talk"}).text
    judged = [visitor.get("/api/judge", params={"url": root, "goal": goal}).json() for goal in GOALS]
    assert judged[0]["goal_probability"] != judged[1]["goal_probability"]


@pytest.mark.slow
def test_goals_are_ticked_for_a_run_and_named_in_it(learnt: Path) -> None:
    visitor = Visitor(learnt)
    form = visitor.get("/runs").text
    assert all(f'name="goal" value="{goal}" checked' in form for goal in GOALS)
    assert "path: <bdi>course</bdi>, <bdi>publications</bdi>" in form
    shown = visitor.get("/runs/1").text
    found = visitor.get("/api/runs/1/goals").json()
    assert found
    assert {goal["goal_name"] for goal in found} <= set(GOALS)
    assert all(f"<bdi>{goal['goal_name']}</bdi>" in shown for goal in found[:25])
    assert visitor.get("/api/runs").json()[0]["goal_names"] == GOALS
    root = visitor.get("/api/runs").json()[0]["seeds"][0]
    visitor.post("/runs", seeds=root, strategy="path", budget="3", goal=["course"], **{"from": "archive"})
    (job,) = visitor.state.jobs.all()
    assert job.arguments[job.arguments.index("--goal") :][:2] == ("--goal", "course")
    assert "publications" not in job.arguments


@pytest.mark.slow
def test_questions_are_about_one_goal(learnt: Path) -> None:
    visitor = Visitor(learnt)
    assert '<a href="/questions?goal=publications"' in visitor.get("/questions").text
    visitor.post("/questions/choose", goal="publications")
    (job,) = visitor.state.jobs.all()
    assert job.arguments[job.arguments.index("--goal") + 1] == "publications"
