"""SQLite's write-ahead mode, set while other processes may be doing the same."""

from __future__ import annotations

import sqlite3
import time

BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process is in the way."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in BUSY


def set_write_ahead(connection: sqlite3.Connection, timeout: float) -> None:
    """Readers never wait, and what was committed survives a kill.

    SQLite does not wait by itself when two processes make a new file at once, so this does.
    """
    deadline = time.monotonic() + timeout
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    connection.execute("PRAGMA synchronous = NORMAL")
