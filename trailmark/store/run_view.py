"""Looking at runs of the forager from outside, while they run or after: sums, pages of long lists, the harvest curve.

Everything is read from the rows of the last commit; nothing here is as long as the run.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trailmark.store.database import Database

SITE_ORDERS = {
    "goals": "goals DESC, pages DESC, number",
    "unsure": "unsure DESC, goals DESC, number",
    "pages": "pages DESC, number",
    "site": "root",
    "ended": "ended, goals DESC, number",
}
_ABOUT = "CASE fetches.goal_name WHEN '' THEN runs.goal_name ELSE fetches.goal_name END"
"""The goal that a verdict speaks of: a run for one goal names it once, one for several with each page."""
_RUN = (
    "SELECT runs.id, said, runs.goal_name, started_at, finished_at, seconds, COUNT(sites.number), COALESCE(SUM(sites.pages), 0), "
    "COALESCE(SUM(sites.goals), 0), COALESCE(SUM(sites.unsure), 0), COALESCE(SUM(sites.ended != ''), 0) "
    "FROM runs LEFT JOIN sites ON sites.run_id = runs.id"
)


@dataclass(frozen=True, slots=True)
class RunSums:
    """A run in a line."""

    id: int
    strategy: str
    seeds: tuple[str, ...]
    goal_names: tuple[str, ...]
    """The goals that it looks for; none where that is not known."""
    started_at: str
    finished_at: str | None
    seconds: float
    sites: int
    pages: int
    goals: int
    unsure: int
    """Pages that may be goals or not; they are not among the goals."""
    ended: int
    """Sites that have ended."""


@dataclass(frozen=True, slots=True)
class SiteSums:
    """A site of a run in a line."""

    number: int
    site: str
    pages: int
    goals: int
    unsure: int
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
    """Which goal; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class WalkedPage:
    """A page that a run read and judged, with its verdict."""

    run: int
    n: int
    url: str
    site: str
    """Root of its site."""
    label: str
    goal: bool | None
    """None where it is unsure."""
    goal_probability: float
    family: str
    goal_name: str = ""
    """The goal that the verdict is about; empty where that is not known."""


_WALKED = f"""SELECT fetches.run_id, fetches.n, fetches.final_url, sites.root, fetches.label, fetches.goal, fetches.goal_probability,
    fetches.family, {_ABOUT} FROM fetches JOIN runs ON runs.id = fetches.run_id
    JOIN sites ON sites.run_id = fetches.run_id AND sites.number = fetches.site
    WHERE fetches.content_hash != '' AND fetches.final_url != ''"""  # noqa: S608


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
            f"SELECT number, root, pages, goals, unsure, ended, same_as FROM sites WHERE {wanted} "  # noqa: S608
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
            "SELECT n, CASE final_url WHEN '' THEN url ELSE final_url END, label, goal_probability, depth, site, "  # noqa: S608
            f"{_ABOUT} FROM fetches JOIN runs ON runs.id = run_id WHERE run_id = ?1 AND goal AND (?2 IS NULL OR site = ?2) ORDER BY n DESC LIMIT ?3 OFFSET ?4",
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

    def found_by_goal(self) -> dict[str, int]:
        """How many pages all runs called each goal; those of runs that looked for one only are under an empty name."""
        rows = self._rows("SELECT goal_name, COUNT(DISTINCT final_url) FROM fetches WHERE goal GROUP BY 1 ORDER BY 1")
        return {str(name): int(count) for name, count in rows}

    def goal_urls(self) -> frozenset[str]:
        """Every page that any run took for a goal."""
        rows = self._rows("SELECT DISTINCT url, final_url FROM fetches WHERE goal")
        return frozenset(str(url) for row in rows for url in row if url)

    def walked(
        self, urls: Sequence[str], *, run: int | None = None, about: Sequence[str] | None = None
    ) -> WalkedPage | None:
        """The page under any of these addresses in the latest run that read it, or in the run that is named.

        With `about`, names of goals, only a verdict on one of them counts.
        """
        wanted = "" if run is None else "AND fetches.run_id = ?"
        named = "" if about is None else f"AND {_ABOUT} IN ({_places(about)})"
        query = f"{_WALKED} AND fetches.final_url IN ({_places(urls)}) {wanted} {named} ORDER BY fetches.run_id DESC, fetches.n DESC LIMIT 1"
        return next(iter(self._walked(query, *urls, *([] if run is None else [run]), *(about or ()))), None)

    def last_about(self, goals: Sequence[str]) -> int | None:
        """The number of the run that was begun last of those that look for one of these goals."""
        places = _places(goals)
        rows = self._rows(
            f"SELECT id FROM runs WHERE goal_name IN ({places}) "  # noqa: S608
            f"OR EXISTS (SELECT 1 FROM json_each(said, '$.goals') WHERE value IN ({places})) ORDER BY id DESC LIMIT 1",
            *goals,
            *goals,
        )
        return int(rows[0][0]) if rows else None

    def unsure(self, run: int, about: Sequence[str] | None = None) -> list[WalkedPage]:
        """Pages of a run that are unsure, in the order of fetching; with `about` only where the verdict is about one of these goals."""
        named = "" if about is None else f"AND {_ABOUT} IN ({_places(about)})"
        query = f"{_WALKED} AND fetches.run_id = ? AND fetches.goal IS NULL {named} ORDER BY fetches.n"
        return self._walked(query, run, *(about or ()))

    def called_goals(self, run: int) -> list[WalkedPage]:
        """Pages of a run that are called goals, or that keywords found, which call none, in the order of fetching."""
        return self._walked(
            f"{_WALKED} AND fetches.run_id = ? AND (fetches.goal OR (fetches.goal IS NULL AND fetches.keywords != '[]')) ORDER BY fetches.n",
            run,
        )

    def way(self, run: int, n: int, *, most: int) -> list[tuple[str, str]]:
        """(URL asked for, URL that answered) from the root of the site to a fetched page; the last so many."""
        rows = self._rows(
            "WITH RECURSIVE way (url, final_url, parent_n, step) AS ("
            "SELECT url, final_url, parent_n, 1 FROM fetches WHERE run_id = ?1 AND n = ?2 UNION ALL "
            "SELECT f.url, f.final_url, f.parent_n, step + 1 FROM fetches AS f JOIN way ON f.n = way.parent_n "
            "WHERE f.run_id = ?1 AND step < ?3) SELECT url, final_url FROM way ORDER BY step DESC",
            run,
            n,
            most,
        )
        return [(str(url), str(final)) for url, final in rows]

    def _walked(self, query: str, *values: Any) -> list[WalkedPage]:
        return [
            WalkedPage(run, n, url, site, label, None if goal is None else bool(goal), chance, family, name)
            for run, n, url, site, label, goal, chance, family, name in self._rows(query, *values)
        ]

    def harvest(self, run: int, points: int = 300) -> list[tuple[int, int]]:
        """(pages fetched, goals found) whenever a goal was found, thinned out to so many points."""
        numbers = [int(row[0]) for row in self._rows("SELECT n FROM fetches WHERE run_id = ? AND goal ORDER BY n", run)]
        step = max(1, -(-len(numbers) // points))
        kept = [(n, count) for count, n in enumerate(numbers, 1) if count % step == 0 or count == len(numbers)]
        return [(0, 0), *kept]

    def _sums(self, query: str, value: int) -> list[RunSums]:
        runs = []
        for number, said, goal, *rest in self._rows(query, value):
            asked = json.loads(said)
            seeds = tuple(str(seed[0]) for seed in asked.get("seeds", ()))
            goals = tuple(map(str, asked.get("goals", [goal] if goal else [])))
            runs.append(RunSums(number, str(asked.get("strategy", "")), seeds, goals, *rest))
        return runs

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with self._database.plain_errors():
            return self._database.connection.execute(query, values).fetchall()


def _places(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))
