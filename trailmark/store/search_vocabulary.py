"""The words of the index: what a reader may have meant who typed one that is not there, and how a word may go on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import ascii_lowercase

from trailmark.datatypes import Query, QueryTerm
from trailmark.store.search_match import COLUMN_OF
from trailmark.store.search_words import words_of

SHORTEST = 3
"""Letters of a word for which another is proposed: of shorter ones nearly all are one letter apart."""
SHORTEST_FOR_TWO = 5
"""Letters of a word in which two may be wrong."""
SHORTEST_START = 2
"""Letters with which a word must begin to be completed."""
_VOCABULARY = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_vocabulary USING fts5vocab('main', 'search', 'col')"
_ANY = ("title", "authors", "text", "body")
_LAST = "\U0010ffff"


def meant_query(connection: sqlite3.Connection, query: Query) -> Query | None:
    """A query -> the same with every word that no item has replaced by the nearest that some have; None where that is not to be had."""
    connection.execute(_VOCABULARY)
    terms = tuple(_meant_term(connection, term) for term in query.terms)
    meant = Query(tuple(term for term in terms if term is not None), query.years)
    return None if meant == query or None in terms else meant


def complete_word(connection: sqlite3.Connection, start: str, most: int = 10) -> list[str]:
    """The beginning of a word -> the most frequent words that begin so."""
    words = words_of(start)
    if len(words) != 1 or len(words[0]) < SHORTEST_START:
        return []
    connection.execute(_VOCABULARY)
    rows = connection.execute(
        "SELECT term, sum(doc) AS items FROM temp.search_vocabulary WHERE term >= ?1 AND term < ?1 || ?2 "
        "AND col != 'fields' GROUP BY term ORDER BY items DESC, term LIMIT ?3",
        (words[0], _LAST, most),
    )
    return [str(term) for term, _ in rows]


def _meant_term(connection: sqlite3.Connection, term: QueryTerm) -> QueryTerm | None:
    """None where a word is not there and nothing is near it."""
    if term.sign == "-" or term.prefix or (term.field and term.field not in COLUMN_OF):
        return term
    columns = tuple(COLUMN_OF[term.field].split()) if term.field else _ANY
    words = words_of(term.words)
    meant = [word if _items(connection, word, columns) else _nearest(connection, word, columns) for word in words]
    if meant == words:
        return term
    return replace(term, words=" ".join(map(str, meant))) if all(meant) else None


def _items(connection: sqlite3.Connection, word: str, columns: Sequence[str]) -> int:
    """In how many items the word stands, counted by columns."""
    rows = connection.execute("SELECT col, doc FROM temp.search_vocabulary WHERE term = ?", (word,))
    return sum(items for column, items in rows if column in columns)


def _nearest(connection: sqlite3.Connection, word: str, columns: Sequence[str]) -> str | None:
    """The most frequent word at the smallest distance: one slip of the fingers anywhere, else two behind the first letter."""
    if len(word) < SHORTEST:
        return None
    first = [(_items(connection, other, columns), other) for other in sorted(set(first_slips(word)))]
    alike = [*_alike(connection, word, columns), *first]
    frequent = sorted((each for each in alike if each[0]), key=lambda each: (-each[0], each[1]))
    for most in (1, 2) if len(word) >= SHORTEST_FOR_TWO else (1,):
        for _, other in frequent:
            if distance(word, other, most) <= most:
                return other
    return None


def _alike(connection: sqlite3.Connection, word: str, columns: Sequence[str]) -> list[tuple[int, str]]:
    """(Items, word) of words of the index with the same first letter, about the same length and much the same letters."""
    names = ", ".join("?" * len(columns))
    rows = connection.execute(
        "SELECT sum(doc), term FROM temp.search_vocabulary WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? "  # noqa: S608
        f"AND col IN ({names}) GROUP BY term",
        (word[0], word[0] + _LAST, len(word) - 2, len(word) + 2, *columns),
    )
    letters = set(word)
    return [(int(items), term) for items, term in rows if len(letters.symmetric_difference(term)) <= 4]


def first_slips(word: str) -> Iterator[str]:
    """A word -> those that are one slip at its first letter away: left out, put before it, mistaken, or exchanged with the second."""
    letters = sorted({*ascii_lowercase, *word})
    yield word[1:]
    yield from (letter + word for letter in letters)
    yield from (letter + word[1:] for letter in letters)
    yield word[1::-1] + word[2:]


def distance(one: str, other: str, most: int) -> int:
    """How many slips lie between two words; more than `most` is told as `most + 1`."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        two_before, before, row = before, row, [i]
        for j, another in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != another))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == another:
                cost = min(cost, two_before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
