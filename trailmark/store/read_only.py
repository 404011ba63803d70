"""A database that is read and never written: not made, not brought up to date, not locked against those who write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from trailmark.store.live_files import note_database


@contextmanager
def open_to_read(path: Path, *, timeout: float) -> Iterator[sqlite3.Connection]:
    """An existing file -> a connection for reading alone, closed after the block."""
    note_database(path)
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=timeout)) as connection:
        yield connection
