"""Runs of the forager as rows: what was asked, how far each site has come, every fetch in order."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trailmark.datatypes import Fetch, RunEvent, RunPulse, RunState, SiteState
from trailmark.store.content_digest import content_digest
from trailmark.store.database import Database
from trailmark.store.moment import present
from trailmark.store.row_numbers import next_number
from trailmark.store.run_watch import save_pulse

SITE_COLUMNS = (
    "number", "root", "scope", "pages", "goals", "readable", "since_goal", "goal_probability", "ended", "same_as", "why",
    "unsure",
)  # fmt: skip
_FETCH_COLUMNS = (
    "n", "url", "status", "score", "label", "goal", "goal_probability", "parent_n", "depth", "final_url", "content_hash",
    "gist", "failure", "sketch", "missing", "evidence", "family", "goal_name", "commonness", "title",
    "keywords",
)  # fmt: skip
_GOAL_AT, _MISSING_AT, _KEYWORDS_AT = (
    list(Fetch.__dataclass_fields__).index(name) for name in ("goal", "missing", "keywords")
)
_MOST_STEPS = 1000


class RunTable:
    """All runs of a workspace."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def latest(self, asked: Mapping[str, Any]) -> RunState | None:
        """The last run that was asked the same."""
        return self._one("WHERE digest = ? ORDER BY id DESC LIMIT 1", content_digest(asked))

    def alike(self, asked: Mapping[str, Any]) -> list[RunState]:
        """The last run of each strategy over the same sites and archives, for the same goals."""
        with self._database.plain_errors():
            rows = self._database.connection.execute("SELECT id, said FROM runs ORDER BY id").fetchall()
        same = ("seeds", "archives", "goals")
        latest = {
            run["strategy"]: number
            for number, text in rows
            if all((run := json.loads(text)).get(name) == asked.get(name) for name in same)
        }
        return [run for number in latest.values() if (run := self._one("WHERE id = ?", str(number))) is not None]

    def last(self) -> RunState | None:
        """The run that was begun last."""
        return self._one("ORDER BY id DESC LIMIT 1")

    def begin(self, asked: Mapping[str, Any], sites: Iterable[tuple[str, str]], goal_name: str = "") -> RunState:
        """A new run over sites (root, scope), and the goal that its verdicts are about, where it is one and known."""
        now = present()
        with self._database.transaction() as connection:
            added = connection.execute(
                f"INSERT INTO runs (id, digest, said, started_at, goal_name) VALUES ({next_number('runs')}, ?, ?, ?, ?)",  # noqa: S608
                (content_digest(asked), json.dumps(asked, ensure_ascii=False), now, goal_name),
            )
            run = int(added.lastrowid or 0)
            connection.executemany(
                "INSERT INTO sites (run_id, number, root, scope) VALUES (?, ?, ?, ?)",
                ((run, number, root, scope) for number, (root, scope) in enumerate(sites)),
            )
        return RunState(run, asked, now, None, 0.0, 0, 0, {})

    def forget_links(self, run: int) -> None:
        """Remove the queue of a run that won't be taken up again; its fetches stay."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM links WHERE run_id = ?", (run,))

    def sites(self, run: int) -> list[SiteState]:
        """The sites of a run in the order of their numbers."""
        columns = ", ".join(SITE_COLUMNS)
        with self._database.plain_errors():
            rows = self._database.connection.execute(
                f"SELECT {columns} FROM sites WHERE run_id = ? ORDER BY number",  # noqa: S608
                (run,),
            )
            return [SiteState(*row) for row in rows]

    def save_sites(self, run: int, sites: Iterable[SiteState]) -> None:
        """How far sites have come; part of the transaction that is open."""
        changing = SITE_COLUMNS[3:]
        self._database.begin()
        with self._database.plain_errors():
            self._database.connection.executemany(
                f"UPDATE sites SET {', '.join(f'{name} = ?' for name in changing)} WHERE run_id = ? AND number = ?",  # noqa: S608
                ((*(getattr(site, name) for name in changing), run, site.number) for site in sites),
            )

    def save_run(
        self, run: int, *, order: int, journal: int, seconds: float, finished: bool, notes: Mapping[str, Any]
    ) -> None:
        """Where a run stands; part of the transaction that is open."""
        now = present() if finished else None
        self._database.begin()
        with self._database.plain_errors():
            self._database.connection.execute(
                "UPDATE runs SET last_order = ?, journal = ?, seconds = ?, finished_at = ?, notes = ? WHERE id = ?",
                (order, journal, seconds, now, json.dumps(notes, ensure_ascii=False), run),
            )

    def add_fetch(self, run: int, fetch: Fetch, site: int) -> None:
        """A fetch; part of the transaction that is open."""
        self._database.begin()
        with self._database.plain_errors():
            self._database.connection.execute(
                f"INSERT INTO fetches (run_id, site, at, walk_goal, walk_probability, {', '.join(_FETCH_COLUMNS)}) "  # noqa: S608
                f"VALUES (?, ?, ?, ?, ?{', ?' * len(_FETCH_COLUMNS)})",
                (
                    run,
                    site,
                    time.time(),
                    fetch.goal,
                    fetch.goal_probability,
                    *(getattr(fetch, name) for name in _FETCH_COLUMNS[:-1]),
                    json.dumps(fetch.keywords, ensure_ascii=False),
                ),
            )

    def save_pulse(self, run: int, pulse: RunPulse, events: Iterable[RunEvent]) -> None:
        """How a run stands at this moment, and what happened since the last; part of the transaction that is open."""
        save_pulse(self._database, run, pulse, events)

    def fetches(self, run: int, *, goals_only: bool = False, sites: range | None = None) -> Iterator[tuple[int, Fetch]]:
        """(number of the site, fetch) in the order of fetching; of sites with these numbers where any are named."""
        wanted = "AND fetches.goal" if goals_only else ""
        numbers = () if sites is None else (sites.start, sites.stop)
        within = "AND fetches.site >= ? AND fetches.site < ?" if numbers else ""
        rows = self._database.connection.execute(
            "SELECT fetches.site, fetches.n, fetches.url, fetches.status, fetches.score, fetches.label, fetches.goal, "  # noqa: S608
            "fetches.goal_probability, above.final_url, fetches.depth, root, fetches.final_url, fetches.parent_n, "
            "fetches.content_hash, fetches.gist, fetches.failure, fetches.sketch, fetches.missing, fetches.evidence, "
            "fetches.family, fetches.goal_name, fetches.commonness, fetches.title, fetches.keywords FROM fetches "
            "JOIN sites ON sites.run_id = fetches.run_id AND sites.number = fetches.site "
            "LEFT JOIN fetches AS above ON above.run_id = fetches.run_id AND above.n = fetches.parent_n "
            f"WHERE fetches.run_id = ? {wanted} {within} ORDER BY fetches.n",
            (run, *numbers),
        )
        for site, *values in rows:
            goal, missing = values[_GOAL_AT], values[_MISSING_AT]
            values[_GOAL_AT], values[_MISSING_AT] = None if goal is None else bool(goal), bool(missing)
            values[_KEYWORDS_AT] = tuple(json.loads(values[_KEYWORDS_AT]))
            yield site, Fetch(*values)

    def unsettle(self, run: int) -> None:
        """Every verdict of a run as the walk gave it."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE fetches SET goal = walk_goal, goal_probability = walk_probability WHERE run_id = ? "
                "AND (goal IS NOT walk_goal OR goal_probability != walk_probability)",
                (run,),
            )

    def save_verdicts(self, run: int, verdicts: Iterable[tuple[int, bool | None, float]]) -> None:
        """(n, goal or None for unsure, probability) of fetches of a run in place of what they had; its sites are counted anew."""
        with self._database.transaction() as connection:
            connection.executemany(
                "UPDATE fetches SET goal = ?1, goal_probability = ?2 WHERE run_id = ?3 AND n = ?4 "
                "AND (goal IS NOT ?1 OR goal_probability != ?2)",
                ((goal, chance, run, n) for n, goal, chance in verdicts),
            )
            counts = connection.execute(
                "SELECT COALESCE(SUM(goal), 0), SUM(goal IS NULL), run_id, site FROM fetches WHERE run_id = ? GROUP BY site",
                (run,),
            ).fetchall()
            connection.executemany("UPDATE sites SET goals = ?, unsure = ? WHERE run_id = ? AND number = ?", counts)

    def answers(self, run: int) -> dict[str, bool]:
        """What people said of the pages of a run: wanted or not."""
        rows = self._database.connection.execute(
            "SELECT url, answer FROM answers WHERE run_id = ? ORDER BY url", (run,)
        )
        return {str(url): bool(answer) for url, answer in rows}

    def add_answer(self, run: int, url: str, *, answer: bool, asked_by: str) -> None:
        """What a person said of a page of a run; a later word takes the place of an earlier one."""
        now = present()
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO answers (run_id, url, answer, asked_by, asked_at) VALUES (?, ?, ?, ?, ?)",
                (run, url, answer, asked_by, now),
            )

    def trail(self, run: int, n: int) -> list[str]:
        """URLs from the root of the site to a fetched page."""
        rows = self._database.connection.execute(
            "WITH RECURSIVE way (n, url, parent_n, step) AS ("
            "SELECT n, final_url, parent_n, 0 FROM fetches WHERE run_id = ?1 AND n = ?2 UNION ALL "
            "SELECT f.n, f.final_url, f.parent_n, step + 1 FROM fetches AS f JOIN way ON f.n = way.parent_n "
            "WHERE f.run_id = ?1 AND step < ?3) SELECT url FROM way ORDER BY step DESC",
            (run, n, _MOST_STEPS),
        )
        return [str(row[0]) for row in rows]

    def _one(self, clause: str, *values: str) -> RunState | None:
        with self._database.plain_errors():
            row = self._database.connection.execute(
                f"SELECT id, said, started_at, finished_at, seconds, last_order, journal, notes FROM runs {clause}",  # noqa: S608
                values,
            ).fetchone()
        if row is None:
            return None
        asked, notes = json.loads(row[1]), json.loads(row[7])
        return RunState(row[0], asked, row[2], row[3], row[4], row[5], row[6], notes)
