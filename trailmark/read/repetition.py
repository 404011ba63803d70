"""Nested repetition of a page: lists, rows of tables, results of queries (section 5.3.2 of the Intinno thesis).

The idea is Wang & Lochovsky's: records are patterns that repeat side by side in the page's tag sequence (see `tandem`).
Departures: the sequence is taken among the children of one element at a time, so that items may differ inside and blocks
nest as the elements do; children of the same tag in a row count as one symbol, so that an item may hold two paragraphs
where its neighbour holds one; and what repeats must look alike, and hold more than bare text, before it counts as a block,
because paragraphs of prose repeat as well.
"""

from __future__ import annotations

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
    runs = [run for sought in _runs(notes) for run in _alike(sought, notes.tags, elements)]
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


def _coverage(run: _Run, total: int) -> float:
    return (run.borders[-1] - run.borders[0]) / total


def _weight(run: _Run, total: int) -> float:
    """A list of thirty is more of a list than three halves of a layout, though it cover less of the page."""
    return _coverage(run, total) * (1.0 - 2.0 / (run.items + 1))


def _between(elements: list[int], low: int, high: int) -> tuple[int, int]:
    first, last = np.searchsorted(elements, [low, high]).tolist()
    return first, last


def _runs(notes: Notes) -> Iterator[_Run]:
    """Runs of siblings with the same tag, and of patterns of siblings, in the whole page."""
    if len(notes.parents) < _LEAST_ITEMS:
        return
    parents = np.asarray(notes.parents, dtype=np.int64)
    counts = np.bincount(parents + 1)  # children of each element, shifted by one for the root's -1
    order = np.argsort(parents, kind="stable")
    lasts = np.cumsum(counts)
    for slot in np.flatnonzero(counts >= _LEAST_ITEMS).tolist():
        children = order[lasts[slot] - counts[slot] : lasts[slot]].tolist()
        end = children[-1]
        while end + 1 < len(counts) and counts[end + 1]:  # down to the last element of the last subtree
            end = int(order[lasts[end + 1] - 1])
        yield from _sibling_runs(children, end + 1, notes.tags)


def _sibling_runs(children: list[int], end: int, tags: list[str]) -> Iterator[_Run]:
    """Children of one element: equal neighbours are one group; runs of groups are looked for with the suffix array."""
    starts: list[int] = []
    names: list[str] = []
    group: list[int] = []
    for child in [*children, end]:
        tag = tags[child] if child != end else ""
        if names and tag == names[-1]:
            group.append(child)
            continue
        if len(group) >= _LEAST_ITEMS:
            yield _Run([*group, child])
        group = [child]
        names.append(tag)
        starts.append(child)
    if len(names) > 2 * _LEAST_ITEMS:
        codes = {name: code for code, name in enumerate(dict.fromkeys(names))}
        for low, high, period in tandem_runs([codes[name] for name in names[:-1]]):
            whole = low + (high - low) // period * period
            yield _Run([starts[at] for at in range(low, whole + 1, period)])


def _alike(run: _Run, tags: list[str], elements: list[int]) -> Iterator[_Run]:
    """The parts of a run whose neighbours look alike and that hold more than bare text."""
    borders = run.borders
    shapes = [
        frozenset(tags[low : min(high, low + _COMPARED)]) for low, high in zip(borders, borders[1:], strict=False)
    ]
    first = 0
    for item in range(1, len(shapes) + 1):
        if item < len(shapes) and _similar(
            shapes[item - 1], shapes[item], borders[item] - borders[item - 1], borders[item + 1] - borders[item]
        ):
            continue
        part = _Run(borders[first : item + 1])
        if part.items >= _LEAST_ITEMS and _telling(part, tags, elements):
            yield part
        first = item


def _similar(one: frozenset[str], other: frozenset[str], size: int, next_size: int) -> bool:
    """Much the same tags and not too unlike in size; of large pieces, as layouts are made of, more is asked."""
    if min(size, next_size) + 4 < 0.3 * (max(size, next_size) + 4):
        return False
    alike = 0.75 if min(size, next_size) >= _LARGE else 0.5
    return one == other or len(one & other) >= alike * len(one | other)


def _telling(run: _Run, tags: list[str], elements: list[int]) -> bool:
    """Whether a run holds more than bare text: items of a list or table, or links in most items."""
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
