"""A map in a real browser: a phrase leads to its sentences and on to its neighbours, and nothing is loaded or run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.course.map_world import COURSES
from trailmark.course.knowledge.map_maker import knowledge_map
from trailmark.course.knowledge.map_picture import map_page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_map_is_walked_by_clicking(browser_page: Any, tmp_path: Path) -> None:
    file = tmp_path / "map.html"
    file.write_text(map_page(knowledge_map(COURSES, "Three courses", most=30)), encoding="utf-8")
    asked: list[str] = []
    browser_page.on("request", lambda request: asked.append(request.url))
    browser_page.goto(file.as_uri())
    browser_page.locator("svg a", has_text="pushdown automaton").click()
    part = browser_page.locator("section:target")
    part.wait_for()
    assert part.locator("h2").inner_text() == "pushdown automaton"
    assert "has a stack" in part.inner_text()
    part.get_by_text("Often before (unsure)").get_by_role("link", name="tape").click()
    browser_page.wait_for_function("document.querySelector('section:target h2')?.innerText === 'tape'")
    assert {url.partition("#")[0] for url in asked} == {file.as_uri()}
