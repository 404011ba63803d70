"""Nested repetition of a page: lists, rows of tables, results of queries (section 5.3.2 of the Intinno thesis).

The idea is Wang & Lochovsky's: records are patterns that repeat side by side in the page's tag sequence (see `tandem`).
Departures: the sequence is taken among the children of one element at a time, so that items may differ inside and blocks
nest as the elements do; children of the same tag in a row count as one symbol, so that an item may hold two paragraphs
where its neighbour holds one; and what repeats must look alike, and hold more than bare text, before it counts as a block,
because paragraphs of prose repeat as well.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from trailmark.datatypes import Block, Repetition
from trailmark.read.notes import Notes
from trailmark.read.tandem import tandem_runs

_LEAST_ITEMS = 3
_MOST_BLOCKS = 50
_COMPARED = 48
"""Tags of an item that are looked at; bounds the work on pages that nest deeply."""

_LARGE = 20
_SEPARATORS = 1000
"""Codes from here on stand between the children of one element and of the next."""

_ITEM_TAGS = frozenset({"li", "tr", "dt", "dd"})
_BARE_TAGS = frozenset({"br", "hr", "img", "input", "col", "p", "b", "i", "em", "strong", "font", "center", "td", "th"})


_Run = list[int]
"""Items side by side: item k holds the elements from run[k] to run[k + 1]."""


def find_repetition(notes: Notes, elements: list[int]) -> tuple[Repetition, list[int]]:
    """(the repeated blocks of a page, for each link the number of its innermost block or -1).

    `elements` holds the element of each link, in document order.
    """
    tags, total = notes.tags, len(notes.tags)
    codes = _codes(tags)
    runs = [run for sought in _runs(notes, codes) for run in _alike(sought, codes, tags, elements)]
    runs.sort(key=lambda run: -_weight(run, total))
    del runs[_MOST_BLOCKS:]
    blocks: list[Block] = []
    held: list[tuple[float, int, int, int]] = []
    for number, run in enumerate(runs):
        low, high = run[0], run[-1]
        first, last = _between(elements, low, high)
        held.append(((low - high) / _items(run), first, last, number))
        pattern = tuple(tags[low : min(run[1], low + _COMPARED)])
        blocks.append(Block(pattern, _items(run), _coverage(run, total), tuple(range(first, last))))
    numbers = [-1] * len(elements)
    for _, first, last, number in sorted(held):  # the smallest items last: theirs are the numbers that stay
        numbers[first:last] = [number] * (last - first)
    return Repetition(tuple(blocks), blocks[0].coverage if blocks else 0.0), numbers


def _codes(tags: list[str]) -> str:
    """One character a tag, so that items are compared at the speed of strings; the last of too many tags share one."""
    code = {tag: chr(min(number, _SEPARATORS - 1)) for number, tag in enumerate(dict.fromkeys(tags))}
    return "".join([code[tag] for tag in tags])


def _items(run: _Run) -> int:
    return len(run) - 1


def _coverage(run: _Run, total: int) -> float:
    return (run[-1] - run[0]) / total


def _weight(run: _Run, total: int) -> float:
    """A list of thirty is more of a list than three halves of a layout, though it cover less of the page."""
    return _coverage(run, total) * (1.0 - 2.0 / (_items(run) + 1))


def _between(elements: list[int], low: int, high: int) -> tuple[int, int]:
    first = bisect_left(elements, low)
    return first, bisect_left(elements, high, first)


def _runs(notes: Notes, codes: str) -> list[_Run]:
    """Runs of siblings with the same tag, and of patterns of siblings, in the whole page."""
    parents = notes.parents
    children: dict[int, list[int]] = {parent: [] for parent, count in Counter(parents).items() if count >= _LEAST_ITEMS}
    for element, parent in enumerate(parents):
        if parent in children:
            children[parent].append(element)
    last_child = dict(zip(parents, range(len(parents)), strict=True))
    runs: list[_Run] = []
    names: list[str] = []
    starts: list[int] = []
    for borders in children.values():
        end = borders[-1]
        while end in last_child:  # down to the last element of the last subtree
            end = last_child[end]
        borders.append(end + 1)
        _group(borders, codes, runs, names, starts)
    return runs + _pattern_runs("".join(names), starts)


def _group(borders: list[int], codes: str, runs: list[_Run], names: list[str], starts: list[int]) -> None:
    """Children of one element: equal neighbours make a group and, if there are enough, a run of their own.

    Codes and first elements of the groups are added to those of the whole page, with a sign of its own after them, so that
    one suffix array serves all elements of the page and no pattern reaches from one element into the next.
    """
    before = len(names)
    first = 0
    count = len(borders) - 1
    while first < count:
        code = codes[borders[first]]
        last = first + 1
        while last < count and codes[borders[last]] == code:
            last += 1
        if last - first >= _LEAST_ITEMS:
            runs.append(borders[first : last + 1])
        names.append(code)
        starts.append(borders[first])
        first = last
    if len(names) - before < 2 * _LEAST_ITEMS:  # too short to hold three patterns of two
        del names[before:], starts[before:]
    else:
        names.append(chr(_SEPARATORS + before % 1_000_000))
        starts.append(borders[-1])


def _pattern_runs(names: str, starts: list[int]) -> list[_Run]:
    runs = []
    for low, high, period in tandem_runs(names, least_items=_LEAST_ITEMS):
        whole = low + (high - low) // period * period
        runs.append([starts[at] for at in range(low, whole + 1, period)])
    return runs


def _alike(run: _Run, codes: str, tags: list[str], elements: list[int]) -> Iterator[_Run]:
    """The parts of a run whose neighbours look alike and that hold more than bare text."""
    if not _is_telling(run, tags, elements):
        return
    first = 0
    before = codes[run[0] : run[1]]
    for item in range(1, len(run) - 1):
        shape = codes[run[item] : run[item + 1]]
        if shape != before and not _similar(before, shape):
            yield from _part(run, first, item, tags, elements)
            first = item
        before = shape
    yield from _part(run, first, len(run) - 1, tags, elements)


def _part(run: _Run, first: int, last: int, tags: list[str], elements: list[int]) -> Iterator[_Run]:
    if last - first == len(run) - 1:
        yield run
    elif last - first >= _LEAST_ITEMS:
        part = run[first : last + 1]
        if _is_telling(part, tags, elements):
            yield part


def _similar(one: str, other: str) -> bool:
    """Much the same tags and not too unlike in size; of large pieces, as layouts are made of, more is asked."""
    small, large = sorted((len(one), len(other)))
    if small + 4 < 0.3 * (large + 4):
        return False
    alike = 0.75 if small >= _LARGE else 0.5
    some, others = set(one[:_COMPARED]), set(other[:_COMPARED])
    return len(some & others) >= alike * len(some | others)


def _is_telling(run: _Run, tags: list[str], elements: list[int]) -> bool:
    """Whether a run holds more than bare text: items of a list or table, or links in most items."""
    low, high = run[0], run[-1]
    tag = tags[low]
    if tag in _ITEM_TAGS:
        return True
    size = (high - low) / _items(run)
    first, last = _between(elements, low, high)
    linked = last - first
    if tag == "a" and size < 2:  # three links in a sentence are no list
        return _items(run) >= 5 and linked >= _items(run)
    if tag in ("td", "th"):
        return size >= 3 and linked >= _items(run)
    if tag in _BARE_TAGS or size < 3:
        return 2 * linked >= _items(run)
    return linked >= _items(run) or size >= 4
