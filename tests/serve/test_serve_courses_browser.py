"""A type of an item put right in a real browser, by the keyboard too, and undone; the pages can be read by everyone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.serve.app_visitor import running, way_in
from tests.serve.test_serve_accessible import FAINT, FAULTS, LEAST_CONTRAST, WIDE
from tests.serve.test_serve_courses import of, taught

__all__ = ["taught"]


def test_an_item_is_chosen_given_a_type_and_the_act_is_undone(taught: Path, browser_page: Any) -> None:
    page, before = browser_page, of(taught)
    item = before.items[0]
    with running(taught) as address:
        page.goto(address + way_in(taught))
        page.goto(f"{address}/courses")
        page.click(f"a[href='/courses/{before.id}']")
        page.focus(f"input[value='{item.url}']")
        page.keyboard.press("Space")
        page.select_option("#type", "video")
        page.click("button:has-text('Save')")
        page.wait_for_selector("text=It can be undone under History.")
        assert next(each for each in of(taught).items if each.url == item.url).kind == "video"
        page.goto(f"{address}/history")
        with page.expect_navigation():
            page.click("button:has-text('Undo') >> nth=0")
        assert of(taught) == before


def test_the_pages_can_be_read_by_everyone(taught: Path, browser_page: Any) -> None:
    page, found = browser_page, of(taught)
    with running(taught) as address:
        page.goto(address + way_in(taught))
        for path in ("/courses", f"/courses/{found.id}", f"/courses/{found.id}?others=1"):
            page.set_viewport_size({"width": 1280, "height": 900})
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
            page.goto(f"{address}{path}", wait_until="load")
            faults = page.evaluate(FAULTS) + page.evaluate(FAINT, LEAST_CONTRAST) + page.evaluate(WIDE)
            page.emulate_media(color_scheme="dark", reduced_motion="reduce")
            faults += page.evaluate(FAINT, LEAST_CONTRAST)
            page.set_viewport_size({"width": 400, "height": 800})
            faults += page.evaluate(WIDE)
            assert not faults, (path, faults)
        page.screenshot(path=str(taught / "course.png"), full_page=True)
