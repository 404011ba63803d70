"""The table of records: what lifting will give, fill, types, sorting, filter, changes that are tried first, files."""

from __future__ import annotations

import io
import re
import sqlite3
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.serve.app_visitor import Visitor, running, way_in
from tests.serve.test_serve_annotate import SITE, cluster_of, item, mark, node_of
from trailmark.datatypes import Record, Response
from trailmark.serve.jobs import Job
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.record_table import add_records
from trailmark.verbs.cluster import cluster
from trailmark.verbs.wrap import wrap
from trailmark.workspace import Workspace

COUNT = 10


@pytest.fixture
def shop(folder: Path) -> Path:
    """A workspace with pages of one template, grouped; the replay archive of the app holds more of the same site."""
    writer = ArchiveWriter(folder / "archive")
    with Workspace.open(folder) as workspace:
        for number in range(COUNT):
            response = Response(f"{SITE}item/{number}", 200, (("Content-Type", "text/html"),), item(number).encode())
            workspace.keep_page(response.url, response, writer)
        writer.close()
        cluster(workspace)
    return folder


def jobs_done(visitor: Visitor) -> None:
    assert all(visitor.wait(job["id"])["state"] == "done" for job in visitor.get("/api/jobs").json())


def learn(visitor: Visitor) -> None:
    mark(visitor, 3, "name", "Clock <3>", node=str(node_of(3, "//h1")))
    mark(visitor, 3, "price", "$8.99", node=str(node_of(3, "//b")))
    with Workspace.open(visitor.folder) as workspace:
        wrap(workspace)


def test_pages_that_gave_nothing_for_want_of_rules_are_told(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """123 rows of 14 pages looked like all there was; 69 pages that were found had no rules."""
    visitor = Visitor(shop)
    job = Job("0001", "extract", (), "Lifting records", 0.0, state="done")
    monkeypatch.setattr(visitor.state.jobs, "all", lambda: [job])
    for many, said in (
        (0, ""),
        (1, "1 page that was wanted gave nothing"),
        (69, "69 pages that were wanted gave nothing"),
    ):
        monkeypatch.setattr(visitor.state.jobs, "report", lambda _name, many=many: {"without_rules": many})
        text = visitor.get("/records").text
        assert said in text
        assert ("Mark values there" in text) == bool(many)


@pytest.mark.slow
def test_before_lifting_it_says_how_many_rows_there_will_be(shop: Path) -> None:
    visitor = Visitor(shop)
    learn(visitor)
    visitor.post("/records", do="try")
    jobs_done(visitor)
    text = visitor.get("/records").text
    assert "It will give 10 rows from 10 pages." in text
    assert "name 100 %" in text
    assert visitor.get("/api/records").json()["count"] == 0
    visitor.post("/records", do="lift")
    jobs_done(visitor)
    assert visitor.get("/api/records").json()["count"] == 10
    assert "It will give" not in visitor.get("/records").text


@pytest.mark.slow
def test_lifting_leaves_the_replayed_web_alone(shop: Path, tmp_path: Path) -> None:
    """The archive that the app replays is no wish: only a box says that all pages are meant."""
    from trailmark.serve.options import Options

    frame = "<main><article><section><ul><li>a<li>b<li>c</ul>"
    with ArchiveWriter(tmp_path / "more.warc.gz") as writer:
        for number in range(COUNT):
            body = item(number).replace("<body>", f"<body>{frame}").encode()
            writer.write(Response(f"{SITE}other/{number}", 200, (("Content-Type", "text/html"),), body))
    visitor = Visitor(shop, Options(archives=(tmp_path / "more.warc.gz",)))
    assert cluster_of(visitor)
    learn(visitor)
    visitor.post("/annotate", **{"from": "archive"})
    visitor.post("/records", do="lift")
    jobs_done(visitor)
    assert visitor.get("/api/records").json()["count"] == 10
    visitor.post("/records", do="lift", all="1", borrow="1")
    jobs_done(visitor)
    found = visitor.get("/api/records").json()
    assert found["count"] == 20
    assert sum(record["borrowed"] for record in found["records"]) == 10
    assert visitor.get("/records").text.count(">borrowed</span>") == 10


# --- the table ---------------------------------------------------------------------------------------------------

PRICES = ("$9.00", "$10.50", "$100", "", "")
NAMES = ("Ann, Ada", "Bell, Bo", "Cole, Cy", "Dean, Di", "East, Ed")


@pytest.fixture
def table(folder: Path) -> Visitor:
    """A workspace with five records; the price is filled on three of them."""
    rows = []
    for number, (price, name) in enumerate(zip(PRICES, NAMES, strict=True)):
        fields = {"name": (name,), **({"price": (price,)} if price else {})}
        sources = {"name": ("/html/body/h1",), "price": ("/html/body/b",)}
        rows.append(
            Record(f"{SITE}{number}", "item", fields, "rule:shop/1", sources, ("price",) if number == 1 else ())
        )
    with Workspace.open(folder) as workspace:
        add_records(workspace.database.connection, rows, at="2026-01-01")
    return Visitor(folder)


def names_in(text: str) -> list[str]:
    return [found for found in re.findall(r'class="value"[^>]*>([^<]*)<', text) if "," in found]


def test_the_table_says_what_is_measured(table: Visitor) -> None:
    text = table.get("/records").text
    assert '<span class="tag">price</span>' in text
    assert '<span class="tag">text</span>' in text
    assert "60 % filled" in text
    assert "100 % filled" in text
    assert "<b>price</b> is filled on 60 % of the records only (3 of 5)." in text
    assert "<b>name</b> is filled" not in text
    hint = "Page: http://shop.example/0\nRule: rule:shop/1\nXPath: /html/body/b"
    assert f'title="{hint}"' in text


def test_the_table_is_sorted_as_its_type_wants_and_filtered(table: Visitor) -> None:
    up = table.get("/records", params={"by": "price"}).text
    assert names_in(up)[:3] == ["Ann, Ada", "Bell, Bo", "Cole, Cy"]
    assert 'aria-sort="ascending"' in up
    down = table.get("/records", params={"by": "price", "down": "true"}).text
    assert names_in(down)[:3] == ["Cole, Cy", "Bell, Bo", "Ann, Ada"]
    assert names_in(table.get("/records", params={"within": "price", "rows": "empty"}).text) == ["Dean, Di", "East, Ed"]
    assert len(names_in(table.get("/records", params={"within": "price", "rows": "filled"}).text)) == 3
    assert names_in(table.get("/records", params={"rows": "unsure"}).text) == ["Bell, Bo"]
    assert names_in(table.get("/records", params={"q": "00", "within": "price"}).text) == ["Ann, Ada", "Cole, Cy"]
    assert names_in(table.get("/records", params={"q": "ann", "within": "price"}).text) == []
    assert table.get("/records", params={"rows": "nonsense"}).status_code == 422


@pytest.mark.slow
def test_a_value_is_given_by_hand_and_taken_back(table: Visitor) -> None:
    place = table.get("/records/place", params={"id": 4, "field": "price"}).text
    assert 'action="/records/edit"' in place
    answer = table.post("/records/edit", id="4", field="price", value="$7.00\n$8.00")
    assert "instead of" in table.said(answer)
    assert answer.text.count(">by hand</span>") == 1
    assert "80 % filled" in answer.text
    assert table.get("/api/records/4").json()["fields"]["price"] == ["$7.00", "$8.00"]
    assert "No record has a field" in table.said(table.post("/records/edit", id="4", field="x", value="1"))
    assert "no record 99" in table.said(table.post("/records/edit", id="99", field="price", value="1"))
    assert "It is taken back." in table.said(table.post("/records/acts", do="undo", id="1"))
    assert "price" not in table.get("/api/records/4").json()["fields"]
    assert "It is made again." in table.said(table.post("/records/acts", do="redo", id="1"))
    assert "There is no change 9" in table.said(table.post("/records/acts", do="undo", id="9"))


@pytest.mark.slow
def test_a_field_is_changed_after_it_was_tried(table: Visitor) -> None:
    words = {"field": "name", "how": "split", "pattern": ", ", "into": "last, first"}
    tried = table.post("/records/fields", do="try", **words).text
    assert "5 of 5 records change" in tried
    assert "last then" in tried
    assert "name" in table.get("/api/records/1").json()["fields"]
    assert "is split at" in table.said(table.post("/records/fields", do="make", **words))
    assert table.get("/api/records/1").json()["fields"]["last"] == ["Ann"]
    wrong = table.post("/records/fields", do="make", field="last", how="match", pattern="(").text
    assert "no regular expression" in wrong
    part = table.http.post(
        "/records/trial", data={"csrf": table.csrf, "field": "price", "how": "type", "form": "price"}
    )
    assert "9.00 USD" in part.text
    assert "<html" not in part.text
    table.post("/records/fields", do="make", field="price", how="type", form="price")
    assert table.get("/api/records/1").json()["fields"]["price"] == ["9.00 USD"]
    assert "Changes so far (2)" in table.get("/records").text


@pytest.mark.slow
def test_a_row_is_deleted_stays_away_and_comes_back(table: Visitor) -> None:
    assert 'form="forget" aria-label="Row 2"' in table.get("/records").text
    asked = table.post("/kept/records", do="ask", id="2", back="/records?by=name")
    assert "Bell, Bo" in asked.text
    assert len(table.get("/api/records").json()["records"]) == 5
    gone = table.post("/kept/records", do="forget", id="2", back="/records?by=name")
    assert (gone.url.path, table.said(gone)) == ("/records", "Forgot 1 record. History brings it back.")
    assert names_in(gone.text) == [NAMES[0], *NAMES[2:]]
    again = table.post("/kept/records", do="forget", id="2", back="/records")
    assert "There is no record 2" in table.said(again)
    table.post("/history", do="undo", act="1")
    assert names_in(table.get("/records").text) == list(NAMES)
    assert table.post("/kept/records", do="ask", id="2", back="//evil.test/").text.count("evil.test") == 0


def test_changes_of_records_are_undone_in_the_history(table: Visitor) -> None:
    table.post("/records/edit", id="1", field="price", value="$1")
    table.post("/records/fields", do="make", field="price", how="rename", into="cost")
    text = table.get("/history").text
    assert text.index("is called “cost”") < text.index("is “$1” instead of “$9.00”")
    table.post("/history", do="undo", act="1")
    assert table.get("/api/records/1").json()["fields"]["cost"] == ["$9.00"]
    assert [act["verb"] for act in table.get("/api/history").json()["acts"]] == ["undo", "shape", "shape"]


def test_files_of_all_kinds_from_the_screen(table: Visitor, tmp_path: Path) -> None:
    text = table.get("/records").text
    for form in ("csv", "xlsx", "json", "parquet", "sqlite"):
        assert f'href="/records/export.{form}"' in text
        answer = table.get(f"/records/export.{form}")
        assert answer.headers["content-disposition"] == f'attachment; filename="records.{form}"'
        (tmp_path / f"records.{form}").write_bytes(answer.content)
    with ZipFile(io.BytesIO((tmp_path / "records.xlsx").read_bytes())) as book:
        assert b"Ann, Ada" in book.read("xl/worksheets/sheet1.xml")
    with sqlite3.connect(tmp_path / "records.sqlite") as connection:
        assert connection.execute("SELECT COUNT(*) FROM records WHERE price IS NOT NULL").fetchone() == (3,)
    connection.close()
    assert (tmp_path / "records.parquet").read_bytes()[:4] == b"PAR1"


def test_a_person_edits_in_the_table_and_sees_a_change_while_writing(table: Visitor, browser_page: Any) -> None:
    page = browser_page
    with running(table.folder) as address:
        page.goto(address + way_in(table.folder))
        page.goto(f"{address}/records")
        page.hover("tbody tr:nth-child(4) td:nth-child(3)")
        page.click("tbody tr:nth-child(4) td:nth-child(3) a.edit")
        page.fill(".edit-cell textarea", "$1.25")
        page.press(".edit-cell textarea", "Enter")
        page.wait_for_selector("tbody .tag:has-text('by hand')")
        assert "$1.25" in page.inner_text("tbody tr:nth-child(4)")
        page.click("#fields summary")
        page.select_option("#step-field", "price")
        page.select_option("#how", "match")
        page.fill("#pattern", "[0-9]+")
        page.wait_for_selector("[data-trial] >> text=4 of 4 records change")
        assert page.is_hidden("#put")
        page.click("text=Make the change")
        page.wait_for_selector(".said:has-text('finds is kept')")
    with Workspace.open(table.folder) as workspace:
        prices = [value for record in workspace.database.records() for value in record.fields.get("price", ())]
    assert prices == ["9", "10", "100", "1"]
