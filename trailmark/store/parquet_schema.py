"""The columns of Parquet data sets: records, what was set aside, fetches, clusters. Loaded when a data set is used: pyarrow is an extra.

`fields` is a map, not a column a field: rules of other sites have other fields, and one schema holds for all of them, today and tomorrow.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.quoting import unicode_text
from trailmark.store.content_digest import content_digest

Row = tuple[Any, ...]
"""The values of a row in the order of its table's columns."""


def arrow() -> Any:
    """pyarrow; InputError in one sentence where it is not installed."""
    try:
        importlib.import_module("pyarrow.compute")
        importlib.import_module("pyarrow.parquet")
        return importlib.import_module("pyarrow")
    except ImportError as error:
        raise InputError(
            "Data sets need pyarrow, which is not installed; install it with: pip install 'trailmark[scale]'"
        ) from error


@dataclass(frozen=True)  # without slots: its places are kept
class Table:
    """A table of a data set: its columns, and by which of them its files are apart."""

    name: str
    columns: Callable[[], Sequence[tuple[str, Any]]]
    apart: tuple[str, ...]

    def schema(self) -> Any:
        return arrow().schema(list(self.columns()))

    def folder(self, row: Row) -> str:
        """Where the file of a row stands: `kind=item`, `run=3/bucket=07`."""
        return "/".join(f"{name}={quote(str(row[at]), safe=' ') or '-'}" for name, at in self._places)

    @cached_property
    def _places(self) -> list[tuple[str, int]]:
        names = [name for name, _ in self.columns()]
        return [(name, names.index(name)) for name in self.apart]


def _texts() -> Any:
    return arrow().list_(arrow().string())


def _record_columns() -> list[tuple[str, Any]]:
    pa = arrow()
    return [
        ("url", pa.string()),
        ("kind", pa.string()),
        ("fields", pa.map_(pa.string(), _texts())),
        ("made_by", pa.string()),
        ("sources", pa.map_(pa.string(), _texts())),
        ("unsure", _texts()),
        ("borrowed", pa.bool_()),
        ("probabilities", pa.map_(pa.string(), pa.list_(pa.float64()))),
        ("digest", pa.string()),
        ("part", pa.string()),
    ]


def _aside_columns() -> list[tuple[str, Any]]:
    pa = arrow()
    return [
        ("url", pa.string()),
        ("archive", pa.string()),
        ("offset", pa.int64()),
        ("reason", pa.string()),
        ("part", pa.string()),
    ]


def _fetch_columns() -> list[tuple[str, Any]]:
    pa = arrow()
    text, number, real = pa.string(), pa.int64(), pa.float64()
    return [
        *(("run", number), ("bucket", text), ("n", number), ("site", text), ("url", text), ("status", number)),
        *(("score", real), ("label", text), ("goal", pa.bool_()), ("goal_probability", real), ("goal_name", text)),
        *(("parent", text), ("depth", number), ("final_url", text), ("content_hash", text), ("failure", text)),
        *(("at", real), ("title", text), ("part", text)),
    ]


def _cluster_columns() -> list[tuple[str, Any]]:
    pa = arrow()
    return [
        *((name, pa.string()) for name in ("bucket", "url", "cluster", "site", "signature", "url_pattern")),
        ("sample_rank", pa.int64()),
        ("part", pa.string()),
    ]


RECORDS = Table("records", _record_columns, ("kind",))
"""Apart by kind: there are few, and nobody asks for papers and prices at once."""
ASIDE = Table("set aside", _aside_columns, ())
FETCHES = Table("fetches", _fetch_columns, ("run", "bucket"))
"""Apart by run, and by a digest of the registrable domain: who asks for a site reads one file in 16, and ten thousand sites are 16 files."""
CLUSTERS = Table("clusters", _cluster_columns, ("bucket",))


def record_row(record: Record, part: str) -> Row:
    """A record -> its row; `digest` is the one by which a workspace keeps it only once."""
    fields, sources = _lists(record.fields), _lists(record.sources)
    told = [*([dict(sources)] if sources else []), *([list(record.unsure)] if record.unsure else [])]
    digest = content_digest(record.url, record.kind, dict(fields), record.made_by, *told)
    return (
        unicode_text(record.url),
        unicode_text(record.kind),
        _unicode(fields),
        unicode_text(record.made_by),
        _unicode(sources),
        [unicode_text(name) for name in record.unsure],
        record.borrowed,
        [(unicode_text(name), list(values)) for name, values in record.probabilities.items()],
        digest,
        part,
    )


def record_of(row: dict[str, Any]) -> Record:
    """A row as pyarrow gives it -> the record."""
    return Record(
        row["url"],
        row["kind"],
        {name: tuple(values) for name, values in row["fields"]},
        row["made_by"],
        {name: tuple(values) for name, values in row["sources"]},
        tuple(row["unsure"]),
        row["borrowed"],
        {name: tuple(values) for name, values in row["probabilities"]},
    )


def _lists(values: Any) -> list[tuple[str, list[str]]]:
    return [(name, list(texts)) for name, texts in values.items()]


def _unicode(values: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    return [(unicode_text(name), [unicode_text(text) for text in texts]) for name, texts in values]
