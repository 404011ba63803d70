"""Checks of runs as rows: which pages were drawn to measure how many of a run's goals are right, and which of them were skipped."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.store.database import Database
from trailmark.store.moment import present


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
    """The checks of all runs: one at a time of all that a run found, and one of each of its goals."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def check(self, run: int, goal: str = "") -> StoredCheck | None:
        """What was drawn of all that a run found, or of one of its goals; None where nothing was."""
        with self._database.snapshot() as connection:
            row = connection.execute(
                "SELECT pages, fetched FROM checks WHERE run_id = ? AND goal_name = ?", (run, goal)
            ).fetchone()
            if row is None:
                return None
            drawn = connection.execute(
                "SELECT url, stratum, skipped FROM check_pages WHERE run_id = ? AND goal_name = ? ORDER BY position",
                (run, goal),
            )
            pages = tuple(CheckPage(str(url), int(stratum), bool(skipped)) for url, stratum, skipped in drawn)
        return StoredCheck(int(row[0]), int(row[1]), pages)

    def keep(self, run: int, sample: StoredCheck, goal: str = "") -> None:
        """What was drawn of a run or of one of its goals, in place of what was drawn before."""
        now = present()
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM check_pages WHERE run_id = ? AND goal_name = ?", (run, goal))
            connection.execute(
                "INSERT OR REPLACE INTO checks (run_id, goal_name, pages, fetched, drawn_at) VALUES (?, ?, ?, ?, ?)",
                (run, goal, sample.pages, sample.fetched, now),
            )
            connection.executemany(
                "INSERT INTO check_pages (run_id, goal_name, position, url, stratum, skipped) VALUES (?, ?, ?, ?, ?, ?)",
                ((run, goal, place, page.url, page.stratum, page.skipped) for place, page in enumerate(sample.drawn)),
            )

    def skip(self, run: int, url: str, goal: str = "") -> None:
        """A page of a sample that a person could not tell."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE check_pages SET skipped = 1 WHERE run_id = ? AND url = ? AND goal_name = ?", (run, url, goal)
            )
