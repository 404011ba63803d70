"""The file of the archive index: opened by SQLite, and thrown away where it can't be used and nobody else uses it.

Who has the index open holds a shared lock on a file beside it. A database that is removed while another process has it
open would lose its log when that process ends, so it is removed only by one who holds the lock alone.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import warnings
from contextlib import suppress
from pathlib import Path

from trailmark.errors import WorkspaceError
from trailmark.store.archive import ArchiveWarning
from trailmark.store.write_ahead import set_write_ahead

_FORMAT = 2
"""Of the file; an index of another is made anew. Raised when keys of URLs change."""
_TABLES = f"""
CREATE TABLE IF NOT EXISTS archives (
    id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL,
    unpacked INTEGER NOT NULL, last INTEGER NOT NULL, print TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
    key TEXT NOT NULL, archive INTEGER NOT NULL, offset INTEGER NOT NULL, url TEXT NOT NULL,
    PRIMARY KEY (key, archive, offset)) WITHOUT ROWID;
PRAGMA user_version = {_FORMAT};
"""
_IN_MEMORY = ":memory:"


class IndexFile:
    """An open index, its tables made: the file, or memory where the file is damaged and in use."""

    def __init__(self, path: str, timeout: float) -> None:
        self._lock = _shared_lock(path)
        try:
            self.connection = self._opened(path, timeout)
        except BaseException:
            self._let_go()
            raise

    def close(self) -> None:
        """Close it; may be called twice."""
        self.connection.close()
        self._let_go()

    def _opened(self, path: str, timeout: float) -> sqlite3.Connection:
        try:
            return _connected(path, timeout)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise _unusable(path, error) from error
        if not self._removed(path):
            what = f"The archive index {path} is damaged and used by another process: archives are indexed in memory."
            warnings.warn(what, ArchiveWarning, stacklevel=4)
            return _connected(_IN_MEMORY, timeout)
        try:
            return _connected(path, timeout)
        except sqlite3.DatabaseError as error:
            raise _unusable(path, error) from error

    def _removed(self, path: str) -> bool:
        """Remove the file, unless somebody else has it open: then False."""
        if self._lock < 0:
            return False
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for name in (path, f"{path}-wal", f"{path}-shm"):
                Path(name).unlink(missing_ok=True)
        except BlockingIOError:
            return False
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_SH)
        return True

    def _let_go(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def _shared_lock(path: str) -> int:
    """A descriptor that holds the lock with others; -1 where there is no place for one."""
    if path == _IN_MEMORY:
        return -1
    with suppress(OSError):
        descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        return descriptor
    return -1


def _connected(path: str, timeout: float) -> sqlite3.Connection:
    """The index, whole and of this format; DatabaseError where it is not."""
    connection = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    try:
        set_write_ahead(connection, timeout)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _FORMAT):
            raise sqlite3.DatabaseError("another format")
        if version == 0:
            connection.executescript(_TABLES)
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("damaged")
    except BaseException:
        connection.close()
        raise
    return connection


def _unusable(path: str, error: Exception) -> WorkspaceError:
    return WorkspaceError(f"The archive index {path} can't be used ({error}): remove the file.")
