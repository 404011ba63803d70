"""Databases that this process has to do with: nobody but SQLite opens, replaces or removes them.

POSIX drops all locks that a process holds on a file when it closes any descriptor of it. So a file that a person named is
compared with the databases by what `stat` says, under whatever name or link, before it is opened.
"""

from __future__ import annotations

import os
from pathlib import Path

from trailmark.errors import InputError

_BESIDE = ("", "-wal", "-shm", "-journal")
_databases: set[str] = set()
"""Paths of databases that were opened; they stay, as another process may have them open still."""


def note_database(path: Path | str) -> None:
    """Remember a file that SQLite is about to open."""
    _databases.add(os.path.realpath(path))


def refuse_database(path: Path | str) -> None:
    """Raise InputError where the file is one of the databases, or one of the files that SQLite keeps beside them."""
    asked = _identity(path)
    if asked is None:
        taken = os.path.abspath(path) in {base + ending for base in _databases for ending in _BESIDE}  # noqa: PTH100
    else:
        taken = any(asked == _identity(base + ending) for base in _databases for ending in _BESIDE)
    if taken:
        raise InputError(f"{path} belongs to the workspace's own database: name another file.")


def _identity(path: Path | str) -> tuple[int, int] | None:
    """Device and number of the file, wherever links lead; None where there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116 - a path as text, many times
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
