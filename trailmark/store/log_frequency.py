"""The ranking of Cora, section 2: the weighted log of how often each term stands in an item, summed over the terms of the query.

The weight is the inverse of how often the term stands in all items together; a phrase is one term. Departure: log(1 + n) for log(n), which
would count a word that stands there once as if it did not.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from trailmark.store.search_match import Sought

_PLACES = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_places USING fts5vocab('main', 'search', 'instance')"
_LAST = "\U0010ffff"


def log_frequency_scores(connection: sqlite3.Connection, sought: Iterable[Sought]) -> dict[int, float]:
    """Terms -> the score of every item that has one of them."""
    connection.execute(_PLACES)
    scores: dict[int, float] = {}
    for term in sought:
        frequencies = _frequencies(connection, term)
        everywhere = sum(frequencies.values())
        for item, n in frequencies.items():
            scores[item] = scores.get(item, 0.0) + math.log1p(n) / everywhere
    return scores


def _frequencies(connection: sqlite3.Connection, term: Sought) -> Counter[int]:
    """Item -> how often the term stands in it."""
    *before, last = term.words
    places = _places(connection, last, term.columns, prefix=term.prefix)
    for back, word in enumerate(reversed(before), start=1):
        there = set(_places(connection, word, term.columns))
        places = [place for place in places if (place[0], place[1], place[2] - back) in there]
    return Counter(item for item, _, _ in places)


def _places(
    connection: sqlite3.Connection, word: str, columns: str, *, prefix: bool = False
) -> Sequence[tuple[int, str, int]]:
    """(Item, column, number of the word) of each place where a word stands."""
    which = "term >= ?1 AND term < ?1 || ?2" if prefix else "term = ?1"
    names = ", ".join(f"'{name}'" for name in columns.split())
    query = f"SELECT doc, col, offset FROM temp.search_places WHERE {which} AND col IN ({names})"  # noqa: S608
    return connection.execute(query, (word, _LAST) if prefix else (word,)).fetchall()
