"""Whose database is it, and is it one that we know? Asked of SQLite, before anything may be written to the file.

The file itself is never opened here: POSIX drops all locks that a process holds on a file when the process closes any
descriptor of it, and another process would then believe itself alone and remove a log that is in use. SQLite keeps such
descriptors open until its own locks are gone.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from trailmark.errors import NewerWorkspace, WorkspaceError
from trailmark.store.schema import APPLICATION_ID, MIGRATIONS, version_of

_UNTOUCHED = "mode=ro&immutable=1"
"""What the file says without its log: takes no locks and leaves nothing beside the file."""
_WITH_LOG = "mode=ro"
"""What the file and its log say; an empty log may be left beside it."""
_ONLY_A_WRITER_CAN_TELL = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""What a reader meets where the file must be mended first, or where its log vanished just now."""


class _Header(NamedTuple):
    version: int
    application: int
    tables: int


def look_first(path: Path, *, timeout: float) -> None:
    """Refuse a file that is not ours or newer than we are: WorkspaceError or NewerWorkspace, and the file is untouched."""
    if not path.exists():
        return
    if path.is_dir():
        raise WorkspaceError(f"{path} is a folder: name the workspace that holds the database.")
    refuse_newer(path, _version_without_log(path))
    try:
        header = _ask(path, _WITH_LOG, timeout)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in _ONLY_A_WRITER_CAN_TELL:
            return  # opening it to write mends it, or tells what is wrong
        raise
    if header.application != APPLICATION_ID and any(header):
        raise WorkspaceError(f"{path} is the database of another program: choose another folder.")
    refuse_newer(path, header.version)


def _version_without_log(path: Path) -> int:
    """The version that stands in the file of ours; 0 where it can't be told like this.

    A writer may be at work on the same page, so that an error says nothing yet.
    """
    try:
        header = _ask(path, _UNTOUCHED, 0.0)
    except sqlite3.DatabaseError:
        return 0
    return header.version if header.application == APPLICATION_ID else 0


def _ask(path: Path, how: str, timeout: float) -> _Header:
    address = f"{path.absolute().as_uri()}?{how}"
    with closing(sqlite3.connect(address, uri=True, timeout=timeout, isolation_level=None)) as connection:
        connection.execute("BEGIN")  # another process may be making the tables: all three are of one moment
        application = int(connection.execute("PRAGMA application_id").fetchone()[0])
        tables = int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
        return _Header(version_of(connection), application, tables)


def refuse_newer(path: Path, version: int) -> None:
    """Raise NewerWorkspace where the version is one that is not known here."""
    if version > len(MIGRATIONS):
        raise NewerWorkspace(
            f"{path} was made by a newer Trailmark (its format is {version}, this one knows up to {len(MIGRATIONS)}): "
            "upgrade Trailmark; nothing was changed."
        )
