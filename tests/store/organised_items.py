"""An organised.db for tests, as `organise` lays it out, with items that a test names."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trailmark.store.organised import bring_to_form


@dataclass(frozen=True)
class SomeItem:
    """An item with the columns that a test cares for."""

    key: str
    title: str = ""
    text: str = ""
    authors: str = ""
    year: int | None = None
    topic: str | None = None
    site: str = "a.test"
    kind: str = "paper"
    cited: int = 0
    fields: dict[str, list[str]] = field(default_factory=dict)
    body: str = ""


SHELF = (
    SomeItem("a", "Garbage collection by mark and sweep", "A collector for Lisp. It marks, then it sweeps.", "John McCarthy", 1960, "CS/Languages", cited=9),
    SomeItem("b", "A garbage collector for Java", "The heap of a virtual machine.", "Ada Jones; Paul Erdős", 1999, "CS/Languages/Java", "www.b.test", cited=3),
    SomeItem("c", "Neural networks for pattern recognition", "Training by back propagation of errors.", "Ann Lee", 1995, "CS/Learning", cited=7, fields={"venue": ["Neural Computation Letters"]}),
    SomeItem("d", "Learning to collect waste", "Routes of garbage trucks in the city.", "Bo Lee", None, None, "d.test", "page"),
    SomeItem("e", "机器学习的方法", "深度神经网络与模式识别。", "王小明", 2001, "CS/Learning", cited=1),
)  # fmt: skip


def open_items(path: Path | str = ":memory:") -> sqlite3.Connection:
    """A file with an empty table of items, in write-ahead mode."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=30)
    connection.execute("PRAGMA journal_mode = WAL")
    bring_to_form(connection)
    return connection


def put_items(connection: sqlite3.Connection, items: Iterable[SomeItem], how: str = "upsert") -> None:
    """Write items as `organise` does, or with INSERT OR REPLACE."""
    columns = (
        "key",
        "kind",
        "title",
        "authors",
        "year",
        "url",
        "site",
        "fields",
        "text",
        "topic",
        "cited",
        "digest",
        "body",
    )
    upsert = " ON CONFLICT (key) DO UPDATE SET " + ", ".join(f"{name} = excluded.{name}" for name in columns[1:])
    statement = f"INTO items ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    text = f"INSERT {statement}{upsert}" if how == "upsert" else f"INSERT OR REPLACE {statement}"
    connection.executemany(text, [_row(item) for item in items])


def _row(item: SomeItem) -> Sequence[object]:
    first = (item.key, item.kind, item.title, item.authors, item.year, f"http://{item.site}/{item.key}", item.site)
    return (
        *first,
        json.dumps(item.fields),
        item.text,
        item.topic,
        item.cited,
        "",
        zlib.compress(item.body.encode()) if item.body else None,
    )
