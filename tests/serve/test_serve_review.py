"""Check in the app: one key a page, bands and a slider, a list that is confirmed in place, all of it as CSV."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, running, way_in
from tests.verbs.test_found import ROOT, found_run
from trailmark.store.run_table import RunTable
from trailmark.workspace import Workspace

ASKED = "[data-question] [name=url]"


@pytest.fixture
def found(folder: Path) -> Path:
    found_run(folder, [0.95, 0.99, 0.7, 0.6, 0.3, 0.91, *[0.8] * 60])
    return folder


def test_before_anything_was_found_it_says_so(visitor: Visitor) -> None:
    assert "walk some sites" in visitor.get("/check").text


def test_the_list_has_titles_and_is_whole_in_the_file(found: Path) -> None:
    visitor = Visitor(found)
    text = visitor.get("/check").text
    assert "1 to 50 of 66" in text
    assert "Page 2</a>" in text
    assert "Page 4</a>" in visitor.get("/check", params={"skip": 50}).text
    assert "sure: 3" in text
    rows = list(csv.reader(visitor.get("/check/found.csv", params={"run": 1}).text.splitlines()))
    assert rows[0] == ["url", "title", "site", "goal", "chance", "band", "checked", "keywords"]
    assert len(rows) == 67
    assert visitor.get("/api/runs/1/found", params={"band": "likely"}).json()["count"] == 62
    assert visitor.get("/check", params={"least": 7}).status_code == 422
    assert "no run 9" in visitor.get("/check", params={"run": 9}).text


def test_a_formula_in_a_title_stays_text(folder: Path) -> None:
    found_run(folder, [0.9])
    with Workspace.open(folder) as workspace:
        workspace.database.connection.execute("UPDATE fetches SET title = '=cmd()' WHERE goal")
    assert ",'=cmd()," in Visitor(folder).get("/check/found.csv", params={"run": 1}).text


def test_pages_are_confirmed_in_place(found: Path) -> None:
    visitor = Visitor(found)
    answer = visitor.post("/check", run="1", url=f"{ROOT}page5", answer="goal", back="/check?run=1&band=doubtful#list")
    assert answer.url.path == "/check"
    with Workspace.open(found) as workspace:
        assert RunTable(workspace.database).answers(1) == {f"{ROOT}page5": True}
    assert visitor.get("/api/runs/1/found", params={"checked": "right"}).json()["count"] == 1
    assert f"{ROOT}page5" in visitor.get("/api/found").json()
    assert "not one of the pages" in visitor.said(visitor.post("/check", run="1", url=f"{ROOT}x", answer="goal"))
    assert "Press one" in visitor.said(visitor.post("/check", run="1", url=f"{ROOT}page1", answer="perhaps"))
    away = visitor.http.post(
        "/check",
        data={"csrf": visitor.csrf, "run": "1", "url": f"{ROOT}page1", "answer": "goal", "back": "//evil.example/"},
        follow_redirects=False,
    )
    assert away.headers["location"] == "/check"


@pytest.mark.slow
def test_one_key_a_page_until_it_is_measured(found: Path, browser_page: Any) -> None:
    page = browser_page
    with running(found) as address:
        page.goto(address + way_in(found))
        page.goto(f"{address}/check")
        page.get_by_role("status").filter(has_text="not measured yet").wait_for()
        for number in range(6):
            asked = page.input_value(ASKED)
            page.wait_for_selector("[data-question]:not([data-waiting])")
            page.keyboard.press("s" if number == 2 else "y")
            page.wait_for_selector(f"{ASKED}:not([value='{asked}'])", state="attached")
        page.get_by_role("status").filter(has_text="nearly all are right").wait_for()
        page.get_by_role("link", name="sure:").click()
        page.get_by_text("The least sure of those that you asked for").wait_for()
        page.wait_for_load_state("load")
        page.locator("#least").fill("0.95")
        assert page.locator("output").text_content() == "95 %"
        page.get_by_role("button", name="Show").click()
        page.wait_for_url("**least=0.95**")
        page.set_viewport_size({"width": 380, "height": 700})
        page.goto(f"{address}/check?run=1&band=sure")
        box = page.locator("[data-key=y]").bounding_box()
        assert box["y"] + box["height"] <= 700, "the keys are in reach without scrolling"


@pytest.mark.slow
def test_each_page_found_has_a_small_picture_that_may_do_nothing(folder: Path, browser_page: Any) -> None:
    found_run(folder, [0.95, 0.99, *[0.8] * 60])
    page = browser_page
    with running(folder) as address:
        page.goto(address + way_in(folder))
        page.goto(f"{address}/check")
        assert page.locator("[data-snapshot]").count() == 50
        assert page.locator("[data-snapshot] iframe").count() < 20, "those out of sight wait"
        page.locator("[data-snapshot]").nth(5).scroll_into_view_if_needed()
        frame = page.locator("[data-snapshot]").nth(5).locator("iframe")
        frame.wait_for()
        assert frame.get_attribute("sandbox") == ""
        box = frame.bounding_box()
        assert box is not None
        assert box["width"] < 130
        assert box["height"] < 100


def test_a_page_says_in_the_words_of_the_app_what_the_command_line_says_in_its_own(found: Path) -> None:
    for path in ("/check", "/runs/1", "/runs/1/check"):
        text = Visitor(found).get(path).text
        assert "trailmark check" not in text, path
        assert "answer with y and n under Check" in text or "Is this" in text
