"""Rules: conjunctions of features that select texts, and what is kept of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from trailmark.wrap.page.node_columns import at_path, code, column, on_tags
from trailmark.wrap.page.node_layer import layer_of, node_of
from trailmark.wrap.page.node_table import TEXT, NodeTable
from trailmark.wrap.rules.range_pruner import Pruner
from trailmark.wrap.rules.value_doubt import Doubt
from trailmark.wrap.rules.weak_features import WeakVote

Mask = NDArray[np.bool_]

SURE = 0.9
"""Share of the rules that must be for a value before it is told as sure."""
AS_USUAL = 0.75
"""How near the share of all rules that are for a value must come to what is usual."""
INVISIBLE = "\u200b\u2060\ufeff "
"""Signs of no width, which pages put around texts to steer where lines break."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A triple of Vertex; several values are a disjunction (at most three are learnt)."""

    kind: str
    level: int
    values: tuple[str, ...]
    codes: tuple[int, ...] = field(default=(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", tuple(code(self.kind, value) for value in self.values))

    def mask(self, table: NodeTable) -> Mask:
        """Which rows have it."""
        look = _QUICKER.get(self.kind)
        if look is not None:
            chosen: Mask = np.logical_or.reduce([look(table, value) for value in self.values])
            return chosen
        numbers = column(table, self.kind, self.level)
        rows: Mask = numbers == self.codes[0]
        for other in self.codes[1:]:
            rows = rows | (numbers == other)
        return rows


_QUICKER: dict[str, Callable[[NodeTable, str], Mask]] = {"path": at_path, "tags": on_tags}
"""Kinds whose whole column costs more than to look for one value."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A conjunction of features, with the position among what it selects where that is needed to be exact."""

    features: tuple[Feature, ...]
    weight: float = 1.0
    support: float = 0.0
    """Share of the pages that were not annotated on which it selects something."""
    position: int = 0
    """1 for the first of the selected, -1 for the last, 0 for all."""

    def rows(self, table: NodeTable) -> list[int]:
        """The rows that it selects."""
        return [int(row) for row in np.flatnonzero(make_plan([self]).selected(table)[0])] if len(table) else []


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value that rules lifted off a page."""

    value: str
    node: int
    """As `NodeTable.xpath` takes it."""
    share: float = 1.0
    """Of the weight of the rules that find anything on the page: how much is for this node. The lower, the less sure."""
    sure: bool = True
    """Whether the rules agree on it as they usually do, and no other place that may be meant says something else."""


@dataclass(frozen=True, slots=True)
class FieldRules:
    """The rules of one field: they vote, and where they do not agree nothing is said."""

    name: str
    rules: tuple[Rule, ...]
    several: bool = False
    """Whether a page may have several values."""
    least: float = 0.4
    """Share of the weight of the rules that find anything which must be for the chosen text."""
    least_speaking: float = 0.03
    """Share of all weight that the chosen text must have; the rest may be rules that find nothing on the page."""
    pruner: Pruner = field(default_factory=Pruner)
    layer: str = TEXT
    """Which nodes the rules are about: texts, whole elements, or an attribute (`@href`)."""
    weak: WeakVote | None = None
    """Where no rule is exact: the vote among what the first rule selects."""
    mandatory: bool = False
    """Whether nearly all pages that were learnt from have the field: one that lacks it is suspicious."""
    doubt: Doubt | None = None
    """When to keep silent; None where too few pages were seen to tell."""
    usual: float = 0.0
    """Share of all rules, those that find nothing among them, that are for the value on most pages; 0 where too few pages were seen."""
    seldom: bool = False
    """Whether fewer than half of the pages seem to have it, and nobody said so: the rules may know one of several layouts only."""
    more: tuple[FieldRules, ...] = ()
    """Rules of further places: a page has the field's values at each of them."""
    rivals: tuple[FieldRules, ...] = ()
    """Rules of other places that hold what was annotated as well, and that say something else on other pages."""
    plan: Plan = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "plan", make_plan(self.rules))

    def shares(self, table: NodeTable) -> tuple[NDArray[np.float64], float]:
        """For each row the share of the rules' weight that is for it, and the share of the rules that select anything."""
        plan = self.plan
        if not len(table) or not plan.total:
            return np.zeros(len(table)), 0.0
        if self.weak is not None:
            return self.weak.probabilities(table, self.rules[0].rows(table)), 1.0
        selected = plan.selected(table)
        counts = selected.sum(axis=1)
        speaking = float(plan.weights[counts > 0].sum()) / plan.total
        if self.several:
            return plan.weights @ selected / plan.total, speaking
        votes = np.bincount(selected.argmax(axis=1), plan.weights * ballot(counts), minlength=len(table))
        return votes / plan.total, speaking

    def choose(self, table: NodeTable) -> list[int]:
        """The rows of the field's layer whose texts are the field's values; none where the rules do not agree."""
        table = layer_of(table, self.layer)
        return self._chosen(table, *self.shares(table)) if len(table) else []

    def _chosen(self, table: NodeTable, shares: NDArray[np.float64], speaking: float) -> list[int]:
        best = int(np.argmax(shares))
        if (
            shares[best] < self.least * speaking
            or shares[best] < self.least_speaking
            or self.is_label(table.texts[best])
        ):
            return []
        if not self.several:
            return [best]
        return [
            int(row) for row in np.flatnonzero(shares >= self.least * speaking) if not self.is_label(table.texts[row])
        ]

    def found(self, table: NodeTable) -> tuple[FoundValue, ...]:
        """The field's values, each once, with the node of the page that each was taken from."""
        values = self._found_here(table)
        for place in self.more:
            values |= {one.value: one for one in place.found(table) if one.value not in values}
        if self.contested(table, list(values)):
            return tuple(replace(one, sure=False) for one in values.values())
        return tuple(values.values())

    def _found_here(self, page: NodeTable) -> dict[str, FoundValue]:
        """What stands at the first place."""
        table = layer_of(page, self.layer)
        if not len(table):
            return {}
        shares, speaking = self.shares(table)
        values: dict[str, FoundValue] = {}
        for row in self._chosen(table, shares, speaking):
            value = self.pruner.value(table.texts[row]).strip(INVISIBLE)
            share = round(float(shares[row]) / speaking, 4)
            if value and value not in values and not (self.doubt and self.doubt.refuses(value, share)):
                sure = not self.seldom and share >= SURE and float(shares[row]) >= AS_USUAL * self.usual
                values[value] = FoundValue(value, node_of(table, row), share, sure)
        return values

    def contested(self, table: NodeTable, values: Sequence[str]) -> str:
        """What a rival says of the page where it is none of the values; an empty string where none does."""
        if not values:
            return ""
        others = (rival.values(table) for rival in self.rivals)
        return next((other[0] for other in others if other and other[0] not in values), "")

    def values(self, table: NodeTable) -> list[str]:
        """The field's values, each once, each a part of a text of the page."""
        return [one.value for one in self.found(table)]

    def is_label(self, text: str) -> bool:
        """Whether the text is one by which the rules find the value: then it is not the value."""
        return text in self.plan.labels


LABELS = frozenset(("left", "right", "left-of", "right-of", "opens", "left-2"))
OF_TEMPLATE = 0.5
"""How often, beside the rule that finds something most often, a rule must find something before the texts that it names are taken for the
template's own. What stands beside the value on the annotated page alone may be the value of another."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The rules of a field made ready to be applied at once: each feature is looked at once a page."""

    features: tuple[Feature, ...]
    members: tuple[NDArray[np.intp], ...]
    """For each place in a conjunction, the number of the feature of each rule; short rules repeat theirs."""
    positions: tuple[tuple[int, int], ...]
    weights: NDArray[np.float64]
    total: float
    labels: frozenset[str]
    places: tuple[tuple[str, int], ...]
    """Columns that are needed."""
    plain: NDArray[np.intp]
    """Features that name one value of a column; then which column, and the value's code."""
    place_of: NDArray[np.intp]
    codes: NDArray[np.int64]
    special: tuple[int, ...]
    """The other features."""

    def _masks(self, table: NodeTable) -> Mask:
        """A line a feature: all that name one value of a column are compared in one go."""
        masks = np.empty((len(self.features), len(table)), dtype=bool)
        if self.places:
            columns = np.array([column(table, kind, level) for kind, level in self.places])
            masks[self.plain] = columns[self.place_of] == self.codes[:, None]
        for number in self.special:
            masks[number] = self.features[number].mask(table)
        return masks

    def selected(self, table: NodeTable) -> Mask:
        """A line a rule, a column a row."""
        masks = self._masks(table)
        selection: Mask = masks[self.members[0]]
        for more in self.members[1:]:
            selection &= masks[more]
        for number, position in self.positions:
            rows = np.flatnonzero(selection[number])
            at = position - 1 if position > 0 else len(rows) + position
            selection[number] = False
            selection[number, rows[at : at + 1] if at >= 0 else rows[:0]] = True
        return selection


def make_plan(rules: Sequence[Rule]) -> Plan:
    features = {
        feature: number for number, feature in enumerate(dict.fromkeys(f for rule in rules for f in rule.features))
    }
    longest = max((len(rule.features) for rule in rules), default=0)
    members = tuple(
        np.array([features[rule.features[min(at, len(rule.features) - 1)]] for rule in rules], dtype=np.intp)
        for at in range(longest)
    )
    positions = tuple((number, rule.position) for number, rule in enumerate(rules) if rule.position)
    weights = np.array([rule.weight for rule in rules], dtype=np.float64)
    often = OF_TEMPLATE * max((rule.support for rule in rules), default=0.0)
    general = [feature for rule in rules if rule.support >= often for feature in rule.features]
    labels = frozenset(text for feature in general if feature.kind in LABELS for text in feature.values)
    plain = [feature for feature in features if len(feature.values) == 1 and feature.kind not in _QUICKER]
    places = {
        place: number for number, place in enumerate(dict.fromkeys((feature.kind, feature.level) for feature in plain))
    }
    return Plan(
        tuple(features),
        members,
        positions,
        weights,
        float(weights.sum()),
        labels,
        tuple(places),
        np.array([features[feature] for feature in plain], dtype=np.intp),
        np.array([places[feature.kind, feature.level] for feature in plain], dtype=np.intp),
        np.array([feature.codes[0] for feature in plain], dtype=np.int64),
        tuple(number for feature, number in features.items() if len(feature.values) > 1 or feature.kind in _QUICKER),
    )


def ballot(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """How much the word of a rule counts that selects so many rows of a page."""
    strength: NDArray[np.float64] = np.where(counts > 0, 1.0 / np.maximum(counts, 1) ** 0.5, 0.0)
    return strength
