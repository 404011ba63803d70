"""Records -> an opened file of any kind: those that a database is needed for are written by the store, the others by `export`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import IO

from trailmark.datatypes import Record
from trailmark.export import Form, write_records
from trailmark.settings import ExportSettings
from trailmark.store.record_database import write_record_database


def write_output(
    records: Iterable[Record],
    file: IO[bytes],
    form: Form,
    fields: Sequence[str],
    settings: ExportSettings,
    *,
    sources: bool = False,
    borrowed: bool = False,
) -> None:
    """Write all records to the opened file; `fields` are the columns of formats that have such."""
    if form == "sqlite":
        with TemporaryDirectory() as folder:
            made = Path(folder) / "records.sqlite"
            write_record_database(records, made, fields, separator=settings.separator)
            with made.open("rb") as whole:
                copyfileobj(whole, file)
    else:
        write_records(records, file, form, fields, settings, sources=sources, borrowed=borrowed)
