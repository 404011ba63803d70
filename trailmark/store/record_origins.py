"""trailmark.db as the portal reads it: where the values of a record stood, when it was found, and the archived page; for reading alone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.store.read_only import open_to_read, reading_connection

FILE = "trailmark.db"


@dataclass(frozen=True, slots=True)
class Origin:
    """A record that an item was made of."""

    record: int
    url: str
    made_by: str
    added_at: str
    fields: Mapping[str, tuple[str, ...]]
    sources: Mapping[str, tuple[str, ...]]
    """Where each value stood."""
    archive: str
    """Name of the file that has the page; empty where it was not fetched by us."""
    offset: int
    fetched_at: str
    final_url: str
    """The address that answered, after redirects."""


class RecordOrigins:
    """The file, opened for each question: they are few, and it may be written meanwhile. Who asks thousands keeps it open, in one thread."""

    def __init__(self, folder: Path, *, timeout: float = 5.0, keep_open: bool = False) -> None:
        self._path, self._timeout, self._keep_open = folder / FILE, timeout, keep_open
        self._open: sqlite3.Connection | None = None

    def dates(self) -> dict[int, str]:
        """Record -> when it was added, in ISO 8601; nothing where the file can't be read."""
        return {int(number): str(at) for number, at in self._rows("SELECT id, added_at FROM records", ())}

    def of(self, records: Sequence[int]) -> dict[int, Origin]:
        """Numbers of records -> what is known of each; those that are gone are left out."""
        marks = ", ".join("?" * len(records))
        rows = self._rows(
            "SELECT r.id, r.url, r.made_by, r.added_at, r.fields, r.sources, coalesce(p.archive, ''), coalesce(p.offset, -1), "  # noqa: S608
            f"coalesce(p.fetched_at, ''), coalesce(p.final_url, r.url) FROM records r LEFT JOIN pages p ON p.url = r.url WHERE r.id IN ({marks})",
            tuple(records),
        )
        return {
            number: Origin(number, url, made_by, at, _lists(fields), _lists(places), archive, offset, fetched, final)
            for number, url, made_by, at, fields, places, archive, offset, fetched, final in rows
        }

    def _rows(self, query: str, values: tuple[int, ...]) -> list[Any]:
        if not self._path.is_file():
            return []
        try:
            if self._keep_open:
                self._open = self._open or reading_connection(self._path, timeout=self._timeout)
                return self._open.execute(query, values).fetchall()
            with open_to_read(self._path, timeout=self._timeout) as connection:
                return connection.execute(query, values).fetchall()
        except sqlite3.Error:  # of an older form, or being written for long: the portal goes on without
            return []


def _lists(text: str) -> dict[str, tuple[str, ...]]:
    values = json.loads(text)
    return {str(name): tuple(map(str, listed)) for name, listed in values.items()} if isinstance(values, dict) else {}
