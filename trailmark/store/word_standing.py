"""How common words are in the items of organised.db, by its index, and which items have some of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

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


def items_with_word(connection: sqlite3.Connection, word: str) -> list[int]:
    """A word of the index -> the rows of items with it in title or text."""
    rows = connection.execute("SELECT rowid FROM search WHERE search MATCH ?", (f'{{title text}} : "{word}"',))
    return [int(row) for (row,) in rows]
