"""Records as Parquet: a column of lists a field, in groups of rows, so that memory stays flat.

pyarrow is an optional extra: it is larger than all other dependencies together, and few need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, Any

from trailmark.datatypes import Record
from trailmark.errors import InputError

ROWS = 5_000
"""Records of one row group."""
_PLAIN = ("url", "kind", "made_by")


def write_parquet(records: Iterable[Record], file: IO[bytes], fields: Sequence[str], *, sources: bool = False) -> None:
    """Write all records; InputError in one sentence where pyarrow is not installed."""
    arrow, parquet = _pyarrow()
    taken = set(_PLAIN)
    columns = {name: name if name not in taken else f"{name}_" for name in fields}
    lists = [*columns.values(), *(f"{name} (source)" for name in fields if sources)]
    schema = arrow.schema(
        [(name, arrow.string()) for name in _PLAIN] + [(name, arrow.list_(arrow.string())) for name in lists]
    )
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in _batches(records):
            rows = [_row(record, columns, sources) for record in batch]
            writer.write_table(arrow.Table.from_pylist(rows, schema=schema))


def check_parquet() -> None:
    """InputError where it can't be written."""
    _pyarrow()


def _row(record: Record, columns: dict[str, str], sources: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"url": _clean(record.url), "kind": _clean(record.kind), "made_by": _clean(record.made_by)}
    for name, column in columns.items():
        row[column] = [_clean(value) for value in record.fields.get(name, ())]
        if sources:
            row[f"{name} (source)"] = list(record.sources.get(name, ()))
    return row


def _batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    rest = iter(records)
    while batch := list(islice(rest, ROWS)):
        yield batch


def _clean(text: str) -> str:
    """Parquet's strings are UTF-8 and nothing else."""
    return text.encode("utf-8", "backslashreplace").decode()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise InputError(
            "Parquet files need pyarrow, which is not installed: pip install 'trailmark[parquet]', or choose .csv or .jsonl."
        ) from error
    return pyarrow, pyarrow.parquet
