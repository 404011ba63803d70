"""How common words are in the items of organised.db, by its index, and which items have some of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from trailmark.store.search_words import words_of

MOST_KEPT = 50_000
"""Words whose counts are remembered: all that a large collection's readers meet, in a few megabytes."""
_WORDS = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_items USING fts5vocab('main', 'search', 'row')"


class WordStanding:
    """In how many items words stand, remembered until somebody writes: the index counts a word by going through all items with it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._version, self._total = -1, 0
        self._known: dict[str, int] = {}

    def of(self, words: Iterable[str]) -> tuple[dict[str, int], int]:
        """Words -> in how many items each stands (those that stand in none are left out), and how many items there are."""
        self._look()
        counts = {word: self._count(known[0]) for word in words if (known := words_of(word))}
        return {word: n for word, n in counts.items() if n}, self._total

    def _look(self) -> None:
        """Forget what is remembered where somebody wrote since. The table goes with the transaction that it was made in, which readers roll back."""
        self._connection.execute(_WORDS)
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version == self._version:
            return
        (total,) = self._connection.execute("SELECT COUNT(*) FROM item_facts").fetchone()
        self._version, self._total, self._known = int(version), int(total), {}

    def _count(self, term: str) -> int:
        found = self._known.get(term)
        if found is None:
            row = self._connection.execute("SELECT doc FROM temp.search_items WHERE term = ?", (term,)).fetchone()
            found = int(row[0]) if row else 0
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            self._known[term] = found
        return found


def items_with_word(connection: sqlite3.Connection, word: str) -> list[int]:
    """A word of the index -> the rows of items with it in title or text."""
    rows = connection.execute("SELECT rowid FROM search WHERE search MATCH ?", (f'{{title text}} : "{word}"',))
    return [int(row) for (row,) in rows]
