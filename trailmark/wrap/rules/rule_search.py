"""Rules from targets: a bounded search over all conjunctions of at most two features.

After Vertex, algorithm 3: the rule must select all annotated texts (recall 1) and no other on annotated pages (precision 1);
nearer features are better, and so is support on pages that are not annotated. Departure: instead of the one best conjunction,
many small ones are kept, and they vote. How many texts each pair of features selects on a page is one matrix product, so all
pairs are looked at, and the search can't run away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trailmark.wrap.page.node_columns import places_of, value
from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.rule import Feature, FieldRules, Mask, Rule, ballot
from trailmark.wrap.rules.value_look import Look, learn_look

Floats = NDArray[np.float64]

MOST_VALUES = 3
"""Of a disjunction, as in the paper."""
MOST_PAGES = 4
"""Annotated pages whose own features are tried; those that all share are always tried."""
CONSIDERED = 240
KEPT = 40
ROUNDS = 3

STRENGTH = {
    "left": 1.0, "left-of": 1.0, "opens": 1.0, "id": 1.0, "class": 0.9, "before-class": 0.7,
    "before-id": 0.7, "left-word": 0.6, "right": 0.6, "right-of": 0.6, "left-2": 0.5, "right-word": 0.5,
    "begins": 0.6, "ends": 0.2, "after": 0.3, "nth": 0.3, "tag": 0.3, "before-tag": 0.3, "index": 0.3, "tags": 0.3,
    "path": 0.3, "name": 1.0, "property": 1.0, "itemprop": 1.0, "rel": 0.8,
}  # fmt: skip
"""How much a kind of feature is trusted before anything was seen of the other pages."""
DECAY = 0.93
"""For each level of distance."""
_NO_DISJUNCTION = frozenset(("index", "path", "nth", "begins", "ends"))


@dataclass(frozen=True, slots=True, eq=False)
class RuleExample:
    """A page to learn from."""

    table: NodeTable
    target: int | None = None
    """The row that is the value; None where the page lacks the field or is not annotated."""
    allowed: frozenset[int] = frozenset()
    """Rows that are other values of the field: a rule may select them or not."""
    together: tuple[int, ...] = ()
    """The target and the row of each other value that is most like it: what rules for several values must select."""
    annotated: bool = False


def shared_features(examples: Sequence[RuleExample]) -> list[Feature]:
    """Features of the targets, page by page, and disjunctions of two or three values over all pages."""
    targets = [(example.table, example.target) for example in examples if example.target is not None]
    places = places_of(targets[0][0].layer) if targets else []
    features: dict[Feature, None] = {}
    own = {table.texts[row] for table, row in targets}
    for kind, level in places:
        # A value that stands twice is no label of itself.
        values = ["" if (own_value := value(table, kind, level, row)) in own else own_value for table, row in targets]
        for single in values[:MOST_PAGES]:
            if single:
                features[Feature(kind, level, (single,))] = None
        together = set(values)
        if kind not in _NO_DISJUNCTION and 1 < len(together) <= MOST_VALUES and "" not in together:
            features[Feature(kind, level, tuple(sorted(together)))] = None
    return list(features)


def search_rules(field: str, examples: Sequence[RuleExample], *, several: bool = False) -> FieldRules | None:
    """Rules that agree with all annotations and, as far as can be, with one another on the other pages.

    With `several` a rule must select all values of a page, else the target suffices.
    """
    features = shared_features(examples)
    if not features:
        return None
    masks = [_masks(features, example.table) for example in examples]
    pairs = _exact_pairs(features, masks, examples, several)
    if not pairs:
        return None
    ones, others = np.array(pairs).T
    selected = [mask[ones] & mask[others] for mask in masks]
    prior = np.array([_prior(features[i], features[j]) for i, j in pairs])
    weights, support = _agreement(prior, selected, examples, several)
    chosen = _diverse(pairs, weights)
    rules = tuple(
        Rule(_conjunction(features, pairs[at]), round(weight, 5), round(float(support[at]), 4)) for at, weight in chosen
    )
    return FieldRules(field, rules, several, layer=examples[0].table.layer)


def _masks(features: Sequence[Feature], table: NodeTable) -> NDArray[np.bool_]:
    return np.array([feature.mask(table) for feature in features]).reshape(len(features), len(table))


def _exact_pairs(
    features: Sequence[Feature], masks: Sequence[NDArray[np.bool_]], examples: Sequence[RuleExample], several: bool
) -> list[tuple[int, int]]:
    """Pairs that select the targets and nothing else on annotated pages, the most promising first."""
    count = len(features)
    good = np.triu(np.ones((count, count), dtype=bool))
    once, covered = np.zeros((count, count)), np.zeros((count, count))
    unseen = sum(not each.annotated for each in examples)
    annotated = sum(each.target is not None for each in examples)
    for mask, example in zip(masks, examples, strict=True):
        numbers = mask.astype(np.float32)
        selected = numbers @ numbers.T
        if not example.annotated:
            once += np.where(selected > 0, 1.0 / np.maximum(selected, 1), 0.0)
        elif example.target is None:
            good &= selected == 0
        else:
            right = numbers[:, sorted({example.target, *example.allowed})]
            hit: Mask = np.all(mask[:, list(example.together if several else (example.target,))], axis=1)
            whole = (hit[:, None] & hit[None, :]) & (right @ right.T == selected)
            good &= whole | (selected == 0)
            covered += whole
    good &= covered > 0
    strength = np.array([strength_of(feature) for feature in features])
    score = (
        (strength[:, None] + strength[None, :]) * ((once + 0.5) / (unseen + 0.5)) * (covered / max(annotated, 1)) ** 2
    )
    rows, columns = np.nonzero(good)
    order = np.argsort(-score[rows, columns], kind="stable")[:CONSIDERED]
    return [(int(rows[at]), int(columns[at])) for at in order]


def strength_of(feature: Feature) -> float:
    return float(STRENGTH[feature.kind] * DECAY**feature.level / len(feature.values) ** 0.5)


def _prior(one: Feature, other: Feature) -> float:
    return (strength_of(one) + strength_of(other)) / 2


def _agreement(
    prior: Floats, selected: Sequence[NDArray[np.bool_]], examples: Sequence[RuleExample], several: bool
) -> tuple[Floats, Floats]:
    """Weights of the rules after asking, on pages not annotated, how often each is of the majority's mind."""
    unseen = [mask for mask, example in zip(selected, examples, strict=True) if not example.annotated and mask.shape[1]]
    look = learn_look([example.table.texts[example.target] for example in examples if example.target is not None])
    support = np.mean([mask.any(axis=1) for mask in unseen], axis=0) if unseen else np.ones(len(prior))
    weights = prior * (0.1 + support)
    tables = [example.table for example in examples if not example.annotated and len(example.table)]
    ballots = [_first_choice(mask, several) for mask in unseen]
    ballots = [
        (choice, strength * _likeness(choice, table, look))
        for (choice, strength), table in zip(ballots, tables, strict=True)
    ]
    for _ in range(ROUNDS):
        agree, wrong, seen = np.zeros(len(prior)), np.zeros(len(prior)), 0.0
        for (choice, strength), mask in zip(ballots, unseen, strict=True):
            votes = np.bincount(choice, weights * strength, minlength=mask.shape[1] + 1)[:-1] / weights.sum()
            best = int(np.argmax(votes))
            sure = float(votes[best])
            seen += sure
            agree += sure * strength * (choice == best)
            wrong += sure * (strength > 0) * (1.0 - strength * (choice == best))
        right = (agree + 1.0) / (agree + wrong + 1.0)
        weights = prior * right**4 * (agree + 0.5) / (seen + 0.5)
    return weights, support


def _likeness(choice: NDArray[np.intp], table: NodeTable, look: Look) -> Floats:
    """How like the marked values the chosen texts are; each text is looked at once."""
    rows, places = np.unique(choice, return_inverse=True)
    return np.array([look.likeness(table.texts[row]) if row < len(table) else 0.0 for row in rows.tolist()])[places]


def _first_choice(mask: NDArray[np.bool_], several: bool) -> tuple[NDArray[np.intp], Floats]:
    """For each rule the first row that it selects, and how much its word counts: less where it selects too many."""
    counts = mask.sum(axis=1)
    return np.where(counts > 0, mask.argmax(axis=1), mask.shape[1]), (counts > 0) * 1.0 if several else ballot(counts)


def _diverse(pairs: Sequence[tuple[int, int]], weights: Floats) -> list[tuple[int, float]]:
    """The heaviest rules, where each further one with the same feature counts for less."""
    left = weights.copy()
    holders: dict[int, list[int]] = {}
    for at, pair in enumerate(pairs):
        for feature in set(pair):
            holders.setdefault(feature, []).append(at)
    chosen: list[tuple[int, float]] = []
    first = float(weights.max())
    while len(chosen) < min(KEPT, len(pairs)):
        best = int(np.argmax(left))
        if left[best] <= first * 0.01:
            break
        chosen.append((best, float(left[best])))
        left[best] = -1.0
        for feature in set(pairs[best]):
            left[holders[feature]] *= 0.85
    return chosen


def _conjunction(features: Sequence[Feature], pair: tuple[int, int]) -> tuple[Feature, ...]:
    return (features[pair[0]],) if pair[0] == pair[1] else (features[pair[0]], features[pair[1]])
