"""Nested repetition of a page: lists, rows of tables, results of queries (section 5.3.2 of the Intinno thesis).

The idea is Wang & Lochovsky's: records are patterns that repeat side by side in the page's tag sequence (see `tandem`).
Departures: the sequence is taken among the children of one element at a time, so that items may differ inside and blocks
nest as the elements do; children of the same tag in a row count as one symbol, so that an item may hold two paragraphs
where its neighbour holds one; and what repeats must look alike, and hold more than bare text, before it counts as a block,
because paragraphs of prose repeat as well.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from trailmark.datatypes import Block, Repetition
from trailmark.read.notes import Notes
from trailmark.read.tandem import tandem_runs

_LEAST_ITEMS = 3
_MOST_BLOCKS = 50
_COMPARED = 48
"""Tags of an item that are looked at; bounds the work on pages that nest deeply."""

_LARGE = 20

_ITEM_TAGS = frozenset({"li", "tr", "dt", "dd"})
_BARE_TAGS = frozenset({"br", "hr", "img", "input", "col", "p", "b", "i", "em", "strong", "font", "center", "td", "th"})


@dataclass(frozen=True, slots=True)
class _Run:
    """Items side by side: item k holds the elements from borders[k] to borders[k + 1]."""

    borders: list[int]

    @property
    def items(self) -> int:
        return len(self.borders) - 1


def find_repetition(notes: Notes, elements: list[int]) -> tuple[Repetition, list[int]]:
    """(the repeated blocks of a page, for each link the number of its innermost block or -1).

    `elements` holds the element of each link, in document order.
    """
    total = len(notes.tags)
    codes = _codes(notes.tags)
    runs = [run for sought in _runs(notes) for run in _alike(sought, codes, notes.tags, elements)]
    runs.sort(key=lambda run: -_weight(run, total))
    del runs[_MOST_BLOCKS:]
    numbers = [-1] * len(elements)
    blocks = []
    smallest = [total + 1] * len(elements)
    for number, run in enumerate(runs):
        first, last = _between(elements, run.borders[0], run.borders[-1])
        size = (run.borders[-1] - run.borders[0]) // run.items
        for link in range(first, last):
            if size < smallest[link]:
                smallest[link], numbers[link] = size, number
        pattern = tuple(notes.tags[run.borders[0] : min(run.borders[1], run.borders[0] + _COMPARED)])
        blocks.append(Block(pattern, run.items, _coverage(run, total), tuple(range(first, last))))
    strength = blocks[0].coverage if blocks else 0.0
    return Repetition(tuple(blocks), strength), numbers


def _codes(tags: list[str]) -> bytes:
    """One byte a tag, so that items are compared at the speed of strings; the rarest of too many tags share one."""
    code = {tag: min(number, 255) for number, tag in enumerate(dict.fromkeys(tags))}
    return bytes([code[tag] for tag in tags])


def _coverage(run: _Run, total: int) -> float:
    return (run.borders[-1] - run.borders[0]) / total


def _weight(run: _Run, total: int) -> float:
    """A list of thirty is more of a list than three halves of a layout, though it cover less of the page."""
    return _coverage(run, total) * (1.0 - 2.0 / (run.items + 1))


def _between(elements: list[int], low: int, high: int) -> tuple[int, int]:
    first = bisect_left(elements, low)
    return first, bisect_left(elements, high, first)


def _runs(notes: Notes) -> list[_Run]:
    """Runs of siblings with the same tag, and of patterns of siblings, in the whole page."""
    if len(notes.parents) < _LEAST_ITEMS:
        return []
    parents = np.asarray(notes.parents, dtype=np.int64)
    counts = np.bincount(parents + 1)  # children of each element, shifted by one for the root's -1
    order = np.argsort(parents, kind="stable").tolist()
    lasts = np.cumsum(counts).tolist()
    runs: list[_Run] = []
    names: list[str] = []
    starts: list[int] = []
    for slot in np.flatnonzero(counts >= _LEAST_ITEMS).tolist():
        children = order[lasts[slot - 1] if slot else 0 : lasts[slot]]
        end = children[-1]
        while end + 1 < len(lasts) and lasts[end + 1] > lasts[end]:  # down to the last element of the last subtree
            end = order[lasts[end + 1] - 1]
        _group([*children, end + 1], notes.tags, runs, names, starts)
    return runs + _pattern_runs(names, starts)


def _group(borders: list[int], tags: list[str], runs: list[_Run], names: list[str], starts: list[int]) -> None:
    """Children of one element: equal neighbours make a group and, if there are enough, a run of their own.

    Names and first elements of the groups are added to those of the whole page, with a name of its own after them, so that
    one suffix array serves all elements of the page and no pattern reaches from one element into the next.
    """
    before = len(names)
    first = 0
    count = len(borders) - 1
    while first < count:
        tag = tags[borders[first]]
        last = first + 1
        while last < count and tags[borders[last]] == tag:
            last += 1
        if last - first >= _LEAST_ITEMS:
            runs.append(_Run(borders[first : last + 1]))
        names.append(tag)
        starts.append(borders[first])
        first = last
    if len(names) - before < 2 * _LEAST_ITEMS:  # too short to hold three patterns of two
        del names[before:], starts[before:]
    else:
        names.append(f" {before}")
        starts.append(borders[-1])


def _pattern_runs(names: list[str], starts: list[int]) -> list[_Run]:
    codes = {name: code for code, name in enumerate(dict.fromkeys(names))}
    runs = []
    for low, high, period in tandem_runs([codes[name] for name in names], least_items=_LEAST_ITEMS):
        whole = low + (high - low) // period * period
        runs.append(_Run([starts[at] for at in range(low, whole + 1, period)]))
    return runs


def _alike(run: _Run, codes: bytes, tags: list[str], elements: list[int]) -> Iterator[_Run]:
    """The parts of a run whose neighbours look alike and that hold more than bare text."""
    borders = run.borders
    first = 0
    before = codes[borders[0] : borders[1]]
    for item in range(1, run.items):
        shape = codes[borders[item] : borders[item + 1]]
        if shape != before and not _similar(before, shape):
            if item - first >= _LEAST_ITEMS:
                yield from _telling(_Run(borders[first : item + 1]), tags, elements)
            first = item
        before = shape
    if run.items - first >= _LEAST_ITEMS:
        yield from _telling(_Run(borders[first:]), tags, elements)


def _similar(one: bytes, other: bytes) -> bool:
    """Much the same tags and not too unlike in size; of large pieces, as layouts are made of, more is asked."""
    small, large = sorted((len(one), len(other)))
    if small + 4 < 0.3 * (large + 4):
        return False
    alike = 0.75 if small >= _LARGE else 0.5
    some, others = set(one[:_COMPARED]), set(other[:_COMPARED])
    return len(some & others) >= alike * len(some | others)


def _telling(run: _Run, tags: list[str], elements: list[int]) -> Iterator[_Run]:
    """The run, if it holds more than bare text: items of a list or table, or links in most items."""
    if _is_telling(run, tags, elements):
        yield run


def _is_telling(run: _Run, tags: list[str], elements: list[int]) -> bool:
    low, high = run.borders[0], run.borders[-1]
    tag = tags[low]
    if tag in _ITEM_TAGS:
        return True
    size = (high - low) / run.items
    first, last = _between(elements, low, high)
    linked = last - first
    if tag == "a" and size < 2:  # three links in a sentence are no list
        return run.items >= 5 and linked >= run.items
    if tag in ("td", "th"):
        return size >= 3 and linked >= run.items
    if tag in _BARE_TAGS or size < 3:
        return 2 * linked >= run.items
    return linked >= run.items or size >= 4
