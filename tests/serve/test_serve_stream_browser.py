"""Live lines in a real browser: more tabs than a browser has connections, and the app still answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.serve.app_visitor import running, way_in
from trailmark.demo import DemoWeb, serve
from trailmark.serve.jobs import Jobs
from trailmark.workspace import change_setting

TABS = 8


def test_many_tabs_watch_a_job(folder: Path, browser_page: Any) -> None:
    for key, value in (("contact", "https://trailmark.test/"), ("allow_hosts", ("*.localhost",)), ("delay", 5.0)):
        change_setting(folder, "forage", key, value)
    jobs = Jobs(folder)
    with serve(DemoWeb(sites=1, seed=3, pages=100)) as server, running(folder) as address:
        browser_page.goto(address + way_in(folder))
        job = jobs.start("forage", server.root(0), "--strategy", "breadth", title="A slow walk")
        tabs = [browser_page, *(browser_page.context.new_page() for _ in range(TABS - 1))]
        for tab in tabs:
            # Hidden tabs rest; a headless browser shows every tab, so it is told that only one is looked at.
            tab.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.unwatched ?? false })")
            tab.goto(f"{address}/jobs")
            tab.locator("[data-words]", has_text="at work").wait_for()
            tab.evaluate("window.unwatched = true; document.dispatchEvent(new Event('visibilitychange'))")
        # The last tab is looked at again, and is told of the end.
        tabs[-1].evaluate("window.unwatched = false; document.dispatchEvent(new Event('visibilitychange'))")
        jobs.stop(job.id)
        jobs.stop(job.id)
        tabs[-1].locator("[data-words]", has_text="stopped").wait_for()
        assert not jobs.active()
