"""An item of a course -> items of other courses that speak of the same, ranked, with the phrases that they share.

Items are compared by the angle between the weights of their phrases (`Shelf`). Measured against BM25 on words by `trailmark evaluate phrases`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from trailmark.course.knowledge.shelf import Numbers, Shelf

MOST_SHARED = 5
"""Phrases that are named as the reason."""
DOUBLE = 0.98
"""Likeness from which two items are one text at two addresses."""
LOOKED_AT = 4
"""Items that are compared for each that is recommended: some are doubles of others."""
LEAST = 0.1
"""Likeness from which an item is recommended: of pairs of items that are less alike few were of one course where it was measured, of the others most (docs/why/courses.md)."""
TINY = 1e-6
AT_ONCE = 200
"""Items that are compared with all others in one go."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """An item that speaks of the same."""

    course: str
    url: str
    title: str
    kind: str
    score: float
    """From 0 to 1."""
    shared: tuple[str, ...]
    """The phrases that it shares, those that count most first."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a student is told beside an item: what it says in a few sentences, and what other courses have on the same."""

    course: str
    url: str
    abstract: tuple[str, ...]
    recommended: tuple[Recommendation, ...]


def recommendations(shelved: Shelf, item: int, most: int) -> list[Recommendation]:
    """An item -> those of other courses that are most like it, each text once; one that is hardly like it is none."""
    return _best(shelved, item, shelved.weights @ shelved.weights[[item]].toarray().ravel(), most)


def advice(shelved: Shelf, most: int, sentences: int) -> Iterator[Advice]:
    """All items -> what is told beside each; those of which nothing can be told are left out."""
    turned = shelved.weights.T.tocsc()
    for start in range(0, len(shelved), AT_ONCE):
        likenesses = (shelved.weights[start : start + AT_ONCE] @ turned).toarray()
        for place, row in enumerate(likenesses):
            item = shelved.items[start + place]
            told = shelved.abstract(start + place, sentences)
            found = tuple(_best(shelved, start + place, row, most))
            if told or found:
                yield Advice(item.course, item.url, told, found)


def _best(shelved: Shelf, item: int, scores: Numbers, most: int) -> list[Recommendation]:
    """The likeness of all items to one -> the best of them, of other courses."""
    is_other = shelved.families != shelved.families[item]
    rounded = np.where(is_other & (scores >= LEAST), np.round(scores, 6), 0.0)
    return [_recommendation(shelved, item, number) for number in best_items(shelved, rounded, most)]


def best_items(shelved: Shelf, scores: Numbers, most: int) -> list[int]:
    """A score of each item -> so many of the best, the better first, each text once; none that has 0."""
    few = min(len(scores), LOOKED_AT * most)
    if not few:
        return []
    least = max(np.partition(scores, -few)[-few], TINY)
    able = sorted(np.flatnonzero(scores >= least).tolist(), key=lambda n: (-scores[n], shelved.items[n].url, n))
    chosen: list[int] = []
    for number in able[:few]:
        if len(chosen) >= most:
            break
        if not any(is_double(shelved, number, other) for other in chosen):
            chosen.append(number)
    return chosen


def is_double(shelved: Shelf, item: int, other: int) -> bool:
    """Whether two items are one: at one address, or the same text at two."""
    return shelved.items[item].url == shelved.items[other].url or shelved.likeness(item, other) >= DOUBLE


def doubles(shelved: Shelf, items: Sequence[int]) -> dict[int, set[int]]:
    """Items -> each that is one with others of them, with those: compared in large steps, as they may be thousands."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number in items:
        places[shelved.items[number].url].append(number)
    found: defaultdict[int, set[int]] = defaultdict(set)
    for same in places.values():
        for number in same:
            found[number].update(same)
    numbers = np.array(items, dtype=np.int64)
    mine = shelved.weights[numbers]
    turned = mine.T.tocsc()
    for start in range(0, len(items), AT_ONCE):
        rows, columns = np.nonzero((mine[start : start + AT_ONCE] @ turned).toarray() >= DOUBLE)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            found[items[start + row]].add(items[column])
    return {number: others - {number} for number, others in found.items()}


def _recommendation(shelved: Shelf, item: int, other: int) -> Recommendation:
    mine, theirs = shelved.row(item), shelved.row(other)
    parts = {column: weight * theirs[column] for column, weight in mine.items() if column in theirs}
    found = shelved.items[other]
    score = round(sum(parts.values()), 4)
    return Recommendation(found.course, found.url, found.title, found.kind, score, shared_phrases(shelved, parts))


def shared_phrases(shelved: Shelf, parts: Mapping[int, float]) -> tuple[str, ...]:
    """Phrases by their columns, and what each counts -> those that count most, none part of another."""
    named: list[int] = []
    for column in sorted(parts, key=lambda column: (-parts[column], shelved.keys[column])):
        words = set(shelved.keys[column])
        if len(named) < MOST_SHARED and not any(
            words <= set(shelved.keys[had]) or set(shelved.keys[had]) <= words for had in named
        ):
            named.append(column)
    return tuple(shelved.spellings[column] for column in named)
