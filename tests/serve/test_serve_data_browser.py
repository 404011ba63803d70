"""JSON and XML in a real browser: a value is clicked and named, the other answers follow, and records are lifted off all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import running, wait_for, way_in
from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.cluster import cluster
from trailmark.verbs.extract import extract
from trailmark.verbs.wrap import wrap
from trailmark.workspace import Workspace

SITE = "http://api.example/"
EVIL = "<img src=x onerror=alert(1)>"
WORDS = ("Lamp", "Chair", "Table", "Clock", "Kettle", "Mirror", "Basket", "Ladder")


def as_json(number: int) -> str:
    offer = {"currency": "EUR", "amount": f"{number + 5}.99"}
    return json.dumps({"id": number, "note": EVIL, "product": {"title": WORDS[number], "offer": offer}})


def as_xml(number: int) -> str:
    return (
        f'<?xml version="1.0"?><thing xmlns="http://q.example/"><id>{number}</id><note>&lt;img src=x onerror=alert(1)&gt;</note>'
        f"<title>{WORDS[number]}</title><offer><currency>EUR</currency><amount>{number + 5}.99</amount></offer></thing>"
    )


@pytest.mark.parametrize(
    ("kind", "write", "address_of_value"),
    [
        ("application/json", as_json, "/json/product/offer/amount/text()[1]"),
        ("application/xml", as_xml, "/thing/offer/amount/text()[1]"),
    ],
)
def test_a_person_clicks_a_value_of_an_answer_and_names_it(
    folder: Path, browser_page: Any, kind: str, write: Any, address_of_value: str
) -> None:
    writer = ArchiveWriter(folder / "archive")
    with Workspace.open(folder) as workspace:
        for number in range(len(WORDS)):
            url = f"{SITE}thing/{number}"
            workspace.keep_page(url, Response(url, 200, (("Content-Type", kind),), write(number).encode()), writer)
        writer.close()
        cluster(workspace)
    page = browser_page
    dialogs: list[str] = []

    def dismiss(dialog: Any) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    with running(folder) as address:
        page.goto(address + way_in(folder))
        page.goto(f"{address}/annotate")
        page.click("tbody a >> nth=0")
        frame = page.frame_locator("iframe")
        frame.locator("div[data-trailmark-name*='amount']").click()
        wait_for(lambda: page.input_value("#value").endswith(".99"))
        page.fill("#field", "price")
        page.press("#field", "Enter")
        page.wait_for_selector("tbody td:has-text('12.99')")
        page.wait_for_selector("text=The rules in words")
        page.frame_locator("iframe").get_by_text(EVIL).wait_for()
        name = page.frame_locator("iframe").locator("div[data-trailmark-name*='amount']")
        shown = name.evaluate("element => getComputedStyle(element, '::before').content")
        assert "price" in shown
        assert "amount" in shown  # what is marked still says what it is called
        page.screenshot(path=str(folder / "board.png"), full_page=True)
    assert dialogs == []
    with Workspace.open(folder) as workspace:
        (mark,) = workspace.database.annotations()
        assert mark.xpath == address_of_value
        wrap(workspace)
        extract(workspace)
        records = {record.url: record for record in workspace.database.records()}
    assert {url: record.fields for url, record in records.items()} == {
        f"{SITE}thing/{number}": {"price": (f"{number + 5}.99",)} for number in range(len(WORDS))
    }
