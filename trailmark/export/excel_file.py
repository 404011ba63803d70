"""Records as an Excel workbook: one sheet, a row a record, a column a field; written row by row, so that memory stays flat.

No cell is ever a formula: texts are written as texts, and one that begins like a formula carries Excel's own mark for text, so that it stays one
when somebody edits it. Plain numbers are numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import IO, Any

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.export.csv_file import ALWAYS, harmless, printable
from trailmark.settings import ExportSettings

MOST_ROWS, LONGEST_CELL = 1_048_575, 32_767
"""What a sheet can hold, its heading left out."""
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?")
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}
MADE = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""The same file at every start."""


def write_excel(
    records: Iterable[Record],
    file: IO[bytes],
    fields: Sequence[str],
    settings: ExportSettings,
    *,
    sources: bool = False,
    borrowed: bool = False,
) -> None:
    """Write all records; InputError where there are more than a sheet holds."""
    from xlsxwriter import Workbook

    places = [f"{name} (source)" for name in fields if sources]
    headings = [*ALWAYS, *fields, *places, "made_by", *(["borrowed"] if borrowed else [])]
    with Workbook(file, _OPTIONS) as book:
        book.set_properties({"created": MADE})
        sheet = book.add_worksheet("Records")
        sheet.freeze_panes(1, 0)
        cells = _Cells(sheet, book.add_format({"quote_prefix": True}))
        bold = book.add_format({"bold": True})
        for column, heading in enumerate(headings):
            sheet.write_string(0, column, printable(heading)[:LONGEST_CELL], bold)
        for number, record in enumerate(records, start=1):
            if number > MOST_ROWS:
                raise InputError(f"An Excel sheet holds {MOST_ROWS:,} records: choose .csv, .parquet or .sqlite.")
            cells.row(number, _texts(record, fields, settings, sources, borrowed))


def _texts(record: Record, fields: Sequence[str], settings: ExportSettings, sources: bool, borrowed: bool) -> list[str]:
    values = [settings.separator.join(record.fields.get(name, ())) for name in fields]
    places = [settings.separator.join(record.sources.get(name, ())) for name in fields if sources]
    mark = ["yes" if record.borrowed else ""] if borrowed else []
    return [record.url, record.kind, *values, *places, record.made_by, *mark]


class _Cells:
    """Texts to cells of a sheet."""

    def __init__(self, sheet: Any, as_text: Any) -> None:
        self.sheet, self.as_text = sheet, as_text

    def row(self, number: int, texts: Sequence[str]) -> None:
        for column, text in enumerate(texts):
            if _PLAIN_NUMBER.fullmatch(text):
                self.sheet.write_number(number, column, float(text) if "." in text else int(text))
            elif text:
                clean = printable(text)[:LONGEST_CELL]
                self.sheet.write_string(number, column, clean, *([self.as_text] if harmless(clean) != clean else []))
