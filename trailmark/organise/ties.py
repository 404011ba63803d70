"""What ties items to each other -> evidence on their topics: an item is likely to be of the topic of those it hangs together with.

Past the paper, which looks at words alone. Ties are by kind (same author, same thread, citations), each with a weight of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trailmark.organise.item import Item
from trailmark.organise.word_counts import Counts, Numbers

LARGEST_GROUP = 400
"""Items with one tie: what more have in common (an organisation's mailing robot) says nothing of their topics."""
ENOUGH = 4
"""Neighbours that weigh in full; fewer in proportion."""
DOUBT = 0.02
"""Share of each topic that no neighbour rules out."""
CITES = "cites"
WEIGHTS: Mapping[str, float] = {"thread": 4.0, "author": 2.0, CITES: 8.0}
OTHER = 1.0
"""The weight of a kind that has none."""


@dataclass(frozen=True, slots=True)
class Bond:
    """One kind of ties: either groups (items by groups) or pairs (items by items)."""

    weight: float
    matrix: Counts
    pairs: bool

    def neighbours(self, shares: Numbers) -> tuple[Numbers, Numbers]:
        """Shares of topics in items -> their mean over each item's neighbours, and how many these are."""
        if self.pairs:
            total, number = self.matrix @ shares, np.asarray(self.matrix.sum(axis=1), dtype=np.float64)
        else:
            own = np.asarray(self.matrix.sum(axis=1))[:, None]
            total = self.matrix @ (self.matrix.T @ shares) - own * shares
            number = np.asarray(self.matrix @ (self.matrix.sum(axis=0) - 1.0), dtype=np.float64)
        return np.asarray(total) / np.maximum(number, 1.0)[:, None], number


def bonds_of(items: Sequence[Item]) -> tuple[Bond, ...]:
    """Items -> their bonds, a kind each."""
    kinds = sorted({kind for item in items for kind in item.ties})
    bonds = [
        Bond(WEIGHTS.get(kind, OTHER), matrix, pairs=False) for kind in kinds if (matrix := _groups(items, kind)).nnz
    ]
    cited = _citations(items)
    return (*bonds, Bond(WEIGHTS[CITES], cited, pairs=True)) if cited.nnz else tuple(bonds)


def _groups(items: Sequence[Item], kind: str) -> Counts:
    members: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        for tie in dict.fromkeys(item.ties.get(kind, ())):
            if tie:
                members.setdefault(tie, []).append(number)
    groups = [group for group in members.values() if 2 <= len(group) <= LARGEST_GROUP]
    rows = [number for group in groups for number in group]
    columns = [column for column, group in enumerate(groups) for _ in group]
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(items), len(groups)))


def _citations(items: Sequence[Item]) -> Counts:
    """Who cites or is cited by whom, once each."""
    number = {item.id: place for place, item in enumerate(items)}
    pairs = {
        pair
        for place, item in enumerate(items)
        for cited in item.cites
        if (other := number.get(cited)) is not None and other != place
        for pair in ((place, other), (other, place))
    }
    ordered = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    return sparse.csr_array((np.ones(len(ordered)), (ordered[:, 0], ordered[:, 1])), shape=(len(items), len(items)))


def evidence(bonds: Sequence[Bond], shares: Numbers) -> Numbers:
    """Bonds and what is believed of the items -> log evidence on each item's topics from its neighbours."""
    total = np.zeros_like(shares)
    for bond in bonds:
        mean, number = bond.neighbours(shares)
        strength = bond.weight * np.minimum(number, ENOUGH) / ENOUGH
        total += strength[:, None] * np.log(mean + DOUBT)
    return total
