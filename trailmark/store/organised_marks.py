"""Which records are in organised.db, and the marks (digests of keys) under which its things and references find their like.

Marks are 32 bits of a checksum: two keys with one mark cost a comparison, no more. With them a new record is compared with its like alone.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

import numpy as np

Kind = Literal[0, 1, 2]
THING: Kind = 0
REFERENCE: Kind = 1
HIDDEN: Kind = 2
"""A thing that people hid: nobody sees it, but its like is known when it comes again."""
MOST = 200
"""Holders of the same marks that are looked at, those with the most in common first."""
HOLDER_BITS = 32
HOLDERS = np.dtype("<u4")
NO_MARK = 1 << HOLDER_BITS
"""Above all marks."""
AT_ONCE = 500
"""Values that one question to SQLite names."""


def mark_of(key: str) -> int:
    """A key -> its mark."""
    return crc32(key.encode("utf-8", "surrogatepass"))


class MarkRows:
    """Marks of things, of hidden ones, or of references, that are gathered and then written: all holders of a mark in one row."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._pairs = array("Q")
        """A mark and who holds it, 32 bits each: so the rows of a large workspace take little, and are sorted in one go."""

    def add(self, holder: int, keys: Iterable[str]) -> None:
        """The keys of a thing (by its number in the file) or a reference (by its record)."""
        self._pairs.extend([mark_of(key) << HOLDER_BITS | holder for key in keys])

    def rows(self) -> Iterator[tuple[int, int, int, bytes]]:
        """In the order of the table: kind, mark, the first holder, all of them."""
        if not self._pairs:
            return
        pairs = np.unique(np.array(self._pairs, dtype=np.uint64))
        marks, holders = pairs >> HOLDER_BITS, (pairs & ((1 << HOLDER_BITS) - 1)).astype(HOLDERS)
        starts = np.flatnonzero(np.diff(marks, prepend=NO_MARK))
        ends = np.append(starts[1:], len(marks)).tolist()
        firsts = zip(marks[starts].tolist(), holders[starts].tolist(), starts.tolist(), ends, strict=True)
        for mark, first, start, end in firsts:
            yield self._kind, mark, first, holders[start:end].tobytes()


def put_marks(connection: sqlite3.Connection, marks: MarkRows) -> None:
    """Add marks to those that are there: rows beside theirs, so that nothing that is there is read or written again."""
    connection.executemany("INSERT OR IGNORE INTO marks VALUES (?, ?, ?, ?)", marks.rows())


def clear_marks(connection: sqlite3.Connection) -> None:
    """Forget all marks, and which records are in."""
    for table in ("marks", "seen", "seen_bodies"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608


def marked_alike(connection: sqlite3.Connection, kind: Kind, keys: Sequence[str], least: int = 1) -> list[int]:
    """Keys -> things or references with so many of them, those with the most first."""
    found = []
    for some in chunks(sorted({mark_of(key) for key in keys})):
        query = f"SELECT holders FROM marks WHERE kind = ? AND mark IN ({', '.join('?' * len(some))})"  # noqa: S608
        found += [np.frombuffer(row[0], dtype=HOLDERS) for row in connection.execute(query, (kind, *some))]
    if not found:
        return []
    shared = np.bincount(np.concatenate(found))
    alike = np.flatnonzero(shared >= least)
    # One number that is higher where more marks are shared, and of those that share as many where the holder is lower.
    worth = shared[alike] * len(shared) - alike
    if len(alike) > MOST:
        most = np.argpartition(worth, -MOST)[-MOST:]
        alike, worth = alike[most], worth[most]
    listed: list[int] = alike[np.argsort(-worth)].tolist()
    return listed


@dataclass(frozen=True, slots=True)
class Seen:
    """What is in the file, or in the workspace."""

    last: int
    """The highest number of a record."""
    number: int
    """Of records."""
    digest: str
    """Of the numbers of all records, and of what was lifted."""
    bodies: frozenset[str]
    """Digests of the running texts of documents."""


def read_seen(connection: sqlite3.Connection) -> Seen:
    """What was organised."""
    bodies = frozenset(digest for (digest,) in connection.execute("SELECT digest FROM seen_bodies"))
    last, number, digest = connection.execute("SELECT last, number, digest FROM seen").fetchone() or (0, 0, "")
    return Seen(last, number, digest, bodies)


def put_seen(connection: sqlite3.Connection, seen: Seen) -> None:
    """What is in from now on."""
    connection.execute("DELETE FROM seen")
    connection.execute("INSERT INTO seen VALUES (?, ?, ?)", (seen.last, seen.number, seen.digest))
    connection.executemany("INSERT OR IGNORE INTO seen_bodies VALUES (?)", ((each,) for each in sorted(seen.bodies)))


def chunks(values: Sequence[int]) -> Iterator[Sequence[int]]:
    """Values -> some of them at a time."""
    for start in range(0, len(values), AT_ONCE):
        yield values[start : start + AT_ONCE]
