"""Fetched pages as rows: what the web gave."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass

from trailmark.datatypes import Response
from trailmark.store.moment import present


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
    now = present()
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


_PAGES = "SELECT url, final_url, status, content_type, content_hash, archive, offset, fetched_at FROM pages"


def read_pages(connection: sqlite3.Connection, url: str | None = None) -> Iterator[StoredPage]:
    """Pages by URL."""
    # Two queries: "all, or the one" in one would look at every row for the one.
    query = f"{_PAGES} ORDER BY url" if url is None else f"{_PAGES} WHERE url = ?"
    for row in connection.execute(query, () if url is None else (url,)):
        yield StoredPage(*row)
