"""Which kind of file the records go to: by the suffix of its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, Literal

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.export.bibtex_file import bibtex_entries
from trailmark.export.csv_file import csv_rows
from trailmark.export.excel_file import write_excel
from trailmark.export.json_file import json_array, json_lines
from trailmark.export.parquet_file import check_parquet, write_parquet
from trailmark.settings import ExportSettings

Form = Literal["json lines", "json", "csv", "tsv", "excel", "parquet", "sqlite", "bibtex"]
FORMATS: dict[str, Form] = {
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".xlsx": "excel",
    ".parquet": "parquet",
    ".sqlite": "sqlite",
    ".bib": "bibtex",
}


def form_of(name: str) -> Form:
    """The format that a file's name asks for, JSON Lines where it has no suffix; InputError for one that can't be had.

    It is asked before any work is done, so that an hour of work does not end in a sentence about a name.
    """
    suffix = f".{name.rpartition('.')[2].lower()}" if "." in name.strip(".") else ""
    form = FORMATS.get(suffix) if suffix else "json lines"
    if form is None:
        raise InputError(f"{name}: records can't be written as '{suffix}'; name a file that ends in {_known()}.")
    if form == "parquet":
        check_parquet()
    return form


def write_records(
    records: Iterable[Record],
    file: IO[bytes],
    form: Form,
    fields: Sequence[str],
    settings: ExportSettings = ExportSettings(),  # noqa: B008 - frozen
    *,
    sources: bool = False,
    borrowed: bool = False,
) -> None:
    """Write all records to the opened file; `fields` are the columns of formats that have such, `borrowed` adds one that says which are.

    A SQLite file is written by the store (`trailmark.store.record_database`), which is the only one that knows SQLite.
    """
    if form == "parquet":
        write_parquet(records, file, fields, sources=sources, borrowed=borrowed)
        return
    if form == "excel":
        write_excel(records, file, fields, settings, sources=sources, borrowed=borrowed)
        return
    assert form != "sqlite", "the store writes databases"
    if form == "bibtex":
        parts = bibtex_entries(records)
    elif form in ("csv", "tsv"):
        delimiter = "\t" if form == "tsv" else ","
        parts = csv_rows(records, fields, settings, sources=sources, borrowed=borrowed, delimiter=delimiter)
    else:
        parts = (json_array if form == "json" else json_lines)(records, sources=sources)
    for part in parts:
        file.write(part)


def _known() -> str:
    *first, last = FORMATS
    return f"{', '.join(first)} or {last}"
