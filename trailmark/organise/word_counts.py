"""Items -> how often each word occurs in each, as a sparse matrix.

Departures from Cora, 5.3: no stop list, but words that stand in more than half of the items are left out, which comes to the same in any language;
and a word counts log(1 + n), since the tenth time a word occurs says less than the first.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from trailmark.organise.item import Item
from trailmark.read.words import tokens

FEWEST = 2
"""Items in which a word must stand: one that stands in a single item says nothing of another."""
LARGEST_SHARE = 0.5
"""Of the items in which a word may stand."""
LONGEST = 20_000
"""Words of an item that are read: what stands behind says the same."""

Counts = sparse.csr_array
Numbers = npt.NDArray[np.float64]


def item_words(item: Item) -> list[str]:
    """The words of an item, those of its title twice."""
    title = tokens(item.title)
    return (title + title + tokens(item.text))[:LONGEST]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words and their columns."""

    columns: Mapping[str, int]

    def counts(self, texts: Iterable[Sequence[str]]) -> Counts:
        """Words of each item -> log(1 + n) of those that are known."""
        starts, columns, values = array("q", [0]), array("q"), array("d")
        for words in texts:
            known = Counter(column for word in words if (column := self.columns.get(word)) is not None)
            for column in sorted(known):
                columns.append(column)
                values.append(known[column])
            starts.append(len(columns))
        shape = (len(starts) - 1, len(self.columns))
        return sparse.csr_array((np.log1p(_array(values)), _array(columns), _array(starts)), shape=shape)


def _array(numbers: array[Any]) -> npt.NDArray[Any]:
    return np.frombuffer(numbers, dtype=numbers.typecode) if numbers else np.zeros(0, numbers.typecode)


def vocabulary_of(texts: Iterable[Sequence[str]], always: Iterable[str] = ()) -> Vocabulary:
    """Words of each item -> those that are neither too rare nor everywhere, and those that are always wanted."""
    items, seen = 0, Counter[str]()
    for words in texts:
        items += 1
        seen.update(set(words))
    most = max(FEWEST, LARGEST_SHARE * items)
    chosen = {word for word, n in seen.items() if FEWEST <= n <= most} | set(always)
    return Vocabulary({word: column for column, word in enumerate(sorted(chosen))})
