"""How common words are in the items of organised.db, by its index, and which items have some of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from trailmark.store.search_words import words_of

_WORDS = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_items USING fts5vocab('main', 'search', 'row')"


def items_with_words(connection: sqlite3.Connection, words: Iterable[str]) -> tuple[dict[str, int], int]:
    """Words -> in how many items each stands (those that stand in none are left out), and how many items there are."""
    connection.execute(_WORDS)
    standing: dict[str, int] = {}
    for word in words:
        known = words_of(word)
        row = (
            connection.execute("SELECT doc FROM temp.search_items WHERE term = ?", known[:1]).fetchone()
            if known
            else None
        )
        if row is not None:
            standing[word] = int(row[0])
    (total,) = connection.execute("SELECT COUNT(*) FROM item_facts").fetchone()
    return standing, int(total)


def items_with_any(connection: sqlite3.Connection, words: Sequence[str], most: int) -> list[str]:
    """Words of the index -> keys of items with some of them in title or text, the best first."""
    if not words:
        return []
    return matching_keys(connection, "{title text} : (" + " OR ".join(f'"{word}"' for word in words) + ")", most)


def matching_keys(connection: sqlite3.Connection, match: str, most: int) -> list[str]:
    """An expression of the index -> keys of the items that fit it, the best first."""
    rows = connection.execute(
        "SELECT key FROM search CROSS JOIN item_facts ON item = search.rowid WHERE search MATCH ? ORDER BY bm25(search), key LIMIT ?",
        (match, most),
    )
    return [str(key) for (key,) in rows]
