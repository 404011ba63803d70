"""On a phone: verdict keys in reach, charts that can be read. For everyone: colours that mean the same on every page, words that are read out."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, running, way_in
from tests.serve.test_serve_alarms import written_alarm
from tests.verbs.test_found import found_run
from trailmark.demo import DemoWeb
from trailmark.serve.learnt_pages import MEASURED, SHADES, legend, shade_of

ROOT = DemoWeb(sites=5, seed=1, pages=100).root(0)
PHONE = {"width": 380, "height": 700}


@pytest.mark.slow
def test_charts_can_be_read_on_a_phone(folder: Path, browser_page: Any) -> None:
    found_run(folder, [0.95, 0.6, 0.3] * 30)
    page = browser_page
    with running(folder) as address:
        page.goto(address + way_in(folder))
        page.set_viewport_size(PHONE)
        for path in ("/runs/1", "/check"):
            page.goto(f"{address}{path}")
            sizes = page.evaluate(
                "() => [...document.querySelectorAll('.curve text')].filter((e) => e.checkVisibility())"
                ".map((e) => e.getBoundingClientRect().height)"
            )
            assert len(sizes) >= 5, path
            assert min(sizes) >= 11, f"{path}: letters of {min(sizes):.1f} pixels"
            boxes = page.evaluate(
                "() => [...document.querySelectorAll('.curve text')].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect().toJSON())"
            )
            for n, one in enumerate(boxes):
                for other in boxes[n + 1 :]:
                    apart = one["right"] <= other["left"] or other["right"] <= one["left"] or one["bottom"] <= other["top"] + 4 or other["bottom"] <= one["top"] + 4  # fmt: skip
                    assert apart, f"{path}: figures lie over each other"


@pytest.mark.slow
def test_verdict_keys_are_in_reach_on_a_phone(folder: Path, demo_files: Path, browser_page: Any) -> None:
    shutil.copytree(demo_files, folder / "demo")
    found_run(folder, [0.95, 0.6, 0.3])
    page = browser_page
    with running(folder) as address:
        page.goto(address + way_in(folder))
        page.set_viewport_size(PHONE)
        page.goto(f"{address}/teach")
        page.get_by_label("First page of a site").fill(ROOT)
        page.get_by_role("button", name="Go there").click()
        page.locator("iframe").wait_for()
        for path in (page.url.removeprefix(address), "/check", "/runs/1/check"):
            page.goto(f"{address}{path}")
            for place in ("0", "document.body.scrollHeight"):
                page.evaluate(f"() => scrollTo(0, {place})")
                box = page.locator(".keys button.primary").bounding_box()
                assert box["y"] >= 0, path
                assert box["y"] + box["height"] <= PHONE["height"], path
            last = page.locator("footer p").bounding_box()
            assert last["y"] + last["height"] <= page.locator(".keys").bounding_box()["y"] + 1, (
                "nothing is hidden for good"
            )


def test_a_colour_means_the_same_on_every_page() -> None:
    assert [shade_of(score) for score in (0.0, 0.09, 0.1, 0.49, 0.5, 0.7, 5.0)] == [0, 0, 1, 2, 3, 4, 4]
    lines = legend()
    assert [shade for shade, _, _ in lines] == list(range(len(SHADES), -1, -1))
    assert lines[0][2] == "150 of 151 led to one"
    assert all(f"{links:,}" in line[2] for (_, links), line in zip(MEASURED, reversed(lines), strict=True))
    shares = [goals / links for goals, links in MEASURED]
    assert shares == sorted(shares), "a greener link led to a goal more often"
    assert lines[0][1] == "0.7 and more"
    assert lines[-1][1] == "0 to 0.1"


def test_what_changes_by_itself_is_read_out(folder: Path) -> None:
    found_run(folder, [0.9])
    written_alarm(folder, "price")
    visitor = Visitor(folder)
    for path in ("/jobs", "/jobs/0001"):
        assert re.search(r'role="status" data-words', visitor.get(path).text), path
    run = visitor.get("/runs/1").text
    assert 'role="status" data-run-words' in run
    assert 'role="status" data-console="says"' in run
    assert 'role="status" data-check' in visitor.get("/check").text


@pytest.mark.slow
def test_on_a_phone_no_page_is_wider_than_it_and_the_first_button_is_near(
    folder: Path, demo_files: Path, browser_page: Any
) -> None:
    page = browser_page
    with running(folder) as address:
        page.goto(address + way_in(folder))
        page.set_viewport_size(PHONE)
        page.goto(address)
        first = page.get_by_role("button", name="Make me a web to try things on").bounding_box()
        assert first["y"] < PHONE["height"], "what is to be done first is on the first screen"
        shutil.copytree(demo_files, folder / "demo")
        found_run(folder, [0.95, 0.6, 0.3] * 30)
        for path in ("/", "/teach", "/check", "/runs", "/runs/1", "/annotate", "/history", "/settings", "/keys"):
            page.goto(f"{address}{path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
