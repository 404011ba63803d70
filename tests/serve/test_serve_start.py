"""The first page, and the way from nothing over the generated web."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import PATIENCE, Visitor, running, way_in
from trailmark.datatypes import Annotation, Record
from trailmark.serve.rendering import NAVIGATION
from trailmark.store.record_table import add_records
from trailmark.verbs.teach import teach
from trailmark.workspace import Workspace


@pytest.mark.slow
def test_an_empty_workspace_shows_one_thing_to_do(visitor: Visitor) -> None:
    text = visitor.get("/").text
    assert "Make me a web to try things on" in text
    assert "Take prepared trails" not in text, "later steps can't be taken yet"
    for what in ("teach", "walk", "nonsense", ""):
        visitor.post("/demo", do=what)
    assert visitor.state.jobs.all() == [], "nor by a form that somebody kept"


@pytest.mark.slow
def test_the_web_is_made_by_a_verb(visitor: Visitor) -> None:
    assert visitor.post("/demo", do="make").status_code == 200
    [job] = visitor.state.jobs.all()
    assert job.verb == "demo"
    visitor.wait(job.id)
    assert "12 sites are ready" in visitor.get("/").text


def test_a_workspace_of_ones_own_is_not_led_through_the_demo(small_archive: Path, small_web: Any, folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        teach(workspace, [small_web.file(*small_web.good())], [small_archive])
    text = Visitor(folder).get("/").text
    assert "made-up web" not in text
    assert "It knows 2 trails" in text


@pytest.mark.slow
def test_after_the_walk_it_leads_on_to_records(demo_visitor: Visitor) -> None:
    assert "Lift the records" not in demo_visitor.get("/").text
    with Workspace.open(demo_visitor.folder) as workspace:
        workspace.database.add_annotations([Annotation("http://a.example/", "name", "A")], "test")
    assert "Lift the records" in demo_visitor.get("/").text
    with Workspace.open(demo_visitor.folder) as workspace:
        add_records(
            workspace.database.connection,
            [Record("http://a.example/", "item", {"name": ("A",)}, "test", {})],
            at="2026-01-01",
        )
    text = demo_visitor.get("/").text
    assert "It has lifted 1 record" in text
    assert "Lift the records" not in text


def test_from_nothing_to_what_it_found(demo_folder: Path, browser_page: Any) -> None:
    page = browser_page
    page.set_default_timeout(3 * PATIENCE * 1000)
    with running(demo_folder) as address:
        page.goto(address + way_in(demo_folder))
        page.goto(address)
        page.get_by_text("5 sites are ready").wait_for()
        for button in ("Take prepared trails on three sites", "Learn", "Walk"):
            page.get_by_role("button", name=button, exact=True).and_(page.locator(":enabled")).click()
        # Each line of a job at work is live: the page goes on by itself when the job is done.
        page.get_by_role("link", name="The run and its goals").wait_for()
        page.get_by_role("link", name="Mark values on a page").click()
        page.get_by_role("button", name="Group the pages of the workspace").wait_for()
    with Workspace.open(demo_folder) as workspace:
        goals = workspace.database.connection.execute("SELECT count(*) FROM fetches WHERE goal").fetchone()[0]
    assert goals > 0


def test_an_unexpected_error_is_one_sentence_that_names_the_log(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("<b>inside</b>")

    monkeypatch.setattr("trailmark.serve.jobs.Jobs.all", broken)
    answer = Visitor(folder, raise_server_exceptions=False).get("/jobs")
    assert answer.status_code == 500
    assert answer.headers["content-type"].startswith("text/plain")
    assert "logs/trailmark.log" in answer.text
    assert "inside" not in answer.text


def test_every_stage_is_headed_by_its_word(visitor: Visitor) -> None:
    """Watch was headed "Alarms", Crawl "Runs": whoever followed the menu did not know where they were."""
    for path, word in NAVIGATION:
        heading = re.search(r"<h1>([^<]*)", visitor.get(path).text)
        assert heading, path
        assert heading[1].startswith(word), path
