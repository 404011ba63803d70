"""Which annotations of a page belong to one entry, and where they stand.

A person marks entry after entry: a field that comes again after another one begins the next entry (title, authors, year, title,
authors, year). Where somebody marked field after field instead, values join the value of the first such field that stands
nearest to them. Where every value has its place by XPath, places tell and the order does not matter. Where a value stands at several places, the place nearest to the rest of its entry is meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from trailmark.datatypes import Annotation
from trailmark.wrap.page.node_table import NodeTable

MOST_PLACES = 40
LEAST_OPENING = 3
"""Letters of the first text of a value that runs over several."""


@dataclass(frozen=True, slots=True, eq=False)
class EntryGroup:
    """The annotations of one entry, and rows of those that stand somewhere as they were marked."""

    annotations: tuple[Annotation, ...]
    rows: tuple[int, ...]
    fields: tuple[str, ...]
    """The field of each row."""

    def row(self, field: str) -> int | None:
        return next((row for row, name in zip(self.rows, self.fields, strict=True) if name == field), None)

    def value(self, field: str) -> str:
        values = (
            annotation.value
            for annotation in self.annotations
            if annotation.field == field and annotation.value is not None
        )
        return " ".join(next(values, "").split())

    def without(self, field: str) -> EntryGroup:
        others = [(row, name) for row, name in zip(self.rows, self.fields, strict=True) if name != field]
        other_annotations = tuple(annotation for annotation in self.annotations if annotation.field != field)
        return EntryGroup(other_annotations, tuple(row for row, _ in others), tuple(name for _, name in others))


def groups_of(table: NodeTable, annotations: Sequence[Annotation]) -> list[EntryGroup]:
    """The entries that were marked on a page, those that stand nowhere left out."""
    marked = [annotation for annotation in annotations if annotation.value is not None and annotation.value.strip()]
    grouped = _by_order(marked)
    if len(grouped) == 1 and sum(count > 1 for count in Counter(members.field for members in marked).values()) > 1:
        grouped = _by_place(table, marked)
    elif len(grouped) == 1 and len({members.field for members in marked}) == 1:
        grouped = [[members] for members in marked]
    elif len(grouped) > 1:
        grouped = _as_places_tell(table, marked, grouped)
    groups: list[EntryGroup] = []
    taken: set[int] = set()
    for members in grouped:
        group = _located(table, members, taken)
        taken |= set(group.rows)
        if group.rows and all(group.rows != other.rows for other in groups):  # else the same was marked twice
            groups.append(group)
    return groups


def _by_order(marked: Sequence[Annotation]) -> list[list[Annotation]]:
    groups: list[list[Annotation]] = []
    for annotation in marked:
        again = (
            bool(groups)
            and groups[-1][-1].field != annotation.field
            and any(o.field == annotation.field for o in groups[-1])
        )
        if again or not groups:
            groups.append([])
        groups[-1].append(annotation)
    return groups


def _by_place(table: NodeTable, marked: Sequence[Annotation]) -> list[list[Annotation]]:
    """Values by the value of the first field with several that is nearest in the tree."""
    counts = Counter(annotation.field for annotation in marked)
    key = next(field for field, count in counts.items() if count > 1)
    anchors = [
        (annotation, rows[0])
        for annotation in marked
        if annotation.field == key and (rows := places(table, annotation))
    ]
    groups: list[list[Annotation]] = [[annotation] for annotation, _ in anchors]
    taken: set[int] = set()
    for annotation in marked:
        near = [
            (distance(table, anchor, row), number, row)
            for row in places(table, annotation)
            for number, (_, anchor) in enumerate(anchors)
            if row not in taken
        ]
        if annotation.field != key and near:
            _, number, row = min(near)
            groups[number].append(annotation)
            taken.add(row)
    return groups or [list(marked)]


def _as_places_tell(
    table: NodeTable, marked: Sequence[Annotation], ordered: list[list[Annotation]]
) -> list[list[Annotation]]:
    """The entries by where values stand, where each has one place by its XPath and they fit together better so; else as they were ordered."""
    rows = {id(mark): found[0] for mark in marked if mark.xpath and len(found := places(table, mark)) == 1}
    counts = Counter(mark.field for mark in marked)
    often = [field for field, count in counts.items() if count > 1]
    if len(rows) < len(marked) or len(often) < 2 or len(marked) > MOST_PLACES:
        return ordered
    key = min(often, key=lambda field: (counts[field], min(rows[id(mark)] for mark in marked if mark.field == field)))
    groups = [[mark] for mark in marked if mark.field == key]
    for mark in (mark for mark in marked if mark.field != key):
        nearest = min(groups, key=lambda group: _apart(table, rows[id(group[0])], rows[id(mark)]))
        nearest.append(mark)
    return min((ordered, groups), key=lambda grouping: (_raggedness(grouping), _spread(table, grouping, rows)))


def _raggedness(grouping: Sequence[Sequence[Annotation]]) -> int:
    """How many different sets of fields the entries have."""
    return len({frozenset(mark.field for mark in group) for group in grouping})


def _spread(table: NodeTable, grouping: Sequence[Sequence[Annotation]], rows: dict[int, int]) -> int:
    """How far the values of an entry stand apart, all entries together."""
    return sum(_apart(table, rows[id(group[0])], rows[id(mark)])[0] for group in grouping for mark in group)


def _apart(table: NodeTable, one: int, other: int) -> tuple[int, int]:
    """Steps up to where both are inside, from whichever is deeper, then texts between them."""
    (up, between), (down, _) = distance(table, one, other), distance(table, other, one)
    return max(up, down), between


def _located(table: NodeTable, group: Sequence[Annotation], taken: set[int]) -> EntryGroup:
    """A row for each annotation that is found: the places that are nearest to one another, none of another entry."""
    located = [(annotation.field, rows) for annotation in group if (rows := places(table, annotation))]
    located = [(field, [row for row in rows if row not in taken] or rows) for field, rows in located]
    located += [
        (annotation.field, [row])
        for annotation in group
        if not places(table, annotation)
        for row in _span(table, annotation)
    ]
    best: tuple[tuple[int, int], tuple[int, ...]] | None = None
    for start in min((rows for _, rows in located), key=len, default=[]):
        chosen = [min((distance(table, start, row), -row) for row in rows) for _, rows in located]
        cost = (sum(annotation[0][0] for annotation in chosen), sum(annotation[0][1] for annotation in chosen))
        if best is None or cost < best[0]:
            best = cost, tuple(-row for _, row in chosen)
    return EntryGroup(tuple(group), best[1] if best else (), tuple(name for name, _ in located))


def distance(table: NodeTable, one: int, other: int) -> tuple[int, int]:
    """Steps up from one text until the other is inside, then texts between them."""
    element, steps = int(table.owner[one]), 0
    while element < len(table.tags) and not table.first_text[element] <= other < table.end_text[element]:
        element, steps = int(table.parent[element]), steps + 1
    return steps, abs(one - other)


def places(table: NodeTable, mark: Annotation) -> list[int]:
    """Rows of the value: where its XPath leads, else whole texts, else texts that hold it."""
    value = " ".join((mark.value or "").split())
    if mark.xpath:
        at = _row_at(table, mark.xpath, value)
        if at is not None:
            return [at]
    whole = _rows_by_text(table).get(value, [])
    return (whole or [row for row, text in enumerate(table.texts) if value in text])[:MOST_PLACES]


def _rows_by_text(table: NodeTable) -> dict[str, list[int]]:
    def make() -> dict[str, list[int]]:
        rows: dict[str, list[int]] = {}
        for row, text in enumerate(table.texts):
            rows.setdefault(text, []).append(row)
        return rows

    by_text: dict[str, list[int]] = table.kept("rows by text", make)
    return by_text


def _row_at(table: NodeTable, xpath: str, value: str) -> int | None:
    """The row at, or within, what the XPath finds: the value itself, else a text that holds it, else the first."""
    try:
        nodes = etree.XPath(xpath, smart_strings=True)(table.elements[0]) if table.elements else []
    except (etree.XPathError, ValueError):  # a control character is no XPath error
        return None
    rows: list[int] = []
    for node in nodes if isinstance(nodes, list) else []:
        number = table.number_of(node.getparent() if isinstance(node, etree._ElementUnicodeResult) else node)
        if number is not None:
            rows += range(int(table.first_text[number]), int(table.end_text[number]))
    if not rows:
        return None
    return min(rows, key=lambda row: (table.texts[row] != value, value not in table.texts[row], row))


def _span(table: NodeTable, mark: Annotation) -> tuple[int, ...]:
    """First and last row of a value that runs over several texts."""
    value = "".join((mark.value or "").split())
    bare = ["".join(text.split()) for text in table.texts]
    for first, text in enumerate(bare):
        rest, row = value, first
        if len(text) < LEAST_OPENING and len(text) < len(value):
            continue
        while row < len(bare) and rest and rest.startswith(bare[row]):
            rest, row = rest[len(bare[row]) :], row + 1
        if row > first + 1 and (not rest or (row < len(bare) and bare[row].startswith(rest))):
            return first, row - 1
    return ()
