"""Records as a DataFrame: pandas is asked for when it is wanted, and not before."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import trailmark
from trailmark.datatypes import Annotation, Record, Response
from trailmark.errors import InputError
from trailmark.extract.record_frame import record_columns, record_frame
from trailmark.report import as_json
from trailmark.store.archive_writer import ArchiveWriter

HTML = (("Content-Type", "text/html; charset=utf-8"),)
SITE = "http://shop.example/"


class Frame:
    """As much of a DataFrame as is asked for."""

    def __init__(self, columns: dict[str, list[str | None]]) -> None:
        self.values, self.columns = list(columns.values()), list(columns)

    def column(self, name: str) -> list[str | None]:
        return self.values[self.columns.index(name)]


@pytest.fixture
def pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("pandas")
    module.DataFrame = Frame
    monkeypatch.setitem(sys.modules, "pandas", module)


def page(number: int) -> bytes:
    return f"<html><body><div><h1>Thing {number}</h1><p>Price: <b>${number}.50</b></p></div></body></html>".encode()


@pytest.mark.usefixtures("pandas")
def test_from_pages_to_a_frame(tmp_path: Path) -> None:
    archive = tmp_path / "a.warc.gz"
    with ArchiveWriter(archive) as writer:
        for number in range(8):
            writer.write(Response(f"{SITE}{number}", 200, HTML, page(number)))
    with trailmark.create(tmp_path / "w") as workspace:
        trailmark.cluster(workspace, [str(archive)])
        marks = [Annotation(f"{SITE}2", "title", "Thing 2"), Annotation(f"{SITE}2", "price", "$2.50")]
        workspace.database.add_annotations(marks, "test")
        assert trailmark.wrap(workspace).problems == ()
        report = trailmark.extract(workspace)
        assert report.records == 8
        frame = report.to_pandas()
        trailmark.export(workspace, tmp_path / "records.csv")
    assert frame.columns == ["url", "kind", "title", "price", "made_by"]
    assert sorted(frame.column("price")) == [f"${number}.50" for number in range(8)]
    assert set(frame.column("made_by")) == {"rule:shop.example/1"}
    assert report.to_pandas().values == frame.values, "the workspace may be closed by then"
    assert "kept" not in as_json(report)  # type: ignore[operator]
    heading = (tmp_path / "records.csv").read_text(encoding="utf-8").splitlines()[0]
    assert heading == ",".join(frame.columns)


@pytest.mark.usefixtures("pandas")
def test_fields_that_come_late_or_have_odd_names_have_their_place() -> None:
    records = [
        Record("u1", "item", {"a": ("1", "2")}, "rule:x"),
        Record("u2", "item", {"url": ("other",)}, "rule:x"),
        Record("u3", "other", {"a": ("3",)}, "rule:y"),
    ]
    assert record_columns(records, separator="; ") == {
        "url": ["u1", "u2", "u3"],
        "kind": ["item", "item", "other"],
        "a": ["1; 2", None, "3"],
        "url_": [None, "other", None],
        "made_by": ["rule:x", "rule:x", "rule:y"],
    }
    both = Record("u", "item", {"url": ("1",), "url_": ("2",)}, "rule:x")
    assert list(record_columns([both], separator="; ")) == ["url", "kind", "url_", "url__", "made_by"]
    frame = record_frame(iter(records), separator="; ")
    assert frame.columns == ["url", "kind", "a", "url_", "made_by"]
    assert record_columns([], separator="; ") == {"url": [], "kind": [], "made_by": []}


def test_without_pandas_one_sentence_says_so_and_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def records() -> Iterator[Record]:
        raise AssertionError("read before pandas was there")
        yield

    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="needs pandas, which is not installed"):
        record_frame(records(), separator="; ")
