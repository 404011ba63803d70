"""Teaching in a real browser, on the generated web; and hostile pages in the frame of a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.serve.app_visitor import running, wait_for, way_in
from trailmark.datatypes import Response
from trailmark.demo import DemoWeb
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.workspace import Workspace

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def trails_in(folder: Path) -> list[Any]:
    with Workspace.open(folder) as workspace:
        return list(workspace.database.trails())


def click_in_frame(page: Any, url: str, site: Any, here: str) -> None:
    """Click the link of the framed page that leads to a URL."""
    frame = page.frame_locator("iframe")
    path = site.path(url)
    frame.locator("a[target=_top]").first.wait_for()
    anchor = next(a for a in site.page(here).anchors() if site.url(a.path) == url)
    frame.get_by_role("link", name=anchor.text, exact=True).first.click()
    page.wait_for_function("path => document.querySelector('.address .url')?.textContent.endsWith(path)", arg=path)


def test_a_trail_is_taught_by_clicking(demo_folder: Path, browser_page: Any) -> None:
    site = DemoWeb(sites=5, seed=1, pages=100).site(0)
    trail = next(each for each in site.trails("publications", 8) if each.outcome == "goal" and len(each.steps) > 2)
    page = browser_page
    with running(demo_folder) as address:
        page.goto(address + way_in(demo_folder))
        page.goto(address)
        page.get_by_role("button", name="Click a trail yourself").click()
        page.locator("iframe").wait_for()
        assert page.locator("ol.trail > li").count() == 1
        for before, step in zip(trail.steps, trail.steps[1:], strict=False):
            click_in_frame(page, step.url, site, before.url)
        assert page.locator("ol.trail > li").count() == len(trail.steps)
        # One click too far is taken back; a page on the way is named.
        page.get_by_role("button", name="Undo the last step").click()
        wait_for(lambda: page.locator("ol.trail > li").count() == len(trail.steps) - 1)
        click_in_frame(page, trail.steps[-1].url, site, trail.steps[-2].url)
        page.locator("ol.trail > li").nth(1).locator("summary").click()
        page.get_by_label("Name of step 2").fill("people")
        page.locator("ol.trail > li").nth(1).get_by_role("button", name="Name it").click()
        page.locator("ol.trail .tag", has_text="people").wait_for()
        page.locator("#goal").fill("publications")
        page.get_by_role("button", name="This is what I want").click()
        page.get_by_role("status").get_by_text("Saved 1 trail").wait_for()
    [saved] = trails_in(demo_folder)
    assert [step.url for step in saved.steps] == [step.url for step in trail.steps]
    assert saved.outcome == "goal"
    assert saved.steps[1].label == "people"
    assert saved.steps[-1].label == "publications"


def test_several_goals_of_a_list_in_one_go(demo_folder: Path, browser_page: Any) -> None:
    page = browser_page
    site = DemoWeb(sites=5, seed=1, pages=100).site(0)
    with running(demo_folder) as address:
        page.goto(address + way_in(demo_folder))
        page.goto(f"{address}/teach")
        page.get_by_label("First page of a site").fill(site.root)
        page.get_by_role("button", name="Go there").click()
        page.get_by_text("Several links of this page at once").click()
        boxes = page.locator(".checklist input")
        boxes.nth(1).check()
        boxes.nth(2).check()
        page.locator("#several-label").fill("section")
        page.get_by_role("button", name="These are all what I want").click()
        page.get_by_role("status").get_by_text("Saved 2 trails").wait_for()
    saved = trails_in(demo_folder)
    assert len(saved) == 2
    assert {trail.steps[-1].label for trail in saved} == {"section"}


def test_two_tabs_see_the_same_trail(demo_folder: Path, browser_page: Any) -> None:
    root = DemoWeb(sites=5, seed=1, pages=100).root(0)
    one = browser_page
    with running(demo_folder) as address:
        one.goto(address + way_in(demo_folder))
        one.goto(f"{address}/teach")
        one.get_by_label("First page of a site").fill(root)
        one.get_by_role("button", name="Go there").click()
        one.locator("iframe").wait_for()
        two = one.context.new_page()
        two.goto(one.url)
        for tab in (one, two):
            tab.frame_locator("iframe").locator("a[target=_top]").nth(1).wait_for()
        one.frame_locator("iframe").locator("a[target=_top]").nth(1).click()
        wait_for(lambda: one.locator("ol.trail > li").count() == 2)
        # The second tab still shows the page before; its click is not taken for one on the new page.
        two.frame_locator("iframe").locator("a[target=_top]").nth(2).click()
        two.get_by_text("The trail has changed").wait_for()
        assert two.locator("ol.trail > li").count() == 2
    # Another start of the app, the same draft.
    with running(demo_folder) as address:
        one.goto(address + way_in(demo_folder))
        one.goto(f"{address}/teach")
        assert one.get_by_text("2 pages").count() == 1


BREAKOUT = """<!DOCTYPE html><title>Evil</title>
<script>parent.postMessage('out', '*'); top.location = '/api'; document.title = 'ran'</script>
<meta http-equiv="refresh" content="0;url=/api">
<img src=x onerror="document.body.id='ran'"><svg onload="document.body.id='ran'"></svg>
<iframe src="/"></iframe><iframe srcdoc="<script>top.document.title='ran'</script>"></iframe>
<form action="/demo" method="post" id=f><input name=do value=make><button id=send>send</button></form>
<link rel=stylesheet href="http://tracker.example/x.css"><img src="http://tracker.example/x.png">
<style>@import "http://tracker.example/y.css"; body { background: url(http://tracker.example/z.png) }</style>
<a id=js href="javascript:document.body.id='ran'">js</a> <a id=own href="/next" ping="http://tracker.example/ping">next</a>
<p>still readable</p>"""


def test_a_hostile_page_stays_in_its_frame(folder: Path, tmp_path: Path, browser_page: Any) -> None:
    archive = tmp_path / "evil.warc.gz"
    with ArchiveWriter(archive) as writer:
        writer.write(Response("http://evil.example/", 200, HTML, BREAKOUT.encode()))
        writer.write(Response("http://evil.example/next", 200, HTML, b"<title>Next</title>the next page"))
    page, asked = browser_page, []
    page.context.on("request", lambda request: asked.append(request.url))
    with running(folder, archives=(archive,)) as address:
        page.goto(address + way_in(folder))
        page.goto(f"{address}/teach")
        page.get_by_label("First page of a site").fill("http://evil.example/")
        page.get_by_role("button", name="Go there").click()
        frame = page.frame_locator("iframe")
        frame.get_by_text("still readable").wait_for()
        assert page.url.startswith(f"{address}/teach/")
        assert frame.locator("script, iframe, form, meta[http-equiv], object").count() == 0
        assert frame.locator("body").get_attribute("id") is None
        assert page.frames[1].evaluate("() => window.origin") == "null"
        frame.locator("#js").click(force=True)
        frame.locator("#send").click(force=True)
        assert page.url.startswith(f"{address}/teach/")
        frame.get_by_role("link", name="next", exact=True).click()
        page.get_by_text("http://evil.example/next", exact=True).wait_for()
        assert all(url.startswith((address, "data:", "about:")) for url in asked), asked
    assert not (folder / "serve" / "jobs").exists(), "the form of the page started nothing"
