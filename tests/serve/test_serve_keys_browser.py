"""Keys in Check and in the questions: a press never answers a page that was not seen, and is never lost in silence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import running, wait_for, way_in
from tests.verbs.test_found import found_run
from trailmark.store.run_table import RunTable
from trailmark.workspace import Workspace

pytestmark = pytest.mark.slow

READY = "[data-question]:not([data-waiting])"
TAKEN = "[data-question] [data-taken]"
ASKED = "[data-question] [name=url]"
WATCH = """() => {
  window.told = [];
  addEventListener("keydown", () => setTimeout(() => told.push(document.querySelector("[data-taken]").textContent), 0));
}"""


@pytest.fixture
def found(folder: Path) -> Path:
    found_run(folder, [0.95, 0.99, 0.7, 0.6, 0.3, 0.91, *[0.8] * 60])
    return folder


class Held:
    """Requests of a browser that are held back from `hold` on until they are let go.

    The browser is told before it has loaded anything: told later, it may let the next request pass.
    """

    def __init__(self, page: Any, method: str, part: str) -> None:
        self.page, self.method, self.part = page, method, part
        self.routes: list[Any] = []
        self.open = True
        page.route("**/*", self)

    def hold(self) -> None:
        self.open = False

    def __call__(self, route: Any) -> None:
        request = route.request
        if self.open or request.method != self.method or self.part not in request.url:
            route.fallback()
        else:
            self.routes.append(route)

    def let_go(self) -> None:
        self.open = True
        for route in self.routes:
            route.continue_()


def answers(folder: Path) -> dict[str, bool]:
    with Workspace.open(folder) as workspace:
        return dict(RunTable(workspace.database).answers(1))


def enter(page: Any, folder: Path, address: str, path: str) -> None:
    page.goto(address + way_in(folder))
    page.goto(f"{address}{path}")


def until(page: Any, what: Callable[[], Any]) -> None:
    """As wait_for, while the browser goes on."""
    wait_for(lambda: page.wait_for_timeout(20) or what())


@pytest.mark.parametrize("path", ["/check", "/runs/1/check"])
def test_a_key_counts_once_the_page_that_it_answers_is_in_sight(found: Path, browser_page: Any, path: str) -> None:
    page = browser_page
    held = Held(page, "GET", "/view/question")
    with running(found) as address:
        enter(page, found, address, path)
        page.wait_for_selector(READY)
        first = page.input_value(ASKED)
        held.hold()
        page.keyboard.press("y")
        until(page, lambda: page.input_value(ASKED) != first)
        page.keyboard.press("n")
        assert "“n” was not taken" in page.text_content(TAKEN)
        assert answers(found) == {first: True}, "the page that was never seen has no answer"
        held.let_go()
        page.wait_for_selector(READY)
        assert "“n” was not taken: this page was not here yet. Press again." in page.text_content(TAKEN)
        second = page.input_value(ASKED)
        page.keyboard.press("n")
        until(page, lambda: answers(found) == {first: True, second: False})


def test_a_second_key_does_not_change_the_answer_that_is_being_kept(found: Path, browser_page: Any) -> None:
    page = browser_page
    held = Held(page, "POST", "/check")
    with running(found) as address:
        enter(page, found, address, "/check")
        page.wait_for_selector(READY)
        first = page.input_value(ASKED)
        held.hold()
        page.keyboard.press("y")
        page.keyboard.press("n")
        page.get_by_role("button", name="Skip").click()
        assert "“s” was not taken" in page.text_content(TAKEN)
        held.let_go()
        until(page, lambda: page.input_value(ASKED) != first)
        assert answers(found) == {first: True}
        assert len(held.routes) == 1


def test_of_keys_in_quick_succession_each_is_an_answer_or_is_told_as_not_taken(found: Path, browser_page: Any) -> None:
    page = browser_page
    with running(found) as address:
        enter(page, found, address, "/check")
        page.wait_for_selector(READY)
        page.evaluate(WATCH)
        for _ in range(12):
            page.keyboard.press("y")
            page.wait_for_timeout(150)
        until(page, lambda: len(page.evaluate("told")) >= 12)
        page.wait_for_selector(READY)
        told = page.evaluate("told")
        taken = [words for words in told if words.startswith("Yes: being kept")]
        assert len(told) == 12, "no press went to a page that did not listen yet"
        assert len(taken) + sum("was not taken" in words for words in told) == 12
        assert 1 <= len(taken) == len(answers(found))


def test_a_key_that_is_held_down_is_one_press(found: Path, browser_page: Any) -> None:
    page = browser_page
    with running(found) as address:
        enter(page, found, address, "/check")
        first = page.input_value(ASKED)
        page.wait_for_selector(READY)
        page.keyboard.down("y")
        until(page, lambda: page.input_value(ASKED) != first)
        page.wait_for_selector(READY)
        for _ in range(5):
            page.keyboard.down("y")
        page.wait_for_timeout(300)
        assert answers(found) == {first: True}


def test_an_answer_that_could_not_be_kept_says_so_and_can_be_given_again(found: Path, browser_page: Any) -> None:
    page = browser_page
    page.route("**/check", lambda route: route.abort() if route.request.method == "POST" else route.fallback())
    with running(found) as address:
        enter(page, found, address, "/check")
        page.wait_for_selector(READY)
        page.keyboard.press("y")
        page.get_by_text("That was not kept: the app does not answer").wait_for()
        page.unroute("**/check")
        page.keyboard.press("y")
        until(page, lambda: len(answers(found)) == 1)
        assert list(answers(found).values()) == [True]
