"""Queued links as rows: the part of a crawl's queue that does not fit in memory, and a copy of the part that does.

A row is at rest here (0), in the memory of the process that runs the crawl (1), or done (2). After a crash what was in
memory is at rest again. Nothing here commits: the run does, so that links and fetches are kept together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from trailmark.store.database import Database

Row = tuple[Any, ...]

RESTING, IN_MEMORY, DONE = 0, 1, 2
_AT_ONCE = 500

_COLUMNS = (
    "key, links.site, links.url, links.depth, ord, links.parent_n, coalesce(fetches.final_url, ''), block, tag_path, "
    "chain, base, best, links.score, memory"
)
_FROM = "FROM links LEFT JOIN fetches ON fetches.run_id = links.run_id AND fetches.n = links.parent_n"


class FrontierTable:
    """The links of one run; see `Spill` in `trailmark.forage.queued_link`."""

    def __init__(self, database: Database, run: int) -> None:
        self._database, self._run = database, run

    def find(self, keys: Sequence[int]) -> tuple[list[Row], list[int]]:
        """Of these keys, the links at rest, which are handed over, and the keys of those done."""
        rows: list[Row] = []
        done: list[int] = []
        with self._database.plain_errors():
            for some in _batches(keys):
                marks = ",".join("?" * len(some))
                cursor = self._database.connection.execute(
                    f"SELECT state, {_COLUMNS} {_FROM} WHERE links.run_id = ? AND key IN ({marks})",
                    (self._run, *some),
                )
                for state, *row in cursor:
                    if state == RESTING:
                        rows.append(tuple(row))
                    elif state == DONE:
                        done.append(row[0])
        self._hand_over(rows)
        return rows, done

    def best(self, site: int, count: int) -> list[Row]:
        """The best links of a site at rest; they are handed over."""
        with self._database.plain_errors():
            rows = self._database.connection.execute(
                f"SELECT {_COLUMNS} {_FROM} WHERE links.run_id = ? AND links.site = ? AND state = 0 "
                "ORDER BY links.score DESC, ord LIMIT ?",
                (self._run, site, count),
            ).fetchall()
        self._hand_over(rows)
        return rows

    def put(self, rows: Iterable[Row], *, resting: bool) -> None:
        """Keep links as they are now."""
        self._put(rows, RESTING if resting else IN_MEMORY)

    def _put(self, rows: Iterable[Row], state: int) -> None:
        self._write(
            "INSERT OR REPLACE INTO links (run_id, state, key, site, url, depth, ord, parent_n, block, tag_path, chain, "
            "base, best, score, memory) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((self._run, state, *row[:6], *row[7:]) for row in rows),
        )

    def done(self, pages: Iterable[tuple[int, int, str]], *, fetched: Iterable[Row] = ()) -> None:
        """Of a link that is done only the key is still wanted, but for those that are given whole.

        One that was given whole stays so when another link leads to its page later.
        """
        self._write(
            "INSERT OR REPLACE INTO links (run_id, state, key, site) SELECT ?, ?, ?, ? WHERE NOT EXISTS "
            "(SELECT 1 FROM links WHERE run_id = ? AND key = ? AND state = 2 AND url != '')",
            ((self._run, DONE, key, site, self._run, key) for key, site, _ in pages),
        )
        self._put(fetched, DONE)

    def fetched(self, key: int) -> Row | None:
        """A link that is done, where it was given whole."""
        with self._database.plain_errors():
            row: Row | None = self._database.connection.execute(
                f"SELECT {_COLUMNS} {_FROM} WHERE links.run_id = ? AND key = ? AND state = 2 AND links.url != ''",
                (self._run, key),
            ).fetchone()
        return row

    def by_page(self, site: int, before: tuple[int, int], count: int) -> list[Row]:
        """Links of a site at rest, which stay so: those found on the latest fetches first, behind (fetch, key)."""
        with self._database.plain_errors():
            return self._database.connection.execute(
                f"SELECT {_COLUMNS} {_FROM} WHERE links.run_id = ? AND links.site = ? AND state = 0 "
                "AND (links.parent_n, key) < (?, ?) ORDER BY links.parent_n DESC, key DESC LIMIT ?",
                (self._run, site, *before, count),
            ).fetchall()

    def move(self, scores: Iterable[tuple[float, int]]) -> None:
        """New scores of links at rest, by their keys."""
        self._write(
            "UPDATE links SET score = ? WHERE run_id = ? AND key = ?",
            ((score, self._run, key) for score, key in scores),
        )

    def resting(self) -> dict[int, int]:
        """How many links are at rest, by site."""
        with self._database.plain_errors():
            rows = self._database.connection.execute(
                "SELECT site, count(*) FROM links WHERE run_id = ? AND state = 0 GROUP BY site", (self._run,)
            )
            return dict(rows.fetchall())

    def recover(self) -> None:
        """After a crash: what was in memory is at rest."""
        self._write("UPDATE links SET state = 0 WHERE run_id = ? AND state = 1", [(self._run,)])

    def _hand_over(self, rows: list[Row]) -> None:
        self._write("UPDATE links SET state = 1 WHERE run_id = ? AND key = ?", [(self._run, row[0]) for row in rows])

    def _write(self, statement: str, rows: Iterable[Row]) -> None:
        self._database.begin()
        with self._database.plain_errors():
            self._database.connection.executemany(statement, rows)


def _batches(keys: Sequence[int]) -> Iterable[Sequence[int]]:
    return (keys[first : first + _AT_ONCE] for first in range(0, len(keys), _AT_ONCE))
