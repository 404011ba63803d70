"""Looking at runs of the forager from outside, while they run or after: sums, pages of long lists, the harvest curve.

Everything is read from the rows of the last commit; nothing here is as long as the run.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from trailmark.store.database import Database

SITE_ORDERS = {
    "goals": "goals DESC, pages DESC, number",
    "pages": "pages DESC, number",
    "site": "root",
    "ended": "ended, goals DESC, number",
}
_RUN = (
    "SELECT runs.id, said, started_at, finished_at, seconds, COUNT(sites.number), COALESCE(SUM(sites.pages), 0), "
    "COALESCE(SUM(sites.goals), 0), COALESCE(SUM(sites.ended != ''), 0) "
    "FROM runs LEFT JOIN sites ON sites.run_id = runs.id"
)


@dataclass(frozen=True, slots=True)
class RunSums:
    """A run in a line."""

    id: int
    strategy: str
    seeds: tuple[str, ...]
    goal_names: tuple[str, ...]
    """The goals that it looks for, where there are several."""
    started_at: str
    finished_at: str | None
    seconds: float
    sites: int
    pages: int
    goals: int
    ended: int
    """Sites that have ended."""


@dataclass(frozen=True, slots=True)
class SiteSums:
    """A site of a run in a line."""

    number: int
    site: str
    pages: int
    goals: int
    ended: str
    """Why it ended; empty while it goes on."""
    same_as: str


@dataclass(frozen=True, slots=True)
class GoalPage:
    """A page that a run took for a goal."""

    n: int
    url: str
    label: str
    goal_probability: float
    depth: int
    site: int
    goal_name: str = ""
    """Which goal, where the run looks for several."""


class RunView:
    """What can be seen of runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def runs(self, most: int = 100) -> list[RunSums]:
        """The latest first."""
        return self._sums(f"{_RUN} GROUP BY runs.id ORDER BY runs.id DESC LIMIT ?", most)

    def run(self, number: int) -> RunSums | None:
        sums = self._sums(f"{_RUN} WHERE runs.id = ? GROUP BY runs.id", number)
        return sums[0] if sums else None

    def sites(
        self, run: int, *, order: str = "goals", containing: str = "", most: int = 50, skip: int = 0
    ) -> tuple[int, list[SiteSums]]:
        """How many sites there are with these words in their root, and one page of them."""
        wanted = "run_id = ? AND instr(root, ?) > 0"
        (count,) = self._rows(f"SELECT COUNT(*) FROM sites WHERE {wanted}", run, containing)[0]  # noqa: S608
        rows = self._rows(
            f"SELECT number, root, pages, goals, ended, same_as FROM sites WHERE {wanted} "  # noqa: S608
            f"ORDER BY {SITE_ORDERS.get(order, SITE_ORDERS['goals'])} LIMIT ? OFFSET ?",
            run,
            containing,
            most,
            skip,
        )
        return count, [SiteSums(*row) for row in rows]

    def reasons(self, run: int) -> dict[str, int]:
        """Why sites ended, and how many did."""
        rows = self._rows("SELECT ended, COUNT(*) FROM sites WHERE run_id = ? GROUP BY ended ORDER BY 2 DESC", run)
        return {str(reason): int(count) for reason, count in rows}

    def goals(self, run: int, *, site: int | None = None, most: int = 50, skip: int = 0) -> list[GoalPage]:
        """Goal pages, the latest first."""
        rows = self._rows(
            "SELECT n, CASE final_url WHEN '' THEN url ELSE final_url END, label, goal_probability, depth, site, "
            "goal_name FROM fetches WHERE run_id = ?1 AND goal AND (?2 IS NULL OR site = ?2) ORDER BY n DESC LIMIT ?3 OFFSET ?4",
            run,
            site,
            most,
            skip,
        )
        return [GoalPage(*row) for row in rows]

    def goal_counts(self, run: int) -> dict[str, int]:
        """How many pages were found of each goal, where the run looks for several."""
        rows = self._rows(
            "SELECT goal_name, COUNT(*) FROM fetches WHERE run_id = ? AND goal AND goal_name != '' GROUP BY 1 ORDER BY 1",
            run,
        )
        return {str(name): int(count) for name, count in rows}

    def goal_urls(self) -> frozenset[str]:
        """Every page that any run took for a goal."""
        rows = self._rows("SELECT DISTINCT url, final_url FROM fetches WHERE goal")
        return frozenset(str(url) for row in rows for url in row if url)

    def harvest(self, run: int, points: int = 300) -> list[tuple[int, int]]:
        """(pages fetched, goals found) whenever a goal was found, thinned out to so many points."""
        numbers = [int(row[0]) for row in self._rows("SELECT n FROM fetches WHERE run_id = ? AND goal ORDER BY n", run)]
        step = max(1, -(-len(numbers) // points))
        kept = [(n, count) for count, n in enumerate(numbers, 1) if count % step == 0 or count == len(numbers)]
        return [(0, 0), *kept]

    def _sums(self, query: str, value: int) -> list[RunSums]:
        runs = []
        for number, said, *rest in self._rows(query, value):
            asked = json.loads(said)
            seeds = tuple(str(seed[0]) for seed in asked.get("seeds", ()))
            goals = tuple(map(str, asked.get("goals", ())))
            runs.append(RunSums(number, str(asked.get("strategy", "")), seeds, goals, *rest))
        return runs

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with self._database.plain_errors():
            return self._database.connection.execute(query, values).fetchall()
