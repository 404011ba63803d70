"""Items -> for each those that are related to it, with the reason in words: by what they cite in common, by who cites both, by the words they share, or by all of it.

Each is a cosine between 0 and 1; what is cited by very many, and words that stand in very many items, tell nothing of two items and are left out, so that
the work grows with the number of items and not with its square. Items are taken some at a time: memory does not grow with the number of pairs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from trailmark.organise.item import Item
from trailmark.organise.word_counts import Counts, Numbers, Vocabulary, item_words, vocabulary_of

By = Literal["citations", "text", "both"]
Places = npt.NDArray[np.signedinteger[Any]]

AT_ONCE = 128
"""Items that are compared with all others in one go."""
MOST = 10
TELLING = 30
"""Words of an item by which it is compared: those that stand out most."""
LARGEST = 1_500
"""Items with one word, or that cite one thing: what more have in common tells nothing of two of them."""
LONGEST_LIST = 400
"""Citations of an item that say of what it cites that it belongs together: a bibliography of everything says nothing."""
LEAST = 0.05
"""Below which two items are not related."""
TEXT, COUPLED, COCITED = 1.0, 1.0, 1.0
"""What each kind weighs where all count."""
TOLD = 3
"""Words that a reason names."""


@dataclass(frozen=True, slots=True)
class Related:
    """An item that is related to another."""

    id: str
    score: float
    reason: str
    """In words: `cites 3 of the same papers; shares the words parser, grammar`."""


@dataclass(frozen=True, slots=True)
class RelatedItems:
    """An item, and what is related to it, the nearest first."""

    id: str
    related: tuple[Related, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """In how many items of a collection words stand, and how many items it has."""

    items: Mapping[str, int]
    total: int


def related_items(
    items: Sequence[Item],
    *,
    by: By = "both",
    most: int = MOST,
    only: Collection[str] | None = None,
    standing: Standing | None = None,
) -> Iterator[RelatedItems]:
    """Items -> what is related to each, or to those whose ids are named. `cites` of an item may name things that are no items (groups of references).

    Where the items are some of a larger collection, `standing` says how common words are in all of it.
    """
    sides = _Sides(items, by, standing)
    wanted = None if only is None else frozenset(only)
    places = [place for place, item in enumerate(items) if wanted is None or item.id in wanted]
    for start in range(0, len(places), AT_ONCE):
        chunk = places[start : start + AT_ONCE]
        scores = sides.scores(np.array(chunk, dtype=np.int64))
        for row, place in enumerate(chunk):
            begin, end = scores.indptr[row], scores.indptr[row + 1]
            best = _best(scores.indices[begin:end], scores.data[begin:end], place, most)
            yield RelatedItems(
                items[place].id,
                tuple(Related(items[o].id, round(s, 4), sides.reason(place, o)) for o, s in best),
            )


def _best(columns: Places, values: Numbers, own: int, most: int) -> list[tuple[int, float]]:
    """The highest values with their columns; of equal ones the first column."""
    kept = (columns != own) & (values >= LEAST)
    columns, values = columns[kept], np.round(values[kept], 6)
    if len(values) > most:
        floor = np.partition(values, len(values) - most)[len(values) - most]
        columns, values = columns[values >= floor], values[values >= floor]
    order = np.lexsort((columns, -values))[:most]
    return [(int(columns[place]), float(values[place])) for place in order]


class _Sides:
    """The sides from which items are compared: rows of unit length, so that a product of two is a cosine."""

    def __init__(self, items: Sequence[Item], by: By, standing: Standing | None) -> None:
        self.by, self.number = by, {item.id: place for place, item in enumerate(items)}
        self.words: list[str] = []
        self.pairs: list[tuple[float, Counts, Counts]] = []
        """Weight, rows, and the same turned."""
        self.cited, self.citing = _citations(items, self.number) if by != "text" else (_none(items), _none(items))
        if by != "citations":
            self.text, self.words = _text(items, standing)
            self._add(TEXT, self.text)
        if by != "text":
            self._add(COUPLED, _unit(_without_common(self.cited)))
            self._add(COCITED, _unit(_without_long(self.citing)))

    def _add(self, weight: float, rows: Counts) -> None:
        if rows.nnz:
            self.pairs.append((weight, rows, sparse.csr_array(rows.T)))

    def scores(self, places: Places) -> Counts:
        """Some items -> how near each is to all."""
        total = sparse.csr_array((len(places), len(self.number)))
        for weight, rows, turned in self.pairs:
            total = total + weight * (rows[places] @ turned)
        return sparse.csr_array(total / sum(weight for weight, *_ in self.pairs)) if self.pairs else total

    def reason(self, one: int, other: int) -> str:
        """Why the second is related to the first."""
        told = []
        if self.by != "text":
            common = len(np.intersect1d(_row(self.cited, one), _row(self.cited, other), assume_unique=True))
            both = len(np.intersect1d(_row(self.citing, one), _row(self.citing, other), assume_unique=True))
            told += [f"cites {common} of the same {_papers(common)}"] if common else []
            told += [f"cited together by {both} {_papers(both)}"] if both else []
        if self.by != "citations" and (words := self._shared(one, other)):
            told.append(f"shares the word{'s' if len(words) > 1 else ''} {', '.join(words)}")
        return "; ".join(told)

    def _shared(self, one: int, other: int) -> list[str]:
        mine, theirs = _row(self.text, one), _row(self.text, other)
        common, here, there = np.intersect1d(mine, theirs, assume_unique=True, return_indices=True)
        weights = _values(self.text, one)[here] * _values(self.text, other)[there]
        return [self.words[common[place]] for place in np.lexsort((common, -weights))[:TOLD]]


def _papers(number: int) -> str:
    return "paper" if number == 1 else "papers"


def _row(matrix: Counts, row: int) -> Places:
    return np.asarray(matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]])


def _values(matrix: Counts, row: int) -> Numbers:
    return np.asarray(matrix.data[matrix.indptr[row] : matrix.indptr[row + 1]])


def _none(items: Sequence[Item]) -> Counts:
    return sparse.csr_array((len(items), 0))


def _citations(items: Sequence[Item], number: dict[str, int]) -> tuple[Counts, Counts]:
    """Items by what they cite, and items by who cites them."""
    columns = dict(number)
    pairs = {
        (place, columns.setdefault(cited, len(columns)))
        for place, item in enumerate(items)
        for cited in item.cites
        if cited != item.id
    }
    ordered = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    ones = np.ones(len(ordered), dtype=np.float32)
    cited = sparse.csr_array((ones, (ordered[:, 0], ordered[:, 1])), shape=(len(items), len(columns)))
    citing = sparse.csr_array(sparse.csr_array(cited.T)[: len(items), :])
    for matrix in (cited, citing):
        matrix.sort_indices()
    return cited, citing


def _without_common(cited: Counts) -> Counts:
    """Items by what they cite, but for what too many cite; the rarer, the more it weighs."""
    times = np.asarray(cited.sum(axis=0)).ravel()
    weights = np.where(times > LARGEST, 0, np.log1p(cited.shape[0] / np.maximum(times, 1)))
    return _scaled(cited, weights)


def _without_long(citing: Counts) -> Counts:
    """Items by who cites them, but for those who cite everything; the shorter the list, the more it weighs."""
    lengths = np.asarray(citing.sum(axis=0)).ravel()
    weights = np.where(lengths > LONGEST_LIST, 0, 1 / np.log1p(np.maximum(lengths, 1)))
    return _scaled(citing, weights)


def _scaled(matrix: Counts, weights: Numbers) -> Counts:
    scaled = sparse.csr_array(matrix.multiply(weights[None, :].astype(np.float32)))
    scaled.eliminate_zeros()
    return scaled


def _unit(matrix: Counts) -> Counts:
    """Rows of length 1."""
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return sparse.csr_array(sparse.diags_array(1 / np.maximum(lengths, 1e-12)).astype(np.float32) @ matrix)


def _text(items: Sequence[Item], known: Standing | None) -> tuple[Counts, list[str]]:
    """Items by the words that stand out in them, and these words."""
    vocabulary = (
        vocabulary_of(item_words(item) for item in items)
        if known is None
        else Vocabulary({word: place for place, word in enumerate(sorted(known.items))})
    )
    counts = vocabulary.counts(item_words(item) for item in items).astype(np.float32)
    if known is None:
        standing, total = np.bincount(counts.indices, minlength=counts.shape[1]), len(items)
    else:
        standing, total = np.array([known.items[word] for word in vocabulary.columns]), known.total
    weights = np.where(standing > LARGEST, 0, np.log(max(total, 1) / np.maximum(standing, 1)))
    rows = _telling(_scaled(counts, weights))
    rows.sort_indices()
    return _unit(rows), list(vocabulary.columns)


def _telling(matrix: Counts) -> Counts:
    """The heaviest words of each row."""
    lengths = np.diff(matrix.indptr)
    rows = np.repeat(np.arange(matrix.shape[0]), lengths)
    order = np.lexsort((matrix.indices, -matrix.data, rows))
    place = np.arange(matrix.nnz) - np.repeat(matrix.indptr[:-1], lengths)
    kept = order[place < TELLING]
    shape = matrix.shape
    return sparse.csr_array((matrix.data[kept], (rows[kept], matrix.indices[kept])), shape=shape)
