"""Updates that were run, each with its report; and the lock that keeps two from running at once."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.quoting import json_text
from trailmark.store.database import Database
from trailmark.store.file_lock import lock_alone

MOST_UPDATES = 500
"""Updates that are remembered; older ones are dropped."""
LOCK = "update.lock"


@dataclass(frozen=True, slots=True)
class StoredUpdate:
    """An update with its report as JSON; none where it was killed, or is under way."""

    id: int
    started_at: str
    finished_at: str | None
    report: dict[str, Any]


@contextmanager
def one_update(folder: Path) -> Iterator[None]:
    """Hold the lock of a workspace's updates; it goes with the process, however that ends, and the file stays."""
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        lock_alone(
            descriptor, f"{folder} is being updated by another process: nothing was done; look again when it has ended."
        )
        yield
    finally:
        os.close(descriptor)


def begin_update(database: Database, now: str) -> int:
    """A new update -> its number."""
    with database.transaction() as connection:
        connection.execute(
            "DELETE FROM updates WHERE id <= (SELECT COALESCE(MAX(id), 0) FROM updates) - ?", (MOST_UPDATES - 1,)
        )
        added = connection.execute("INSERT INTO updates (started_at, report) VALUES (?, '{}')", (now,))
        return int(added.lastrowid or 0)


def end_update(database: Database, number: int, now: str, report: dict[str, Any]) -> None:
    """Keep what came of an update."""
    with database.transaction() as connection:
        connection.execute(
            "UPDATE updates SET finished_at = ?, report = ? WHERE id = ?",
            (now, json_text(report), number),
        )


def read_updates(database: Database, most: int = 50) -> list[StoredUpdate]:
    """The latest first."""
    with database.snapshot() as connection:
        rows = connection.execute(
            "SELECT id, started_at, finished_at, report FROM updates ORDER BY id DESC LIMIT ?", (most,)
        ).fetchall()
    return [StoredUpdate(number, started, finished, json.loads(report)) for number, started, finished, report in rows]
