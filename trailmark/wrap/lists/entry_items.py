"""What stands side by side in an element, and how it falls into runs: the entries of a list that have no element each.

An item is a child element or a text between two of them. Its symbol is its tag, with its class where that is a word and no
number; breaks that follow one another are one item, because people part lines with one break and entries with two.

Where a page leaves its entries open, each stands within the one before, in browsers too (`<div class=entry>` again and again, and no `</div>`).
Those stand side by side again here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from trailmark.wrap.page.node_table import NodeTable

TEXT = "#text"
STOPS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "hr"))
"""Tags that end an entry where none is known to go on behind them: the heading of the next group is no part of it."""

_LEFT_OPEN = frozenset(("dt", "dd"))
_BETWEEN = frozenset(("ul", "ol", "menu", "dir", "dl", "table", "select"))
"""What holds entries of its own: an entry of a list within an entry was not left open."""
LEAST_OPEN = 3
"""Elements in one another, of one kind and each with something to say before the next, that are taken for entries left open."""
MOST_CLOSED = 3
"""Of these, how many may go on behind the next: where entries are left open, the ends of what is around the list close some of them."""


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
    """The element, or, where the page left it open and others of its kind stand within it, all of them side by side."""
    opened = _open_terms(table, element, number) if element.tag in _LEFT_OPEN else _open_entries(table, element, number)
    for (this, at), (following, until) in pairwise(opened):
        yield EntryItem(symbol_of(this), this, int(table.first_text[at]), int(table.first_text[until]), following)
    last, at = opened[-1]
    yield EntryItem(symbol_of(last), last, int(table.first_text[at]), int(table.end_text[at]))


def _open_terms(table: NodeTable, element: Any, number: int) -> list[tuple[Any, int]]:
    """Terms and definitions, each a child of the one before."""
    opened = [(element, number)]
    inner = next((child for child in element if child.tag in _LEFT_OPEN), None)
    while inner is not None and (at := table.number_of(inner)) is not None:
        opened.append((inner, at))
        inner = next((child for child in inner if child.tag in _LEFT_OPEN), None)
    return opened


def _open_entries(table: NodeTable, element: Any, number: int) -> list[tuple[Any, int]]:
    """Elements of one kind in one another, each with something to say before the next begins; else the first alone."""
    opened = [(element, number)]
    symbol, closed = symbol_of(element), 0
    while (inner := _next_open(*opened[-1], symbol, table)) is not None:
        closed += int(table.end_text[opened[-1][1]]) > int(table.end_text[inner[1]])
        opened.append(inner)
    return opened if len(opened) >= LEAST_OPEN and closed <= MOST_CLOSED else opened[:1]


def _next_open(element: Any, number: int, symbol: str, table: NodeTable) -> tuple[Any, int] | None:
    """The first element of the same kind within one, if that says something before it and no other list is between them."""
    inner = next((node for node in element.iterdescendants(element.tag) if symbol_of(node) == symbol), None)
    at = None if inner is None else table.number_of(inner)
    if inner is None or at is None or not table.first_text[number] < table.first_text[at] < table.end_text[at]:
        return None
    between = takewhile(lambda node: node is not element, inner.iterancestors())
    return None if any(node.tag in _BETWEEN for node in between) else (inner, at)


def is_within_open(table: NodeTable, number: int, symbol: str) -> bool:
    """Whether an element stands in one of that kind, or is one, and no other list is between: entries in it are not all of them."""
    element = table.elements[number]
    around = takewhile(lambda node: node.tag not in _BETWEEN, (element, *element.iterancestors()))
    return any(symbol_of(node) == symbol for node in around)


def copy_of(item: EntryItem) -> Any:
    """A copy of the item's element, as far as it belongs to it."""
    if item.until is None:
        copy = deepcopy(item.node)
        copy.tail = None
        return copy
    way = [*reversed([*takewhile(lambda node: node is not item.node, item.until.iterancestors())])]
    copy = above = _bare_copy(item.node)
    for node, following in zip([item.node, *way], [*way, item.until], strict=True):
        for child in node:
            if child is following:
                break
            above.append(deepcopy(child))
        if following is not item.until:
            above.append(_bare_copy(following))
            above = above[-1]
    return copy


def _bare_copy(node: Any) -> Any:
    copy = etree.Element(node.tag, dict(node.attrib))
    copy.text = node.text
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
