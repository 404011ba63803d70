"""Checks of runs as rows: which pages were drawn to measure how many of a run's goals are right, and which of them were skipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from trailmark.store.database import Database


@dataclass(frozen=True, slots=True)
class CheckPage:
    """A page that was drawn."""

    url: str
    stratum: int
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class StoredCheck:
    """What was drawn of a run."""

    pages: int
    """Pages that were called goals when it was drawn."""
    fetched: int
    """Fetches of the run by then; with more of them it is another crowd of pages."""
    drawn: tuple[CheckPage, ...]
    """In the order of asking."""


class CheckTable:
    """The checks of all runs; a run has one at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def check(self, run: int) -> StoredCheck | None:
        """What was drawn of a run; None where nothing was."""
        with self._database.snapshot() as connection:
            row = connection.execute("SELECT pages, fetched FROM checks WHERE run_id = ?", (run,)).fetchone()
            if row is None:
                return None
            drawn = connection.execute(
                "SELECT url, stratum, skipped FROM check_pages WHERE run_id = ? ORDER BY position", (run,)
            )
            pages = tuple(CheckPage(str(url), int(stratum), bool(skipped)) for url, stratum, skipped in drawn)
        return StoredCheck(int(row[0]), int(row[1]), pages)

    def keep(self, run: int, *, pages: int, fetched: int, drawn: Sequence[CheckPage]) -> None:
        """What was drawn of a run, in place of what was drawn before."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM check_pages WHERE run_id = ?", (run,))
            connection.execute(
                "INSERT OR REPLACE INTO checks (run_id, pages, fetched, drawn_at) VALUES (?, ?, ?, ?)",
                (run, pages, fetched, now),
            )
            connection.executemany(
                "INSERT INTO check_pages (run_id, position, url, stratum, skipped) VALUES (?, ?, ?, ?, ?)",
                ((run, place, page.url, page.stratum, page.skipped) for place, page in enumerate(drawn)),
            )

    def skip(self, run: int, url: str) -> None:
        """A page that a person could not tell."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE check_pages SET skipped = 1 WHERE run_id = ? AND url = ?", (run, url))
