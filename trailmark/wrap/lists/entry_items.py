"""What stands side by side in an element, and how it falls into runs: the entries of a list that have no element each.

An item is a child element or a text between two of them. Its symbol is its tag, with its class where that is a word and no
number; breaks that follow one another are one item, because people part lines with one break and entries with two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from trailmark.wrap.page.node_table import NodeTable

TEXT = "#text"
STOPS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "hr"))
"""Tags that end an entry where none is known to go on behind them: the heading of the next group is no part of it."""

_LEFT_OPEN = frozenset(("dt", "dd"))


@dataclass(frozen=True, slots=True, eq=False)
class EntryItem:
    """A child of an element, or a text of its own."""

    symbol: str
    node: Any
    """The element; None for a text."""
    first: int
    end: int
    """Rows of the page's table that it holds."""
    until: Any = None
    """The child before which it ends, where the page left it open and the next one stands within it."""

    @property
    def tag(self) -> str:
        return self.symbol.partition(".")[0]


def plain_class(element: Any) -> str:
    """The class, where it names a kind of thing: one with a digit in it numbers things."""
    named = " ".join((element.get("class") or "").split())
    return "" if any(sign.isdigit() for sign in named) else named


def symbol_of(element: Any) -> str:
    named = plain_class(element)
    return f"{element.tag}.{named}" if named else str(element.tag)


def items_of(table: NodeTable, number: int) -> list[EntryItem]:
    """The items of the element with that number, in document order."""
    own = _own_rows(table, number)
    rows = dict(zip(table.behind[own].tolist(), own.tolist(), strict=True))
    items = [EntryItem(TEXT, None, rows[-1], rows[-1] + 1)] if -1 in rows else []
    for child in table.elements[number]:
        at = table.number_of(child)
        if at is None:
            break
        if isinstance(child.tag, str):
            items += _unfolded(table, child, at)
        if at in rows:
            items.append(EntryItem(TEXT, None, rows[at], rows[at] + 1))
    return list(_joined_breaks(items))


def _own_rows(table: NodeTable, number: int) -> NDArray[np.int64]:
    """Rows of an element's own texts, in document order; sorted once a page, as many elements are asked for."""
    order, owners = table.kept("rows by owner", lambda: _by_owner(table))
    first, end = np.searchsorted(owners, (number, number + 1))
    rows: NDArray[np.int64] = order[first:end]
    return rows


def _by_owner(table: NodeTable) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    order = np.argsort(table.owner, kind="stable")
    return order, table.owner[order]


def _unfolded(table: NodeTable, element: Any, number: int) -> Iterator[EntryItem]:
    """The element; where pages leave terms open, parsers put each into the one before: those stand side by side again."""
    inner = next((child for child in element if child.tag in _LEFT_OPEN), None) if element.tag in _LEFT_OPEN else None
    while inner is not None:
        at = table.number_of(inner)
        if at is None:
            break
        yield EntryItem(symbol_of(element), element, int(table.first_text[number]), int(table.first_text[at]), inner)
        element, number = inner, at
        inner = next((child for child in element if child.tag in _LEFT_OPEN), None)
    yield EntryItem(symbol_of(element), element, int(table.first_text[number]), int(table.end_text[number]))


def copy_of(item: EntryItem) -> Any:
    """A copy of the item's element, as far as it belongs to it."""
    if item.until is None:
        copy = deepcopy(item.node)
        copy.tail = None
        return copy
    copy = etree.Element(item.node.tag, dict(item.node.attrib))
    copy.text = item.node.text
    for child in takewhile(lambda node: node is not item.until, item.node):
        copy.append(deepcopy(child))
    return copy


def _joined_breaks(items: Sequence[EntryItem]) -> Iterator[EntryItem]:
    waiting: list[EntryItem] = []
    for item in items:
        if item.tag == "br":
            waiting.append(item)
            continue
        if waiting:
            yield EntryItem(" ".join(["br"] * min(len(waiting), 2)), None, waiting[0].first, waiting[-1].end)
            waiting = []
        yield item
    if waiting:
        yield EntryItem(" ".join(["br"] * min(len(waiting), 2)), None, waiting[0].first, waiting[-1].end)


def runs_of(items: Sequence[EntryItem], *, opens: str, parted: str, goes_on: frozenset[str]) -> list[list[EntryItem]]:
    """The entries: each begins with the symbol that opens one, or stands between two that part them.

    `goes_on` are tags that would end an entry, but are known to stand within one.
    """
    runs: list[list[EntryItem]] = []
    current: list[EntryItem] | None = None if opens else []
    for item in items:
        if opens and item.symbol == opens:
            current = [item]
            runs.append(current)
        elif (item.tag in STOPS and item.tag not in goes_on) or (parted and item.symbol == parted):
            current = None
        elif current is None and not opens:
            current = [item]
            runs.append(current)
        elif current is not None:
            if not current:
                runs.append(current)
            current.append(item)
    return [run for run in runs if run[0].first < run[-1].end]
