"""Runs in the app: begun, watched, paused, taken up after the app was gone; long lists stay short pages."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, running, wait_for, way_in
from trailmark.datatypes import Fetch
from trailmark.demo import DemoWeb, serve
from trailmark.serve.curve import HEIGHT, WIDTH, harvest_path
from trailmark.serve.jobs import Job, Jobs
from trailmark.store.benchmark_web import read_webs
from trailmark.store.run_table import RunTable
from trailmark.workspace import Workspace


def roots_of(folder: Path) -> list[str]:
    return list(next(iter(read_webs(folder / "demo" / "web"))).roots)


def begin(visitor: Visitor, seeds: str, **fields: Any) -> Any:
    return visitor.post("/runs", seeds=seeds, strategy="breadth", **fields)


def only_job(visitor: Visitor) -> dict[str, Any]:
    (job,) = visitor.get("/api/jobs").json()
    found: dict[str, Any] = job
    return found


# --- begin -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_run_over_an_archive_from_its_seeds_to_its_sites(demo_folder: Path) -> None:
    visitor, (one, two, *_) = Visitor(demo_folder), roots_of(demo_folder)
    begin(visitor, f"{one}\n\n{two}\n", site_budget="7", **{"from": "archive"})
    job = only_job(visitor)
    assert visitor.wait(job["id"])["state"] == "done"
    answer = visitor.get(f"/runs/job/{job['id']}")
    assert answer.url.path == "/runs/1"
    assert one in answer.text
    assert "its budget is used up" in answer.text
    run = visitor.get("/api/runs/1").json()
    assert (run["pages"], run["sites"], run["ended"], run["strategy"]) == (14, 2, 2, "breadth")
    sites = visitor.get("/api/runs/1/sites").json()
    assert {site["site"] for site in sites["sites"]} == {one, two}
    assert f">{one}</a>" in visitor.get("/runs/1").text.partition("Its sites")[2]
    assert one not in visitor.get("/runs/1", params={"q": "no-such-site"}).text.partition("Its sites")[2]
    # An app that was started anew knows as much.
    assert Visitor(demo_folder).get("/api/runs/1").json() == run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"seeds": " \n"}, "Paste the first pages"),
        ({"seeds": "http://a.example/\nftp://b.example/"}, "Line 2"),
        ({"seeds": "http://a.example/", "budget": "many"}, "whole number"),
        ({"seeds": "http://a.example/"}, "who is asking"),
    ],
)
def test_what_can_not_be_begun_is_said(visitor: Visitor, fields: dict[str, str], said: str) -> None:
    answer = visitor.post("/runs", strategy="breadth", **fields)
    assert said in visitor.said(answer)
    assert visitor.get("/api/jobs").json() == []


def test_there_is_no_such_run(visitor: Visitor) -> None:
    assert "no run 7" in visitor.get("/runs/7").text
    assert visitor.get("/api/runs/7").status_code == 400
    assert visitor.get("/api/runs").json() == []


# --- long runs ---------------------------------------------------------------------------------------------------


def long_run(folder: Path, sites: int, pages: int) -> None:
    """A run with many sites and goals, as rows."""
    roots = [f"http://www.site{number}.example/" for number in range(sites)]
    with Workspace.open(folder) as workspace:
        table = RunTable(workspace.database)
        run = table.begin(
            {"seeds": [[root, "host"] for root in roots], "strategy": "path"}, ((r, "host") for r in roots)
        )
        counts = Counter[int]()
        for n in range(1, pages + 1):
            site = n % sites
            counts[site] += 1
            url = f"{roots[site]}page{n}"
            fetch = Fetch(
                n, url, 200, 0.5, "course", n % 3 == 0, 0.9, None, 1, roots[site], url, parent_n=max(0, n - sites)
            )
            table.add_fetch(run.id, fetch, site)
        workspace.database.connection.executemany(
            "UPDATE sites SET pages = ?, goals = ?, ended = 'dry' WHERE run_id = ? AND number = ?",
            ((counts[number], number % 5, run.id, number) for number in range(sites)),
        )
        workspace.database.connection.commit()


@pytest.mark.slow
def test_a_thousand_sites_are_a_short_page(folder: Path) -> None:
    long_run(folder, 1000, 5000)
    visitor = Visitor(folder)
    answer = visitor.get("/runs/1")
    assert "1 to 50 of 1000" in answer.text
    assert len(answer.content) < 100_000
    last = visitor.get("/runs/1", params={"skip": 950, "order": "site"}).text
    assert "951 to 1000 of 1000" in last
    assert visitor.get("/api/runs/1/sites", params={"containing": "site99"}).json()["count"] == 11
    goals = visitor.get("/api/runs/1/goals").json()
    assert len(goals) == 1000
    assert goals[0]["n"] == 4998
    assert goals[0]["trail"][-1] == goals[0]["url"]
    assert len(visitor.get("/api/runs/1").json()["harvest"]) <= 302


def test_the_curve_climbs_to_the_corner() -> None:
    path = harvest_path([(0, 0), (5, 1), (10, 2)], 10)
    assert path.startswith(f"M0,{HEIGHT}")
    assert path.endswith(f"L{WIDTH},0.0")
    assert harvest_path([(0, 0)], 0) == f"M0,{HEIGHT}L{WIDTH},{HEIGHT:.1f}"


# --- live --------------------------------------------------------------------------------------------------------


def pages_shown(page: Any) -> int:
    return int(page.text_content("[data-figure=pages]"))


def test_watched_paused_and_taken_up_after_the_app_was_gone(folder: Path, browser_page: Any) -> None:
    settings = '[forage]\ncontact = "tests@example.org"\nallow_hosts = ["*.localhost"]\ndelay = 0.3\n'
    (folder / "trailmark.toml").write_text(settings, encoding="utf-8")
    with serve(DemoWeb(sites=2, pages=100)) as server:
        server.keep_log = True
        page = browser_page
        with running(folder) as address:
            page.goto(address + way_in(folder))
            page.goto(f"{address}/runs")
            page.fill("#seeds", f"{server.root(0)}\n{server.root(1)}")
            page.select_option("#strategy", "breadth")
            page.click("button.primary")
            page.wait_for_selector("[data-run-live]")
            wait_for(lambda: pages_shown(page) >= 3)
            assert page.get_attribute("[data-curve]", "d").startswith("M0,")
        # The app is gone, the run is not.
        before = len(server.asked)
        wait_for(lambda: len(server.asked) > before)
        with running(folder) as address:
            page.goto(address + way_in(folder))
            page.goto(f"{address}/runs/1")
            page.click("button[value=pause]")
            page.wait_for_selector("button[value=resume]")
            paused = pages_shown(page)
            page.click("button[value=resume]")
            page.wait_for_selector("[data-run-live]")
            wait_for(lambda: pages_shown(page) > paused + 1)
            page.click("button[value=stop]")
            page.wait_for_selector("[data-run]:not([data-run-live])")
        job = only_job(Visitor(folder))
        assert job["state"] == "stopped"
        asked = Counter(pair for pair in server.asked if pair[1] != "/robots.txt")
        again = {pair: count for pair, count in asked.items() if count > 1 and server.answer(*pair).status == 200}
        assert sum(again.values()) - len(again) <= 2  # what was in flight at the two polite stops
    with Workspace.open(folder) as workspace:
        urls = [fetch.url for _, fetch in RunTable(workspace.database).fetches(1)]
    assert len(urls) == len(set(urls)) > paused


@pytest.mark.slow
def test_seeds_that_wait_are_never_written_over(demo_visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name by count would be given twice once a file is gone, or where two begin at once."""
    monkeypatch.setattr(Jobs, "start", lambda _jobs, verb, *words, **_more: Job("0001", verb, words, "", 0.0))
    folder = demo_visitor.folder / "serve" / "seeds"

    def begin(site: str) -> None:
        demo_visitor.http.post(
            "/runs", data={"csrf": demo_visitor.csrf, "seeds": site, "from": "archive"}, follow_redirects=False
        )

    begin("http://a.example/")
    first = next(folder.iterdir())
    begin("http://b.example/")
    first.unlink()
    (second,) = folder.iterdir()
    text = second.read_text(encoding="utf-8")
    begin("http://c.example/")
    assert second.read_text(encoding="utf-8") == text
    assert len(list(folder.iterdir())) == 2
