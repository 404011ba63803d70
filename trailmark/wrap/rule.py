"""Rules: conjunctions of features that select texts, and what is kept of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trailmark.wrap.node_columns import code, column
from trailmark.wrap.node_table import NodeTable
from trailmark.wrap.range_pruner import Pruner

Mask = NDArray[np.bool_]


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
        made: Mask = table.kept(self, lambda: self._mask(table))
        return made

    def _mask(self, table: NodeTable) -> Mask:
        numbers = column(table, self.kind, self.level)
        found: Mask = numbers == self.codes[0]
        for other in self.codes[1:]:
            found = found | (numbers == other)
        return found


@dataclass(frozen=True, slots=True)
class Rule:
    """A conjunction of features, with the position among what it selects where that is needed to be exact."""

    features: tuple[Feature, ...]
    weight: float = 1.0
    support: float = 0.0
    """Share of the pages that were not annotated on which it selects something."""
    position: int = 0
    """1 for the first of the selected, -1 for the last, 0 for all."""

    def rows(self, table: NodeTable) -> NDArray[np.int64]:
        """The rows that it selects."""
        found = self.features[0].mask(table)
        for other in self.features[1:]:
            found = found & other.mask(table)
        rows = np.flatnonzero(found)
        if self.position == 0:
            return rows
        at = self.position - 1 if self.position > 0 else len(rows) + self.position
        return rows[at : at + 1] if at >= 0 else rows[:0]


@dataclass(frozen=True, slots=True)
class FieldRules:
    """The rules of one field: they vote, and where they do not agree nothing is said."""

    name: str
    rules: tuple[Rule, ...]
    several: bool = False
    """Whether a page may have several values."""
    least: float = 0.5
    """Share of the weight of the rules that find anything which must be for the chosen text."""
    least_speaking: float = 0.1
    """Share of all weight that the chosen text must have; the rest may be rules that find nothing on the page."""
    pruner: Pruner = field(default_factory=Pruner)

    def shares(self, table: NodeTable) -> tuple[NDArray[np.float64], float]:
        """For each row the share of the rules' weight that is for it, and the share of the rules that select anything."""
        votes = np.zeros(len(table))
        total = speaking = 0.0
        for rule in self.rules:
            rows = rule.rows(table)
            total += rule.weight
            if len(rows):
                speaking += rule.weight
                if self.several:
                    votes[rows] += rule.weight
                else:
                    votes[rows[0]] += rule.weight / len(rows) ** 0.5
        return (votes / total, speaking / total) if total else (votes, 0.0)

    def choose(self, table: NodeTable) -> list[int]:
        """The rows whose texts are the field's values; none where the rules do not agree."""
        if not len(table):
            return []
        shares, speaking = self.shares(table)
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

    def values(self, table: NodeTable) -> list[str]:
        """The field's values, each once, each a part of a text of the page."""
        found = (self.pruner.value(table.texts[row]) for row in self.choose(table))
        return list(dict.fromkeys(value for value in found if value))

    def is_label(self, text: str) -> bool:
        """Whether the text is one by which the rules find the value: then it is not the value."""
        return any(text in feature.values for rule in self.rules for feature in rule.features if feature.kind in LABELS)


LABELS = frozenset(("left", "right", "left-of", "right-of", "opens", "left-2"))


def ballot(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """How much the word of a rule counts that selects so many rows of a page."""
    strength: NDArray[np.float64] = np.where(counts > 0, 1.0 / np.maximum(counts, 1) ** 0.5, 0.0)
    return strength
