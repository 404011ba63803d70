"""Tandem repeats in a sequence, found with a suffix array.

Wang & Lochovsky find the repeated structure of a page as repeated patterns of its tag string, with a suffix tree. A suffix
array holds the same: where a pattern of length d follows itself again and again, the suffixes at i and i + d stand side by
side in sorted order. Departure: suffixes are compared up to `_DEPTH` symbols, which bounds the work and the longest pattern;
suffixes equal so far keep their order in the sequence. Runs are then extended to both sides until they are maximal.
"""

from __future__ import annotations

from itertools import pairwise

Run = tuple[int, int, int]
"""(first symbol, one after the last, length of the pattern)."""

LONGEST_PATTERN = 16
_DEPTH = 2 * LONGEST_PATTERN


def tandem_runs(symbols: str, least_items: int = 3) -> list[Run]:
    """Maximal runs of at least `least_items` equal patterns in a row, shortest pattern first; one character a symbol."""
    candidates = []
    for one, other in pairwise(_suffix_array(symbols)):
        first, second = (one, other) if one < other else (other, one)
        distance = second - first
        if distance <= LONGEST_PATTERN and symbols[first:second] == symbols[second : second + distance]:
            candidates.append((distance, first))
    return _maximal(symbols, sorted(candidates), least_items)


def _suffix_array(symbols: str) -> list[int]:
    suffixes = [symbols[at : at + _DEPTH] for at in range(len(symbols))]
    return sorted(range(len(symbols)), key=suffixes.__getitem__)


def _maximal(symbols: str, candidates: list[tuple[int, int]], least_items: int) -> list[Run]:
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
