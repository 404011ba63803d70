"""The app without a browser (`visitor`, `demo_visitor`), and a real Chromium (`browser_page`); see app_visitor.py for more."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve import find_chromium
from tests.serve.app_visitor import PATIENCE, Visitor
from trailmark.demo import DemoWeb
from trailmark.store.benchmark_web import write_web
from trailmark.workspace import Workspace

WEB = DemoWeb(sites=5, seed=1, pages=100)
GOAL = "publications"


BROWSERS = {"chromium", "recorder"}
"""Fixtures that start a real browser."""

LOST_CLICK = [r"Timeout \d+ms exceeded", r"nothing came of it in \d+ seconds"]
"""What a test says whose browser never answered."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever asks for a browser is marked so: nobody can forget it.

    A click into a frame that the browser is still placing is lost on a busy machine, and nothing but the long wait tells.
    Only that (a wait that ran out) earns a second run, which the summary lists; a wrong answer fails at once.
    """
    for item in items:
        if BROWSERS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=LOST_CLICK))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A new workspace."""
    Workspace.create(tmp_path / "w").close()
    return tmp_path / "w"


@pytest.fixture(scope="session")
def demo_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small generated web, as the app puts it into a workspace."""
    target = tmp_path_factory.mktemp("demo") / "demo"
    sites = list(WEB)
    write_web(
        target / "web",
        name="demo",
        roots=[site.root for site in sites],
        responses=(response for site in sites for response in site.responses()),
        labels={url: label for site in sites for url, label in site.labels.items()},
        trails_by_goal={goal: [trail for site in sites for trail in site.trails(goal, 8)] for goal in (GOAL, "course")},
        source="generated",
        note="",
    )
    return target


@pytest.fixture
def demo_folder(folder: Path, demo_files: Path) -> Path:
    """A workspace with the generated web in it, and nothing taught."""
    shutil.copytree(demo_files, folder / "demo")
    return folder


@pytest.fixture
def visitor(folder: Path) -> Visitor:
    return Visitor(folder)


@pytest.fixture
def demo_visitor(demo_folder: Path) -> Visitor:
    return Visitor(demo_folder)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A real browser with an empty profile; tests that want one are skipped where there is none.

    One a module: as long as it lives, its event loop counts as running in this thread, and nothing else can fetch in it.
    """
    path = find_chromium.find()
    if path is None:
        pytest.skip(find_chromium.MISSING)
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as made:
        browser = made.chromium.launch(executable_path=path, headless=True, args=list(find_chromium.FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def browser_page(chromium: Any) -> Iterator[Any]:
    """A new tab; errors of our own scripts and breaches of our policy fail the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.wrong = wrong
    yield page
    context.close()
    assert not wrong
