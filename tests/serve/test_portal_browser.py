"""A person in the portal with a real browser: the way from a word to a reference, for everyone, in light and dark, without scripts too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import PATIENCE
from tests.serve.portal_world import Reader, library, portal_running
from tests.serve.test_serve_accessible import FAINT, FAULTS, LEAST_CONTRAST, WIDE

WIDER = WIDE.replace(".table-wrap,", ".table-wrap, .picture,")
TWO_NAVIGATIONS = ("not one nav", "not one header")
"""Pages of the portal have more than one of these, each with a name."""


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory.mktemp("portal") / "w", settings={"name": "The Library", "tagline": "All of it."})


@pytest.fixture(scope="module")
def address(shelves: Path) -> Iterator[str]:
    with portal_running(shelves) as address:
        yield address


@pytest.fixture(scope="module")
def paths(shelves: Path) -> list[str]:
    reader = Reader(shelves)
    first, rich, hostile = (
        reader.desk.catalogue.shelf.addresses[0],
        reader.desk.catalogue.shelf.addresses[20],
        reader.address("owned"),
    )
    reader.desk.close()
    return [
        "/", "/topic/Computing/Learning", "/search?q=neural", "/search?q=neurel", "/search?q=zzz", f"/item/{rich}", f"/item/{hostile}",
        f"/item/{first}/copy/1", "/about", "/help", "/api", "/nothing",
    ]  # fmt: skip


def test_a_person_goes_from_a_word_to_a_facet_an_item_its_citations_and_a_reference(
    address: str, browser_page: Any
) -> None:
    page = browser_page
    page.goto(address)
    page.keyboard.press("/")
    page.keyboard.type("neural network")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=neural+network")
    page.get_by_role("complementary").get_by_role("link", name="Learning").click()
    page.wait_for_url("**topic=**")
    assert page.get_by_role("list", name="Narrowed to").get_by_role("link").count() == 1
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/item/**")
    title = page.locator("h1").inner_text()
    page.get_by_text("where", exact=False).locator("visible=true").first.click()
    assert page.get_by_text("/html/body/p[1]").first.is_visible()
    picture = page.locator("svg.map")
    assert picture.locator("a").count() >= 1
    picture.locator("a").first.click()
    page.wait_for_url(lambda url: "/item/" in url)
    page.wait_for_function("(before) => (document.querySelector('h1')?.innerText ?? before) !== before", arg=title)
    with page.expect_download() as waiting:
        page.get_by_role("link", name="BibTeX").click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert text.startswith("@")
    assert page.locator("h1").inner_text().split()[-1] in text


def test_every_page_can_be_read_by_everyone(address: str, paths: list[str], browser_page: Any) -> None:
    page = browser_page
    wrong: dict[str, list[str]] = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            for path in paths:
                page.goto(address + path)
                faults = [fault for fault in page.evaluate(FAULTS) if not fault.startswith(TWO_NAVIGATIONS)]
                faults += page.evaluate(FAINT, LEAST_CONTRAST)
                faults += page.evaluate(WIDER)
                if faults:
                    wrong[f"{path} {scheme} {width}"] = faults
    assert not wrong


def test_every_page_works_without_scripts(address: str, paths: list[str], chromium: Any) -> None:
    context = chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 900})
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto(address)
    page.get_by_role("searchbox").fill("neural")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Most cited").click()
    page.locator(".entry .what a").first.click()
    assert page.locator("h1").inner_text()
    assert page.get_by_role("link", name="RIS").is_visible()
    context.close()


def test_nothing_is_asked_of_other_hosts_and_nothing_of_a_record_runs(
    address: str, paths: list[str], browser_page: Any
) -> None:
    page = browser_page
    asked: list[str] = []
    said: list[str] = []

    def refuse(dialog: Any) -> None:
        said.append(dialog.message)
        dialog.dismiss()

    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", refuse)
    page.on(
        "console",
        lambda message: (
            said.append(message.text) if message.type == "error" and "Content Security" in message.text else None
        ),
    )
    for path in paths:
        page.goto(address + path)
        page.wait_for_load_state("load")
    assert all(url.startswith(address) for url in asked)
    assert not said
    frame = page.goto(address + next(path for path in paths if path.endswith("/copy/1"))) and page.frames[1]
    assert "On layer" in frame.content()


def test_a_page_is_printed_without_what_only_screens_need(address: str, paths: list[str], browser_page: Any) -> None:
    page = browser_page
    page.emulate_media(media="print")
    page.goto(address + paths[5])
    assert not page.locator(".search").first.is_visible()
    assert not page.locator(".buttons").is_visible()
    assert page.locator("h1").is_visible()
