"""Pages that runs found, with what people said of them: lists that can be sorted and filtered, counts by chance.

A page is found where a run calls it a goal or is unsure of it; one that a person spoke of stays in the list whatever was said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trailmark.store.database import Database

ORDERS = {
    "chance": "goal_probability DESC, n",
    "doubt": "goal_probability, n",
    "title": "title COLLATE NOCASE, page",
    "site": "root, page",
    "found": "n DESC",
}
"""Name of an order -> its columns; `found` is the latest first."""
CHECKED = {
    "": "1",
    "right": "answer = 1",
    "wrong": "answer = 0",
    "no": "answer IS NULL",
}
"""What a list is narrowed to by what people said."""
_FOUND = (
    "SELECT fetches.n AS n, CASE fetches.final_url WHEN '' THEN fetches.url ELSE fetches.final_url END AS page, title, root, "
    "label, fetches.goal AS goal, fetches.goal_probability AS goal_probability, depth, goal_name, answers.answer AS answer, keywords FROM fetches "
    "JOIN sites ON sites.run_id = fetches.run_id AND sites.number = fetches.site "
    "LEFT JOIN answers ON answers.run_id = fetches.run_id AND answers.url = "
    "CASE fetches.final_url WHEN '' THEN fetches.url ELSE fetches.final_url END "
    "WHERE fetches.run_id = ?1 AND (fetches.goal OR (fetches.goal IS NULL AND content_hash != '') OR answers.answer IS NOT NULL)"
)


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A page that a run found."""

    n: int
    """Number of its fetch."""
    url: str
    title: str
    site: str
    """Root of its site."""
    label: str
    goal: bool | None
    """None where the run is unsure."""
    goal_probability: float
    depth: int
    goal_name: str
    answer: bool | None
    """What a person said of it: wanted or not."""
    keywords: tuple[str, ...] = ()
    """Those that stand on it, where the run looked for keywords."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of the pages of a run are asked for."""

    least: float = 0.0
    below: float = 2.0
    """Chances from the one up to the other, which is left out."""
    containing: str = ""
    checked: str = ""


class FoundView:
    """What runs found."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pages(
        self, run: int, wanted: Wanted, *, order: str = "chance", most: int = 50, skip: int = 0
    ) -> tuple[int, list[FoundRow]]:
        """How many of the pages are wanted, and one page of the list of them."""
        where = (
            "goal_probability >= ?2 AND goal_probability < ?3 "
            "AND (?4 = '' OR instr(lower(page || ' ' || title || ' ' || keywords), lower(?4)) > 0) "
            f"AND {CHECKED.get(wanted.checked, '1')}"
        )
        values = (run, wanted.least, wanted.below, wanted.containing)
        (count,) = self._rows(f"SELECT COUNT(*) FROM ({_FOUND}) WHERE {where}", *values)[0]  # noqa: S608
        by = ORDERS.get(order, ORDERS["chance"])
        listed = f"SELECT * FROM ({_FOUND}) WHERE {where} ORDER BY {by} LIMIT ?5 OFFSET ?6"  # noqa: S608
        rows = self._rows(listed, *values, most, skip)
        return int(count), [_row(row) for row in rows]

    def every(self, run: int) -> Iterator[FoundRow]:
        """All pages that a run found, in the order of fetching."""
        for row in self._rows(f"SELECT * FROM ({_FOUND}) ORDER BY n", run):  # noqa: S608
            yield _row(row)

    def chances(self, run: int) -> list[tuple[int, float]]:
        """(number of the fetch, chance) of all pages found and not called wrong by a person, in the order of fetching."""
        rows = self._rows(
            f"SELECT n, goal_probability FROM ({_FOUND}) WHERE answer IS NOT 0 ORDER BY n",  # noqa: S608
            run,
        )
        return [(int(n), float(chance)) for n, chance in rows]

    def page(self, run: int, url: str) -> FoundRow | None:
        """The page with this address that a run found."""
        rows = self._rows(f"SELECT * FROM ({_FOUND}) WHERE page = ?2 ORDER BY n LIMIT 1", run, url)  # noqa: S608
        return _row(rows[0]) if rows else None

    def new_goals(self, run: int) -> list[str]:
        """Pages that a run calls goals and no earlier run did, by URL."""
        rows = self._rows(
            "SELECT DISTINCT final_url FROM fetches WHERE run_id = ?1 AND goal AND final_url != '' EXCEPT "
            "SELECT final_url FROM fetches WHERE run_id < ?1 AND goal ORDER BY 1",
            run,
        )
        return [str(url) for (url,) in rows]

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with self._database.plain_errors():
            return self._database.connection.execute(query, values).fetchall()


def _row(row: tuple[Any, ...]) -> FoundRow:
    n, url, title, site, label, goal, chance, depth, name, answer, keywords = row
    verdict, said = (None if each is None else bool(each) for each in (goal, answer))
    return FoundRow(n, url, title, site, label, verdict, chance, depth, name, said, tuple(json.loads(keywords)))
