"""What axe finds on the pages of the portal, and on those of the app that curate it, in light and dark; where axe is not to be had, test_portal_browser.py and test_serve_accessible.py look for the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.serve import find_axe
from tests.serve.app_visitor import running, way_in
from tests.serve.portal_world import library, portal_running
from tests.serve.test_serve_curate import COPY
from trailmark.store.item_shelf import read_shelf
from trailmark.store.organised import Organised
from trailmark.verbs.curate import hide, merge
from trailmark.verbs.organise import organise
from trailmark.workspace import Workspace

AXE = find_axe.find()
pytestmark = pytest.mark.skipif(AXE is None, reason=find_axe.MISSING)
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
LOOK = """async (levels) => {
    const found = await axe.run(document, { runOnly: levels, resultTypes: ["violations"] });
    return found.violations.map((each) => each.id + ": " + each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | "));
}"""


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = library(tmp_path_factory.mktemp("axe") / "w", settings={"name": "The Library"}, more=[COPY])
    keys = _keys(folder)
    with Workspace.open(folder) as workspace:
        hide(workspace, keys[3], "not ours")
        merge(workspace, keys[5], [keys[6]])
        organise(workspace)
    return folder


def _keys(folder: Path) -> tuple[str, ...]:
    with Organised.open(folder) as organised:
        return read_shelf(organised.connection).keys


def faults(page: Any, address: str, paths: Sequence[str]) -> list[str]:
    """All that axe finds on some pages, in both looks."""
    assert AXE is not None
    source, found = AXE.read_text(encoding="utf-8"), []
    for look in ("light", "dark"):
        page.emulate_media(color_scheme=look)
        for path in paths:
            page.goto(address + path)
            page.evaluate(source)
            found += [f"{look} {path}: {fault}" for fault in page.evaluate(LOOK, LEVELS)]
    return found


def test_axe_finds_nothing_on_the_portal(shelves: Path, browser_page: Any) -> None:
    with Organised.open(shelves) as organised:
        shelf = read_shelf(organised.connection)
    item, first = shelf.addresses[9], shelf.addresses[0]
    gone = next(iter(shelf.hidden))
    paths = ["/", "/topic/Computing/Learning", "/search?q=neural&f.venue=Annals+of+Matter", "/search?q=zzzz", f"/item/{item}", f"/item/{first}/copy/1", f"/item/{gone}", "/help", "/about", "/api", f"/suggest?item={item}", "/suggest"]  # fmt: skip
    with portal_running(shelves) as address:
        assert faults(browser_page, address, paths) == []


def test_axe_finds_nothing_on_the_pages_that_curate(shelves: Path, browser_page: Any) -> None:
    paths = ["/curate", "/curate?q=scheduling", "/updates", "/suggestions", "/citations", "/topics", "/topics?topic=-", "/records", "/history", "/records/place?id=1&field=title"]  # fmt: skip
    with running(shelves) as address:
        browser_page.goto(address + way_in(shelves))
        assert faults(browser_page, address, paths) == []
