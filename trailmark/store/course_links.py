"""trailmark.db as the portal reads it: the items of a course with their addresses, as people see them; for reading alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.datatypes import OTHER
from trailmark.store.read_only import open_to_read

FILE = "trailmark.db"
MOST = 1_000
"""Items of a course that are shown."""
_QUERY = (
    "SELECT coalesce(said.kind, i.kind) AS shown, i.title, i.url, i.position FROM course_items AS i JOIN courses AS c ON c.id = i.course_id "
    "LEFT JOIN course_corrections AS said ON said.course = c.url AND said.url = i.url WHERE c.url = ? AND shown != ? ORDER BY i.place, i.url LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class CourseLink:
    """An item of a course, as it is shown."""

    kind: str
    title: str
    url: str
    position: int | None


def course_links(folder: Path, urls: Sequence[str], *, timeout: float = 5.0) -> tuple[CourseLink, ...]:
    """Addresses of a course's home -> the items of the first that is a course; none where the file can't be read."""
    path = folder / FILE
    if not path.is_file():
        return ()
    try:
        with open_to_read(path, timeout=timeout) as connection:
            for url in urls:
                rows = connection.execute(_QUERY, (url, OTHER, MOST)).fetchall()
                if rows:
                    return tuple(CourseLink(*row) for row in rows)
    except sqlite3.Error:  # of an older form, or being written for long: the portal goes on without
        return ()
    return ()
