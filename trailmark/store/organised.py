"""organised.db: what was made of the records for readers. It holds nothing that can't be made again; what people decided rests in trailmark.db.

A file of another form than this version writes is thrown away and made anew by the next `organise`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Self

from trailmark.errors import InputError, WorkspaceBusy
from trailmark.store.advice_table import ADVICE_TABLES
from trailmark.store.item_sources import SOURCE_TABLES, put_sources
from trailmark.store.live_files import note_database
from trailmark.store.read_only import reading_connection
from trailmark.store.write_ahead import is_busy, set_write_ahead
from trailmark.thing_datatypes import ThingSource

FILE = "organised.db"
Connection = sqlite3.Connection
"""An open database, for those who hand it on."""
FORM = 5
"""Raised when tables change: the file is made anew."""
APPLICATION_ID = 0x54726D6F  # "Trmo"
TABLES = (
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE items (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, title TEXT NOT NULL, authors TEXT NOT NULL, year INTEGER, url TEXT NOT NULL, site TEXT NOT NULL,
        topic TEXT, topic_chance REAL, cited INTEGER NOT NULL DEFAULT 0, digest TEXT NOT NULL, fields TEXT NOT NULL, text TEXT NOT NULL, body BLOB)""",
    "CREATE INDEX items_by_topic ON items (topic)",
    "CREATE INDEX items_by_chance ON items (topic_chance)",
    "CREATE TABLE ranks (key TEXT PRIMARY KEY, cited INTEGER NOT NULL, hub REAL NOT NULL, authority REAL NOT NULL, pagerank REAL NOT NULL) WITHOUT ROWID",
    *SOURCE_TABLES,
    *ADVICE_TABLES,
    """CREATE TABLE citations (
        record INTEGER PRIMARY KEY, citing TEXT NOT NULL, name TEXT NOT NULL, found INTEGER NOT NULL, grp INTEGER NOT NULL, cited TEXT,
        context TEXT NOT NULL, reference TEXT NOT NULL)""",
    "CREATE INDEX citations_by_citing ON citations (citing, cited)",
    "CREATE INDEX citations_by_name ON citations (name)",
    "CREATE INDEX citations_by_found ON citations (found)",
    "CREATE INDEX citations_by_group ON citations (grp)",
    "CREATE INDEX citations_by_cited ON citations (cited, citing)",
    # Records that are in, and the keys under which things and references find their like.
    "CREATE TABLE seen (last INTEGER NOT NULL, number INTEGER NOT NULL, digest TEXT NOT NULL)",
    "CREATE TABLE seen_bodies (digest TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE marks (kind INTEGER NOT NULL, mark INTEGER NOT NULL, first INTEGER NOT NULL, holders BLOB NOT NULL, PRIMARY KEY (kind, mark, first)) WITHOUT ROWID",
)


@dataclass(frozen=True, slots=True)
class StoredItem:
    """A thing as readers see it."""

    key: str
    kind: str
    title: str
    authors: str
    year: int | None
    url: str
    site: str
    fields: Mapping[str, Sequence[str]]
    text: str
    digest: str
    """Of all the above: the same where nothing changed."""
    sources: tuple[ThingSource, ...] = ()
    """The records that it was made of."""
    body: bytes | None = None
    """The running text of its document, packed."""


@dataclass(frozen=True, slots=True)
class StoredCitation:
    """One reference of one item."""

    citing: str
    record: int
    name: str
    """The same as long as its address and its words are, however often it is read again."""
    found: int
    """Its group as it was found: the lowest record of the group."""
    group: int
    """Its group, with what people said of it."""
    cited: str | None
    """The item here that its group means."""
    context: str
    reference: str


class Organised:
    """The open file."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection, self.path = connection, path

    @classmethod
    def open(cls, folder: Path, *, timeout: float = 30.0) -> Self:
        """The file of a workspace's folder, made where it is not there or of another form."""
        path = folder / FILE
        note_database(path)
        connection = sqlite3.connect(path, timeout=timeout, isolation_level=None)
        try:
            with plain_errors(path):
                set_write_ahead(connection, timeout)
                bring_to_form(connection)
        except BaseException:
            connection.close()
            raise
        return cls(connection, path)

    @classmethod
    def open_to_read(cls, folder: Path, *, timeout: float = 30.0) -> Self | None:
        """The file for reading alone; None where nothing was organised yet."""
        path = folder / FILE
        if not path.is_file():
            return None
        with plain_errors(path):
            connection = reading_connection(path, timeout=timeout)
            try:
                current = _form(connection) == FORM
            except BaseException:
                connection.close()
                raise
        if not current:
            connection.close()
            return None
        return cls(connection, path)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing."""
        with plain_errors(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def fact(self, name: str) -> str | None:
        """A noted fact about the whole."""
        row = self.connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def digests(self) -> dict[str, str]:
        """Key -> digest of every item."""
        return dict(self.connection.execute("SELECT key, digest FROM items"))


def set_fact(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Note a fact about the whole."""
    connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))


def put_items(connection: sqlite3.Connection, items: Iterable[StoredItem]) -> None:
    """Add items, or change them where they are. One whose words are others waits to be placed anew; ranks stay until they are set anew."""
    for item in items:
        connection.execute(
            "INSERT INTO items (key, kind, title, authors, year, url, site, fields, text, digest, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, title = excluded.title, authors = excluded.authors, year = excluded.year, "
            "url = excluded.url, site = excluded.site, fields = excluded.fields, text = excluded.text, digest = excluded.digest, "
            "body = excluded.body, topic_chance = CASE WHEN title IS excluded.title AND text IS excluded.text THEN topic_chance END",
            (
                *(item.key, item.kind, item.title, item.authors, item.year, item.url, item.site),
                *(json.dumps({name: list(values) for name, values in item.fields.items()}), item.text, item.digest),
                item.body,
            ),
        )
        put_sources(connection, item.key, item.sources)


def remove_items(connection: sqlite3.Connection, keys: Iterable[str]) -> None:
    """Forget items that are no longer there."""
    for key in keys:
        for table in ("items", "sources", "ranks"):
            connection.execute(f"DELETE FROM {table} WHERE key = ?", (key,))  # noqa: S608
        connection.execute("DELETE FROM citations WHERE citing = ?", (key,))


def set_topics(connection: sqlite3.Connection, topics: Iterable[tuple[str, str | None, float | None]]) -> None:
    """(Key, id of its leaf or None, how likely) of items."""
    connection.executemany(
        "UPDATE items SET topic = ?2, topic_chance = ?3 WHERE key = ?1 AND (topic IS NOT ?2 OR topic_chance IS NOT ?3)",
        topics,
    )


def put_citations(connection: sqlite3.Connection, citations: Iterable[StoredCitation]) -> None:
    """Add citations, or change them where they are."""
    connection.executemany(
        "INSERT OR REPLACE INTO citations (record, citing, name, found, grp, cited, context, reference) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (each.record, each.citing, each.name, each.found, each.group, each.cited, each.context, each.reference)
            for each in citations
        ),
    )


RankRow = tuple[str, int, float, float, float]
"""Key, times cited, hub, authority, PageRank."""


def read_ranks(connection: sqlite3.Connection) -> Iterator[RankRow]:
    """The ranks of all items that have some."""
    yield from connection.execute("SELECT key, cited, hub, authority, pagerank FROM ranks")


def set_ranks(connection: sqlite3.Connection, ranks: Iterable[RankRow]) -> None:
    """Ranks of items, in place of those they had."""
    for row in ranks:
        connection.execute("INSERT OR REPLACE INTO ranks VALUES (?, ?, ?, ?, ?)", row)
        connection.execute("UPDATE items SET cited = ?2 WHERE key = ?1 AND cited IS NOT ?2", row[:2])


def item_keys(connection: sqlite3.Connection) -> list[str]:
    """The keys of all items, in their order."""
    return [str(key) for (key,) in connection.execute("SELECT key FROM items ORDER BY key")]


def cited_by_item(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """Key of an item -> keys of the items that it cites, each once, itself left out."""
    cites: dict[str, tuple[str, ...]] = {}
    rows = connection.execute(
        "SELECT DISTINCT citing, cited FROM citations WHERE cited IS NOT NULL AND cited != citing ORDER BY citing, cited"
    )
    for citing, pairs in groupby(rows, key=lambda row: row[0]):
        cites[str(citing)] = tuple(str(cited) for _, cited in pairs)
    return cites


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """SQLite's errors within the block as ours."""
    try:
        yield
    except sqlite3.Error as error:
        if is_busy(error):
            raise WorkspaceBusy(f"{path} is being written by another process; try again when it has ended.") from error
        raise InputError(f"{path} can't be used ({error}); delete it and run: trailmark organise") from error


def _form(connection: sqlite3.Connection) -> int | None:
    """The form of a file, 0 for an empty one, None for one that is something else."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    return int(form) if application in (APPLICATION_ID, 0) else None


def bring_to_form(connection: sqlite3.Connection) -> None:
    """The tables of this version, empty, in place of those of another."""
    form = _form(connection)
    if form == FORM:
        return
    connection.execute("BEGIN IMMEDIATE")
    if _form(connection) != FORM:
        names = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_%'"
            )
        ]
        for name in names:
            connection.execute(f'DROP TABLE "{name}"')
        for statement in TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORM}")
    connection.execute("COMMIT")
