"""Records as a table: one row a record, one column a field, several values joined.

A cell that begins like a formula is made harmless, because spreadsheets run what they read: a page could say
`=HYPERLINK(...)`. Numbers with a sign are left alone.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from trailmark.datatypes import Record
from trailmark.settings import ExportSettings

ALWAYS = ("url", "kind")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"[+-]?\d[\d.,' ]{0,40}%?")
_UNPRINTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
BOM = b"\xef\xbb\xbf"


def csv_rows(
    records: Iterable[Record],
    fields: Sequence[str],
    settings: ExportSettings = ExportSettings(),  # noqa: B008 - frozen
    *,
    sources: bool = False,
    delimiter: str = ",",
) -> Iterator[bytes]:
    """The heading, then a row a record; lines end as the format's RFC 4180 asks."""
    row = _Row(settings.guard, delimiter)
    yield (BOM if settings.bom else b"") + row([*ALWAYS, *fields, *_headings(fields, sources), "made_by"])
    for record in records:
        values = [settings.separator.join(record.fields.get(name, ())) for name in fields]
        places = [settings.separator.join(record.sources.get(name, ())) for name in fields if sources]
        yield row([record.url, record.kind, *values, *places, record.made_by])


def harmless(cell: str) -> str:
    """The cell so that no spreadsheet takes it for a formula."""
    opening = cell.lstrip(" ")[:1] or cell[:1]
    return "'" + cell if opening in _FORMULA and cell and not _NUMBER.fullmatch(cell) else cell


def _headings(fields: Sequence[str], sources: bool) -> list[str]:
    return [f"{name} (source)" for name in fields] if sources else []


class _Row:
    """Cells to the bytes of a row."""

    def __init__(self, guard: bool, delimiter: str) -> None:
        self.guard, self.text = guard, io.StringIO()
        self.writer = csv.writer(self.text, delimiter=delimiter)

    def __call__(self, cells: Sequence[str]) -> bytes:
        clean = [_UNPRINTED.sub("\N{REPLACEMENT CHARACTER}", cell) for cell in cells]
        self.writer.writerow([harmless(cell) for cell in clean] if self.guard else clean)
        made = self.text.getvalue()
        self.text.seek(0)
        self.text.truncate()
        return made.encode("utf-8", "backslashreplace")
