"""What can be said of an element: tag, class, id, the sibling before, the place among siblings, the texts around it.

Arrays have one entry more than there are elements: the last, 0, stands for no element.
"""

from __future__ import annotations

import numpy as np

from trailmark.wrap.node_table import LONGEST, NodeTable, Numbers

STRIDE = 0x2545F4914F6CDD1D
"""Large and odd: codes of a tag's places are far apart."""


def element_column(table: NodeTable, kind: str) -> Numbers:
    made: Numbers = table.kept(f"element {kind}", lambda: _make_element_column(table, kind))
    return made


def _make_element_column(table: NodeTable, kind: str) -> Numbers:
    if kind == "tag":
        return codes_of([*table.tags, ""])
    if kind in ("class", "id"):
        found = [each.get(kind) or "" for each in table.elements]
        return codes_of([text if text.isalnum() or not text else " ".join(text.split()) for text in found] + [""])
    if kind.startswith("before-"):
        return element_column(table, kind.removeprefix("before-"))[_previous(table)]
    if kind == "index":
        codes = element_column(table, "tag") + index_among_siblings(table) * np.int64(STRIDE)
        codes[-1] = 0
        return codes
    return label_codes(table)[label_rows(table, kind)]


def element_value(table: NodeTable, kind: str, element: int) -> str:
    if kind == "tag":
        return table.tags[element]
    if kind in ("class", "id"):
        return _attribute(table, kind, element)
    if kind.startswith("before-"):
        previous = int(_previous(table)[element])
        return element_value(table, kind.removeprefix("before-"), previous) if previous < len(table.tags) else ""
    if kind == "index":
        return f"{table.tags[element]}[{index_among_siblings(table)[element]}]"
    return table.label(int(label_rows(table, kind)[element]))


def _attribute(table: NodeTable, name: str, element: int) -> str:
    return " ".join((table.elements[element].get(name) or "").split())


def label_rows(table: NodeTable, kind: str) -> Numbers:
    """The row of the text before, after or at the start of each element; as many as there are rows where there is none."""
    made: Numbers = table.kept(f"rows {kind}", lambda: _make_label_rows(table, kind))
    return made


def _make_label_rows(table: NodeTable, kind: str) -> Numbers:
    first, end, none = table.first_text, table.end_text, len(table)
    if kind == "left-of":
        rows = np.where(first > 0, first - 1, none)
    elif kind == "opens":
        rows = np.where(first < end, first, none)
    else:
        rows = np.minimum(end, none)
    rows[-1] = none
    return rows


def _previous(table: NodeTable) -> Numbers:
    """The element before each under the same parent; as many as there are elements where there is none."""

    def make() -> Numbers:
        none = len(table.tags)
        found = np.full(none + 1, none, dtype=np.int64)
        real = np.array([number for number, tag in enumerate(table.tags) if tag], dtype=np.int64)
        order = real[np.argsort(table.parent[real], kind="stable")]
        same = table.parent[order[1:]] == table.parent[order[:-1]]
        found[order[1:][same]] = order[:-1][same]
        return found

    made: Numbers = table.kept("previous", make)
    return made


def index_among_siblings(table: NodeTable) -> Numbers:
    """1 for the first child of its tag, 2 for the second, as XPath counts."""
    made: Numbers = table.kept("index", lambda: _make_index(table))
    return made


def _make_index(table: NodeTable) -> Numbers:
    parent, tag = table.parent, element_column(table, "tag")
    order = np.lexsort((np.arange(len(parent)), tag, parent))
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (parent[order[1:]] != parent[order[:-1]]) | (tag[order[1:]] != tag[order[:-1]])
    starts = np.maximum.accumulate(np.where(fresh, np.arange(len(order)), 0))
    index = np.empty(len(order), dtype=np.int64)
    index[order] = np.arange(len(order)) - starts + 1
    index[-1] = 0
    return index


def codes_of(values: list[str]) -> Numbers:
    return np.fromiter(map(hash, values), np.int64, len(values))


def label_codes(table: NodeTable) -> Numbers:
    """A code for each text as a label, and one more for none."""

    def make() -> Numbers:
        return codes_of([text if len(text) <= LONGEST else "" for text in table.texts] + [""])

    made: Numbers = table.kept("labels", make)
    return made
