"""Tables of the page's other nodes: of one attribute's values, or of elements whose text is split over several nodes.

They are looked at only where a field's values are no texts of the page. Rows stand for elements: level 0 is the element itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from trailmark.wrap.page.inner_text import LONGEST_WHOLE, inner_text
from trailmark.wrap.page.node_table import ATTRIBUTES, ELEMENT, TEXT, NodeTable

LAYERS = (TEXT, ELEMENT, *(f"@{name}" for name in ATTRIBUTES))
MOST_TEXTS = 40
"""Texts within an element that still is a value."""
MOST_WITHIN = 200
"""Elements within it: those of elements that hold each other are read once for each."""


def layer_of(table: NodeTable, layer: str) -> NodeTable:
    """The table of the layer, made once a page."""
    if table.layer == layer:
        return table
    view: NodeTable = table.kept(("layer", layer), lambda: _made(table, layer))
    return view


def node_of(table: NodeTable, row: int) -> int:
    """The number of a row among all nodes of its page, as `NodeTable.xpath` takes it."""
    if table.layer == TEXT:
        return row
    before = LAYERS.index(table.layer) - 1
    return len(table.page_texts) + before * len(table.elements) + int(table.owner[row])


class InnerTexts(Sequence[str]):
    """What a reader sees of some elements, made when it is asked for: rules ask for few."""

    def __init__(self, elements: list[Any]) -> None:
        self._elements = elements
        self._made: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._elements)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[at] for at in range(*row.indices(len(self)))]
        if row not in self._made:
            self._made[row] = inner_text(self._elements[row])
        return self._made[row]


def _made(table: NodeTable, layer: str) -> NodeTable:
    view = copy(table)
    texts: Any  # read like a list, and never written
    if layer == ELEMENT:
        numbers = _short_elements(table)
        texts = InnerTexts([table.elements[number] for number in numbers])
    else:
        values = _attributes(table, layer.removeprefix("@"))
        numbers, texts = list(values), list(values.values())
    view.layer = layer
    view.texts = texts
    view.owner = np.array(numbers, dtype=np.int64)
    view.behind = np.full(len(numbers), -1, dtype=np.int64)
    view.forget_rows()
    return view


def _short_elements(table: NodeTable) -> list[int]:
    """Elements that hold texts, but not more than a value has."""
    texts = table.end_text - table.first_text
    elements = np.append(table.ends - np.arange(len(table.ends)), 0)
    lengths = np.cumsum([0, *map(len, table.page_texts)])
    inside = lengths[table.end_text] - lengths[table.first_text]
    short: list[int] = np.flatnonzero(
        (texts > 0) & (texts <= MOST_TEXTS) & (elements <= MOST_WITHIN) & (inside <= LONGEST_WHOLE)
    ).tolist()
    return short


def _attributes(table: NodeTable, name: str) -> dict[int, str]:
    """Values that are not blank, by element."""
    texts = ((number, " ".join((element.get(name) or "").split())) for number, element in enumerate(table.elements))
    return {number: text for number, text in texts if text}
