"""Of which records each item of organised.db was made, those that people hid too, and when a person last said something of a thing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trailmark.thing_datatypes import ThingSource

SOURCE_TABLES = (
    # Of items that are shown and of those that people hid: the records of each, and what each would be by itself.
    """CREATE TABLE sources (
        key TEXT NOT NULL, record INTEGER NOT NULL, url TEXT NOT NULL, thing TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL, found TEXT NOT NULL,
        PRIMARY KEY (key, record)) WITHOUT ROWID""",
    "CREATE INDEX sources_by_record ON sources (record)",
    """CREATE TABLE hidden_items (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, title TEXT NOT NULL, authors TEXT NOT NULL, year INTEGER, url TEXT NOT NULL,
        fields TEXT NOT NULL)""",
    # When a person last said something of a thing, and the topic that it was in then: what programs that harvest are told.
    "CREATE TABLE touches (thing TEXT PRIMARY KEY, at TEXT NOT NULL, topic TEXT NOT NULL) WITHOUT ROWID",
)


@dataclass(frozen=True, slots=True)
class HiddenItem:
    """An item that people hid, as its like are looked for."""

    key: str
    kind: str
    title: str
    authors: str
    year: int | None
    url: str
    fields: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Touch:
    """The last time that a person said something of a thing."""

    thing: str
    at: str
    topic: str
    """In which it was then; empty for none."""


def put_sources(connection: sqlite3.Connection, key: str, sources: Iterable[ThingSource]) -> None:
    """The records of an item, shown or hidden, in place of those it had."""
    connection.execute("DELETE FROM sources WHERE key = ?", (key,))
    connection.executemany(
        "INSERT OR REPLACE INTO sources (key, record, url, thing, kind, title, found) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(key, *source) for source in sources],
    )


def set_hidden(
    connection: sqlite3.Connection, items: Iterable[tuple[HiddenItem, Sequence[ThingSource]]]
) -> dict[str, int]:
    """Items that are hidden, in place of those that were -> key and number of each."""
    gone = [key for (key,) in connection.execute("SELECT key FROM hidden_items").fetchall()]
    connection.executemany(
        "DELETE FROM sources WHERE key = ?1 AND key NOT IN (SELECT key FROM items)", [(key,) for key in gone]
    )
    connection.execute("DELETE FROM hidden_items")
    return {item.key: hide_item(connection, item, sources) for item, sources in items}


def hide_item(connection: sqlite3.Connection, item: HiddenItem, sources: Sequence[ThingSource] | None = None) -> int:
    """One more that is hidden, with the records that it has or with these -> its number."""
    row = connection.execute(
        "INSERT INTO hidden_items (key, kind, title, authors, year, url, fields) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (
            *(item.key, item.kind, item.title, item.authors, item.year, item.url),
            json.dumps({name: list(values) for name, values in item.fields.items()}),
        ),
    ).fetchone()
    if sources is not None:
        put_sources(connection, item.key, sources)
    return int(row[0])


def set_touches(connection: sqlite3.Connection, touches: Iterable[Touch]) -> None:
    """What people touched, in place of what was there."""
    connection.execute("DELETE FROM touches")
    connection.executemany(
        "INSERT OR REPLACE INTO touches VALUES (?, ?, ?)", [(each.thing, each.at, each.topic) for each in touches]
    )
