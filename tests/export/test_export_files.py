"""Records to files: each format says the same, and no page can make a spreadsheet run anything."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.hostile_text import HOSTILE
from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.export import form_of, record_to_json, write_records
from trailmark.export.csv_file import csv_rows, harmless
from trailmark.quoting import unicode_text
from trailmark.settings import ExportSettings

RECORDS = [
    Record("http://a.example/1", "item", {"title": ('A, "B"',), "price": ("$2", "£3")}, "rule:a/1", {"title": ("/a",)}),
    Record("http://a.example/2", "item", {"title": ("Zwei\nZeilen",)}, "rule:a/1"),
]
FIELDS = ["title", "price"]


def written(form: Any, records: Any = RECORDS, **options: Any) -> bytes:
    file = io.BytesIO()
    write_records(records, file, form, FIELDS, **options)
    return file.getvalue()


def test_a_record_as_the_interface_writes_it() -> None:
    assert record_to_json(RECORDS[0]) == {
        "url": "http://a.example/1",
        "kind": "item",
        "fields": {"title": ['A, "B"'], "price": ["$2", "£3"]},
        "made_by": "rule:a/1",
    }
    assert record_to_json(RECORDS[0], sources=True)["sources"] == {"title": ["/a"]}


def test_json_and_json_lines_say_the_same() -> None:
    lines = [json.loads(line) for line in written("json lines").splitlines()]
    assert lines == json.loads(written("json")) == [record_to_json(each) for each in RECORDS]
    assert json.loads(written("json", [])) == []
    assert written("json lines", []) == b""


def test_a_table_has_a_row_a_record() -> None:
    rows = list(csv.reader(io.StringIO(written("csv").decode(), newline="")))
    assert rows == [
        ["url", "kind", "title", "price", "made_by"],
        ["http://a.example/1", "item", 'A, "B"', "$2; £3", "rule:a/1"],
        ["http://a.example/2", "item", "Zwei\nZeilen", "", "rule:a/1"],
    ]
    assert written("tsv").startswith(b"url\tkind\ttitle")
    assert next(csv.reader([next(csv_rows([], FIELDS, sources=True)).decode()]))[4] == "title (source)"


def test_separator_and_byte_order_mark_can_be_set() -> None:
    made = written("csv", settings=ExportSettings(separator=" | ", bom=True))
    assert made.startswith(b"\xef\xbb\xbfurl")
    assert "$2 | £3" in made.decode("utf-8-sig")


@pytest.mark.parametrize(
    "cell", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", " =1", "＝1", "-", "+", "\u00a0=1", "\ufeff=1", "\tx"]
)
def test_formulas_are_made_harmless(cell: str) -> None:
    assert harmless(cell) == "'" + cell


@pytest.mark.parametrize(
    ("cell", "made"),
    [
        ("a;=1", "a;'=1"),
        ("a; =1", "a;' =1"),
        ("a\n=1", "a\n'=1"),
        ("a\t@x", "a\t'@x"),
        ("\t=1", "'\t'=1"),
        ("a; -5", "a; -5"),
    ],
)
def test_formulas_behind_what_ends_a_cell_elsewhere_are_made_harmless(cell: str, made: str) -> None:
    assert harmless(cell) == made


@pytest.mark.parametrize("cell", ["", "a=b", "-5", "+3.50", "-1,000.5 %"[:-2], "$5", "12-3", "'=1", " "])
def test_what_is_no_formula_stays(cell: str) -> None:
    assert harmless(cell) == cell


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), min_size=1, max_size=4))
def test_no_cell_begins_as_a_formula_whatever_a_page_says(values: list[str]) -> None:
    record = Record("http://a.example/", "item", {"title": tuple(values)}, "rule:a/1")
    text = b"".join(csv_rows([record], ["title"])).decode()
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert len(rows) == 2
    cell = rows[1][2].lstrip(" ")
    assert not cell.startswith(("=", "@", "\t", "\r", "＝", "＠"))
    assert not cell.startswith(("+", "-")) or cell.lstrip("+-")[0].isdigit()


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(HOSTILE, min_size=1, max_size=3), HOSTILE, HOSTILE)
def test_no_spreadsheet_finds_a_formula_whatever_ends_a_cell_for_it(values: list[str], name: str, url: str) -> None:
    """A reader that knows no quotes, and takes every mark for the end of a cell but the comma within one."""
    record = Record(url, "item", {name: tuple(values)}, "rule:a/1", {name: tuple(values)})
    text = b"".join(csv_rows([record], [name], sources=True)).decode()
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert [len(row) for row in rows] == [5, 5]
    for cell in (part for row in rows for whole in row for part in re.split("[;\t\r\n]", whole)):
        bare = re.sub("^[\\s\u00ad\u200b-\u200f\u2060\ufeff]+", "", cell)
        assert bare[:1] not in ("=", "@", "＝", "＠", "＋", "－")
        assert bare[:1] not in ("+", "-") or bare[1:2].isdigit()
    assert not any(unicodedata.category(letter) == "Cc" for letter in re.sub("[\t\r\n]", "", text))


@pytest.mark.slow
@settings(deadline=None)
@given(st.dictionaries(HOSTILE, st.lists(HOSTILE, max_size=2).map(tuple), min_size=1, max_size=3), HOSTILE)
def test_json_gives_back_what_was_written(fields: dict[str, tuple[str, ...]], url: str) -> None:
    record = Record(url, "item", fields, url, fields)
    file = io.BytesIO()
    write_records([record, record], file, "json lines", list(fields), sources=True)
    lines = file.getvalue().decode().split("\n")
    wanted = json.loads(json.dumps(record_to_json(record, sources=True)))
    assert [json.loads(line) for line in lines[:-1]] == [wanted] * 2
    assert len(file.getvalue().decode().splitlines()) == 2


@pytest.mark.slow
@settings(deadline=None)
@given(st.dictionaries(HOSTILE, st.lists(HOSTILE, max_size=2).map(tuple), min_size=1, max_size=3), HOSTILE)
@example({"url": ("a",), "url_": ("b",), "x": ("c",), "x (source)": ("d",)}, "\ud800")
@example(dict.fromkeys(("\ud800", "\ud801"), ("a",)), "u")
def test_parquet_holds_any_text_and_any_name(fields: dict[str, tuple[str, ...]], url: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    file = io.BytesIO()
    write_records([Record(url, "item", fields, url, fields)], file, "parquet", list(fields), sources=True)
    table = parquet.read_table(io.BytesIO(file.getvalue()))
    assert len(set(table.column_names)) == 3 + 2 * len(fields)
    cells = [column.to_pylist()[0] for column in table.columns]
    values = [[unicode_text(each) for each in said] for said in fields.values()]
    assert cells == [unicode_text(url), "item", unicode_text(url), *values, *values]


def test_the_guard_can_be_taken_off() -> None:
    record = Record("http://a.example/", "item", {"title": ("=1",)})
    assert b",=1," in b"".join(csv_rows([record], ["title"], ExportSettings(guard=False)))
    assert b",'=1," in b"".join(csv_rows([record], ["title"]))


def test_parquet_is_read_again() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(io.BytesIO(written("parquet", sources=True))).to_pylist()
    assert [row["title"] for row in rows] == [['A, "B"'], ["Zwei\nZeilen"]]
    assert [row["price"] for row in rows] == [["$2", "£3"], []]
    assert rows[0]["title (source)"] == ["/a"]
    assert rows[1]["made_by"] == "rule:a/1"


def test_without_pyarrow_one_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"trailmark\[parquet\]"):
        form_of("items.parquet")


def test_the_suffix_chooses_the_format() -> None:
    names = {
        "a.jsonl": "json lines",
        "a.b.CSV": "csv",
        "a.json": "json",
        "a.tsv": "tsv",
        "records": "json lines",
        "a.xlsx": "excel",
    }
    assert {name: form_of(name) for name in names} == names
    for name in ("a.ods", "a.csv.txt"):
        with pytest.raises(InputError, match="name a file that ends in"):
            form_of(name)
