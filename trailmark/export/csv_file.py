"""Records as a table: one row a record, one column a field, several values joined.

A cell that begins like a formula is made harmless, because spreadsheets run what they read: a page could say
`=HYPERLINK(...)`. In half of the world they take a semicolon for the end of a cell, and then a line end for the end of a row, whatever
stands in quotes: so what follows those within a cell is made harmless too. Numbers with a sign are left alone.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from trailmark.datatypes import Record
from trailmark.settings import ExportSettings

ALWAYS = ("url", "kind")
_FORMULA = "=+-@＝＋－＠"
_NUMBER = re.compile(r"[+-]?\d[\d.,' ]{0,40}%?")
_UNPRINTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_CELL_END = re.compile(r"([;\t\r\n])")
"""What ends a cell for one spreadsheet or another, besides the comma: with that as the mark they heed the quotes."""
_UNSEEN = re.compile(r"[\s\u00ad\u200b-\u200f\u2060\ufeff]*")
BOM = b"\xef\xbb\xbf"


def csv_rows(
    records: Iterable[Record],
    fields: Sequence[str],
    settings: ExportSettings = ExportSettings(),  # noqa: B008 - frozen
    *,
    sources: bool = False,
    borrowed: bool = False,
    delimiter: str = ",",
) -> Iterator[bytes]:
    """The heading, then a row a record; lines end as the format's RFC 4180 asks. `borrowed` adds a last column that says which rows are."""
    row = _Row(settings.guard, delimiter)
    last = ["made_by", *(["borrowed"] if borrowed else [])]
    yield (BOM if settings.bom else b"") + row([*ALWAYS, *fields, *_headings(fields, sources), *last])
    for record in records:
        values = [settings.separator.join(record.fields.get(name, ())) for name in fields]
        places = [settings.separator.join(record.sources.get(name, ())) for name in fields if sources]
        mark = [_yes(record.borrowed)] if borrowed else []
        yield row([record.url, record.kind, *values, *places, record.made_by, *mark])


def printable(cell: str) -> str:
    """The cell without what no table can hold."""
    return _UNPRINTED.sub("\N{REPLACEMENT CHARACTER}", cell)


def harmless(cell: str) -> str:
    """The cell so that no spreadsheet takes it, or a part of it, for a formula."""
    opening = "'" if cell[:1] in ("\t", "\r", "\n") else ""
    return opening + "".join(map(_harmless, _CELL_END.split(cell)))


def _harmless(part: str) -> str:
    bare = _UNSEEN.sub("", part, count=1)
    return "'" + part if bare and bare[0] in _FORMULA and not _NUMBER.fullmatch(part.strip(" ")) else part


def _yes(mark: bool) -> str:
    return "yes" if mark else ""


def _headings(fields: Sequence[str], sources: bool) -> list[str]:
    return [f"{name} (source)" for name in fields] if sources else []


class _Row:
    """Cells to the bytes of a row."""

    def __init__(self, guard: bool, delimiter: str) -> None:
        self.guard, self.text = guard, io.StringIO()
        self.writer = csv.writer(self.text, delimiter=delimiter)

    def __call__(self, cells: Sequence[str]) -> bytes:
        clean = [printable(cell) for cell in cells]
        self.writer.writerow([harmless(cell) for cell in clean] if self.guard else clean)
        line = self.text.getvalue()
        self.text.seek(0)
        self.text.truncate()
        return line.encode()
