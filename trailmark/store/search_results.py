"""A `Plan` -> the items that it finds: how many, one page of them in order, and how they fall by topic, year, site and kind."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from trailmark.store.body_table import unpacked
from trailmark.store.log_frequency import log_frequency_scores
from trailmark.store.search_match import Condition, Plan, all_of, with_some
from trailmark.store.snippets import Pattern, Snippet, marked_text, snippet_of

Rows = npt.NDArray[np.int64]
Sort = Literal["rank", "cited", "year"]
Ranking = Literal["bm25", "log-frequency"]
Facet = Literal["topic", "year", "site", "kind"]
FACETS: tuple[Facet, ...] = ("topic", "year", "site", "kind")
MOST_FACETS = 100
"""Values of a facet that are counted, the most frequent ones."""
LARGE = 5000
"""Items among which not all are compared: of more, those with the words in title or authors come first, and the others are compared when it is their turn."""
WEIGHTS = "8.0, 5.0, 1.0, 1.0, 0.5"
"""What a word counts in title, authors, text, fields and the running text of a document; for the last see docs/why/citations.md."""
_ORDER: Mapping[Sort, str] = {
    "rank": "score, cited DESC, key",
    "cited": "cited DESC, score, key",
    "year": "year IS NULL, year DESC, score, key",
}
_COLUMNS = "key, kind, title, authors, year, url, site, topic, cited, text, body"


@dataclass(frozen=True, slots=True)
class Hit:
    """An item that was found."""

    key: str
    kind: str
    title: str
    authors: str
    year: int | None
    url: str
    site: str
    topic: str | None
    cited: int
    score: float
    """The higher the better; of use only beside others of the same query."""
    title_parts: Snippet
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class Found:
    """What a query found."""

    total: int
    hits: tuple[Hit, ...]
    some_words: bool = False
    """Whether no item has all the words, so that those with some of them were taken."""
    facets: Mapping[Facet, Mapping[str, int]] | None = None
    """How many of all that were found have each value, the most frequent first; items without one are under the empty text."""


def find_items(
    connection: sqlite3.Connection,
    plan: Plan,
    *,
    sort: Sort = "rank",
    limit: int = 10,
    skip: int = 0,
    ranking: Ranking = "bm25",
    facets: bool = False,
) -> Found:
    """What the plan finds; where no item has all the words, those that have some."""
    total = count_items(connection, plan)
    some = not total and len(plan.wanted) > 1 and not plan.some
    if some:
        plan = with_some(plan)
        total = count_items(connection, plan)
    rows = _page(connection, plan, sort, limit, skip, ranking, total) if total else []
    hits = tuple(_hit(connection, item, score, plan) for item, score in rows)
    return Found(total, hits, some and total > 0, count_facets(connection, plan) if facets else None)


def count_items(connection: sqlite3.Connection, plan: Plan) -> int:
    """How many items there are."""
    if plan.match and not plan.conditions:
        return int(connection.execute("SELECT count(*) FROM search WHERE search MATCH ?", (plan.match,)).fetchone()[0])
    source = _source(plan)
    return int(connection.execute(f"SELECT count(*) {source.sql}", source.values).fetchone()[0])


def count_facets(connection: sqlite3.Connection, plan: Plan) -> dict[Facet, dict[str, int]]:
    """Facet -> value -> how many of the items have it."""
    source = _source(plan)
    counted = " UNION ALL ".join(
        f"SELECT * FROM (SELECT '{name}', coalesce({name}, ''), count(*) AS n FROM hits GROUP BY 2 ORDER BY n DESC, 2 LIMIT {MOST_FACETS})"  # noqa: S608
        for name in FACETS
    )
    rows = connection.execute(
        f"WITH hits AS MATERIALIZED (SELECT topic, year, site, kind {source.sql}) {counted}", source.values
    )
    facets: dict[Facet, dict[str, int]] = {name: {} for name in FACETS}
    for name, value, count in rows:
        facets[name][str(value)] = count
    return facets


def found_rows(connection: sqlite3.Connection, plan: Plan) -> Rows:
    """The rows of all items that a plan finds, in no order."""
    source = _source(plan)
    rows = connection.execute(f"SELECT item {source.sql}", source.values)
    return np.fromiter((item for (item,) in rows), dtype=np.int64)


def _source(plan: Plan, match: str = "") -> Condition:
    """From where the items come, and which."""
    chosen = all_of(plan.conditions)
    match = match or plan.match
    if match:
        return Condition(
            f"FROM search CROSS JOIN item_facts ON item = search.rowid WHERE search MATCH ? AND {chosen.sql}",
            (match, *chosen.values),
        )
    if plan.exclusion:
        without = "item NOT IN (SELECT rowid FROM search WHERE search MATCH ?)"
        return Condition(f"FROM item_facts WHERE {without} AND {chosen.sql}", (plan.exclusion, *chosen.values))
    return Condition(f"FROM item_facts WHERE {chosen.sql}", chosen.values)


def _page(
    connection: sqlite3.Connection, plan: Plan, sort: Sort, limit: int, skip: int, ranking: Ranking, total: int
) -> list[tuple[int, float]]:
    """(Item, score) of one page, in order; where no word is looked for, every item scores the same."""
    if not plan.match:
        return _ordered(connection, _source(plan), "0.0", sort, limit, skip)
    if ranking == "log-frequency":
        return _by_log_frequency(connection, plan, _source(plan), sort)[skip : skip + limit]
    score = f"bm25(search, {WEIGHTS})"
    if total <= LARGE:
        return _ordered(connection, _source(plan), score, sort, limit, skip)
    if sort != "rank":
        return _ordered(connection, _source(plan), "0.0", sort, limit, skip)
    if not plan.prominent:
        return _ordered(connection, _source(plan), score, sort, limit, skip)
    return _large_page(connection, plan, limit, skip)


def _large_page(connection: sqlite3.Connection, plan: Plan, limit: int, skip: int) -> list[tuple[int, float]]:
    """A page of very many items by rank: first those with the words in title or authors, then the others."""
    score = f"bm25(search, {WEIGHTS})"
    first = _source(plan, plan.prominent)
    rows = _ordered(connection, first, score, "rank", limit, skip)
    if len(rows) < limit:
        before = int(connection.execute(f"SELECT count(*) {first.sql}", first.values).fetchone()[0])
        others = _source(plan, f"({plan.match}) NOT ({plan.prominent})")
        rows += _ordered(connection, others, score, "rank", limit - len(rows), max(0, skip - before))
    return rows


def _ordered(
    connection: sqlite3.Connection, source: Condition, score: str, sort: Sort, limit: int, skip: int
) -> list[tuple[int, float]]:
    rows = connection.execute(
        f"SELECT item, {score} AS score {source.sql} ORDER BY {_ORDER[sort]} LIMIT ? OFFSET ?",
        (*source.values, limit, skip),
    )
    return [(item, -score) for item, score in rows]


def _by_log_frequency(
    connection: sqlite3.Connection, plan: Plan, source: Condition, sort: Sort
) -> list[tuple[int, float]]:
    scores = log_frequency_scores(connection, plan.sought)
    rows = connection.execute(f"SELECT item, year, cited, key {source.sql}", source.values).fetchall()

    def order(row: Sequence[int | str | None]) -> tuple[object, ...]:
        item, year, cited, key = row
        score, many = -scores.get(int(item or 0), 0.0), -int(cited or 0)
        first = {"rank": (score, many), "cited": (many, score), "year": (year is None, -int(year or 0), score)}
        return (*first[sort], key)

    return [(row[0], scores.get(row[0], 0.0)) for row in sorted(rows, key=order)]


def _hit(connection: sqlite3.Connection, item: int, score: float, plan: Plan) -> Hit:
    *columns, text, body = connection.execute(f"SELECT {_COLUMNS} FROM items WHERE rowid = ?", (item,)).fetchone()  # noqa: S608
    patterns = [each.pattern for each in plan.sought]
    key, kind, title, authors, year, url, site, topic, cited = columns
    parts = marked_text(title, patterns)
    return Hit(
        key, kind, title, authors, year, url, site, topic, cited, score, parts, _snippet(text, body, patterns)
    )  # fmt: skip


def _snippet(text: str, body: bytes | None, patterns: Sequence[Pattern]) -> Snippet:
    """Of the text where a word stands there, else of the running text of the document."""
    snippet = snippet_of(text, patterns)
    if body is None or any(part.marked for part in snippet):
        return snippet
    deeper = snippet_of(unpacked(body), patterns)
    return deeper if any(part.marked for part in deeper) else snippet
