"""The weeks of a syllabus and a shelf of items -> for each week the lectures, readings and assignments that fit, ranked, with the phrases that both have.

BM25 over phrases of one to four words, those of the week's title counting twice what the rest of its text does. An item fits where it has at least half of what the title says, by
how much its words tell. Each item, and each text that stands at two addresses or in two terms, is proposed once: for the week that it fits best. Measured by
`trailmark evaluate phrases`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from trailmark.course.draft.syllabus import Week
from trailmark.course.knowledge.key_phrase import is_subject
from trailmark.course.knowledge.phrase import Key, phrase_keys
from trailmark.course.knowledge.recommendation import doubles, shared_phrases
from trailmark.course.knowledge.shelf import Numbers, Shelf

SORTS = {
    "lecture": "lecture",
    "tutorial": "lecture",
    "video": "lecture",
    "reading": "reading",
    "assignment": "assignment",
}
"""Types that are proposed, and with which of them they are counted."""
DEFAULT_LIMIT = 3
COVERED = 0.5
"""Share of what a week's title says that an item has, from which it fits."""
K1, B = 1.2, 0.75
"""As BM25 is mostly used."""
REST = 0.5
"""What a phrase of the rest of a week's text counts."""
LOOKED_AT = 5
"""Items that are looked at for each that is proposed: some are doubles, some fit another week better."""


@dataclass(frozen=True, slots=True)
class Fit:
    """An item that fits a week."""

    week: int
    """The number of the week."""
    item: int
    """Its place on the shelf."""
    score: float
    shared: tuple[str, ...] = ()
    """Phrases of the week that it has, those that count most first."""


def week_keys(weeks: Sequence[Week]) -> set[Key]:
    """Weeks -> the phrases that they are matched by."""
    return {key for week in weeks for key in _worth(week)}


def fits(shelved: Shelf, weeks: Sequence[Week], limit: int = DEFAULT_LIMIT) -> list[Fit]:
    """Items on a shelf, and weeks -> what fits each week, at most so many lectures, readings and assignments each; by week, the best first."""
    matcher = Matcher(shelved)
    able: list[Fit] = []
    for week in weeks:
        able += _best(shelved, week, matcher, limit)
    able.sort(key=lambda fit: (-fit.score, fit.week, shelved.items[fit.item].url, fit.item))
    same = doubles(shelved, sorted({fit.item for fit in able}))
    chosen: list[Fit] = []
    room: Counter[tuple[int, str]] = Counter()
    taken: set[int] = set()
    titles: dict[_Titled, str] = {}
    for fit in able:
        item = shelved.items[fit.item]
        place = (fit.week, SORTS[item.kind])
        if room[place] >= limit or fit.item in taken or same[fit.item] & taken:
            continue
        if titles.setdefault(_titled(shelved, fit.item), item.course) != item.course:
            continue
        room[place] += 1
        taken.add(fit.item)
        chosen.append(fit)
    told = {week.number: week for week in weeks}
    chosen = [replace(fit, shared=matcher.shared(told[fit.week], fit.item)) for fit in chosen]
    return sorted(chosen, key=lambda fit: (fit.week, -fit.score, shelved.items[fit.item].url))


def _best(shelved: Shelf, week: Week, matcher: Matcher, limit: int) -> list[Fit]:
    scores = matcher.scores(week)
    ranked = sorted(np.flatnonzero(scores > 0).tolist(), key=lambda n: (-scores[n], shelved.items[n].url, n))
    found: list[int] = []
    taken: Counter[str] = Counter()
    for number in ranked:
        sort = SORTS.get(shelved.items[number].kind)
        if sort is not None and taken[sort] < LOOKED_AT * limit:
            taken[sort] += 1
            found.append(number)
    return [Fit(week.number, n, round(float(scores[n]), 4)) for n in found]


_LETTERS = re.compile(r"\w+")
_Titled = tuple[int, str, tuple[str, ...]]


def _titled(shelved: Shelf, number: int) -> _Titled:
    """An item -> what it has in common with the same item in another term of its course: the course, the type, the words of the title."""
    item = shelved.items[number]
    words = tuple(_LETTERS.findall(item.title.lower())) or (item.url,)
    return int(shelved.families[number]), item.kind, words


def _worth(week: Week) -> dict[Key, float]:
    """A week -> its phrases, and what each counts; those of the title where that says anything, and less of the rest."""
    title = {key for key in phrase_keys(week.title) if is_subject(key)}
    rest = {key for key in phrase_keys(week.text) if is_subject(key)}
    if not title:
        return dict.fromkeys(rest, 1.0)
    return dict.fromkeys(rest, REST) | dict.fromkeys(title, 1.0)


class Matcher:
    """Scores of all items for a week."""

    def __init__(self, shelved: Shelf) -> None:
        self.shelved = shelved
        self.columns = {key: column for column, key in enumerate(shelved.keys)}
        self.counts = shelved.counts.tocsc()
        self.seen = np.diff(self.counts.indptr)
        words = np.flatnonzero([len(key) == 1 for key in shelved.keys])
        lengths = np.asarray(shelved.counts[:, words].sum(axis=1)).ravel()
        usual = max(1.0, float(lengths.mean()) if len(lengths) else 1.0)
        self.norms: Numbers = np.asarray(K1 * (1 - B + B * lengths / usual), dtype=np.float64)

    def scores(self, week: Week) -> Numbers:
        """A week -> the score of each item; 0 where it does not fit."""
        worth = _worth(week)
        score = np.zeros(len(self.shelved))
        for key in sorted(worth):
            rows, parts = self._parts(key, worth[key])
            score[rows] += parts
        fitting: Numbers = np.where(self._covered(worth) >= COVERED, np.round(score, 6), 0.0)
        return fitting

    def shared(self, week: Week, item: int) -> tuple[str, ...]:
        """A week and an item -> the phrases of the week that the item has."""
        found: dict[int, float] = {}
        worth: Mapping[Key, float] = _worth(week)
        for key, weight in worth.items():
            rows, parts = self._parts(key, weight)
            place = np.flatnonzero(rows == item)
            if len(place):
                found[self.columns[key]] = float(parts[place[0]])
        return shared_phrases(self.shelved, found)

    def _parts(self, key: Key, weight: float) -> tuple[np.ndarray[tuple[int], np.dtype[np.int32]], Numbers]:
        """A phrase -> the items that have it, and what it adds to the score of each."""
        column = self.columns.get(key)
        if column is None:
            return np.zeros(0, dtype=np.int32), np.zeros(0)
        start, end = self.counts.indptr[column : column + 2]
        rows, values = self.counts.indices[start:end], self.counts.data[start:end]
        parts = weight * math.sqrt(len(key)) * self._rarity(key) * values * (K1 + 1) / (values + self.norms[rows])
        return rows, parts

    def _rarity(self, key: Key) -> float:
        column = self.columns.get(key)
        seen = int(self.seen[column]) if column is not None else 0
        return math.log(1 + (len(self.shelved) - seen + 0.5) / (seen + 0.5))

    def _covered(self, worth: Mapping[Key, float]) -> Numbers:
        """The share of the single words of a week's title, weighed by how rare they are, that each item has."""
        words = [key for key in sorted(worth) if len(key) == 1 and worth[key] == 1.0]
        total = sum(map(self._rarity, words))
        covered = np.zeros(len(self.shelved))
        for key in words:
            covered[self._parts(key, 1.0)[0]] += self._rarity(key)
        return covered / total if total else covered
