"""Which text is meant by a value: the settlement of annotations by value alone.

A value may stand at several places of its page, and each place is a candidate. For each, rules are learnt; the place is taken
whose rules agree most on the pages that nobody annotated, and find different things on different pages there. An XPath
settles the matter at once. A value that is no whole text is looked for inside texts.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from lxml import etree

from trailmark.wrap.page.node_columns import column, places_of
from trailmark.wrap.page.node_table import TEXT, NodeTable, Numbers
from trailmark.wrap.rules.rule_search import RuleExample

MOST_CANDIDATES = 8
ELSEWHERE, PART, WHOLE = 1, 2, 3
"""How well a value fits a table: whole, but not where the XPath says; as a part; whole and in its place."""
_LIKE_LEVELS = 6


@dataclass(frozen=True, slots=True)
class Mark:
    """A value that a person marked, with the place where it was named."""

    value: str
    xpath: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPage:
    """A page with the field's values: () where it lacks the field, None where nobody looked."""

    table: NodeTable
    marks: tuple[Mark, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One way to understand the annotations: a place on each annotated page."""

    examples: tuple[RuleExample, ...]
    pairs: tuple[tuple[str, str], ...]
    """The text at each place, and the value that is meant by it."""


def readings_of(pages: Sequence[MarkedPage]) -> list[Reading]:
    """Each settles one place on the first page, and the likest ones on the others."""
    places = [_places(page) for page in pages]
    first = next((number for number, rows in enumerate(places) if rows), None)
    if first is None:
        return []
    starts = list(places[first])[:MOST_CANDIDATES]
    return [_reading(pages, places, pages[first].table, start) for start in starts]


def _reading(pages: Sequence[MarkedPage], places: Sequence[dict[int, str]], model: NodeTable, start: int) -> Reading:
    examples, pairs = [], []
    for page, rows in zip(pages, places, strict=True):
        example = _settled(page, rows, model, start)
        examples.append(example)
        if example.target is not None:
            pairs.append((page.table.texts[example.target], rows[example.target]))
    return Reading(tuple(examples), tuple(pairs))


def _settled(page: MarkedPage, rows: dict[int, str], model: NodeTable, start: int) -> RuleExample:
    """The page with the row that is most like the model's; not annotated where none of its values is found."""
    if page.marks == ():
        return RuleExample(page.table, annotated=True)
    if not rows:
        return RuleExample(page.table)
    at_hand = sorted(rows)
    target = at_hand[int(np.argmax(_likeness(page.table, at_hand, model, start)))]  # the first of equals
    others = frozenset(row for row, value in rows.items() if value != rows[target])
    likest: dict[str, tuple[int, int]] = {}
    behind = sorted(others)
    for row, alike in zip(behind, _likeness(page.table, behind, page.table, target).tolist(), strict=True):
        likest[rows[row]] = max(likest.get(rows[row], (-1, 0)), (alike, -row))
    together = (target, *sorted(-row for _, row in likest.values()))
    return RuleExample(page.table, target, others, together, annotated=True)


def _likeness(table: NodeTable, rows: Sequence[int], model: NodeTable, start: int) -> Numbers:
    """How many features each row shares with the model's."""
    at = np.array(rows, dtype=np.int64)
    shared = np.zeros(len(at), dtype=np.int64)
    for kind, level in places_of(table.layer):
        code = int(column(model, kind, level)[start]) if level < _LIKE_LEVELS else 0
        if code:
            shared += column(table, kind, level)[at] == code
    if table is model:
        shared[at == start] = 1_000
    return shared


def _places(page: MarkedPage) -> dict[int, str]:
    """Rows that are, or hold, one of the values, in document order within whole texts and parts."""
    places: dict[int, str] = {}
    for mark in page.marks or ():
        for value in _spellings(mark.value):
            rows = _rows(page.table, value, mark.xpath) if value else []
            places.update((row, value) for row in rows if row not in places)
            if rows:
                break
    return (
        places if any(page.table.texts[row] != value for row, value in places.items()) else dict(sorted(places.items()))
    )


def _spellings(value: str) -> list[str]:
    """A value as it was marked and with its entities read, blanks squeezed; once where both are the same."""
    try:
        read = html.unescape(value)
    except ValueError:  # the number of a character with thousands of digits
        read = value
    return list(dict.fromkeys(" ".join(text.split()) for text in (value, read)))


def fit_of(page: MarkedPage) -> int:
    """How well the best of the page's values fits its table: WHOLE, PART, ELSEWHERE, or 0."""
    texts = page.table.texts
    fits = [0]
    for mark in page.marks or ():
        within = _rows_at(page.table, mark.xpath) if mark.xpath else range(len(texts))
        for value in _spellings(mark.value):
            if value and any(texts[row] == value for row in within):
                fits.append(WHOLE)
            elif value and any(value in texts[row] for row in within):
                fits.append(PART)
            elif value and value in texts:
                fits.append(ELSEWHERE)
    return max(fits)


def _rows(table: NodeTable, value: str, xpath: str | None) -> list[int]:
    """Whole texts first; where there is none, texts that hold the value, shortest first."""
    texts = table.texts
    within = _rows_at(table, xpath) if xpath else None
    scope = range(len(texts)) if within is None else within
    whole = [row for row in scope if texts[row] == value]
    if whole:
        return whole
    parts = sorted((row for row in scope if value in texts[row]), key=lambda row: (len(texts[row]), row))
    if parts or within is None:
        return parts[:MOST_CANDIDATES]
    return _rows(table, value, None)


def _rows_at(table: NodeTable, xpath: str) -> list[int]:
    """Rows of the texts at, or within, what the XPath finds."""
    if not table.elements:
        return []
    try:
        nodes = etree.XPath(xpath, smart_strings=True)(table.elements[0])
    except (etree.XPathError, ValueError):  # a control character is no XPath error
        return []
    rows: list[int] = []
    for node in nodes if isinstance(nodes, list) else []:
        number = table.number_of(node.getparent() if isinstance(node, etree._ElementUnicodeResult) else node)
        if number is not None:
            rows += _rows_of(table, number, node)
    return sorted(set(rows))


def _rows_of(table: NodeTable, number: int, node: Any) -> list[int]:
    """Rows at a text, an attribute or an element that an XPath found; of an element, all texts within it too."""
    plain = " ".join(node.split()) if isinstance(node, str) else None
    if table.layer != TEXT:
        named = plain is None or (getattr(node, "is_attribute", False) and table.layer == f"@{node.attrname}")
        first, end = np.searchsorted(table.owner, (number, number + 1)).tolist()  # the owners of a layer ascend
        return list(range(first, end)) if named else []
    if getattr(node, "is_attribute", False):
        return []
    inside = range(int(table.first_text[number]), int(table.end_text[number]))
    return [row for row in inside if plain is None or table.texts[row] == plain]
