"""Annotating in the app: a click names a node, the rest of the sample follows, records lead back to their place; nothing a page says breaks out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.serve.app_visitor import Visitor, running, wait_for, way_in
from trailmark.datatypes import Record, Response
from trailmark.read import parse_html
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.record_table import add_records
from trailmark.verbs.annotate import kept_preview
from trailmark.verbs.cluster import cluster
from trailmark.workspace import Workspace
from trailmark.wrap.page.picked_value import element_number, picked_value

SITE = "http://shop.example/"
EVIL = "<script>alert(1)</script>"
NAMES = ("Lamp", "Chair", "Table", "Clock", "Kettle", "Mirror", "Basket", "Ladder", "Candle", "Pillow")


def item(number: int) -> str:
    name = NAMES[number]
    return (
        f"<html><head><title>{name} - Shop</title></head><body><div id=nav><a href=/>Home</a> <a href=/all>All</a></div>"
        f"<div class=item><h1>{name} &lt;{number}&gt;</h1><p class=price>Price: <b>${number + 5}.99</b></p>"
        f"<p class=maker>Made by <i>{name} Works</i></p></div><hr><p>Thank you for your visit</p></body></html>"
    )


@pytest.fixture
def shop(folder: Path) -> Path:
    """A workspace with pages of one template, grouped."""
    writer = ArchiveWriter(folder / "archive")
    with Workspace.open(folder) as workspace:
        for number in range(len(NAMES)):
            url = f"{SITE}item/{number}"
            response = Response(url, 200, (("Content-Type", "text/html"),), item(number).encode())
            workspace.keep_page(url, response, writer)
        writer.close()
        cluster(workspace)
    return folder


def cluster_of(visitor: Visitor) -> str:
    (only,) = visitor.get("/api/annotate/clusters").json()
    return str(only["id"])


def node_of(number: int, xpath: str) -> int:
    root = parse_html(item(number).encode(), "text/html")[0]
    found = element_number(root, xpath)
    assert found is not None
    return found


def mark(visitor: Visitor, number: int, field: str, value: str, **more: Any) -> Any:
    fields = {"do": "mark", "id": cluster_of(visitor), "url": f"{SITE}item/{number}", "field": field, "value": value}
    return visitor.post("/annotate/cluster", **{**fields, **more})


# --- picking -----------------------------------------------------------------------------------------------------


def test_a_click_names_the_text_and_its_node() -> None:
    root = parse_html(b"<p>one <b>two</b> three <!-- x --> four</p><img src=a.png>", "text/html")[0]
    paragraph = element_number(root, "//p")
    assert paragraph is not None
    assert picked_value(root, paragraph, " one ") == ("one", "/html/body/p/text()[1]")
    assert picked_value(root, paragraph, "three") == ("three", "/html/body/p/text()[2]")
    assert picked_value(root, paragraph, "hre") == ("hre", "/html/body/p/text()[2]")
    assert picked_value(root, paragraph, "one two three") == ("one two three", "/html/body/p")
    assert picked_value(root, paragraph, "five") is None
    picture = element_number(root, "//img/@src")
    assert picture is not None
    assert picked_value(root, picture, "") == ("a.png", "/html/body/img/@src")
    assert picked_value(root, 999, "one") is None
    assert picked_value(root, -1, "one") is None
    assert element_number(root, "//p/text()[2]") == paragraph
    assert element_number(root, "][") is None
    assert element_number(root, "count(//p)") is None


# --- the board ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_marked_page_and_the_others_follow(shop: Path) -> None:
    visitor = Visitor(shop)
    identity = cluster_of(visitor)
    assert f"/annotate/cluster?id={quote(identity)}" in visitor.get("/annotate").text
    answer = mark(visitor, 2, "price", "$7.99", node=str(node_of(2, "//b")))
    assert "$7.99" in answer.text
    mark(visitor, 2, "name", "Table <2>", node=str(node_of(2, "//h1")))
    made = visitor.get("/api/annotate/preview", params={"id": identity}).json()
    found = {page["url"]: page["records"][0]["fields"] for page in made["pages"]}
    assert len(found) == 10
    assert all(
        found[f"{SITE}item/{n}"] == {"price": [f"${n + 5}.99"], "name": [f"{NAMES[n]} <{n}>"]} for n in range(10)
    )
    board = visitor.get("/annotate/cluster", params={"id": identity, "url": f"{SITE}item/2"})
    assert "The rules in words" in board.text
    assert "Table &lt;2&gt;" in board.text
    frame = visitor.frame(board)
    assert "allow-scripts" in frame.headers["content-security-policy"]
    assert "unsafe-inline" not in frame.headers["content-security-policy"].split("script-src")[1].split(";")[0]
    assert f'[data-trailmark-node="{node_of(2, "//b")}"]' in frame.text


@pytest.mark.slow
@pytest.mark.parametrize("node", ["9" * 5000, "-1", "one", "\u0663"])
def test_a_node_that_is_no_number_of_an_element_is_none(shop: Path, node: str) -> None:
    visitor = Visitor(shop)
    answer = mark(visitor, 1, "price", "nowhere", node=node)
    assert "does not hold" in visitor.said(answer)


@pytest.mark.slow
def test_marks_are_taken_back_denied_and_confirmed(shop: Path) -> None:
    visitor = Visitor(shop)
    identity = cluster_of(visitor)
    mark(visitor, 1, "maker", "Chair Works", node=str(node_of(1, "//i")))
    visitor.post("/annotate/cluster", do="confirm", id=identity, url=f"{SITE}item/4")
    with Workspace.open(shop) as workspace:
        (confirmed,) = workspace.database.annotations(f"{SITE}item/4")
    assert (confirmed.field, confirmed.value) == ("maker", "Kettle Works")
    visitor.post("/annotate/cluster", do="absent", id=identity, url=f"{SITE}item/4", field="maker")
    with Workspace.open(shop) as workspace:
        assert [each.value for each in workspace.database.annotations(f"{SITE}item/4")] == [None]
    visitor.post("/annotate/cluster", do="unmark", id=identity, url=f"{SITE}item/4", field="maker", absent="1")
    visitor.post("/annotate/cluster", do="unmark", id=identity, url=f"{SITE}item/1", field="maker", value="Chair Works")
    with Workspace.open(shop) as workspace:
        assert list(workspace.database.annotations()) == []
        assert kept_preview(workspace, identity).fields == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"field": "price", "value": "$1.00"}, "does not hold"),
        ({"field": "", "value": "Chair <1>"}, "Name the field"),
        ({"field": EVIL, "value": "Chair <1>"}, "Name the field"),
        ({"field": "price", "value": ""}, "Click a value"),
        ({"field": "price", "value": "x", "node": "99999999"}, "does not hold"),
        ({"field": "price", "value": "x", "url": "http://elsewhere.example/"}, "not one of this template"),
        ({"field": "price", "value": "x", "id": "none"}, "no cluster"),
    ],
)
def test_what_can_not_be_marked_is_said(shop: Path, fields: dict[str, str], said: str) -> None:
    visitor = Visitor(shop)
    whole = {"do": "mark", "id": cluster_of(visitor), "url": f"{SITE}item/1", **fields}
    assert said in visitor.post("/annotate/cluster", **whole).text
    with Workspace.open(shop) as workspace:
        assert list(workspace.database.annotations()) == []


# --- records -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_from_marks_to_records_to_a_file(shop: Path) -> None:
    visitor = Visitor(shop)
    assert "mark values" in visitor.get("/records").text
    mark(visitor, 3, "price", "$8.99", node=str(node_of(3, "//b")))
    visitor.post("/annotate/cluster", do="use", id=cluster_of(visitor), url=f"{SITE}item/3")
    for path in ("", "/records"):
        if path:
            visitor.post(path)
        assert all(visitor.wait(job["id"])["state"] == "done" for job in visitor.get("/api/jobs").json())
    found = visitor.get("/api/records", params={"q": "$12.99"}).json()
    assert (found["count"], found["records"][0]["url"]) == (1, f"{SITE}item/7")
    number = found["records"][0]["id"]
    table = visitor.get("/records", params={"by": "price"}).text
    assert table.count('class="value"') == 10
    place = visitor.get("/records/place", params={"id": number, "field": "price", "n": 0})
    assert "$12.99" in place.text
    assert f'content="{node_of(7, "//b")}"' in visitor.frame(place).text
    csv = visitor.get("/records/export.csv")
    assert csv.headers["content-disposition"] == 'attachment; filename="records.csv"'
    assert csv.text.count("\n") == 11
    assert len(visitor.get("/records/export.json").json()) == 10
    assert "not as exe" in visitor.get("/records/export.exe").text
    assert "no record 999" in visitor.get("/records/place", params={"id": 999}).text


@pytest.mark.slow
def test_words_of_records_stay_words(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        evil = {EVIL: (EVIL, '"><img src=x onerror=alert(1)>'), "a": ("javascript:alert(1)",)}
        add_records(
            workspace.database.connection,
            [Record(f"{SITE}{EVIL}", "item", evil, f"rule:{EVIL}", {"a": ("/html/body",)})],
            at="2026-01-01",
        )
    visitor = Visitor(folder)
    for path in ("/records", f"/records?q={quote(EVIL)}&by={quote(EVIL)}", "/records/place?id=1&field=a&n=0"):
        text = visitor.get(path).text
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert not re.search(r'href="javascript', text)


def test_alarms_before_there_is_anything_to_watch(visitor: Visitor) -> None:
    assert "no rules to watch" in visitor.get("/alarms").text
    assert visitor.get("/api/alarms").json() == {"last": {}, "visits": []}
    assert "No rules were learnt" in visitor.said(visitor.post("/alarms", do="back", cluster="x"))


# --- in a browser ------------------------------------------------------------------------------------------------


def test_a_person_clicks_a_value_and_names_it(shop: Path, browser_page: Any) -> None:
    page = browser_page
    with running(shop) as address:
        page.goto(address + way_in(shop))
        page.goto(f"{address}/annotate")
        page.click("tbody a >> nth=0")
        frame = page.frame_locator("iframe")
        frame.locator("b").click()
        wait_for(lambda: page.input_value("#value").startswith("$"))
        page.fill("#field", "price")
        page.press("#field", "Enter")
        page.wait_for_selector("tbody td:has-text('$14.99')")
        frame = page.frame_locator("iframe")
        frame.locator("h1").wait_for()
        page.screenshot()
        page.click("tbody a:has-text('item/8')")
        page.wait_for_selector("text=It finds")
        page.click("text=All right on this page")
        page.wait_for_selector("text=annotated")
    with Workspace.open(shop) as workspace:
        marks = {(each.url, each.field, each.value) for each in workspace.database.annotations()}
    assert (f"{SITE}item/8", "price", "$13.99") in marks
    assert len(marks) == 2
