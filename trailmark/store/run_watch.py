"""A run as it is watched: how it stands at this moment, its log, its answers and failures counted.

The log is what happened beside the fetches (kept as it was told) and the fetches themselves, in the order of time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple, dataclass
from typing import Any

from trailmark.datatypes import HostPulse, RunEvent, RunPulse, Waiting
from trailmark.store.database import Database

FETCHED, FAILED = "page", "no answer"
"""Kinds of log lines that are fetches."""
_LOG = (
    "SELECT at, CASE WHEN failure = '' THEN 'page' ELSE 'no answer' END AS kind, '' AS host, url, "
    "CASE WHEN failure != '' THEN failure ELSE 'status ' || status || CASE WHEN goal THEN ', a goal' "
    "WHEN goal IS NULL THEN ', unsure' ELSE '' END END AS words, n AS place FROM fetches WHERE run_id = ?1 "
    "UNION ALL SELECT at, kind, host, url, words, id FROM run_events WHERE run_id = ?1"
)
_WANTED = "(?2 = '' OR instr(lower(url || ' ' || words || ' ' || host), lower(?2)) > 0) AND (?3 = '' OR kind = ?3)"


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a run's log."""

    at: float | None
    """Seconds since 1970; None for fetches of older versions."""
    kind: str
    host: str
    url: str
    words: str


def failed_pages(statuses: Mapping[int, int]) -> int:
    """Pages by status -> those that did not come (0), or came with a status that says so."""
    return sum(count for status, count in statuses.items() if not status or status >= 400)


def save_pulse(database: Database, run: int, pulse: RunPulse, events: Iterable[RunEvent]) -> None:
    """How a run stands, in place of how it stood, and what happened since; part of the transaction that is open."""
    database.begin()
    with database.plain_errors():
        text = json.dumps(asdict(pulse), ensure_ascii=True)
        database.connection.execute("INSERT OR REPLACE INTO run_pulses (run_id, pulse) VALUES (?, ?)", (run, text))
        database.connection.executemany(
            "INSERT INTO run_events (run_id, at, kind, host, url, words) VALUES (?, ?, ?, ?, ?, ?)",
            ((run, *astuple(event)) for event in events),
        )


class RunWatch:
    """What can be watched of the runs of a workspace."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pulse(self, run: int) -> RunPulse | None:
        """How a run stood when it last said so; None where it never did."""
        rows = self._rows("SELECT pulse FROM run_pulses WHERE run_id = ?", run)
        if not rows:
            return None
        value = json.loads(rows[0][0])
        hosts, waiting = value.pop("hosts"), value.pop("waiting")
        return RunPulse(
            **value,
            hosts=tuple(HostPulse(**each) for each in hosts),
            waiting=tuple(Waiting(**each) for each in waiting),
        )

    def statuses(self, run: int) -> dict[int, int]:
        """How many pages answered with each status; 0 stands for no answer."""
        rows = self._rows("SELECT status, COUNT(*) FROM fetches WHERE run_id = ? GROUP BY 1 ORDER BY 2 DESC, 1", run)
        return {int(status): int(count) for status, count in rows}

    def failures(self, run: int, most: int = 50) -> dict[str, int]:
        """Why no answer came, and how often."""
        rows = self._rows(
            "SELECT failure, COUNT(*) FROM fetches WHERE run_id = ? AND failure != '' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?",
            run,
            most,
        )
        return {str(reason): int(count) for reason, count in rows}

    def left_alone(self, run: int) -> dict[str, int]:
        """Why links were not asked for, and how many."""
        rows = self._rows("SELECT notes FROM runs WHERE id = ?", run)
        skipped = json.loads(rows[0][0]).get("skipped", {}) if rows else {}
        return {str(reason): int(count) for reason, count in sorted(skipped.items(), key=lambda each: -each[1])}

    def site_times(self, run: int) -> list[tuple[str, bool, float, float]]:
        """Of each site that was asked: its root, whether it has ended, when the first and the last of its pages came."""
        rows = self._rows(
            "SELECT root, ended != '', MIN(at), MAX(at) FROM sites JOIN fetches ON fetches.run_id = sites.run_id "
            "AND fetches.site = sites.number WHERE sites.run_id = ? AND at IS NOT NULL GROUP BY number ORDER BY number",
            run,
        )
        return [(str(root), bool(ended), first, last) for root, ended, first, last in rows]

    def last_fetch_at(self, run: int) -> float | None:
        """When the last page came or failed to; None where that was not written down."""
        rows = self._rows("SELECT at FROM fetches WHERE run_id = ? ORDER BY n DESC LIMIT 1", run)
        return rows[0][0] if rows else None

    def kinds(self, run: int) -> list[str]:
        """The kinds of lines that the log of a run has."""
        rows = self._rows("SELECT DISTINCT kind FROM run_events WHERE run_id = ? ORDER BY 1", run)
        return [FETCHED, FAILED, *(str(kind) for (kind,) in rows if kind not in (FETCHED, FAILED))]

    def log(
        self, run: int, *, containing: str = "", kind: str = "", most: int = 100, skip: int = 0
    ) -> tuple[int, list[LogLine]]:
        """How many lines of a run's log have these letters and are of this kind, and one page of them, the latest first."""
        (count,) = self._rows(f"SELECT COUNT(*) FROM ({_LOG}) WHERE {_WANTED}", run, containing, kind)[0]  # noqa: S608
        rows = self._rows(
            f"SELECT at, kind, host, url, words FROM ({_LOG}) WHERE {_WANTED} "  # noqa: S608
            "ORDER BY COALESCE(at, 0) DESC, place DESC LIMIT ?4 OFFSET ?5",
            run,
            containing,
            kind,
            most,
            skip,
        )
        return int(count), [LogLine(*row) for row in rows]

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with self._database.plain_errors():
            return self._database.connection.execute(query, values).fetchall()
