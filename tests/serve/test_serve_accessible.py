"""Every page for everyone: labels, landmarks, headings, the keyboard, a narrow window, contrast in light and dark, no JavaScript."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.serve.app_visitor import PATIENCE, running, way_in
from tests.serve.test_serve_alarms import written_alarm
from tests.serve.test_serve_runs import long_run
from trailmark.datatypes import Annotation, Record
from trailmark.demo import DemoWeb
from trailmark.serve.rendering import NAVIGATION
from trailmark.store.record_table import add_records
from trailmark.verbs.annotate import mark, preview
from trailmark.verbs.cluster import cluster
from trailmark.verbs.learn import learn
from trailmark.verbs.status import status
from trailmark.verbs.suggest import suggest
from trailmark.verbs.teach import teach
from trailmark.workspace import Workspace

ROOT = DemoWeb(sites=5, seed=1, pages=100).root(0)
LEAST_CONTRAST = 4.5
"""Of text and its ground (WCAG 2.2, 1.4.3), large text too."""

FAULTS = """() => {
    const faults = [];
    const named = (e) => (e.getAttribute("aria-label") || e.getAttribute("title") || e.textContent || "").trim()
        || document.getElementById(e.getAttribute("aria-labelledby"))?.textContent.trim()
        || [...e.querySelectorAll("img")].map((i) => i.alt).join("").trim();
    for (const e of document.querySelectorAll("input:not([type=hidden]), select, textarea"))
        if (![...e.labels].some((l) => l.textContent.trim()) && !e.getAttribute("aria-label")) faults.push("no label: " + e.outerHTML);
    for (const e of document.querySelectorAll("a[href], button, summary")) if (!named(e)) faults.push("no name: " + e.outerHTML);
    for (const e of document.querySelectorAll("img")) if (!e.hasAttribute("alt")) faults.push("no alt: " + e.outerHTML);
    for (const e of document.querySelectorAll("iframe, aside, nav"))
        if (!e.title && !e.getAttribute("aria-label")) faults.push("no name: " + e.outerHTML.slice(0, 90));
    for (const e of document.querySelectorAll("[aria-labelledby]"))
        if (!document.getElementById(e.getAttribute("aria-labelledby"))) faults.push("named by nothing: " + e.outerHTML.slice(0, 90));
    for (const e of document.querySelectorAll("svg")) if (!e.getAttribute("aria-label") && !e.closest("[aria-hidden]")) faults.push("svg");
    for (const e of document.querySelectorAll("th")) if (!e.scope) faults.push("no scope: " + e.outerHTML);
    for (const what of ["h1", "main", "header", "nav", "footer", "title"])
        if (document.querySelectorAll(what === "title" ? "head title" : "body " + what).length !== 1) faults.push("not one " + what);
    let level = 0;
    for (const e of document.querySelectorAll("h1, h2, h3, h4")) {
        if (+e.tagName[1] > level + 1) faults.push("a heading jumps: " + e.outerHTML);
        level = +e.tagName[1];
    }
    const seen = new Set();
    for (const e of document.querySelectorAll("[id]")) { if (seen.has(e.id)) faults.push("twice: #" + e.id); seen.add(e.id); }
    if (document.documentElement.lang !== "en") faults.push("no language");
    return faults;
}"""

FAINT = """(least) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
        canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const over = (top, ground) => top.slice(0, 3).map((c, i) => c * top[3] / 255 + ground[i] * (1 - top[3] / 255)).concat(255);
    const ground = (e) => {
        const own = e ? rgba(getComputedStyle(e).backgroundColor) : [255, 255, 255, 255];
        return own[3] === 255 ? own : over(own, ground(e.parentElement));
    };
    const light = (c) => c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const faint = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const e = node.parentElement, style = getComputedStyle(e);
        if (!node.textContent.trim() || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        if (e.closest("script, svg, option, datalist, button:disabled, .unseen, .skip")) continue;
        const colour = rgba(style.color), behind = ground(e);
        for (let each = e; each; each = each.parentElement) colour[3] *= getComputedStyle(each).opacity;
        const front = over(colour, behind);
        let [a, b] = [light(front), light(behind)].sort((x, y) => y - x);
        const contrast = (a + 0.05) / (b + 0.05);
        if (contrast < least) faint.push(contrast.toFixed(2) + ": " + node.textContent.trim().slice(0, 40) + " in " + e.outerHTML.slice(0, 80));
    }
    return faint;
}"""

WIDE = """() => [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1
    && !e.closest(".table-wrap, .skip, .unseen, pre, iframe")).map((e) => e.outerHTML.slice(0, 100))
    .concat(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls"] : [])"""


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory, demo_files: Path) -> Path:
    """A workspace with something on every page."""
    folder = tmp_path_factory.mktemp("lived") / "w"
    Workspace.create(folder).close()
    shutil.copytree(demo_files, folder / "demo")
    web = folder / "demo" / "web"
    lines = (web / "demo.trails.publications.jsonl").read_text(encoding="utf-8").splitlines()
    (web / "some.jsonl").write_text("\n".join(lines[:16]), encoding="utf-8")
    with Workspace.open(folder) as workspace:
        teach(workspace, [web / "some.jsonl"], [web / "demo.warc.gz"])
        learn(workspace, choose_recipe=False)
        suggest(workspace, 2, [web / "demo.warc.gz"])
        cluster(workspace)
        page = workspace.clusters()[0].cluster.pages[0]
        mark(workspace, [Annotation(page, "name", "University"), Annotation(page, "year", None)])
        preview(workspace, workspace.clusters()[0].cluster.id)
        long = "A value that goes on and on, as values of real pages do, " * 4
        fields = {"name": (long,), "year": ("1999",), "address": ("http://www.example.edu/" + "very-long" * 20,)}
        place = {"name": ("/html/body" + "/div[1]" * 30,)}
        add_records(workspace.database.connection, [Record(ROOT, "item", fields, "rule:x", place)], at="2026-01-01")
    long_run(folder, 60, 200)
    written_alarm(folder, "price")
    return folder


def paths(folder: Path) -> list[str]:
    """Every page that can be had by its address."""
    with Workspace.open(folder) as workspace:
        cluster = quote(workspace.clusters()[0].cluster.id)
    more = (
        "/recorder",
        "/api",
        f"/learnt/page?url={quote(ROOT)}",
        "/runs/1",
        f"/annotate/cluster?id={cluster}",
        "/keys",
    )
    return [
        *(path for path, _ in NAVIGATION),
        *more,
        "/records/place?id=1&field=name&n=0",
        "/jobs/0001",
        "/",
        "/jobs",
        "/questions",
        "/settings",
        "/runs/1/log",
        "/runs/1/check",
        "/runs/compare",
        "/no-such-page",
    ]


def test_every_page_can_be_read_by_everyone(lived_in: Path, browser_page: Any) -> None:
    page = browser_page
    wrong: dict[str, list[str]] = {}
    with running(lived_in) as address:
        page.goto(address + way_in(lived_in))
        page.goto(f"{address}/teach")
        page.get_by_label("First page of a site").fill(ROOT)
        page.get_by_role("button", name="Go there").click()
        page.locator("iframe").wait_for()
        for path in [page.url.removeprefix(address), *paths(lived_in)]:
            page.set_viewport_size({"width": 1280, "height": 900})
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
            page.goto(f"{address}{path}", wait_until="load")
            faults = page.evaluate(FAULTS) + page.evaluate(FAINT, LEAST_CONTRAST) + page.evaluate(WIDE)
            page.emulate_media(color_scheme="dark", reduced_motion="reduce")
            faults += [f"dark {each}" for each in page.evaluate(FAINT, LEAST_CONTRAST)]
            page.set_viewport_size({"width": 400, "height": 800})
            faults += [f"narrow {each}" for each in page.evaluate(WIDE)]
            if faults:
                wrong[path] = faults
    assert not wrong, json.dumps(wrong, indent=1)


def test_the_checks_see_what_is_wrong(browser_page: Any) -> None:
    page = browser_page
    page.set_content(
        "<title>x</title><h1>a</h1><h3>b</h3><main style='width:2000px'>c</main><input><img src=x><button></button><th>x</th>"
        "<p style='color:#999;background:#fff'>faint</p><p style='color:#000;background:#fff'>clear</p><p id=a></p><p id=a></p>"
    )
    faults = " ".join(page.evaluate(FAULTS))
    for each in ("no label", "no name", "no alt", "not one nav", "a heading jumps", "twice: #a", "no language"):
        assert each in faults
    assert [each.split(":")[0] for each in page.evaluate(FAINT, LEAST_CONTRAST)] == ["2.85"]
    assert "the page scrolls" in page.evaluate(WIDE)


FOCUSED = """() => {
    const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
    const all = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, iframe")];
    return [e.tagName, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 && box.width > 0 && box.right > 0, all.indexOf(e)];
}"""


def test_the_keyboard_goes_everywhere_and_is_seen(lived_in: Path, browser_page: Any) -> None:
    page = browser_page
    with running(lived_in) as address:
        page.goto(address + way_in(lived_in))
        for path in ("/records", "/runs", "/teach"):
            page.goto(f"{address}{path}", wait_until="load")
            page.keyboard.press("Tab")
            assert page.evaluate("() => document.activeElement.className") == "skip"
            order, stops = (
                [],
                page.locator("main :is(a[href], button, input:not([type=hidden]), select, textarea)").count(),
            )
            for _ in range(min(stops, 12) + len(NAVIGATION) + 1):
                page.keyboard.press("Tab")
                tag, seen, place = page.evaluate(FOCUSED)
                assert seen, f"{path}: {tag} does not show that it has the focus"
                order.append(place)
            assert order == sorted(order), f"{path}: the keyboard jumps"
            assert len(set(order)) == len(order), f"{path}: the keyboard is caught"
            page.locator(".skip").focus()
            page.keyboard.press("Enter")
            assert page.evaluate("() => document.activeElement.id") == "main"


def test_without_javascript(lived_in: Path, chromium: Any) -> None:
    context = chromium.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    with Workspace.open(lived_in) as workspace:
        before = status(workspace).counts
    with running(lived_in) as address:
        page.goto(address + way_in(lived_in))
        page.goto(f"{address}/teach")
        page.get_by_label("First page of a site").fill(ROOT)
        page.get_by_role("button", name="Go there").click()
        page.frame_locator("iframe").locator("a[target=_top]").nth(1).click()
        page.locator("ol.trail > li").nth(1).wait_for()
        page.get_by_role("button", name="This is what I want").click()
        page.get_by_role("status").get_by_text("Saved 1 trail").wait_for()
        page.goto(f"{address}/records?q=goes+on")
        assert page.locator("tbody tr").count() == 1
        page.goto(f"{address}{paths(lived_in)[len(NAVIGATION) + 4]}")
        page.get_by_label("The value, as it stands on the page").fill("University")
        page.get_by_label("What is it?").fill("place")
        page.get_by_role("button", name="Mark it").click()
        page.locator(".tag", has_text="place").first.wait_for()
        page.goto(f"{address}/questions")
        page.get_by_role("button", name="Skip").click()
        page.get_by_text("1 question is waiting").wait_for()
    context.close()
    with Workspace.open(lived_in) as workspace:
        after = status(workspace).counts
    assert (after["trails"], after["annotations"]) == (before["trails"] + 1, before["annotations"] + 1)
