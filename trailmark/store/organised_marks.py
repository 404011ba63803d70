"""Which records are in organised.db, and the marks (digests of keys) under which its things and references find their like.

Marks are 32 bits of a checksum: two keys with one mark cost a comparison, no more. With them a new record is compared with its like alone.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

import numpy as np

Kind = Literal[0, 1]
THING: Kind = 0
REFERENCE: Kind = 1
MOST = 200
"""Holders of the same marks that are looked at, those with the most in common first."""
AT_ONCE = 500
"""Values that one question to SQLite names."""


def mark_of(key: str) -> int:
    """A key -> its mark."""
    return crc32(key.encode("utf-8", "surrogatepass"))


class MarkRows:
    """Marks that are gathered, and then written in their order: so they lie side by side, and are written in one go."""

    def __init__(self) -> None:
        self._marks, self._kinds, self._holders = array("Q"), array("b"), array("q")

    def add(self, kind: Kind, holder: int, keys: Iterable[str]) -> None:
        """The keys of a thing (by its number in the file) or a reference (by its record)."""
        for key in keys:
            self._marks.append(mark_of(key))
            self._kinds.append(kind)
            self._holders.append(holder)

    def rows(self) -> Iterator[tuple[int, int, int]]:
        """In the order of the table."""
        columns = [np.array(column) for column in (self._marks, self._kinds, self._holders)]
        order = np.lexsort(columns[::-1])
        for start in range(0, len(order), 100_000):
            some = order[start : start + 100_000]
            yield from zip(*(column[some].tolist() for column in columns), strict=True)


def put_marks(connection: sqlite3.Connection, marks: MarkRows) -> None:
    """Add marks to those that are there."""
    connection.executemany("INSERT OR IGNORE INTO marks VALUES (?, ?, ?)", marks.rows())


def clear_marks(connection: sqlite3.Connection) -> None:
    """Forget all marks, and which records are in."""
    for table in ("marks", "seen", "seen_bodies"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608


def marked_alike(connection: sqlite3.Connection, kind: Kind, keys: Sequence[str], least: int = 1) -> list[int]:
    """Keys -> things or references with so many of them, those with the most first."""
    shared: dict[int, int] = {}
    for some in chunks(sorted({mark_of(key) for key in keys})):
        query = f"SELECT holder FROM marks WHERE kind = ? AND mark IN ({', '.join('?' * len(some))})"  # noqa: S608
        for (holder,) in connection.execute(query, (kind, *some)):
            shared[holder] = shared.get(holder, 0) + 1
    alike = [holder for holder, n in shared.items() if n >= least]
    return sorted(alike, key=lambda holder: (-shared[holder], holder))[:MOST]


@dataclass(frozen=True, slots=True)
class Seen:
    """What is in the file, or in the workspace: the digest of each record by its number, and those of bodies."""

    records: Mapping[int, str]
    bodies: frozenset[str]


def read_seen(connection: sqlite3.Connection) -> Seen:
    """What was organised."""
    bodies = frozenset(digest for (digest,) in connection.execute("SELECT digest FROM seen_bodies"))
    return Seen(dict(connection.execute("SELECT record, digest FROM seen")), bodies)


def put_seen(connection: sqlite3.Connection, seen: Seen) -> None:
    """What is in from now on."""
    connection.executemany("INSERT OR REPLACE INTO seen VALUES (?, ?)", seen.records.items())
    connection.executemany("INSERT OR IGNORE INTO seen_bodies VALUES (?)", ((each,) for each in sorted(seen.bodies)))


def chunks(values: Sequence[int]) -> Iterator[Sequence[int]]:
    """Values -> some of them at a time."""
    for start in range(0, len(values), AT_ONCE):
        yield values[start : start + AT_ONCE]
