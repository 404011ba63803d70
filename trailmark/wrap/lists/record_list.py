"""Lists of records on one page: a rule for the entries, and rules for their fields that look at one entry alone.

Vertex takes each page for one record; this goes past it. Two marked entries, or one that stands among others like it, show where
the entries are; each entry is then a small page of its own, on which fields are learnt and found as on any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trailmark.datatypes import Annotation, Record
from trailmark.wrap.lists.entry_field import learn_entry_field, with_neighbours
from trailmark.wrap.lists.entry_groups import EntryGroup, groups_of
from trailmark.wrap.lists.entry_heading import HeadingRule, learn_heading
from trailmark.wrap.lists.entry_rule import EntryRule, ListEntry
from trailmark.wrap.lists.entry_search import MarkedList, find_entry_rule, place_of, without_captions
from trailmark.wrap.lists.list_evidence import is_list
from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.annotation_match import Mark, MarkedPage
from trailmark.wrap.rules.rule import FieldRules

SAMPLE = 30
"""Entries that nobody marked which are looked at while learning."""
EXPECTED = 0.8
"""Share of them that must have a field before an entry without it is doubted."""

AnnotatedTable = tuple[NodeTable, Sequence[Annotation]]


@dataclass(frozen=True, slots=True)
class ListRules:
    """How a page falls into entries, and what is said of an entry besides its fields' own rules."""

    entry: EntryRule
    whole: tuple[str, ...] = ()
    """Fields whose value is all that an entry says."""
    headings: tuple[HeadingRule, ...] = ()
    """Fields whose value stands above a group of entries."""
    expected: tuple[str, ...] = ()
    """Fields that nearly all entries have: what has not even half of them is no record."""

    @property
    def sentence(self) -> str:
        """What an entry is, and which fields are not found by rules of their own, in words."""
        more = [f"All of it is “{name}”." for name in self.whole]
        more += [f"“{heading.name}”: {heading.sentence}" for heading in self.headings]
        return " ".join((self.entry.sentence, *more))

    def records(self, fields: Sequence[FieldRules], url: str, table: NodeTable, kind: str, maker: str) -> list[Record]:
        entries = self.entry.entries(table)
        above = [heading.rows(table, entries) for heading in self.headings]
        rows = [self._record(entry, above, fields, table) for entry in entries]
        return [
            Record(url, kind, values, maker, sources, unsure)
            for values, sources, unsure in rows
            if self._is_record(values)
        ]

    def _is_record(self, values: dict[str, tuple[str, ...]]) -> bool:
        return bool(values) and 2 * sum(name in values for name in self.expected) >= len(self.expected)

    def _record(
        self, entry: ListEntry, headings: Sequence[Sequence[int]], fields: Sequence[FieldRules], table: NodeTable
    ) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]], tuple[str, ...]]:
        """Values, where each stands, and the fields that are unsure."""
        values: dict[str, tuple[str, ...]] = {}
        unsure: list[str] = []
        sources: dict[str, tuple[str, ...]] = {}
        for rules in fields:
            found_values = rules.found(entry.table)
            if found_values:
                values[rules.name] = tuple(one.value for one in found_values)
                sources[rules.name] = tuple(entry.xpath(one.node) for one in found_values)
                unsure += [] if found_values[0].sure else [rules.name]
        for name in self.whole:
            values[name], sources[name] = (entry.text,), (entry.xpath(0),)
        for heading, rows in zip(self.headings, headings, strict=True):
            above = heading.find(table, entry, rows)
            if above is not None and values:
                values[heading.name], sources[heading.name] = (above.value,), (table.xpath(above.node),)
        return values, sources, tuple(unsure)


@dataclass(frozen=True, slots=True)
class LearntList:
    """What was learnt of a list."""

    rules: ListRules
    fields: tuple[FieldRules, ...]
    unlearnt: tuple[str, ...] = field(default=())


def learn_list(pages: Sequence[AnnotatedTable]) -> LearntList | None:
    """Rules for a list of records; None where the annotated pages are one record each."""
    marked = [
        MarkedList(table, tuple(groups)) for table, marks in pages if (groups := groups_of(table, marks)) and len(table)
    ]
    if not marked or all(len(page.groups) == 1 and len(page.groups[0].annotations) > MOST_FIELDS for page in marked):
        return None
    others = [table for table, marks in pages if not marks]
    rule = find_entry_rule(marked, others)
    if rule is not None and not is_list(rule, marked, others):
        rule = None
    headed = _below_headings(marked, others)
    if headed is not None and (rule is None or _is_finer(headed[0], rule, marked)):
        return _learn(headed[0], headed[1], others, headed[2])
    return None if rule is None else _learn(rule, marked, others, ())


def _is_finer(one: EntryRule, other: EntryRule, marked: Sequence[MarkedList]) -> bool:
    """Whether the one finds at least twice as many entries: what the other takes for an entry is a group of them."""
    return all(len(one.entries(page.table)) >= 2 * len(other.entries(page.table)) for page in marked)


MOST_FIELDS = 40
"""Annotations of one entry; more than that are of a page."""


Headed = tuple[EntryRule, list[MarkedList], tuple[HeadingRule, ...]]


def _below_headings(marked: Sequence[MarkedList], others: Sequence[NodeTable]) -> Headed | None:
    """The same without the field that stands first on the page: it may be a heading above several entries, or above all."""
    names = {min(zip(page.groups[0].rows, page.groups[0].fields, strict=True))[1] for page in marked}
    if len(names) != 1:
        return None
    name = names.pop()
    if any(len(set(group.fields) - {name}) < 2 for page in marked for group in page.groups):
        return None
    without = [MarkedList(page.table, tuple(group.without(name) for group in page.groups)) for page in marked]
    rule = find_entry_rule(without, others)
    heading = learn_heading(name, rule, marked) if rule is not None and is_list(rule, without, others) else None
    return (rule, without, (heading,)) if rule is not None and heading is not None else None


def _learn(
    rule: EntryRule, marked: Sequence[MarkedList], others: Sequence[NodeTable], headings: tuple[HeadingRule, ...]
) -> LearntList | None:
    rule = without_captions(rule, marked, others)
    known = [pair for page in marked for pair in _marked_entries(rule, page)]
    rest = _sample(rule, marked, others)
    names = dict.fromkeys(annotation.field for _, group in known for annotation in group.annotations)
    whole = tuple(name for name in names if all(_is_whole(entry, group, name) for entry, group in known))
    pages = {
        name: [MarkedPage(entry.table, _marks(entry, group, name, known)) for entry, group in known]
        + [MarkedPage(entry.table) for entry in rest]
        for name in names
        if name not in whole
    }
    values = frozenset(
        " ".join((annotation.value or "").split()) for _, group in known for annotation in group.annotations
    )
    learnt_fields = {name: learn_entry_field(name, marked_pages, values) for name, marked_pages in pages.items()}
    single = [one for one in learnt_fields.values() if one is not None]
    if not single and not whole:
        return None
    learnt = [
        with_neighbours(
            field_rules, [other for other in single if other is not field_rules], pages[field_rules.name], values
        )
        for field_rules in single
    ]
    unlearnt = [name for name, field_rules in learnt_fields.items() if field_rules is None]
    expected = tuple(
        field_rules.name
        for field_rules in learnt
        if sum(bool(field_rules.found(entry.table)) for entry in rest) >= EXPECTED * len(rest)
    )
    return LearntList(ListRules(rule, whole, headings, expected), tuple(learnt), tuple(unlearnt))


def _marked_entries(rule: EntryRule, page: MarkedList) -> list[tuple[ListEntry, EntryGroup]]:
    entries = rule.entries(page.table)
    placed = [(place_of(entries, group), group) for group in page.groups]
    return [(entries[at], group) for at, group in placed if at is not None]


def _sample(rule: EntryRule, marked: Sequence[MarkedList], others: Sequence[NodeTable]) -> list[ListEntry]:
    """Entries that nobody marked: half of them of marked pages, the rest of others, evenly taken."""
    here: list[ListEntry] = []
    for page in marked:
        entries = rule.entries(page.table)
        taken = {place_of(entries, group) for group in page.groups}
        here += [entry for at, entry in enumerate(entries) if at not in taken]
    there = [entry for table in others for entry in rule.entries(table)]
    most = SAMPLE - min(len(there), SAMPLE // 2)
    return _evenly(here, most) + _evenly(there, SAMPLE - min(len(here), most))


def _evenly(entries: Sequence[ListEntry], most: int) -> list[ListEntry]:
    return list(entries) if len(entries) <= most else [entries[at * len(entries) // most] for at in range(most)]


def _is_whole(entry: ListEntry, group: EntryGroup, name: str) -> bool:
    """Whether the field is all that the entry says, and that is more than one text."""
    values = ["".join((annotation.value or "").split()) for annotation in group.annotations if annotation.field == name]
    return values == ["".join(entry.text.split())] and len(entry.table) > 1


def _marks(
    entry: ListEntry, group: EntryGroup, name: str, known: Sequence[tuple[ListEntry, EntryGroup]]
) -> tuple[Mark, ...] | None:
    """An entry of which at least half was marked lacks what was not.

    Unless it says what another entry was marked with: the same value marked twice on a page may have come down to once.
    """
    of_field = [annotation for annotation in group.annotations if annotation.field == name]
    if of_field:
        return tuple(
            Mark(annotation.value, annotation.xpath) for annotation in of_field if annotation.value is not None
        )
    fields = {annotation.field for _, other in known for annotation in other.annotations}
    elsewhere = {other.value(name) for _, other in known} - {""}
    if 2 * len(set(group.fields)) < len(fields) or any(
        value in text for value in elsewhere for text in entry.table.texts
    ):
        return None
    return ()
