"""A naive Bayes vote on weak features, for fields of which no rule is exact (Vertex, section III-C3).

The candidates are what the best rule of recall 1 selects. Features are all that is said of them in `node_columns`, and every
attribute of the element that holds them and of those above. The few with the most mutual information with right and wrong
candidates are kept; a candidate must reach a probability above 0.5.

Departure: an ancestor's feature is bound to its level; the paper asks for any ancestor from the second level up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from trailmark.wrap.page.node_columns import places_of, value
from trailmark.wrap.page.node_table import LONGEST, NodeTable

Triple = tuple[str, int, str]

KEPT = 12
LEVELS = 4
SMOOTHING = 0.5
MOST_CANDIDATES = 300
"""On one page: what stands behind them is not looked at."""
SURE = 0.5


@dataclass(frozen=True, slots=True)
class WeakVote:
    """Log odds: before anything is known, and for each feature where it is there and where it is not."""

    prior: float
    features: tuple[tuple[str, int, str, float, float], ...]

    def probabilities(self, table: NodeTable, rows: Sequence[int]) -> NDArray[np.float64]:
        """For each row of the table how probably it is the value; 0 where it is no candidate."""
        chances = np.zeros(len(table))
        for row in rows[:MOST_CANDIDATES]:
            odds = self.prior
            for kind, level, wanted, there, missing in self.features:
                odds += there if weak_value(table, kind, level, row) == wanted else missing
            chances[row] = 1.0 / (1.0 + exp(-max(min(odds, 500.0), -500.0)))
        return chances


def weak_value(table: NodeTable, kind: str, level: int, row: int) -> str:
    """A feature as a string; kinds that begin with @ are attributes."""
    if not kind.startswith("@"):
        return value(table, kind, level, row)
    element = int(table.ancestor(level)[row])
    return "" if element == len(table.elements) else (table.elements[element].get(kind[1:]) or "")[:LONGEST]


def weak_features(table: NodeTable, row: int) -> set[Triple]:
    """All that is said of a row, near by."""
    triples = {
        (kind, level, value(table, kind, level, row)) for kind, level in places_of(table.layer) if level < LEVELS
    }
    for level in range(LEVELS):
        number = int(table.ancestor(level)[row])
        names = table.elements[number].keys() if number < len(table.elements) else ()
        triples.update((f"@{name}", level, weak_value(table, f"@{name}", level, row)) for name in names)
    return {triple for triple in triples if triple[2]}


def learn_weak_vote(right: Sequence[set[Triple]], wrong: Sequence[set[Triple]]) -> WeakVote | None:
    """From the features of right and of wrong candidates; None where there are not both, or no feature tells them apart."""
    if not right or not wrong:
        return None
    ours, theirs = (
        Counter(triple for one in right for triple in one),
        Counter(triple for one in wrong for triple in one),
    )
    telling = {
        triple: _mutual_information(ours[triple], theirs[triple], len(right), len(wrong)) for triple in {*ours, *theirs}
    }
    best = sorted(
        (triple for triple in telling if telling[triple] > 1e-9), key=lambda triple: (-telling[triple], triple)
    )[:KEPT]
    features = tuple((*triple, *_odds(ours[triple], theirs[triple], len(right), len(wrong))) for triple in best)
    return WeakVote(round(log(len(right) / len(wrong)), 5), features) if features else None


def _odds(ours: int, theirs: int, right: int, wrong: int) -> tuple[float, float]:
    """Smoothed, so that a feature of a single page does not settle the matter."""
    one = (ours + SMOOTHING) / (right + 2 * SMOOTHING)
    other = (theirs + SMOOTHING) / (wrong + 2 * SMOOTHING)
    return round(log(one / other), 5), round(log((1 - one) / (1 - other)), 5)


def _mutual_information(ours: int, theirs: int, right: int, wrong: int) -> float:
    """Between having the feature and being right."""
    count = right + wrong
    having = ours + theirs
    cells = (
        (ours, having, right),
        (theirs, having, wrong),
        (right - ours, count - having, right),
        (wrong - theirs, count - having, wrong),
    )
    return sum(cell / count * log(cell * count / (row * column)) for cell, row, column in cells if cell)
