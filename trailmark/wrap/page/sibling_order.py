"""Elements in document order, with the place of each one's parent -> what stands before each among its siblings, counted all at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def numbers_among(parents: Numbers, kinds: Numbers) -> Numbers:
    """1 for the first child of its kind, 2 for the second, as XPath counts."""
    order = np.lexsort((kinds, parents))
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (parents[order[1:]] != parents[order[:-1]]) | (kinds[order[1:]] != kinds[order[:-1]])
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.arange(len(order)) - _starts(fresh) + 1
    return numbers


def sums_before(parents: Numbers, counts: Numbers) -> Numbers:
    """For each element the sum of what its siblings before it count."""
    order = np.argsort(parents, kind="stable")
    sums = np.cumsum(counts[order]) - counts[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = parents[order[1:]] != parents[order[:-1]]
    before = np.empty(len(order), dtype=np.int64)
    before[order] = sums - sums[_starts(fresh)]
    return before


def _starts(fresh: NDArray[np.bool_]) -> Numbers:
    """For each place of an order that of the first of its group."""
    starts: Numbers = np.maximum.accumulate(np.where(fresh, np.arange(len(fresh)), 0))
    return starts
