"""Tables of the page's other nodes: of one attribute's values, or of elements whose text is split over several nodes.

They are looked at only where a field's values are no texts of the page. Rows stand for elements: level 0 is the element itself.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from trailmark.wrap.inner_text import LONGEST_WHOLE, inner_text
from trailmark.wrap.node_table import ATTRIBUTES, ELEMENT, TEXT, NodeTable

LAYERS = (TEXT, ELEMENT, *(f"@{name}" for name in ATTRIBUTES))
MOST_SPLIT = 40
"""Texts within an element that still is a value."""


def layer_of(table: NodeTable, layer: str) -> NodeTable:
    """The table of the layer, made once a page."""
    if table.layer == layer:
        return table
    made: NodeTable = table.kept(("layer", layer), lambda: _made(table, layer))
    return made


def node_of(table: NodeTable, row: int) -> int:
    """The number of a row among all nodes of its page, as `NodeTable.xpath` takes it."""
    if table.layer == TEXT:
        return row
    before = LAYERS.index(table.layer) - 1
    return len(table.page_texts) + before * len(table.elements) + int(table.owner[row])


def _made(table: NodeTable, layer: str) -> NodeTable:
    view = copy(table)
    found = _split_elements(table) if layer == ELEMENT else _attributes(table, layer.removeprefix("@"))
    view.layer = layer
    view.texts = list(found.values())
    view.owner = np.fromiter(found, np.int64, len(found))
    view.behind = np.full(len(found), -1, dtype=np.int64)
    view.forget_rows()
    return view


def _split_elements(table: NodeTable) -> dict[int, str]:
    """Elements that hold a few texts, with what a reader sees of them."""
    texts = (table.end_text - table.first_text)[:-1]
    numbers = np.flatnonzero((texts > 1) & (texts <= MOST_SPLIT)).tolist()
    lengths = np.concatenate([[0], np.cumsum([len(text) for text in table.page_texts])])
    inside = lengths[table.end_text] - lengths[table.first_text]
    found = ((number, inner_text(table.elements[number])) for number in numbers if inside[number] <= LONGEST_WHOLE)
    return {number: text for number, text in found if text}


def _attributes(table: NodeTable, name: str) -> dict[int, str]:
    having: list[Any] = table.elements[0].xpath(f"descendant-or-self::*[@{name}]") if table.elements else []
    numbers = ((table.number_of(each), " ".join(each.get(name).split())) for each in having)
    return {number: text for number, text in numbers if number is not None and text}
