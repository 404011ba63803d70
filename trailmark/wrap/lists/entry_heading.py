"""Fields that stand above a group of entries: the year over the papers of that year."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from trailmark.wrap.lists.entry_items import symbol_of
from trailmark.wrap.lists.entry_rule import EntryRule, ListEntry
from trailmark.wrap.lists.entry_search import MarkedList, place_of
from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.range_pruner import Pruner, learn_pruner
from trailmark.wrap.rules.rule import FoundValue


@dataclass(frozen=True, slots=True)
class HeadingRule:
    """The nearest text of such an element above an entry that is part of no entry itself."""

    name: str
    element: str
    """Tag, with its class, of the element that holds the text."""
    pruner: Pruner = field(default_factory=Pruner)

    def rows(self, table: NodeTable, entries: Sequence[ListEntry]) -> list[int]:
        """The rows, ascending, of all headings of a page with these entries: made once for all of them."""
        inside = {row for entry in entries for row in range(entry.first, entry.end)}
        outside = (row for row in range(len(table)) if row not in inside)
        return [row for row in outside if symbol_of(table.elements[int(table.owner[row])]) == self.element]

    def find(self, table: NodeTable, entry: ListEntry, rows: Sequence[int]) -> FoundValue | None:
        """What the nearest of the headings above an entry says."""
        at = bisect_left(rows, entry.first) - 1
        value = self.pruner.value(table.texts[rows[at]]) if at >= 0 else ""
        return FoundValue(value, rows[at]) if value else None

    @property
    def sentence(self) -> str:
        return f"The nearest <{self.element}> above the entry."


def learn_heading(name: str, rule: EntryRule, marked: Sequence[MarkedList]) -> HeadingRule | None:
    """A rule that finds the marked heading of every marked entry; None where there is none."""
    marked_rows = [(page, group, group.row(name)) for page in marked for group in page.groups]
    rows = [(page, group, row) for page, group, row in marked_rows if row is not None]
    elements = {symbol_of(page.table.elements[int(page.table.owner[row])]) for page, _, row in rows}
    pairs = [(page.table.texts[row], group.value(name)) for page, group, row in rows]
    pruner = learn_pruner(pairs) if pairs else None
    if len(elements) != 1 or pruner is None:
        return None
    heading = HeadingRule(name, elements.pop(), pruner)
    for page, group, _ in rows:
        entries = rule.entries(page.table)
        at = place_of(entries, group.without(name))
        above = heading.rows(page.table, entries)
        value = heading.find(page.table, entries[at], above) if at is not None else None
        if value is None or value.value != group.value(name):
            return None
    return heading
