"""What can be said of an element: tag, class, id, the sibling before, the place among siblings, the texts around it.

Arrays have one entry more than there are elements: the last, 0, stands for no element.
"""

from __future__ import annotations

import numpy as np

from trailmark.wrap.page.node_table import LONGEST, NodeTable, Numbers
from trailmark.wrap.page.value_code import LONGEST_KNOWN, MOST_KNOWN, value_code

STRIDE = 0x2545F4914F6CDD1D
"""Large and odd: codes of a tag's places are far apart."""
ATTRIBUTE_KINDS = ("class", "id", "name", "property", "itemprop", "rel")


def element_column(table: NodeTable, kind: str) -> Numbers:
    if kind not in table.shared:
        table.shared[kind] = _make_element_column(table, kind)
    column: Numbers = table.shared[kind]
    return column


def _make_element_column(table: NodeTable, kind: str) -> Numbers:
    if kind == "tag":
        return table.tag_codes
    if kind in ATTRIBUTE_KINDS:
        return _attribute_column(table, kind)
    if kind.startswith("before-"):
        return element_column(table, kind.removeprefix("before-"))[_previous(table)]
    if kind == "index":
        codes = element_column(table, "tag") + table.numbers * np.int64(STRIDE)
        codes[-1] = 0
        return codes
    return label_codes(table)[label_rows(table, kind)]


class _Squeezed(dict[str | None, int]):
    """Codes of attributes; begun anew when it is full. The pages of a site say the same classes again and again."""

    def __missing__(self, raw: str | None) -> int:
        code = value_code(" ".join((raw or "").split()))
        if raw is None or len(raw) <= LONGEST_KNOWN:
            if len(self) >= MOST_KNOWN:
                self.clear()
            self[raw] = code
        return code


_squeezed_code = _Squeezed().__getitem__


def _attribute_column(table: NodeTable, name: str) -> Numbers:
    raw = [element.get(name) for element in table.elements]
    codes = np.zeros(len(raw) + 1, dtype=np.int64)
    codes[:-1] = np.fromiter(map(_squeezed_code, raw), np.int64, len(raw))
    return codes


def element_value(table: NodeTable, kind: str, element: int) -> str:
    if kind == "tag":
        return table.tags[element]
    if kind in ATTRIBUTE_KINDS:
        return " ".join((table.elements[element].get(kind) or "").split())
    if kind.startswith("before-"):
        previous = int(_previous(table)[element])
        return element_value(table, kind.removeprefix("before-"), previous) if previous < len(table.tags) else ""
    if kind == "index":
        return f"{table.tags[element]}[{table.numbers[element]}]"
    return table.label(int(label_rows(table, kind)[element]))


def label_rows(table: NodeTable, kind: str) -> Numbers:
    """The row of the text before, after or at the start of each element; as many as there are rows where there is none."""
    key = "rows " + kind
    if key not in table.shared:
        table.shared[key] = _make_label_rows(table, kind)
    rows: Numbers = table.shared[key]
    return rows


def _make_label_rows(table: NodeTable, kind: str) -> Numbers:
    first, end, none = table.first_text, table.end_text, len(table.page_texts)
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

    if "previous" not in table.shared:
        none = len(table.tags)
        before = np.full(none + 1, none, dtype=np.int64)
        real = np.flatnonzero(element_column(table, "tag"))
        order = real[np.argsort(table.parent[real], kind="stable")]
        same = table.parent[order[1:]] == table.parent[order[:-1]]
        before[order[1:][same]] = order[:-1][same]
        table.shared["previous"] = before
    previous: Numbers = table.shared["previous"]
    return previous


def codes_of(values: list[str]) -> Numbers:
    return np.fromiter(map(value_code, values), np.int64, len(values))


def label_codes(table: NodeTable) -> Numbers:
    """A code for each text as a label, and one more for none."""

    if "labels" not in table.shared:
        table.shared["labels"] = codes_of([text if len(text) <= LONGEST else "" for text in table.page_texts] + [""])
    codes: Numbers = table.shared["labels"]
    return codes
