"""What is tried where no conjunction is exact on all annotated pages (Vertex, sections III-C2 and III-C3).

First a positional predicate: the first, the last, the k-th of what features select that have recall 1. Then the naive Bayes vote on weak
features among what the most precise of those rules selects. Departures: k may count from the end, and several rules with positions are
kept and vote like all others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trailmark.wrap.rules.rule import Feature, FieldRules, Rule
from trailmark.wrap.rules.rule_search import RuleExample, shared_features, strength_of
from trailmark.wrap.rules.weak_features import MOST_CANDIDATES, SURE, Triple, learn_weak_vote, weak_features

Mask = NDArray[np.bool_]

CONSIDERED = 200
KEPT = 20
FARTHEST = 10
"""A position that is counted further is an accident."""
OFTEN = 0.5


def fallback_rules(field: str, examples: Sequence[RuleExample]) -> FieldRules | None:
    """Rules with positions, else a vote on weak features; None where nothing has recall 1, or nothing tells right from wrong."""
    features = shared_features(examples)
    if not features:
        return None
    masks = [np.array([feature.mask(example.table) for feature in features]) for example in examples]
    pairs = _of_recall_1(features, masks, examples)
    rules = _with_positions(features, pairs, masks, examples)
    layer = examples[0].table.layer
    if rules:
        return FieldRules(field, tuple(rules[:KEPT]), layer=layer)
    return _weak(field, features, pairs, masks, examples) if pairs else None


def is_memory(rules: FieldRules, examples: Sequence[RuleExample]) -> bool:
    """Whether each rule tells of one annotated page alone, and together they find nothing on most of the others."""
    targets = [(example.table, example.target) for example in examples if example.target is not None]
    unseen = [example.table for example in examples if not example.annotated and len(example.table)]
    if len(targets) < 2 or not unseen:
        return False
    speaking = sum(rules.plan.selected(table)[:, row].astype(int) for table, row in targets)
    spoken = sum(bool(rules.plan.selected(table).any()) for table in unseen)
    return bool(np.max(speaking) < 2) and spoken < OFTEN * len(unseen)


def _of_recall_1(
    features: Sequence[Feature], masks: Sequence[Mask], examples: Sequence[RuleExample]
) -> list[tuple[int, int]]:
    """Pairs that select every target, those that select least beside first, then the nearer ones."""
    having = [(mask, example) for mask, example in zip(masks, examples, strict=True) if example.target is not None]
    hit = np.all([mask[:, example.target] for mask, example in having], axis=0)
    rows: list[int] = np.flatnonzero(hit).tolist()
    if not rows:
        return []
    counts = np.zeros((len(rows), len(rows)))
    for mask, example in zip(masks, examples, strict=True):
        if example.annotated:
            numbers = mask[rows].astype(np.float32)
            counts += numbers @ numbers.T
    strength = np.array([strength_of(features[row]) for row in rows])
    ones, others = np.triu_indices(len(rows))
    order = np.lexsort((-(strength[ones] + strength[others]), counts[ones, others]))[:CONSIDERED]
    return [(rows[int(ones[at])], rows[int(others[at])]) for at in order]


def _rule(features: Sequence[Feature], pair: tuple[int, int], **options: float) -> Rule:
    chosen = (features[pair[0]],) if pair[0] == pair[1] else (features[pair[0]], features[pair[1]])
    weight = round(sum(map(strength_of, chosen)) / len(chosen), 5)
    return Rule(chosen, weight, options.get("support", 0.0), int(options.get("position", 0)))


def _with_positions(
    features: Sequence[Feature],
    pairs: Sequence[tuple[int, int]],
    masks: Sequence[Mask],
    examples: Sequence[RuleExample],
) -> list[Rule]:
    rules = []
    for one, other in pairs:
        selected = [mask[one] & mask[other] for mask in masks]
        position = position_of(selected, examples)
        if position:
            unseen = [
                mask.sum() >= abs(position)
                for mask, example in zip(selected, examples, strict=True)
                if not example.annotated
            ]
            support = round(float(np.mean(unseen)), 4) if unseen else 1.0
            rules.append(_rule(features, (one, other), support=support, position=position))
    return sorted(rules, key=lambda rule: -rule.weight * (0.1 + rule.support))


def position_of(selected: Sequence[Mask], examples: Sequence[RuleExample]) -> int:
    """The position at which the target stands on every annotated page, from the start or the end; 0 where there is none.

    Where a page lacks the field, nothing may stand at the position.
    """
    firsts: set[int] = set()
    lasts: set[int] = set()
    most = 0
    for mask, example in zip(selected, examples, strict=True):
        if not example.annotated:
            continue
        rows = np.flatnonzero(mask).tolist()
        if example.target is None:
            most = max(most, len(rows))
        elif example.target in rows:
            firsts.add(rows.index(example.target) + 1)
            lasts.add(rows.index(example.target) - len(rows))
        else:
            return 0
    for places in (firsts, lasts):
        place = next(iter(places), 0)
        if len(places) == 1 and most < abs(place) <= FARTHEST:
            return place
    return 0


def _weak(
    field: str,
    features: Sequence[Feature],
    pairs: Sequence[tuple[int, int]],
    masks: Sequence[Mask],
    examples: Sequence[RuleExample],
) -> FieldRules | None:
    """The vote among the candidates of the most precise pair."""
    one, other = pairs[0]
    right: list[set[Triple]] = []
    wrong: list[set[Triple]] = []
    for mask, example in zip(masks, examples, strict=True):
        if example.annotated:
            for row in np.flatnonzero(mask[one] & mask[other]).tolist()[:MOST_CANDIDATES]:
                if row not in example.allowed:
                    (right if row == example.target else wrong).append(weak_features(example.table, row))
    vote = learn_weak_vote(right, wrong)
    if vote is None:
        return None
    return FieldRules(field, (_rule(features, (one, other)),), least=SURE, layer=examples[0].table.layer, weak=vote)
