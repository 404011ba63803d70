"""Rules and records that a person took back, as rows: they stay away although what made them is still there."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from trailmark.datatypes import Record
from trailmark.store.content_digest import content_digest


def read_forgotten_rules(connection: sqlite3.Connection) -> dict[str, str]:
    """Cluster -> a digest of the rules that were taken back."""
    return dict(connection.execute("SELECT cluster_id, digest FROM forgotten_rules ORDER BY 1").fetchall())


def forget_rules(connection: sqlite3.Connection, cluster: str, digest: str) -> None:
    """Take the rules of a cluster back, as long as they are these."""
    connection.execute("INSERT OR REPLACE INTO forgotten_rules (cluster_id, digest) VALUES (?, ?)", (cluster, digest))


def remember_rules(connection: sqlite3.Connection, clusters: Iterable[str]) -> None:
    """These clusters have other rules now."""
    connection.executemany("DELETE FROM forgotten_rules WHERE cluster_id = ?", [(name,) for name in sorted(clusters)])


def record_digest(record: Record) -> str:
    """A record -> what it says of which page, whoever made it."""
    return content_digest(record.url, record.kind, {name: list(texts) for name, texts in record.fields.items()})


def forget_records(connection: sqlite3.Connection, numbers: Sequence[int], records: Sequence[Record]) -> None:
    """Remove records, and remember them: what says the same of the same page is not kept again, as often as it was removed."""
    connection.executemany("DELETE FROM records WHERE id = ?", [(number,) for number in numbers])
    connection.executemany(
        "INSERT INTO forgotten_records (digest, url) VALUES (?, ?) ON CONFLICT (digest) DO UPDATE SET copies = copies + 1",
        [(record_digest(record), record.url) for record in records],
    )


def wanted_records(connection: sqlite3.Connection, records: Sequence[Record]) -> list[Record]:
    """All records of some pages -> those that nobody took back."""
    if connection.execute("SELECT 1 FROM forgotten_records LIMIT 1").fetchone() is None:
        return list(records)
    wanted, gone = [], Counter[str]()
    for record in records:
        digest = record_digest(record)
        if gone[digest] < _copies(connection, digest):
            gone[digest] += 1
        else:
            wanted.append(record)
    return wanted


def _copies(connection: sqlite3.Connection, digest: str) -> int:
    row = connection.execute("SELECT copies FROM forgotten_records WHERE digest = ?", (digest,)).fetchone()
    return row[0] if row else 0
