"""Marking in the app: groups as drawings, find in the page, proposals from other sites that a person takes or leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, running, way_in
from tests.serve.test_serve_annotate import EVIL, NAMES, SITE, cluster_of, item, node_of
from tests.serve.test_serve_annotate import shop as shop  # the fixture
from trailmark.read import parse_html
from trailmark.serve.jobs import Job
from trailmark.serve.page_sketch import HEIGHT, page_sketch
from trailmark.store.json_lines import write_json_lines
from trailmark.verbs.propose import proposals_file, read_proposals
from trailmark.workspace import Workspace
from trailmark.wrap import RuleSet


def offered(folder: Path, identity: str, **more: Any) -> None:
    """Proposals for a group, as `wrap --propose` writes them."""
    lines = [
        {"url": f"{SITE}item/{n}", "field": field, "value": value, "xpath": xpath, "confidence": 0.8}
        for n in range(3)
        for field, value, xpath in (
            ("cost", f"${n + 5}.99", "/html/body/div[2]/p[1]/b/text()"),
            ("maker", f"{NAMES[n]} Works", "/html/body/div[2]/p[2]/i/text()"),
        )
    ]
    with Workspace.open(folder) as workspace:
        path = proposals_file(workspace, identity)
        path.parent.mkdir(exist_ok=True)
        write_json_lines(path, [*lines, *([more] if more else [])])


@pytest.mark.slow
def test_proposals_are_offered_taken_and_put_away(shop: Path) -> None:
    visitor = Visitor(shop)
    identity = cluster_of(visitor)
    assert "Proposed from other sites" not in visitor.get("/annotate/cluster", params={"id": identity}).text
    offered(shop, identity, url=f"{SITE}item/1", field=EVIL, value=EVIL, xpath="/html", confidence=1)
    board = visitor.get("/annotate/cluster", params={"id": identity}).text
    assert "80 % sure, 3 values" in board
    assert "Lamp Works | Chair Works" in board
    assert EVIL not in board
    assert "proposed: cost, maker" in visitor.get("/annotate").text
    answer = visitor.post("/annotate/take", id=identity, do="take", field=["maker"])
    assert "3 proposed values are marked" in visitor.said(answer)
    with Workspace.open(shop) as workspace:
        assert {mark.field for mark in workspace.database.annotations()} == {"maker"}
        assert len(list(workspace.database.annotations())) == 3
    assert "<b>maker</b> <span" not in answer.text  # it is marked now
    assert "<b>cost</b> <span" in answer.text
    visitor.post("/annotate/take", id=identity, do="leave")
    with Workspace.open(shop) as workspace:
        assert read_proposals(workspace, identity) == []
    assert "no cluster" in visitor.post("/annotate/take", id="none", do="take").text


@pytest.mark.slow
def test_words_are_found_in_the_page_without_a_script(shop: Path) -> None:
    visitor = Visitor(shop)
    board = visitor.get(
        "/annotate/cluster", params={"id": cluster_of(visitor), "url": f"{SITE}item/2", "find": "table WORKS"}
    )
    assert 'value="table WORKS"' in board.text
    frame = visitor.frame(board).text
    number = node_of(2, "//i")
    assert f'[data-trailmark-node="{number}"]{{background-color:#ffe38a' in frame
    assert f'<meta name="trailmark-focus" content="{number}">' in frame
    nothing = visitor.get("/annotate/cluster", params={"id": cluster_of(visitor), "find": "</style><script>"})
    assert "#ffe38a" not in visitor.frame(nothing).text
    assert "</style><script>" not in nothing.text


@pytest.mark.slow
def test_a_group_is_shown_as_a_small_drawing(shop: Path) -> None:
    visitor = Visitor(shop)
    assert 'src="/annotate/sketch?id=' in visitor.get("/annotate").text
    answer = visitor.get("/annotate/sketch", params={"id": cluster_of(visitor)})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.count("<rect") > 5
    assert visitor.get("/annotate/sketch", params={"id": "none"}).status_code == 400


def test_a_drawing_says_nothing_that_the_page_says() -> None:
    root = parse_html(item(1).replace("Chair", EVIL).encode(), "text/html")[0]
    drawing = page_sketch(root)
    assert parse_html(drawing.encode())[0] is not None
    assert "Chair" not in drawing
    assert "script" not in drawing
    assert page_sketch(None).count("<rect") == 1
    deep = parse_html(("<div>a" * 3000).encode(), "text/html")[0]
    assert page_sketch(deep).count("<rect") <= HEIGHT


@pytest.mark.slow
def test_a_person_finds_a_word_and_takes_proposals(shop: Path, browser_page: Any) -> None:
    identity = cluster_of(Visitor(shop))
    offered(shop, identity)
    page = browser_page
    with running(shop) as address:
        page.goto(address + way_in(shop))
        page.goto(f"{address}/annotate")
        page.wait_for_function("() => [...document.images].every((each) => each.loading !== 'lazy' || each.complete)")
        page.click("tbody a >> nth=0")
        page.fill("#find", "price")
        page.press("#find", "Enter")
        frame = page.frame_locator("iframe")
        frame.locator("p.price").wait_for()
        assert (
            frame.locator("p.price").evaluate("each => getComputedStyle(each).backgroundColor") == "rgb(255, 227, 138)"
        )
        page.uncheck(".offers input[value=maker]")
        page.click("text=Mark them")
        page.wait_for_selector(".said:has-text('3 proposed values are marked')")


@pytest.mark.slow
def test_what_came_of_proposing_is_said(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = Visitor(shop)
    job = Job("0001", "wrap", ("--propose",), "Proposing values on other groups", 0.0, state="done")
    monkeypatch.setattr(visitor.state.jobs, "all", lambda: [job])
    rules = {"other/1": RuleSet("other/1", ())}
    monkeypatch.setattr(Workspace, "has_rules", lambda _self: True)
    monkeypatch.setattr(Workspace, "rules", lambda _self: rules)
    cases: list[tuple[list[dict[str, str]], str]] = [
        ([], "Nothing on the other groups"),
        ([{}], "Values were proposed for 1 group:"),
    ]
    for found, said in cases:
        monkeypatch.setattr(visitor.state.jobs, "report", lambda _name, found=found: {"clusters": found})
        assert said in visitor.get("/annotate").text


def test_in_the_list_of_groups_a_site_is_called_by_its_host(shop: Path) -> None:
    text = Visitor(shop).get("/annotate").text
    assert "http://" not in text.partition("<tbody>")[2], "a site is called by its host"
