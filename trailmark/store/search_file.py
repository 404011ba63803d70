"""organised.db, opened by one who searches it: for reading alone, while others may write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from trailmark.errors import InputError, WorkspaceBusy
from trailmark.store.full_text import has_index
from trailmark.store.live_files import note_database
from trailmark.store.write_ahead import is_busy

FILE = "organised.db"
CACHE = 32_768
"""Kilobytes of the index that a reader keeps in memory."""


@contextmanager
def open_to_search(folder: Path, *, timeout: float = 30.0) -> Iterator[sqlite3.Connection | None]:
    """The index of a workspace, all that is read within the block being of one moment; None where nothing was organised yet."""
    path = folder / FILE
    if not path.is_file():
        yield None
        return
    note_database(path)
    address = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=timeout, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA cache_size = -{CACHE}")
            connection.execute("BEGIN")
            yield connection if has_index(connection) else None
    except sqlite3.Error as error:
        if is_busy(error):
            raise WorkspaceBusy(f"{path} is being written by another process; try again when it has ended.") from error
        raise InputError(f"{path} can't be used ({error}); delete it and run: trailmark organise") from error
