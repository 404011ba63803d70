"""The crawl console in the app: a site that is switched off is seen, lists never lag behind figures, buttons mean what they say."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, running, wait_for, way_in
from tests.serve.test_serve_runs import long_run
from trailmark.demo import DemoWeb, serve
from trailmark.forage.pulse import Pulse
from trailmark.serve.console_pages import at_rest
from trailmark.serve.curve import ticks
from trailmark.serve.jobs import Job
from trailmark.settings import ForageSettings
from trailmark.store.run_table import RunTable
from trailmark.verbs.run_console import ConsoleReport
from trailmark.workspace import Workspace


def test_the_console_is_on_the_page_of_a_run(folder: Path) -> None:
    long_run(folder, 3, 30)
    visitor = Visitor(folder)
    text = visitor.get("/runs/1").text
    assert "status 200: 30" in text
    assert "Nothing yet" not in text
    console = visitor.get("/api/runs/1/console").json()
    assert console["statuses"] == {"200": 30}
    assert console["alive"] is False


def test_a_run_that_nobody_works_on_is_not_called_open(folder: Path) -> None:
    long_run(folder, 3, 30)
    text = Visitor(folder).get("/runs").text
    assert "<td>not at work</td>" in text
    with Workspace.open(folder) as workspace:
        pulse = Pulse().state([], ForageSettings(), under_way=0, taken=0)
        RunTable(workspace.database).save_pulse(1, pulse, [])
        workspace.database.commit()
    assert "<td>at work</td>" in Visitor(folder).get("/runs").text


def test_the_log_has_a_filter(folder: Path) -> None:
    long_run(folder, 3, 450)
    visitor = Visitor(folder)
    assert "1 to 200 of 450" in visitor.get("/runs/1/log").text
    assert "401 to 450 of 450" in visitor.get("/runs/1/log", params={"skip": 400}).text
    assert "1 to 1 of 1" in visitor.get("/runs/1/log", params={"q": "page449"}).text
    assert "none" in visitor.get("/runs/1/log", params={"kind": "retry"}).text
    assert visitor.get("/api/runs/1/log", params={"q": "page44"}).json()["count"] == 11
    assert "no run 5" in visitor.get("/runs/5/log").text


def test_two_runs_stand_side_by_side(folder: Path) -> None:
    visitor = Visitor(folder)
    assert "no second run" in visitor.get("/runs/compare").text
    long_run(folder, 3, 30)
    long_run(folder, 3, 60)
    text = visitor.get("/runs/compare", params={"run": 1, "other": 2}).text
    assert len(re.findall(r'<path class="harvest', text)) == 2
    assert visitor.get("/api/runs/compare", params={"run": 2, "other": 1}).json()["one"]["pages"] == 60
    assert "itself" in visitor.get("/runs/compare", params={"run": 1, "other": 1}).text


def hung_up(*_: object) -> None:
    raise ConnectionError("switched off")


@pytest.mark.slow
def test_a_site_that_is_switched_off_is_seen_and_stop_is_the_end(
    folder: Path, browser_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = '[forage]\ncontact = "tests@example.org"\nallow_hosts = ["*.localhost"]\ndelay = 0.2\nretries = 5\n'
    (folder / "trailmark.toml").write_text(settings, encoding="utf-8")
    page = browser_page
    with running(folder) as address:
        with serve(DemoWeb(sites=1, pages=100)) as server:
            page.goto(address + way_in(folder))
            page.goto(f"{address}/runs")
            page.fill("#seeds", server.root(0))
            page.select_option("#strategy", "breadth")
            page.click("button.primary")
            page.wait_for_selector("[data-run-live]")
            wait_for(lambda: int(page.text_content("[data-figure=pages]")) >= 3)
            monkeypatch.setattr(server, "answer", hung_up)  # connections that are open are cut too
        # The server is gone: nothing answers any more.
        wait_for(
            lambda: (
                page.text_content("[data-console=retries]").isdigit()
                and int(page.text_content("[data-console=retries]"))
            )
        )
        page.get_by_role("status").filter(has_text="did not answer").wait_for()
        page.locator(
            "#console ~ [data-console-lists] td", has_text="the server refused the connection"
        ).first.wait_for()
        page.click("button[value=stop]")
        page.wait_for_selector("[data-run]:not([data-run-live])")
        assert page.locator("button[value=resume]").count() == 0, "what was stopped is over"
        page.get_by_text("nothing more is fetched").wait_for()


def test_a_paused_run_does_not_say_when_it_asks_next() -> None:
    """It said "next in 0 s" for as long as it rested."""
    console = ConsoleReport(1, True, "x did not answer, next in 2 s.", 1, 1, 1, 1.0, {}, {}, {}, (), (), "soon", ())
    job = Job("0001", "forage", (), "Walking", 0.0)
    assert at_rest(console, job) is console
    assert at_rest(console, None) is console
    paused = at_rest(console, replace(job, state="paused"))
    assert paused.says == "It is paused: nothing is fetched until you press Resume."
    assert paused.ends == ""


def test_figures_beside_a_curve_stand_where_they_belong_and_once() -> None:
    assert ticks(0, 0) == {"across": [(0.0, 0)], "up": [(200.0, 0)]}
    assert ticks(3, 1) == {"across": [(0.0, 0), (200.0, 1), (600.0, 3)], "up": [(200.0, 0), (0.0, 1)]}
