"""The running text of documents, packed: what `search` finds beside their fields. A record never shows it."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator

from trailmark.store.content_digest import content_digest

LONGEST = 200_000
"""Characters of a body that are kept: some sixty pages."""


def keep_bodies(connection: sqlite3.Connection, bodies: Iterable[tuple[str, str]]) -> None:
    """(Address, text) of documents, in place of what was kept of them; an empty text is none."""
    for url, body in bodies:
        text = body[:LONGEST]
        connection.execute("DELETE FROM bodies WHERE url = ?", (url,))
        if text:
            packed = zlib.compress(text.encode("utf-8", "replace"), 6)
            connection.execute("INSERT INTO bodies VALUES (?, ?, ?)", (url, content_digest(url, text), packed))


def body_digests(connection: sqlite3.Connection) -> dict[str, str]:
    """Digest of each body -> the address of its document."""
    return dict(connection.execute("SELECT digest, url FROM bodies"))


def digests_of_bodies(connection: sqlite3.Connection, urls: Iterable[str]) -> dict[str, str]:
    """Addresses -> the digest of the body of each that has one."""
    rows = (connection.execute("SELECT url, digest FROM bodies WHERE url = ?", (url,)).fetchone() for url in urls)
    return dict(row for row in rows if row is not None)


def read_bodies(connection: sqlite3.Connection, urls: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """(Address, packed text) of those of these documents that have one."""
    for url in urls:
        row = connection.execute("SELECT packed FROM bodies WHERE url = ?", (url,)).fetchone()
        if row is not None:
            yield url, row[0]


def unpacked(packed: bytes | None) -> str:
    """A packed body -> its text; what is damaged, or larger than any that was kept, is none."""
    if not packed:
        return ""
    opener = zlib.decompressobj()
    try:
        return opener.decompress(packed, LONGEST * 4).decode("utf-8", "replace")
    except zlib.error:
        return ""
