"""Bags -> rows of a sparse matrix: which word of which group is which column.

Each group of a bag has length 1 (its words share it equally), so that a page of a thousand words does not drown the two
words of its title. Rare words are left out, the number of columns is bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from trailmark.learn.bag import Bag
from trailmark.sequence.sequences import Sparse


@dataclass(frozen=True)
class Vocabulary:
    """Group -> word -> column."""

    columns: Mapping[str, Mapping[str, int]]
    size: int

    def row(self, bag: Bag) -> tuple[list[int], list[float]]:
        """Columns and values of a bag; words never seen are passed over."""
        columns: list[int] = []
        values: list[float] = []
        for group, words in bag.items():
            if words and (known := self.columns.get(group)):
                numbers = [known[word] for word in words if word in known]
                if numbers:
                    columns += numbers
                    values += [len(numbers) ** -0.5] * len(numbers)
        return columns, values

    def matrix(self, bags: Sequence[Bag]) -> Sparse:
        """One row a bag."""
        columns: list[int] = []
        values: list[float] = []
        starts = [0]
        for bag in bags:
            numbers, shares = self.row(bag)
            columns += numbers
            values += shares
            starts.append(len(columns))
        rows: Sparse = sp.csr_array(
            (np.array(values), np.array(columns, dtype=np.int32), np.array(starts, dtype=np.int32)),
            shape=(len(bags), self.size),
        )
        return rows

    def names(self) -> list[tuple[str, str]]:
        """(group, word) of each column."""
        named: list[tuple[str, str]] = [("", "")] * self.size
        for group, words in self.columns.items():
            for word, column in words.items():
                named[column] = (group, word)
        return named


def fit_vocabulary(bags: Iterable[Bag], *, min_count: int = 1, max_features: int = 50_000) -> Vocabulary:
    """The words that occur in at least `min_count` different bags, the most frequent ones where there are too many."""
    counts: Counter[tuple[str, str]] = Counter()
    for bag in bags:
        for group, words in bag.items():
            counts.update((group, word) for word in set(words))
    features = [item for item, count in counts.items() if count >= min_count]
    features.sort(key=lambda item: (-counts[item], item))
    columns: dict[str, dict[str, int]] = {}
    for number, (group, word) in enumerate(sorted(features[:max_features])):
        columns.setdefault(group, {})[word] = number
    return Vocabulary(columns, min(len(features), max_features))


def column_groups(vocabulary: Vocabulary) -> npt.NDArray[np.str_]:
    """The group of each column, for L2 by group and for explanations."""
    return np.array([group for group, _ in vocabulary.names()], dtype=np.str_)
