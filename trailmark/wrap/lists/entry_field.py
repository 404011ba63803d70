"""Fields of an entry: as those of a page, but several values are looked for first, and may be found where none was marked.

Entries are short and many. So what stands side by side in one of them tells more than on a page: a paper with one author was
marked, and elsewhere two stand in the same kind of element, one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from trailmark.wrap.lists.entry_items import symbol_of
from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.annotation_match import Mark, MarkedPage, readings_of
from trailmark.wrap.rules.field_learning import learn_field
from trailmark.wrap.rules.range_pruner import Pruner, learn_pruner
from trailmark.wrap.rules.rule import LABELS, Feature, FieldRules, Rule
from trailmark.wrap.rules.rule_search import DECAY, STRENGTH, RuleExample, shared_features
from trailmark.wrap.rules.value_type import fits, types_of

NAMING = frozenset(("class", "id", "left", "left-of", "right", "right-of", "opens"))
NAMED_SUPPORT = 0.2
"""Share of the entries that nobody marked on which a rule with a name or a caption must find something to be trusted."""
CAPTION_SUPPORT = 0.5
NAMED_LEVEL = 3
TYPED_SHARE = 0.6
MOST_RULES = 20
LONGEST_SEPARATOR = 5
MOST_SHOWN = 4
"""Entries that nobody marked from which several values are learnt."""


def learn_entry_field(
    field: str, pages: Sequence[MarkedPage], values: frozenset[str] = frozenset()
) -> FieldRules | None:
    """The rules of a field of entries; None where no rule agrees with the annotations.

    `values` are all that was marked, of whatever field: none of it is a caption.
    """
    if any(page.marks and len({mark.value for mark in page.marks}) > 1 for page in pages):
        several = _learn_several(field, pages, values)
        if several is not None:
            return several
    rules = _learn_named(field, pages, values) or learn_field(field, pages)
    return None if rules is None else _typed(_supported(rules, values), pages)


def _supported(rules: FieldRules, values: frozenset[str]) -> FieldRules:
    """Without rules that speak of the marked entry's own values, or find nothing in other entries, if there are others."""
    supported = tuple(rule for rule in rules.rules if rule.support > 0 and not _cites(rule, values))
    return replace(rules, rules=supported) if supported else rules


def _cites(rule: Rule, values: frozenset[str]) -> bool:
    return any(feature.kind in LABELS and not values.isdisjoint(feature.values) for feature in rule.features)


def _learn_named(field: str, pages: Sequence[MarkedPage], values: frozenset[str]) -> FieldRules | None:
    """Rules of one name or caption each, where there are such: fields come and go from entry to entry, and shift places."""
    best: tuple[float, FieldRules] | None = None
    for reading in readings_of(pages):
        pruner = learn_pruner(reading.pairs)
        features = [
            feature
            for feature in shared_features(reading.examples)
            if feature.kind in NAMING and feature.level <= NAMED_LEVEL
        ]
        named = [_named_rule(feature, reading.examples) for feature in features]
        rules = [rule for rule in named if rule is not None and not _cites(rule, values)]
        total = sum(rule.weight for rule in rules)
        if pruner is not None and rules and (best is None or total > best[0]):
            best = total, FieldRules(field, tuple(rules), pruner=pruner)
    return best[1] if best and _gives_just(best[1], pages) else None


def _named_rule(feature: Feature, examples: Sequence[RuleExample]) -> Rule | None:
    """The rule, where the feature selects just the marked values, and something in enough of the other entries."""
    seen, alone, others = 0, 0, 0
    for example in examples:
        rows = np.flatnonzero(feature.mask(example.table)).tolist()
        if example.annotated:
            if rows != [row for row in (example.target,) if row is not None]:
                return None
            continue
        others += 1
        seen += bool(rows)
        alone += len(rows) == 1
    support = seen / max(others, 1)
    is_caption = feature.kind in LABELS
    if others and support < (CAPTION_SUPPORT if is_caption else NAMED_SUPPORT):
        return None
    if is_caption and alone < 0.9 * seen:
        return None
    return Rule((feature,), _strength(feature), round(support, 4))


def _typed(rules: FieldRules, pages: Sequence[MarkedPage]) -> FieldRules:
    """With a type that all marked values have, where most of what is found elsewhere has it too: others are refused."""
    values = [" ".join(mark.value.split()) for page in pages for mark in page.marks or ()]
    texts = [value for page in pages if page.marks is None for value in rules.values(page.table)[:1]]
    if rules.pruner != Pruner() or not values:
        return rules
    for name in types_of(values[0]):
        if all(fits(name, value) for value in values) and sum(fits(name, v) for v in texts) >= TYPED_SHARE * len(texts):
            return replace(rules, pruner=Pruner("whole", name))
    return rules


def _learn_several(field: str, pages: Sequence[MarkedPage], values: frozenset[str]) -> FieldRules | None:
    """Rules that give just the marked values; of several readings, the one whose rules have most weight."""
    best: tuple[float, FieldRules] | None = None
    for reading in readings_of(pages):
        pruner = learn_pruner(reading.pairs)
        rules = [] if pruner is None else _exact_rules(reading.examples, values)
        total = sum(rule.weight for rule in rules)
        if pruner is not None and rules and (best is None or total > best[0]):
            learnt = FieldRules(field, tuple(rules), several=True, pruner=pruner)
            best = (total, learnt) if _gives_just(learnt, pages) else best
    return best[1] if best else None


def _exact_rules(examples: Sequence[RuleExample], values: frozenset[str]) -> list[Rule]:
    """Pairs of features that select all values of every marked entry and nothing else, the most trusted first."""
    marked = [(example.table, sorted(example.together)) for example in examples if example.annotated]
    others = [example.table for example in examples if not example.annotated and len(example.table)]
    holding = [
        feature
        for feature in shared_features(examples)
        if all(feature.mask(table)[rows].all() for table, rows in marked) and not _cites(Rule((feature,)), values)
    ]
    pairs = [(one,) if one is other else (one, other) for at, one in enumerate(holding) for other in holding[at:]]
    rules = [Rule(pair, sum(map(_strength, pair)) / len(pair)) for pair in pairs if _selects(pair, marked)]
    rules = sorted(rules, key=lambda rule: -rule.weight)[:MOST_RULES]
    supports = [sum(bool(rule.rows(table)) for table in others) / max(len(others), 1) for rule in rules]
    return [
        replace(rule, support=round(support, 4))
        for rule, support in zip(rules, supports, strict=True)
        if support or not others
    ]


def _selects(pair: Sequence[Feature], marked: Sequence[tuple[NodeTable, list[int]]]) -> bool:
    masks = ((np.logical_and.reduce([feature.mask(table) for feature in pair]), rows) for table, rows in marked)
    return all(np.flatnonzero(mask).tolist() == rows for mask, rows in masks)


def _strength(feature: Feature) -> float:
    return STRENGTH[feature.kind] * DECAY**feature.level / len(feature.values)


def _gives_just(rules: FieldRules, pages: Sequence[MarkedPage]) -> bool:
    marked = [(page.table, page.marks) for page in pages if page.marks is not None]
    return all(set(rules.values(table)) == {" ".join(mark.value.split()) for mark in marks} for table, marks in marked)


def with_neighbours(
    rules: FieldRules, others: Sequence[FieldRules], pages: Sequence[MarkedPage], values: frozenset[str]
) -> FieldRules:
    """Rules for several values, where entries that nobody marked have more of the kind side by side; else the same rules.

    What `others`, the rules of the other fields, find is no value of this one.
    """
    if rules.several or rules.pruner.how != "whole":
        return rules
    if any(len(_side_by_side(rules, others, page.table)) > 1 for page in pages if page.marks):
        return rules
    seen = {number: _side_by_side(rules, others, page.table) for number, page in enumerate(pages) if page.marks is None}
    shown = [number for number, values in seen.items() if len(set(values)) > 1][:MOST_SHOWN]
    if not shown:
        return rules
    supposed = [
        replace(page, marks=tuple(map(Mark, dict.fromkeys(seen[number])))) if number in shown else page
        for number, page in enumerate(pages)
    ]
    return _learn_several(rules.name, supposed, values) or rules


def _side_by_side(rules: FieldRules, others: Sequence[FieldRules], table: NodeTable) -> list[str]:
    """The value and what stands beside it in elements of the same kind, each the only text of its element.

    Between two of them there is no more than a comma or an "and".
    """
    chosen = [row for row in rules.choose(table) if row < len(table)]
    if not chosen:
        return []
    owner = table.elements[int(table.owner[chosen[0]])]
    taken = {row for other in others for row in other.choose(table)}
    rows = [row for row in _alike_rows(table, owner) if row not in taken]
    if chosen[0] not in rows:
        return []
    at = rows.index(chosen[0])
    first, last = at, at
    while first > 0 and _is_separated(table, rows[first - 1], rows[first]):
        first -= 1
    while last + 1 < len(rows) and _is_separated(table, rows[last], rows[last + 1]):
        last += 1
    return [table.texts[row] for row in rows[first : last + 1]]


def _alike_rows(table: NodeTable, owner: Any) -> list[int]:
    """Rows of the elements of the same kind under the same parent, each the only text of its element."""
    beside = [] if owner.getparent() is None else owner.getparent().iterchildren(owner.tag)
    numbers = [table.number_of(sibling) for sibling in beside if symbol_of(sibling) == symbol_of(owner)]
    spans = [(int(table.first_text[at]), int(table.end_text[at])) for at in numbers if at is not None]
    return [first for first, end in spans if end == first + 1]


def _is_separated(table: NodeTable, one: int, other: int) -> bool:
    between = "".join(table.texts[row] for row in range(one + 1, other))
    return len(between) <= LONGEST_SEPARATOR
