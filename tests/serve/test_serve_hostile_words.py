"""Hostile words in filters, sort keys and values: they stay words on the screen and in every file that is taken away."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.serve.app_visitor import Visitor
from tests.verbs.test_found import found_run
from trailmark.datatypes import Record
from trailmark.store.record_table import add_records
from trailmark.workspace import Workspace

FORMULAS = (
    '=HYPERLINK("http://evil.example/","x")',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "a\n=cmd|' /C calc'!A0",
    " =1",
)
FIELD = '=cmd("x")'
WORDS = (
    "' OR 1=1 --",
    '"; DROP TABLE records; --',
    "%",
    "_",
    "\\",
    "a" * 5000,
    "\x00",
    "\ud7ff\U0001f600\u202e",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "../../etc/passwd",
    "(((((((((((((a+)+)+)+",
    "NEAR(a b",
    '"unclosed',
    "price; SELECT",
)


@pytest.fixture
def table(folder: Path) -> Visitor:
    rows = [
        Record(f"http://a.example/{number}", "item", {"name": (text,), FIELD: (f"v{number}",)}, "rule:a/1")
        for number, text in enumerate(FORMULAS)
    ]
    with Workspace.open(folder) as workspace:
        add_records(workspace.database.connection, rows, at="2026-01-01")
    return Visitor(folder)


def ask(visitor: Visitor, path: str, places: tuple[str, ...]) -> None:
    """Every word in every place: an answer or a refusal, never an error, and never a tag."""
    for number, word in enumerate(WORDS):
        answer = visitor.get(path, params={places[number % len(places)]: word})
        assert answer.status_code in (200, 400, 422), (path, word[:40], answer.text[:300])
        assert path.startswith("/api") or "<script>alert" not in answer.text


@pytest.mark.parametrize("turn", range(5))
def test_a_hostile_word_asks_for_rows_and_does_nothing_else(table: Visitor, turn: int) -> None:
    places = ("q", "within", "by", "kind", "rows")
    ask(table, "/records", places[turn:] + places[:turn])
    ask(table, "/api/records", places[turn:] + places[:turn])
    assert table.get("/api/records").json()["count"] == len(FORMULAS)


@pytest.mark.parametrize("turn", range(4))
def test_a_hostile_word_asks_for_found_pages_and_does_nothing_else(folder: Path, turn: int) -> None:
    found_run(folder, [0.95, 0.7])
    visitor, places = Visitor(folder), ("q", "band", "checked", "order")
    ask(visitor, "/check", places[turn:] + places[:turn])
    ask(visitor, "/api/runs/1/found", places[turn:] + places[:turn])
    assert visitor.get("/api/runs/1/found").json()["count"] == 2


def cells_of_csv(body: bytes) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")) for cell in row]


def test_no_cell_of_the_csv_from_the_screen_is_a_formula(table: Visitor) -> None:
    cells = cells_of_csv(table.get("/records/export.csv").content)
    assert len(cells) >= 3 * len(FORMULAS)
    assert [cell for cell in cells if cell.lstrip(" \t\r\n")[:1] in tuple("=+-@")] == []
    assert any("HYPERLINK" in cell for cell in cells), "the words themselves are there"


def test_no_cell_of_the_sheet_from_the_screen_is_a_formula(table: Visitor) -> None:
    with ZipFile(io.BytesIO(table.get("/records/export.xlsx").content)) as book:
        sheets = [book.read(name).decode() for name in book.namelist() if name.startswith("xl/worksheets/")]
        words = "".join(book.read(name).decode() for name in book.namelist() if name.endswith(".xml"))
    assert sheets
    assert not any(re.search(r"<f[\s>/]", sheet) for sheet in sheets)
    assert "HYPERLINK" in words, "the words themselves are there"


def test_files_for_programs_have_the_words_as_they_are(table: Visitor, tmp_path: Path) -> None:
    text = table.get("/records/export.json").text
    assert all(json.dumps(formula)[1:-1] in text for formula in FORMULAS[:4])
    (tmp_path / "r.sqlite").write_bytes(table.get("/records/export.sqlite").content)
    connection = sqlite3.connect(tmp_path / "r.sqlite")
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    rows = [row for name in names for row in connection.execute(f'SELECT * FROM "{name}"')]
    connection.close()
    assert any(FORMULAS[0] in map(str, row) for row in rows)
