"""Records as Excel workbooks and SQLite files: read again by other means, whatever a page says."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml
from zipfile import ZipFile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.export.test_export_files import FIELDS, RECORDS
from tests.hostile_text import HOSTILE
from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.export import excel_file, write_records
from trailmark.settings import ExportSettings
from trailmark.verbs.record_output import write_output

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def workbook(records: Any, fields: list[str], **options: Any) -> bytes:
    file = io.BytesIO()
    write_records(records, file, "excel", fields, **options)
    return file.getvalue()


def cells(book: bytes) -> list[list[Any]]:
    """The rows of the only sheet, as a reader of the format finds them."""
    with ZipFile(io.BytesIO(book)) as zipped:
        sheet = Xml.fromstring(zipped.read("xl/worksheets/sheet1.xml"))
    assert not list(sheet.iter(f"{SHEET}f")), "a formula"
    return [[_cell(cell) for cell in row.iter(f"{SHEET}c")] for row in sheet.iter(f"{SHEET}row")]


def _cell(cell: Xml.Element) -> Any:
    if cell.get("t") == "inlineStr":
        return "".join(cell.itertext())
    assert cell.get("t") in (None, "n"), cell.get("t")
    value = cell.find(f"{SHEET}v")
    return float(value.text or "") if value is not None else ""


def test_a_workbook_has_a_row_a_record() -> None:
    rows = cells(workbook(RECORDS, FIELDS))
    assert rows[0] == ["url", "kind", "title", "price", "made_by"]
    assert rows[1] == ["http://a.example/1", "item", 'A, "B"', "$2; £3", "rule:a/1"]


def test_a_workbook_is_the_same_at_every_start_and_marks_what_is_borrowed() -> None:
    assert workbook(RECORDS, FIELDS) == workbook(RECORDS, FIELDS)
    borrowed = Record("u", "item", {"title": ("t",)}, "rule:b", borrowed=True)
    assert [row[-1] for row in cells(workbook([borrowed, RECORDS[0]], FIELDS, borrowed=True))] == [
        "borrowed",
        "yes",
        "rule:a/1",
    ]


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", '=HYPERLINK("http://x")', "{=1}"])
def test_no_cell_is_a_formula(text: str) -> None:
    row = cells(workbook([Record("u", "item", {"title": (text,)}, "m")], ["title"]))[1]
    assert row[2] == text


@pytest.mark.parametrize(
    ("text", "value"), [("12", 12.0), ("-1.50", -1.5), ("007", "007"), ("1e5", "1e5"), ("9" * 20, "9" * 20)]
)
def test_plain_numbers_are_numbers(text: str, value: Any) -> None:
    assert cells(workbook([Record("u", "item", {"n": (text,)}, "m")], ["n"]))[1][2] == value


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.lists(HOSTILE, max_size=2), HOSTILE, HOSTILE)
def test_a_workbook_holds_whatever_a_page_says(values: list[str], name: str, url: str) -> None:
    rows = cells(
        workbook([Record(url, "item", {name: tuple(values)}, "m", {name: tuple(values)})], [name], sources=True)
    )
    assert len(rows) == 2


def test_more_than_a_sheet_holds_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel_file, "MOST_ROWS", 1)
    with pytest.raises(InputError, match=r"choose \.csv"):
        workbook(RECORDS, FIELDS)


def database(folder: Path, records: Any, fields: list[str]) -> Path:
    path = folder / "made.sqlite"
    with path.open("wb") as file:
        write_output(records, file, "sqlite", fields, ExportSettings())
    return path


def test_a_database_has_a_table_of_records_and_one_of_values(tmp_path: Path) -> None:
    with closing(sqlite3.connect(database(tmp_path, RECORDS, FIELDS))) as connection:
        assert connection.execute("SELECT id, url, title, price FROM records").fetchall() == [
            (1, "http://a.example/1", 'A, "B"', "$2; £3"),
            (2, "http://a.example/2", "Zwei\nZeilen", None),
        ]
        rows = connection.execute("SELECT field, n, value, place FROM record_values WHERE record = 1 ORDER BY 1, 2")
        assert rows.fetchall() == [("price", 0, "$2", ""), ("price", 1, "£3", ""), ("title", 0, 'A, "B"', "/a")]


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.dictionaries(HOSTILE, st.lists(HOSTILE, max_size=2).map(tuple), min_size=1, max_size=3), HOSTILE)
@example({"URL": ("a",), "url": ("b",), "url_": ("c",), "": ("d",), 'x") --': ("e",), "\x00": ("f",)}, "\ud800")
def test_a_database_holds_whatever_a_page_says(tmp_path_factory: Any, fields: dict[str, Any], url: str) -> None:
    path = database(tmp_path_factory.mktemp("made"), [Record(url, "item", fields, url, fields)], list(fields))
    with closing(sqlite3.connect(path)) as connection:
        (row,) = connection.execute("SELECT * FROM records")
        assert len(row) == 5 + len(fields)
        (count,) = connection.execute("SELECT COUNT(*) FROM record_values").fetchone()
    assert count <= sum(map(len, fields.values()))
