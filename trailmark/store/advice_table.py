"""What is told beside the items of courses, as rows of organised.db: an abstract of each, and what other courses have on the same."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

ADVICE_TABLES = (
    "CREATE TABLE advice (course TEXT NOT NULL, url TEXT NOT NULL, abstract TEXT NOT NULL, recommended TEXT NOT NULL, PRIMARY KEY (course, url)) WITHOUT ROWID",
)


@dataclass(frozen=True, slots=True)
class OtherItem:
    """An item of another course that speaks of the same."""

    course: str
    """The id of its course."""
    name: str
    """What its course is called."""
    url: str
    title: str
    kind: str
    shared: tuple[str, ...]
    """The phrases that both have: why it is recommended."""


@dataclass(frozen=True, slots=True)
class StoredAdvice:
    """What is told beside an item of a course."""

    course: str
    url: str
    abstract: tuple[str, ...]
    recommended: tuple[OtherItem, ...]


def put_advice(connection: sqlite3.Connection, rows: Iterable[StoredAdvice]) -> None:
    """Advice in place of all that was there."""
    connection.execute("DELETE FROM advice")
    connection.executemany(
        "INSERT OR REPLACE INTO advice VALUES (?, ?, ?, ?)",
        (
            (
                *(each.course, each.url, json.dumps(each.abstract)),
                json.dumps([(o.course, o.name, o.url, o.title, o.kind, o.shared) for o in each.recommended]),
            )
            for each in rows
        ),
    )


def count_advice(connection: sqlite3.Connection) -> int:
    """How many items something is told of."""
    return int(connection.execute("SELECT count(*) FROM advice").fetchone()[0])


def read_advice(connection: sqlite3.Connection, course: str) -> Mapping[str, StoredAdvice]:
    """The id of a course -> what is told beside its items, by their addresses."""
    rows = connection.execute("SELECT url, abstract, recommended FROM advice WHERE course = ?", (course,))
    return {
        url: StoredAdvice(
            course,
            url,
            tuple(json.loads(abstract)),
            tuple(
                OtherItem(other, name, at, title, kind, tuple(shared))
                for other, name, at, title, kind, shared in json.loads(others)
            ),
        )
        for url, abstract, others in rows
    }
