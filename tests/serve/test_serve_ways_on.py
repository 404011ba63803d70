"""No dead ends: Start says what comes next, an archive's sites are listed, links that lead nowhere look so, groups say what they are."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SITE, Ended, SmallWeb
from tests.serve.app_visitor import Visitor, running, way_in
from trailmark.datatypes import Step, Trail
from trailmark.serve.options import Options
from trailmark.verbs.archive_sites import sites_of
from trailmark.workspace import Workspace


@pytest.fixture
def beside_archive(folder: Path, small_archive: Path) -> Visitor:
    return Visitor(folder, Options(archives=(small_archive,)))


def test_start_has_a_next_step_once_trails_exist(visitor: Visitor) -> None:
    with Workspace.open(visitor.folder) as workspace:
        workspace.database.add_trails([Trail("http://a.test/", "goal", (Step("http://a.test/", "course"),))], "a.jsonl")
    assert _main_button(visitor) == ("/learnt", "Let it learn")
    (visitor.folder / "models" / "navigator-course.npz").write_bytes(b"x")
    assert _main_button(visitor) == ("/runs", "Walk some sites")


def _main_button(visitor: Visitor) -> tuple[str, ...]:
    found = re.search(r'<a class="button primary" href="([^"]+)" data-main>([^<]+)</a>', visitor.get("/").text)
    assert found is not None
    return found.groups()


def test_the_sites_of_an_archive_are_listed_and_one_click_begins_there(beside_archive: Visitor) -> None:
    shown = beside_archive.get("/teach").text
    assert "Sites in the archive" in shown
    assert f'name="site" value="{SITE}"' in shown
    assert beside_archive.post("/teach", site=SITE).url.path.startswith("/teach/")


def test_the_sites_of_an_archive_on_the_command_line(trailmark: Any, small_web: SmallWeb, tmp_path: Path) -> None:
    ended: Ended = trailmark("-w", tmp_path, "show", "--sites", "--replay", small_web.archive, "--json")
    assert ended.report == {"sites": [{"site": SITE.rstrip("/"), "pages": 10, "first": SITE}]}


def test_a_site_without_its_root_begins_at_its_shortest_address() -> None:
    found = sites_of(["http://b.test/x/y", "http://b.test/x", "http://a.test/", "dns:x", "http://b.test/robots.txt"])
    assert [(each.site, each.pages, each.first) for each in found] == [
        ("http://b.test", 2, "http://b.test/x"),
        ("http://a.test", 1, "http://a.test/"),
    ]


def test_links_that_can_not_be_followed_look_dead_and_say_why(beside_archive: Visitor) -> None:
    answer = beside_archive.post("/teach", site=SITE)
    frame = beside_archive.frame(answer).text
    gone = re.search(r"<a[^>]*>Gone</a>", frame)
    people = re.search(r"<a[^>]*>People</a>", frame)
    assert gone
    assert people
    assert "href" not in gone[0]
    assert "It can't be followed: not in the archive." in unescape(gone[0])
    assert "href" in people[0]
    assert "1 link is struck out" in answer.text
    assert re.search(r'value="\d+" disabled> <span>Gone</span>', answer.text)


def test_a_dead_link_in_a_browser(folder: Path, small_archive: Path, browser_page: Any) -> None:
    with running(folder, archives=(small_archive,)) as address:
        browser_page.goto(address + way_in(folder))
        browser_page.goto(f"{address}/teach")
        browser_page.click(f"button:has-text('{SITE.rstrip('/')}')")
        frame = browser_page.frame_locator("iframe")
        style = frame.locator("a:has-text('Gone')").evaluate("a => getComputedStyle(a).textDecorationLine")
        assert style == "line-through"
        before = browser_page.url
        frame.locator("a:has-text('Gone')").click()
        assert browser_page.url == before
        frame.locator("a:has-text('People')").click()
        browser_page.wait_for_selector("text=clicked")


def test_groups_say_what_they_are(beside_archive: Visitor, small_archive: Path) -> None:
    from trailmark.verbs.cluster import cluster

    with Workspace.open(beside_archive.folder) as workspace:
        cluster(workspace, [small_archive])
        assert workspace.clusters()
    shown = beside_archive.get("/annotate").text
    titles = ("The Department", "People", "Ada Ångström", "Publications of Ada", "Bob", "Contact")
    assert any(f">{title}</a>" in shown for title in titles)
