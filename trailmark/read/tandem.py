"""Tandem repeats in a sequence, found with a suffix array.

Wang & Lochovsky find the repeated structure of a page as repeated patterns of its tag string, with a suffix tree. A suffix
array holds the same: where a pattern of length d follows itself, the suffixes at i and i + d share at least d symbols and
stand side by side in sorted order. The array is built by prefix doubling up to `_DEPTH` symbols, which bounds both the work
(a few sorts) and the longest pattern; runs are then extended to both sides until they are maximal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Run = tuple[int, int, int]
"""(first symbol, one after the last, length of the pattern)."""

_LEVELS = 5
_DEPTH = 2**_LEVELS
LONGEST_PATTERN = _DEPTH // 2


def tandem_runs(symbols: list[int], least_items: int = 3) -> list[Run]:
    """Maximal runs of at least `least_items` equal patterns in a row, shortest pattern first."""
    count = len(symbols)
    if count < least_items:
        return []
    order, ranks = _suffix_array(np.asarray(symbols, dtype=np.int64))
    shared = _shared_prefixes(order, ranks)
    first = np.minimum(order[:-1], order[1:])
    distance = np.abs(order[:-1] - order[1:])
    likely = (shared >= distance) & (distance <= LONGEST_PATTERN)
    candidates = sorted(zip(distance[likely].tolist(), first[likely].tolist(), strict=True))
    return _maximal(symbols, candidates, least_items)


def _suffix_array(symbols: NDArray[np.int64]) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """(positions in the order of their suffixes, for each level k the rank of the 2**k symbols from each position)."""
    ranks = [np.unique(symbols, return_inverse=True)[1].astype(np.int64) + 1]
    count = len(symbols)
    for level in range(_LEVELS):
        half = 2**level
        beyond = np.zeros(count, dtype=np.int64)  # what runs over the end is smaller than any symbol
        if half < count:
            beyond[:-half] = ranks[-1][half:]
        pairs = ranks[-1] * (count + 1) + beyond
        ranks.append(np.unique(pairs, return_inverse=True)[1].astype(np.int64) + 1)
    return np.argsort(ranks[-1], kind="stable"), ranks


def _shared_prefixes(order: NDArray[np.int64], ranks: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """For each pair of neighbours in the suffix array how many symbols they share, at most about twice `_DEPTH`."""
    left, right = order[:-1].copy(), order[1:].copy()
    count = len(order)
    shared = np.zeros(count - 1, dtype=np.int64)
    for level in range(len(ranks) - 1, -1, -1):
        inside = (left < count) & (right < count)
        same = np.zeros(count - 1, dtype=bool)
        same[inside] = ranks[level][left[inside]] == ranks[level][right[inside]]
        step = np.where(same, 2**level, 0)
        shared, left, right = shared + step, left + step, right + step
    return shared


def _maximal(symbols: list[int], candidates: list[tuple[int, int]], least_items: int) -> list[Run]:
    runs: list[Run] = []
    last_end = last_distance = 0
    for distance, start in candidates:
        if distance == last_distance and start < last_end:
            continue  # inside the run found before
        low, high = start, start + distance
        while low > 0 and symbols[low - 1] == symbols[low - 1 + distance]:
            low -= 1
        while high < len(symbols) and symbols[high] == symbols[high - distance]:
            high += 1
        last_distance, last_end = distance, high
        if high - low >= least_items * distance and not _inside(low, high, runs):
            runs.append((low, high, distance))
    return runs


def _inside(low: int, high: int, runs: list[Run]) -> bool:
    """Whether a run only repeats one that has a shorter pattern (every second item, every third, and so on)."""
    return any(first <= low and high <= last for first, last, _ in runs)
