"""Past walks of each site, with what each found that was new."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from trailmark.store.database import Database

DAY = 86_400.0
DOCUMENTS = "+documents"
"""What stands behind the name of a strategy that fetches documents too."""
_WALKS = (
    "SELECT sites.run_id, runs.said, runs.goal_name, runs.started_at, sites.number, sites.root, sites.scope, sites.pages "
    "FROM sites JOIN runs ON runs.id = sites.run_id WHERE runs.finished_at IS NOT NULL AND sites.pages > 0 ORDER BY sites.run_id, sites.number"
)
_NEWS = (
    "SELECT site, place FROM (SELECT site, final_url, content_hash, goal OR (goal IS NULL AND keywords != '[]') AS goal, ROW_NUMBER() OVER (PARTITION BY site ORDER BY n) AS place "
    "FROM fetches WHERE run_id = ?1) AS latest WHERE goal AND final_url != '' AND NOT EXISTS (SELECT 1 FROM fetches WHERE "
    "fetches.final_url = latest.final_url AND fetches.run_id < ?1 AND fetches.content_hash = latest.content_hash)"
)
"""Goal pages of a run, and pages with the keywords that it looked for, that no earlier run fetched as they are now: (site, place among the pages of the site, from 1)."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What a walk was asked to do, apart from where."""

    strategy: str
    goals: tuple[str, ...]
    documents: bool


@dataclass(frozen=True, slots=True)
class Walked:
    """A walk of one site that came to its end."""

    errand: Errand
    run: int
    archived: bool
    """Whether its pages came from archives."""
    root: str
    scope: str
    day: float
    """Days since 1970, when its run began."""
    pages: int
    news: int
    """Goal pages that no earlier run had fetched, or had fetched with other content, among as many pages as the walk before took:
    what a longer walk finds further on was there before."""


def past_walks(database: Database) -> Iterator[Walked]:
    """Every walk that came to its end, in the order of the runs."""
    pages_before: dict[tuple[Errand, str], int] = {}
    places: dict[int, list[int]] = {}
    of_run = None
    with database.snapshot() as connection:
        for run, said, goal, started, number, root, scope, pages in connection.execute(_WALKS).fetchall():
            if run != of_run:
                of_run, places = run, {}
                for site, place in connection.execute(_NEWS, (run,)):
                    places.setdefault(site, []).append(place)
            errand, archived = _errand(said, goal)
            far = pages_before.get((errand, root), pages)
            news = sum(place <= far for place in places.get(number, ()))
            pages_before[errand, root] = pages
            day = datetime.fromisoformat(started).timestamp() / DAY
            yield Walked(errand, run, archived, root, scope, day, pages, news)


def unfinished_walk(database: Database, run: int) -> tuple[Errand, list[tuple[str, str]]] | None:
    """A run -> its errand, and root and scope of its sites; None where it came to its end, or is not there."""
    with database.snapshot() as connection:
        row = connection.execute(
            "SELECT said, goal_name FROM runs WHERE id = ? AND finished_at IS NULL", (run,)
        ).fetchone()
        sites = connection.execute("SELECT root, scope FROM sites WHERE run_id = ? ORDER BY number", (run,)).fetchall()
    return None if row is None else (_errand(*row)[0], sites)


def _errand(said: str, goal: str) -> tuple[Errand, bool]:
    """What was asked of a run, as it is kept -> its errand, and whether its pages came from archives."""
    asked = json.loads(said)
    strategy = str(asked.get("strategy", "path"))
    goals = tuple(map(str, asked.get("goals", ()))) or ((goal,) if goal else ())
    documents = strategy.endswith(DOCUMENTS)
    return Errand(strategy.removesuffix(DOCUMENTS), goals, documents), bool(asked.get("archives"))
