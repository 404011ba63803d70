"""One field: annotations on some pages, and pages without any -> the rules that find it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from trailmark.wrap.rules.annotation_match import MarkedPage, Reading, readings_of
from trailmark.wrap.rules.field_layer import in_layer, layers_to_try
from trailmark.wrap.rules.range_pruner import Pruner, learn_pruner
from trailmark.wrap.rules.rival_rules import is_seldom, rivals_of, usual_vote
from trailmark.wrap.rules.rule import FieldRules
from trailmark.wrap.rules.rule_fallback import fallback_rules, is_memory
from trailmark.wrap.rules.rule_search import RuleExample, search_rules
from trailmark.wrap.rules.value_doubt import SEPARATORS, learn_doubt
from trailmark.wrap.rules.value_list import learn_value_list, list_f1
from trailmark.wrap.rules.value_look import learn_look
from trailmark.wrap.rules.value_type import fits, types_of

TYPED_SHARE = 0.95
"""Of the pages not annotated: as many must hold a value of the type before others are refused."""
TYPED_PAGES = 5
NAMED_FIRST = 1.1
"""How much more a place promises that holds the value which was marked first: other values may be other spellings."""
CLEARLY = 0.1
JOINTS = frozenset(("", "and", "by", "with"))
"""What may stand between values side by side, beside signs that part them."""
FEWER = (0.1, 0.2, 0.4)
"""Share of the rules that may suffice for one more value beside the marked one: those that name the label stop at the first."""
MOST_PLACES = 4
"""Further places of a field that are looked for; where more values are left, they are a list."""
RULES_OF_MORE = 12
"""Rules of each that are kept: a page should not take long."""
OFTEN = 0.8
"""Pages not annotated on which rules for many values must find some, beside those on which rules for one do."""
_NAMING = frozenset(("left", "left-of", "opens", "class", "id", "begins"))


def learn_field(field: str, pages: Sequence[MarkedPage]) -> FieldRules | None:
    """The rules of a field; None where no rule agrees with the annotations.

    Where none agrees with all of them, those of values that are whole texts are believed: the others may be slips.
    """
    layers = layers_to_try(pages)
    learnt = (_learn(field, in_layer(pages, layer)) for layer in layers)
    field_rules = next((rules for rules in learnt if rules is not None), None)
    if field_rules is None:
        whole = [page if _is_whole(page) else MarkedPage(page.table) for page in pages]
        field_rules = _learn(field, whole) if any(page.marks for page in whole) else None
    if field_rules is not None and not field_rules.several:
        field_rules = _with_more(field_rules, pages)
    return field_rules if field_rules is not None and field_rules.several else _with_list(field, pages, field_rules)


def _with_more(rules: FieldRules, pages: Sequence[MarkedPage]) -> FieldRules:
    """Rules of further places, for values that those of the first leave out: a name in the heading and in another spelling below."""
    for _ in range(MOST_PLACES):
        left = [_without(page, rules.values(page.table)) if page.marks else page for page in pages]
        if not any(page.marks for page in left) or any(len(page.marks or ()) > MOST_PLACES for page in left):
            break
        place = _learn(rules.name, left)
        if place is None:
            break
        wider = replace(rules, more=(*rules.more, replace(place, rules=place.rules[:RULES_OF_MORE], rivals=())))
        if not all(set(wider.values(page.table)) <= _values_of(page) for page in pages if page.marks is not None):
            break
        if len(wider.more) > 1 and list_f1(wider, pages) <= list_f1(rules, pages):
            break
        rules = wider
    return rules


def _without(page: MarkedPage, values: Sequence[str]) -> MarkedPage:
    """The page with the marks that are left; as one that nobody looked at where none are."""
    left = tuple(mark for mark in page.marks or () if " ".join(mark.value.split()) not in values)
    return MarkedPage(page.table, left or None)


def _values_of(page: MarkedPage) -> set[str]:
    return {" ".join(mark.value.split()) for mark in page.marks or ()}


def _with_list(field: str, pages: Sequence[MarkedPage], single: FieldRules | None) -> FieldRules | None:
    """Rules for many values a page, where they give clearly more of them than rules for one, and speak as often elsewhere."""
    many = learn_value_list(field, pages)
    if many is not None and single is not None and _is_whole_list(many, single, pages):
        return many
    if many is None or (single is not None and list_f1(many, pages) < list_f1(single, pages) + CLEARLY):
        return single
    others = [page.table for page in pages if page.marks is None]
    spoken = [sum(bool(rules.values(table)) for table in others) for rules in (many, single) if rules is not None]
    return many if spoken[0] >= OFTEN * spoken[-1] else single


def _is_whole_list(many: FieldRules, single: FieldRules, pages: Sequence[MarkedPage]) -> bool:
    """Whether rules for many values of one type give just the marked ones, and elsewhere those of rules for one and few beside."""
    marked = [page for page in pages if page.marks]
    if not many.pruner.type or any(set(many.values(page.table)) != _values_of(page) for page in marked):
        return False
    others = [(single.values(page.table), many.values(page.table)) for page in pages if page.marks is None]
    spoken = [(first[0], values) for first, values in others if first and many.pruner.value(first[0])]
    most = 2 * max(len(_values_of(page)) for page in marked)
    return sum(first in values and len(values) <= most for first, values in spoken) >= TYPED_SHARE * len(spoken)


def _is_whole(page: MarkedPage) -> bool:
    texts = set(page.table.texts)
    return page.marks is None or all(" ".join(mark.value.split()) in texts for mark in page.marks)


def _learn(field: str, pages: Sequence[MarkedPage]) -> FieldRules | None:
    firsts = {" ".join(page.marks[0].value.split()) for page in pages if page.marks}
    readings = [
        (each, pruner, NAMED_FIRST if each.pairs[0][1] in firsts else 1.0)
        for each in readings_of(pages)
        if (pruner := learn_pruner(each.pairs))
    ]
    best = (
        _best(field, readings, _exact) or _best(field, readings, fallback_rules) or _best(field, readings, search_rules)
    )
    if best is None:
        return None
    rules, reading, others = best
    learnt = _with_doubt(_with_several(_with_type(rules, reading), reading, pages), reading)
    unseen = [example.table for example in reading.examples if not example.annotated]
    return replace(
        learnt,
        mandatory=_is_mandatory(learnt, reading.examples),
        usual=usual_vote(learnt, unseen),
        seldom=is_seldom(learnt, unseen) and sum(example.annotated for example in reading.examples) == 1,
        rivals=rivals_of(learnt, others, unseen),
    )


def _best(
    field: str,
    readings: Sequence[tuple[Reading, Pruner, float]],
    learn: Callable[[str, Sequence[RuleExample]], FieldRules | None],
) -> tuple[FieldRules, Reading, list[tuple[float, FieldRules]]] | None:
    """The reading whose rules promise most; the first of equals. Beside it the rules of the others, with what they promise."""
    learnt = [(rules, *candidate) for candidate in readings if (rules := learn(field, candidate[0].examples))]
    if not learnt:
        return None
    scores = [_promise(rules, candidate.examples) * prior for rules, candidate, _, prior in learnt]
    best = next(at for at, score in enumerate(scores) if score >= max(scores) - 1e-9)
    rules, reading, pruner, _ = learnt[best]
    others = [
        (score / max(scores), replace(other, pruner=cut))
        for at, (score, (other, _, cut, _)) in enumerate(zip(scores, learnt, strict=True))
        if at != best and _value_of(learnt[at][1]) == _value_of(reading)
    ]
    return replace(rules, pruner=pruner), reading, others


def _value_of(reading: Reading) -> str:
    """The value that it is about: another place of another value that was marked is no rival."""
    return reading.pairs[0][1]


def _exact(field: str, examples: Sequence[RuleExample]) -> FieldRules | None:
    """Rules that agree with all annotations, if they tell of more than the annotated pages themselves."""
    rules = search_rules(field, examples)
    return None if rules is None or is_memory(rules, examples) else rules


def _with_doubt(rules: FieldRules, reading: Reading) -> FieldRules:
    """With what is usual on the pages that were not annotated; for one value a page, because others stand beside."""
    if rules.several or rules.weak:
        return rules
    values = []
    for example in reading.examples:
        rows = rules.choose(example.table) if not example.annotated else []
        found_values = rules.found(example.table) if rows else ()
        values += [(example.table, row, one.value, one.share) for row, one in zip(rows, found_values, strict=False)]
    return replace(rules, doubt=learn_doubt([value for _, value in reading.pairs], values))


def _is_mandatory(rules: FieldRules, examples: Sequence[RuleExample]) -> bool:
    """Whether no annotated page lacks the field, and hardly any other does."""
    if any(example.annotated and example.target is None for example in examples):
        return False
    having = [bool(rules.found(example.table)) for example in examples if not example.annotated]
    return len(having) >= TYPED_PAGES and sum(having) >= TYPED_SHARE * len(having)


def _promise(rules: FieldRules, examples: Sequence[RuleExample]) -> float:
    """How well the rules do on the pages: agreement, less where they always find the same or find it cut short."""
    shares, texts, marked = [], [], []
    for example in examples:
        if not len(example.table) or (example.annotated and example.target is None):
            continue
        votes, _ = rules.shares(example.table)
        if example.target is not None:
            marked.append(float(votes[example.target]))
            continue
        best = int(np.argmax(votes))
        shares.append(float(votes[best]))
        texts.append(example.table.texts[best])
    score = float(np.mean(marked)) * (1.0 + 0.1 * _is_named(rules))
    if not shares:
        return score
    distinct = len(set(texts)) / len(texts)
    look = learn_look([example.table.texts[example.target] for example in examples if example.target is not None])
    score *= float(np.mean([look.likeness(text) for text in texts]))
    cut = sum(text.endswith(("...", "\u2026")) for text in texts) / len(texts)
    return score * float(np.mean(shares)) * (0.6 + 0.4 * distinct) * max(1.0 - 2 * cut, 0.2)


def _is_named(rules: FieldRules) -> bool:
    """Whether the field's name stands in what its rules look for: a person who marks a director calls it so."""
    words = [word for word in re.split(r"[^a-z]+", rules.name.lower()) if len(word) > 3]
    features = (feature for rule in rules.rules for feature in rule.features if feature.kind in _NAMING)
    values = {text.lower() for feature in features for text in feature.values}
    return any(word in text for word in words for text in values)


def _with_type(rules: FieldRules, reading: Reading) -> FieldRules:
    """Where all values are of one type, and nearly all that is found elsewhere too, others are refused."""
    names = [name for name in types_of(reading.pairs[0][1]) if all(fits(name, value) for _, value in reading.pairs)]
    texts = [rules.values(example.table) for example in reading.examples if not example.annotated]
    firsts = [values[0] for values in texts if values]
    if rules.pruner.how != "whole" or len(firsts) < TYPED_PAGES:
        return rules
    for name in names:
        if sum(fits(name, text) for text in firsts) >= TYPED_SHARE * len(firsts):
            return replace(rules, pruner=Pruner("whole", name))
    return rules


def _with_several(rules: FieldRules, reading: Reading, pages: Sequence[MarkedPage]) -> FieldRules:
    """Rules for several values, where a page has some and such rules give just the values of all annotated pages."""
    marked_several = any(len(example.together) > 1 for example in reading.examples)
    if rules.weak is not None or (not marked_several and rules.rules[0].position):
        return rules
    several_rules = search_rules(rules.name, reading.examples, several=True)
    if several_rules is None:
        return rules
    wanted = [(page.table, _values_of(page)) for page in pages if page.marks]
    for least in (several_rules.least,) if marked_several else FEWER:
        several = replace(several_rules, pruner=rules.pruner, least=least)
        exact = all(set(several.values(table)) == values for table, values in wanted)
        beside = marked_several or _stand_side_by_side(several, reading)
        if exact and beside and _says_as_much(several, rules, reading):
            return several
    return rules


def _stand_side_by_side(several: FieldRules, reading: Reading) -> bool:
    """Whether some pages have more values than the annotated ones, and those always have a comma, and no more, between them."""
    chosen = [(several.choose(example.table), example.table) for example in reading.examples if not example.annotated]
    more = [(rows, table) for rows, table in chosen if len(rows) > 1]
    return bool(more) and all(
        other > one + 1 and all(text.strip(SEPARATORS).lower() in JOINTS for text in table.texts[one + 1 : other])
        for rows, table in more
        for one, other in pairwise(rows)
    )


def _says_as_much(several: FieldRules, single: FieldRules, reading: Reading) -> bool:
    """Whether what the one finds on pages not annotated is, nearly everywhere, among what the other finds."""
    page_values = [
        (single.values(example.table), example.table) for example in reading.examples if not example.annotated
    ]
    spoken = [(values[0], table) for values, table in page_values if values]
    return sum(value in several.values(table) for value, table in spoken) >= TYPED_SHARE * len(spoken)
