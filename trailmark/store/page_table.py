"""Fetched pages and lifted records as rows: what the web gave."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime

from trailmark.datatypes import Record, Response
from trailmark.store.content_digest import content_digest


@dataclass(frozen=True, slots=True)
class StoredPage:
    """Where a fetched page rests. The fields are the columns of the table, in order."""

    url: str
    """The URL that was asked for."""
    final_url: str
    """The URL that answered, after redirects."""
    status: int
    content_type: str = ""
    content_hash: str = ""
    archive: str = ""
    """Name of the archive file, relative to the workspace's archive folder."""
    offset: int = -1
    fetched_at: str = ""
    """ISO 8601, UTC."""


def stored_page(url: str, response: Response, archive: str, offset: int) -> StoredPage:
    """The row of a response that was just archived; `url` is what was asked for."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return StoredPage(
        url, response.url, response.status, response.content_type, response.content_hash, archive, offset, now
    )


def add_pages(connection: sqlite3.Connection, pages: Iterable[StoredPage]) -> None:
    """A page fetched again takes the place of its earlier row."""
    connection.executemany(
        "INSERT OR REPLACE INTO pages (url, final_url, status, content_type, content_hash, archive, offset, fetched_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        map(astuple, pages),
    )


def read_pages(connection: sqlite3.Connection, url: str | None = None) -> Iterator[StoredPage]:
    """Pages by URL."""
    rows = connection.execute(
        "SELECT url, final_url, status, content_type, content_hash, archive, offset, fetched_at FROM pages "
        "WHERE ?1 IS NULL OR url = ?1 ORDER BY url",
        (url,),
    )
    for row in rows:
        yield StoredPage(*row)


def add_records(connection: sqlite3.Connection, records: Iterable[Record], *, at: str) -> int:
    """How many records were new."""
    new = 0
    for each in records:
        fields = {name: list(values) for name, values in each.fields.items()}
        new += connection.execute(
            "INSERT OR IGNORE INTO records (url, kind, fields, made_by, added_at, content_hash) VALUES (?, ?, ?, ?, ?, ?)",
            (
                each.url,
                each.kind,
                json.dumps(fields, ensure_ascii=False),
                each.made_by,
                at,
                content_digest(each.url, each.kind, fields, each.made_by),
            ),
        ).rowcount
    return new


def replace_records(connection: sqlite3.Connection, records: Sequence[Record], *, maker: str, at: str) -> int:
    """Put records in place of those that the same kind of maker made of the same pages; how many are there now."""
    connection.executemany(
        "DELETE FROM records WHERE url = ? AND substr(made_by, 1, ?) = ?",
        [(each.url, len(maker), maker) for each in records],
    )
    return add_records(connection, records, at=at)


def read_records(connection: sqlite3.Connection, kind: str | None) -> Iterator[Record]:
    """Records in the order they were added, of one kind or of all."""
    rows = connection.execute(
        "SELECT url, kind, fields, made_by FROM records WHERE ?1 IS NULL OR kind = ?1 ORDER BY id", (kind,)
    )
    for url, found_kind, fields, made_by in rows:
        values = {name: tuple(each) for name, each in json.loads(fields).items()}
        yield Record(url=url, kind=found_kind, fields=values, made_by=made_by)
