"""The recorder in a real browser: it records what is clicked, saves a file that can be taught, and sends to the app with its key alone."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import trailmark.serve as serve_room
from tests.serve import find_chromium
from tests.serve.app_visitor import PATIENCE, Visitor, running, wait_for, way_in
from trailmark.demo import DemoServer, DemoWeb, serve
from trailmark.teach import parse_trails
from trailmark.workspace import Workspace

EXTENSION = Path(serve_room.__file__).parent / "extension"


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Any]:
    """A browser with the extension loaded."""
    path = find_chromium.find()
    if path is None:
        pytest.skip(find_chromium.MISSING)
    playwright = pytest.importorskip("playwright.sync_api")
    loaded = [f"--disable-extensions-except={EXTENSION}", f"--load-extension={EXTENSION}"]
    with playwright.sync_playwright() as made:
        context = made.chromium.launch_persistent_context(
            str(tmp_path / "profile"),
            executable_path=path,
            headless=True,
            args=[*find_chromium.FLAGS, *loaded],
            ignore_default_args=["--disable-extensions"],
        )
        context.set_default_timeout(PATIENCE * 1000)
        yield context
        context.close()


@pytest.fixture(scope="module")
def web() -> Iterator[DemoServer]:
    with serve(DemoWeb(sites=2, pages=100)) as server:
        yield server


def window_of(context: Any, page: Any) -> Any:
    """The extension's window, in a tab of its own, for the tab that shows a page."""
    worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
    address = page.url
    tab = worker.evaluate("async () => (await chrome.tabs.query({})).filter(tab => tab.active).map(tab => tab.id)[0]")
    window = context.new_page()
    window.goto(f"chrome-extension://{worker.url.split('/')[2]}/popup.html?tab={tab}")
    assert page.url == address
    return window


def steps_shown(window: Any) -> int:
    return int(window.locator("#steps li").count())


def click(page: Any, url: str) -> None:
    """Press the first link of a page that leads to a URL."""
    links = page.locator("a[href]")
    number = links.evaluate_all("links => links.map(link => link.href)").index(url)
    with page.expect_navigation():
        links.nth(number).click()


def click_through(context: Any, web: DemoServer) -> tuple[Any, Any, list[str]]:
    """Record two clicks on a site; the page, the window and the URLs."""
    page = context.pages[0]
    page.goto(web.root(1))
    window = window_of(context, page)
    window.click("#record")
    wait_for(lambda: steps_shown(window) == 1)
    trail = web.web.site(1).trails("publications", 1)[0]
    urls = [page.url]
    for step in trail.steps[1:3]:
        click(page, step.url)
        urls.append(page.url)
        wait_for(lambda: steps_shown(window) == len(urls))
    return page, window, urls


def test_it_records_names_marks_and_saves(recorder: Any, web: DemoServer) -> None:
    page, window, urls = click_through(recorder, web)
    page.go_back()
    wait_for(lambda: steps_shown(window) == 2)
    page.go_forward()
    wait_for(lambda: steps_shown(window) in (1, 3))  # forward is no link: the trail may begin anew
    window.click("#stop")
    page.goto(urls[0])
    window.click("#record")
    wait_for(lambda: steps_shown(window) == 1)
    click(page, urls[1])
    wait_for(lambda: steps_shown(window) == 2)
    window.locator("#steps input").nth(1).fill("a list")
    window.locator("#steps input").nth(1).press("Tab")
    window.click("#goal")
    window.wait_for_selector("#trails li")
    with window.expect_download() as download:
        window.click("#save")
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    good, bad = parse_trails(lines, "trails.jsonl")
    assert bad == []
    assert [(step.url, step.label) for step in good[0][1].steps] == [(urls[0], None), (urls[1], "a list")]
    assert good[0][1].steps[1].anchor


def test_what_it_sends_is_taken_with_the_key_and_not_without(recorder: Any, web: DemoServer, folder: Path) -> None:
    settings = '[forage]\ncontact = "tests@example.org"\nallow_hosts = ["*.localhost"]\ndelay = 0.0\n'
    (folder / "trailmark.toml").write_text(settings, encoding="utf-8")
    _, window, urls = click_through(recorder, web)
    with running(folder) as address:
        window.click("summary")
        window.fill("#address", address)
        window.press("#address", "Tab")
        window.click("#goal")
        window.wait_for_selector("#trails li")
        window.click("#send")
        wait_for(lambda: "did not take it" in window.inner_text("#note"))
        shown = recorder.new_page()
        shown.goto(address + way_in(folder))
        shown.goto(f"{address}/recorder")
        assert shown.locator("[data-key]").count() == 0, "a key is made when it is wanted"
        shown.click("text=Make a key for the recorder")
        assert shown.inner_text("[data-address]") == address
        window.fill("#key", shown.inner_text("[data-key]"))
        window.press("#key", "Tab")
        window.click("#send")
        wait_for(lambda: "Imported 1 trail" in window.inner_text("#note"))
    with Workspace.open(folder) as workspace:
        (trail,) = workspace.database.trails()
    assert [step.url for step in trail.steps] == urls


def test_a_recording_that_is_uploaded_is_taught(folder: Path, browser_page: Any, tmp_path: Path) -> None:
    root, people = "http://www.example.edu/", "http://www.example.edu/people"
    pages = {root: "<a href=/people>People</a>", people: "<h1>People</h1>"}
    entries = [
        {
            "startedDateTime": f"2024-05-01T10:00:0{number}.000Z",
            "pageref": f"page_{number}",
            "request": {"method": "GET", "url": url, "headers": []},
            "response": {"status": 200, "headers": [], "content": {"mimeType": "text/html", "text": text}},
        }
        for number, (url, text) in enumerate(pages.items())
    ]
    file = tmp_path / "clicks.har"
    file.write_text(json.dumps({"log": {"entries": entries}}), encoding="utf-8")
    with running(folder) as address:
        browser_page.goto(address + way_in(folder))
        page = browser_page
        page.goto(f"{address}/recorder")
        page.set_input_files("#recording", str(file))
        page.fill("#label", "people list")
        page.click("[data-upload] button")
        wait_for(lambda: "Imported 1 trail" in page.inner_text("[data-told]"))
        file.write_text("{}", encoding="utf-8")
        page.set_input_files("#recording", str(file))
        page.click("[data-upload] button")
        wait_for(lambda: "outcome" in page.inner_text("[data-told]"))
        file.write_text('"' * 11_000_000, encoding="utf-8")  # each is sent as two characters
        page.set_input_files("#recording", str(file))
        page.click("[data-upload] button")
        wait_for(lambda: "is larger than" in page.inner_text("[data-told]"))
    with Workspace.open(folder) as workspace:
        (trail,) = workspace.database.trails()
    assert trail.steps[-1].label == "people list"


def test_the_page_of_the_recorder_shows_no_key_to_other_sites(visitor: Visitor) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    assert visitor.get("/recorder", headers=headers).status_code == 403
    assert visitor.http.post("/api/recordings", json={"text": "{}"}).status_code == 403


def test_the_page_names_the_folder_and_gives_the_files(visitor: Visitor) -> None:
    text = visitor.get("/recorder").text
    assert f"<code data-folder>{EXTENSION}</code>" in text
    assert "/recorder/trailmark-recorder.zip" in text
    answer = visitor.get("/recorder/trailmark-recorder.zip")
    assert answer.headers["content-type"] == "application/zip"
    with ZipFile(io.BytesIO(answer.content)) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    assert held == {f"trailmark-recorder/{path.name}": path.read_bytes() for path in EXTENSION.iterdir()}
