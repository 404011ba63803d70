"""A database that is read and never written: not made, not brought up to date, not locked against those who write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from trailmark.store.live_files import note_database


def reading_connection(path: Path, *, timeout: float) -> sqlite3.Connection:
    """An existing file -> a connection for reading alone."""
    note_database(path)
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=timeout, isolation_level=None)


@contextmanager
def open_to_read(path: Path, *, timeout: float) -> Iterator[sqlite3.Connection]:
    """The same, closed after the block."""
    with closing(reading_connection(path, timeout=timeout)) as connection:
        yield connection
