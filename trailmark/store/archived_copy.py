"""An archived page by its address, for reading alone: nothing is indexed, no file is written."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from trailmark.datatypes import Response
from trailmark.errors import ArchiveError
from trailmark.settings import StoreSettings
from trailmark.store.archive import entries_of
from trailmark.store.read_only import open_to_read
from trailmark.url_key import url_key

PATIENCE = 2.0
"""Seconds that the index may be locked by who writes it."""
_PLACES = (
    "SELECT entries.url, path, offset FROM entries JOIN archives ON archives.id = archive WHERE key = ? AND unpacked = 0 "
    "ORDER BY entries.url = ? DESC, archives.id DESC, offset DESC LIMIT 4"
)


@dataclass(frozen=True, slots=True)
class NotedPlace:
    """Where the workspace put a page that it fetched."""

    archive: str
    offset: int
    url: str
    """The address that answered."""


def archived_copy(
    folder: Path, url: str, place: NotedPlace | None = None, settings: StoreSettings | None = None
) -> Response | None:
    """The archived answer to an address: where the workspace noted it, else where the index of its archives has it; None where neither does."""
    if place is not None and place.archive and place.offset >= 0 and Path(place.archive).name == place.archive:
        answer = _at(folder / "archive" / place.archive, place.offset, place.url, settings)
        if answer is not None:
            return answer
    for known, path, offset in _known(folder / "archive" / "index.db", url):
        answer = _at(Path(path), offset, known, settings)
        if answer is not None:
            return answer
    return None


def _at(path: Path, offset: int, url: str, settings: StoreSettings | None) -> Response | None:
    """What stands there, where it is the answer to that address."""
    with suppress(OSError, ArchiveError), path.open("rb") as file:
        file.seek(offset)
        entry = next(iter(entries_of(file, path, settings=settings)), None)
        if entry is not None and url_key(entry.response.url) == url_key(url):
            return entry.response
    return None


def _known(index: Path, url: str) -> list[tuple[str, str, int]]:
    if not index.is_file():
        return []
    try:
        with open_to_read(index, timeout=PATIENCE) as connection:
            return [
                (str(u), str(path), int(place)) for u, path, place in connection.execute(_PLACES, (url_key(url), url))
            ]
    except sqlite3.Error:
        return []
