"""From the marked entries of a page to the rule that finds all of them.

Going up from what holds a marked entry, the first level is taken at which entries of the same shape stand side by side: each
an element, or runs of siblings that something opens or parts. Then the way down to them is made as strict as the pages of the
sample allow: with all attributes, with classes only, with tags only, with the last tags only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from trailmark.wrap.lists.entry_groups import EntryGroup
from trailmark.wrap.lists.entry_items import STOPS, is_within_open, items_of
from trailmark.wrap.lists.entry_rule import EntryRule, ListEntry, PathStep, element_entry, likeness, run_entries
from trailmark.wrap.page.node_table import NodeTable

MOST_LEVELS = 12
MOST_COUSINS = 200
ALIKE = 0.5
LEAST_OTHERS = 2
"""Entries like it that must stand beside a single marked one."""
LIST_SHARE = 0.7
"""Of the likeness within the marked list: another list must come up to it to be one of the kind."""
_PARTED = ("br br", "hr", "br")
_LOOK = ("border", "bgcolor", "align", "valign", "cellpadding", "cellspacing", "role", "itemprop", "itemtype")


@dataclass(frozen=True, slots=True, eq=False)
class MarkedList:
    """A page with the entries that were marked on it."""

    table: NodeTable
    groups: tuple[EntryGroup, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """One way to see entries, and how well it explains the page."""

    rule: EntryRule
    worth: float


def find_entry_rule(pages: Sequence[MarkedList], sample: Sequence[NodeTable]) -> EntryRule | None:
    """The rule that parts the marked entries from one another; None where they are not of a list.

    It is looked for on the page with most of them, and must then hold on the others.
    """
    page = max(pages, key=lambda candidate: len(candidate.groups))
    chains = [{_tags(page.table, number): number for number in _chain(page.table, group)} for group in page.groups]
    for tags in chains[0]:
        if not all(tags in chain for chain in chains):
            continue
        numbers = tuple(chain[tags] for chain in chains)
        ways = [*_in_runs(page, numbers), *_as_elements(page, numbers)]
        if ways:
            return _fitted(max(ways, key=lambda way: way.worth).rule, page, pages, sample)
    return None


def _chain(table: NodeTable, group: EntryGroup) -> list[int]:
    """Elements that hold all of the group, the innermost first."""
    low, high = min(group.rows), max(group.rows)
    element = int(table.owner[low])
    chain: list[int] = []
    while element < len(table.tags) and len(chain) < MOST_LEVELS:
        if table.first_text[element] <= low and high < table.end_text[element]:
            chain.append(element)
        element = int(table.parent[element])
    return chain


def _tags(table: NodeTable, number: int) -> tuple[str, ...]:
    return tuple(step.tag for step in _steps(table, number))


def _steps(table: NodeTable, number: int) -> list[PathStep]:
    """The way from the root, with the attributes that say what kind of element it is."""
    steps: list[PathStep] = []
    while number < len(table.tags):
        element = table.elements[number]
        attributes = [(key, " ".join(element.get(key).split())) for key in ("class", "id", *_LOOK) if element.get(key)]
        attributes = [
            (key, value) for key, value in attributes if key in _LOOK or not any(sign.isdigit() for sign in value)
        ]
        steps.append(PathStep(table.tags[number], tuple(attributes)))
        number = int(table.parent[number])
    return steps[::-1]


# --- the two ways ------------------------------------------------------------------------------------------------


def _as_elements(page: MarkedList, numbers: tuple[int, ...]) -> Iterator[_Level]:
    """Each entry is an element: its siblings of the same tag are the others."""
    table = page.table
    if len(set(numbers)) < len(numbers):
        return
    marked = [entry for number in numbers if (entry := element_entry(table, number)) is not None]
    if len(marked) < len(numbers):
        return
    parents = dict.fromkeys(int(table.parent[number]) for number in numbers)
    beside = [
        at for parent in parents if parent < len(table.tags) for at in _siblings(table, parent, table.tags[numbers[0]])
    ]
    others = [(at, entry) for at in beside if at not in numbers and (entry := element_entry(table, at)) is not None]
    worth = _worth(page, marked, [entry for _, entry in others])
    if worth is not None:
        shapes = tuple(dict.fromkeys(entry.shape for entry in marked))
        alike = [at for at, entry in others if likeness(entry.shape, shapes) >= ALIKE]
        steps = _common([_steps(table, number) for number in numbers])
        ways = [_steps(table, at) for at in (*numbers, *alike)]
        nearest = [_majority(steps[-back], [way[-back] for way in ways]) for back in (2, 1) if back <= len(steps)]
        yield _Level(EntryRule((*steps[: -len(nearest)], *nearest), shapes=shapes), worth)


def _siblings(table: NodeTable, parent: int, tag: str) -> list[int]:
    """Children of that tag; where there are few, those of the parent's siblings too: a list may be parted into groups."""
    children = _children(table, parent, tag)
    above = int(table.parent[parent])
    if len(children) > LEAST_OTHERS or above == len(table.tags):
        return children
    cousins = [at for uncle in _children(table, above, table.tags[parent]) for at in _children(table, uncle, tag)]
    return cousins[:MOST_COUSINS]


def _children(table: NodeTable, parent: int, tag: str) -> list[int]:
    if not isinstance(tag, str) or not tag:
        return []
    numbers = (table.number_of(child) for child in table.elements[parent].iterchildren(tag))
    return [number for number in numbers if number is not None]


def _in_runs(page: MarkedList, numbers: tuple[int, ...]) -> Iterator[_Level]:
    """Entries are runs of what stands side by side in an element."""
    table = page.table
    first = items_of(table, numbers[0])
    low, high = min(page.groups[0].rows), max(page.groups[0].rows)
    inside = [at for at, item in enumerate(first) if item.first <= high and low < item.end]
    if not inside:
        return
    goes_on = frozenset(item.tag for item in first[inside[0] + 1 : inside[-1] + 1] if item.tag in STOPS)
    openings = [first[at].symbol for at in range(max(inside[0] - 2, 0), inside[0] + 1) if first[at].node is not None]
    ways = [("", parted) for parted in _PARTED if any(item.symbol == parted for item in first)]
    ways += [(symbol, "") for symbol in dict.fromkeys(openings) if not is_within_open(table, numbers[0], symbol)]
    for opens, parted in ways:
        level = _level_of_runs(page, numbers, EntryRule((), opens=opens, parted=parted, goes_on=tuple(sorted(goes_on))))
        if level is not None:
            yield level


def _level_of_runs(page: MarkedList, numbers: tuple[int, ...], rule: EntryRule) -> _Level | None:
    table = page.table
    holders = dict.fromkeys(numbers)
    entries = [
        entry for at in holders for entry in run_entries(table, at, rule.opens, rule.parted, frozenset(rule.goes_on))
    ]
    places = [place_of(entries, group) for group in page.groups]
    marked = [entries[at] for at in places if at is not None]
    if len({id(entry) for entry in marked}) < len(places):
        return None
    worth = _worth(page, marked, [entry for entry in entries if entry not in marked])
    if worth is None:
        return None
    shapes = tuple(dict.fromkeys(entry.shape for entry in marked))
    steps = _common([_steps(table, number) for number in holders])
    return _Level(replace(rule, steps=tuple(steps), shapes=shapes), worth)


def place_of(entries: Sequence[ListEntry], group: EntryGroup) -> int | None:
    low, high = min(group.rows), max(group.rows)
    return next((at for at, entry in enumerate(entries) if entry.first <= low and high < entry.end), None)


def _worth(page: MarkedList, marked: Sequence[ListEntry], others: Sequence[ListEntry]) -> float | None:
    """How many entries look like the marked ones, less where others stand among them; None where they are no list."""
    needed = LEAST_OTHERS if len(page.groups) == 1 else 0
    shapes = {entry.shape for entry in marked} if len(others) >= needed else {frozenset[str]()}
    if not all(shapes):
        return None
    shares = [likeness(entry.shape, shapes) for entry in others]
    alike = sum(share >= ALIKE for share in shares)
    if alike < needed or alike * 2 < len(shares):
        return None
    return (len(marked) + alike) * (len(marked) + sum(shares)) / (len(marked) + len(shares))


# --- the way down ------------------------------------------------------------------------------------------------


def _common(ways: Sequence[Sequence[PathStep]]) -> list[PathStep]:
    """The steps with what all ways have in common; they have the same tags."""
    return [
        PathStep(
            level[0].tag,
            tuple(
                attribute for attribute in level[0].attributes if all(attribute in step.attributes for step in level)
            ),
        )
        for level in zip(*ways, strict=True)
    ]


def _majority(step: PathStep, steps: Sequence[PathStep]) -> PathStep:
    """Without attributes that come and go from entry to entry, or from group to group, as those of every other row."""
    usual = [
        attribute
        for attribute in step.attributes
        if sum(attribute in other.attributes for other in steps) > 0.6 * len(steps)
    ]
    return PathStep(step.tag, tuple(usual))


def _fitted(
    rule: EntryRule, page: MarkedList, pages: Sequence[MarkedList], sample: Sequence[NodeTable]
) -> EntryRule | None:
    """The strictest way that finds all that was marked, and entries on nearly as many pages as the loosest; None without."""
    tables = [*(fitted.table for fitted in pages), *sample]
    rules = [fitted for fitted in (_with_least(way, page.table) for way in _ways(rule)) if _holds(fitted, pages)]
    counts = [sum(bool(fitted.entries(table)) for table in tables) for fitted in rules]
    return next((fitted for fitted, count in zip(rules, counts, strict=True) if count >= 0.9 * max(counts)), None)


def _holds(rule: EntryRule, pages: Sequence[MarkedList]) -> bool:
    """Whether each marked entry is found as one."""
    for page in pages:
        entries = rule.entries(page.table)
        places = [place_of(entries, group) for group in page.groups]
        if None in places or len(set(places)) < len(places):
            return False
    return True


def _ways(rule: EntryRule) -> list[EntryRule]:
    named = [
        PathStep(step.tag, tuple(attribute for attribute in step.attributes if attribute[0] in ("class", "id")))
        for step in rule.steps
    ]
    bare = tuple(PathStep(step.tag) for step in rule.steps)
    ways = [replace(rule, steps=rule.steps), replace(rule, steps=tuple(named)), replace(rule, steps=bare)]
    ways += [replace(rule, steps=tuple(named[-3:]), rooted=False), replace(rule, steps=bare[-2:], rooted=False)]
    ways += [] if rule.in_runs else [replace(rule, steps=bare[-1:], rooted=False)]
    return list(dict.fromkeys(ways))


def _with_least(rule: EntryRule, table: NodeTable) -> EntryRule:
    """How alike the entries of the marked list are, and so those of others must nearly be."""
    best = 0.0
    for group in rule.lists(table):
        shares = [likeness(entry.shape, rule.shapes) for entry in group]
        best = max(best, sum(shares) / len(shares)) if any(share == 1.0 for share in shares) else best
    return replace(rule, least=round(LIST_SHARE * best, 4))


def without_captions(rule: EntryRule, pages: Sequence[MarkedList], sample: Sequence[NodeTable]) -> EntryRule:
    """The rule that passes over what stands as an entry on more than half of the pages, and was not marked."""
    tables = [*(page.table for page in pages), *sample]
    counts = Counter(text for table in tables for text in {entry.text for entry in rule.entries(table)})
    often = {text for text, count in counts.items() if count > max(1, len(tables) / 2)}
    for page in pages if often else ():
        entries = rule.entries(page.table)
        often -= {entries[at].text for group in page.groups if (at := place_of(entries, group)) is not None}
    return replace(rule, never=tuple(sorted(often)[:20])) if often else rule
