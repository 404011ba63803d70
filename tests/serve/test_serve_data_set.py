"""The data set of records in the app: counts, pages, search, what was set aside; text of pages is text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.serve.app_visitor import Visitor
from trailmark.datatypes import Record
from trailmark.store.data_set import DataSet
from trailmark.store.parquet_part import PartWriter
from trailmark.store.parquet_schema import RECORDS, record_row
from trailmark.workspace import change_setting

pytest.importorskip("pyarrow", reason="pyarrow is not installed: make test")


@pytest.fixture
def with_data_set(folder: Path, tmp_path: Path) -> Path:
    records = [Record(f"http://a.test/{n}", "item", {"title": (f"Lamp <i>{n}</i>",)}, "rule:a/1") for n in range(70)]
    with PartWriter(DataSet(tmp_path / "records"), RECORDS, "p", "v") as writer:
        writer.add(record_row(record, "p") for record in records)
        writer.set_aside([("http://a.test/bad<script>", "x.warc.gz", 7, "ValueError: <seven>", "p")])
        writer.end({})
    change_setting(folder, "scale", "records", f"{tmp_path}/records/")
    return folder


def test_a_page_of_it(with_data_set: Path) -> None:
    visitor = Visitor(with_data_set)
    assert "/records/data-set" in visitor.get("/records").text
    first = visitor.get("/records/data-set").text
    assert "Lamp &lt;i&gt;0&lt;/i&gt;" in first
    assert "1 to 50 of 70" in first
    assert "bad&lt;script&gt;" in first
    assert "&lt;seven&gt;" in first
    assert "51 to 70 of 70" in visitor.get("/records/data-set?skip=50").text
    assert "none of 0" in visitor.get("/records/data-set?q=nobody").text
    answer = visitor.get("/api/data-set?q=lamp+%3Ci%3E7%3C").json()
    assert (answer["count"], answer["records"][0]["url"], answer["kinds"]) == (1, "http://a.test/7", {"item": 70})


def test_where_none_is_named_or_it_is_gone_that_is_told(folder: Path, tmp_path: Path) -> None:
    visitor = Visitor(folder)
    assert "/records/data-set" not in visitor.get("/records").text
    assert "No data set is named" in visitor.get("/records/data-set").text
    change_setting(folder, "scale", "records", f"{tmp_path}/nothing/")
    assert "holds no data set" in Visitor(folder).get("/records/data-set").text
