"""Records as Parquet: a column of lists a field, in groups of rows, so that memory stays flat.

pyarrow is an optional extra: it is larger than all other dependencies together, and few need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, Any

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.quoting import unicode_text

ROWS = 5_000
"""Records of one row group."""
_PLAIN = ("url", "kind", "made_by")


def write_parquet(
    records: Iterable[Record],
    file: IO[bytes],
    fields: Sequence[str],
    *,
    sources: bool = False,
    borrowed: bool = False,
) -> None:
    """Write all records; InputError in one sentence where pyarrow is not installed."""
    arrow, parquet = _pyarrow()
    columns = _columns([*fields, *(f"{name} (source)" for name in fields if sources)])
    marks = [("borrowed", arrow.bool_())] if borrowed else []
    schema = arrow.schema(
        [(name, arrow.string()) for name in _PLAIN] + [(name, arrow.list_(arrow.string())) for name in columns] + marks
    )
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in _batches(records):
            rows = [dict(zip(schema.names, _cells(record, fields, sources, borrowed), strict=True)) for record in batch]
            writer.write_table(arrow.Table.from_pylist(rows, schema=schema))


def check_parquet() -> None:
    """InputError where it can't be written."""
    _pyarrow()


def _columns(names: Sequence[str]) -> list[str]:
    """A column's name for each, all different also where two are told apart by what UTF-8 can't hold."""
    columns = dict.fromkeys((*_PLAIN, "borrowed"))
    for name in map(unicode_text, names):
        while name in columns:
            name += "_"
        columns[name] = None
    return list(columns)[len(_PLAIN) + 1 :]


def _cells(record: Record, fields: Sequence[str], sources: bool, borrowed: bool) -> list[Any]:
    values = [record.fields.get(name, ()) for name in fields]
    places = [record.sources.get(name, ()) for name in fields if sources]
    plain = [unicode_text(text) for text in (record.url, record.kind, record.made_by)]
    cells = ([unicode_text(text) for text in cell] for cell in (*values, *places))
    return [*plain, *cells, *([record.borrowed] if borrowed else [])]


def _batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    rest = iter(records)
    while batch := list(islice(rest, ROWS)):
        yield batch


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise InputError(
            "Parquet files need pyarrow, which is not installed: pip install 'trailmark[parquet]', or choose .csv or .jsonl."
        ) from error
    return pyarrow, pyarrow.parquet
