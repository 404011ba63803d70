"""A field of a document put right in a real browser: by clicks and by the keyboard, saved, and undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.serve.app_visitor import running, wait_until_it_fits, way_in
from tests.serve.test_serve_tagged_documents import tagged
from tests.verbs.test_correct_document import header
from trailmark.workspace import Workspace

__all__ = ["tagged"]


def fields(folder: Path) -> Any:
    with Workspace.open(folder) as workspace:
        return header(workspace).fields


def test_words_are_clicked_and_named_and_the_act_is_undone(tagged: Path, browser_page: Any) -> None:
    page = browser_page
    with running(tagged) as address:
        page.goto(address + way_in(tagged))
        page.goto(f"{address}/documents")
        page.click("tbody a:has-text('Walks of Sites')")
        page.wait_for_url(
            lambda url: "/documents/view" in url
        )  # and its scripts have run: a click before that is on a picture
        page.click("svg g[data-part]:has-text('Walks')")
        page.click("svg g[data-part]:has-text('Sites') >> nth=0")
        assert page.inner_text("[data-chosen]") == "“Walks of Sites”"
        page.select_option("#field", "note")
        page.click("[data-correct] button")
        page.wait_for_selector("text=It can be undone under History.")
        assert "Walks of Sites" in fields(tagged)["note"]
        # By the keyboard: the first word is chosen, and is no field.
        page.focus("svg g[tabindex='0']")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        assert page.inner_text("[data-chosen]") == "“of”"
        page.screenshot(path=str(tagged / "light.png"))
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": 390, "height": 800})
        page.screenshot(path=str(tagged / "dark.png"), full_page=True)
        wait_until_it_fits(page)
        page.goto(f"{address}/history")
        with page.expect_navigation():
            page.click("button:has-text('Undo') >> nth=0")
    assert fields(tagged)["title"] == ("Walks of Sites",)
