"""`Weights`: what a chain model learns, one array a kind, and their way into and out of the optimiser's flat vector.

State weights may be shared over groups of states (Sarawagi & Vydiswaran 2004, section 3.1.2: a binary hierarchy over the distances to the
goal): the weight of a feature in a state is the sum over the groups that hold the state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trailmark.errors import InputError
from trailmark.sequence.sequences import Bools, Floats


@dataclass(frozen=True, eq=False)
class WeightShape:
    """Sizes that fix the layout of the flat vector."""

    features: int
    groups: int
    states: int
    conditioned: int
    start: bool

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        square = self.states * self.states
        return (self.features * self.groups, square, self.states * self.start, self.conditioned * square)


@dataclass(frozen=True, eq=False)
class Weights:
    """Log weights; `edge[y', y]` and `conditioned[m, y', y]` are for the step from y' to y."""

    state: Floats
    """Features x groups of states."""
    edge: Floats
    """States x states."""
    start: Floats
    """States; all 0 where the model has no start weights (the papers' base case)."""
    conditioned: Floats
    """Edge features x states x states."""

    def flat(self, shape: WeightShape) -> Floats:
        """One vector, without the start weights where the model has none."""
        start = self.start if shape.start else np.zeros(0)
        return np.concatenate([self.state.ravel(), self.edge.ravel(), start, self.conditioned.ravel()])


def unpack(flat: Floats, shape: WeightShape) -> Weights:
    """The arrays as views into the flat vector."""
    state, edge, start, conditioned = np.split(flat, np.cumsum(shape.sizes)[:-1])
    states = shape.states
    return Weights(
        state.reshape(shape.features, shape.groups),
        edge.reshape(states, states),
        start if shape.start else np.zeros(states),
        conditioned.reshape(shape.conditioned, states, states),
    )


def sharing_matrix(sharing: npt.ArrayLike | None, states: int) -> Floats | None:
    """Groups x states as numbers, or None for one group a state; every state must be in a group."""
    if sharing is None:
        return None
    matrix = np.asarray(sharing, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[1] != states or not matrix.any(axis=0).all():
        raise InputError(f"sharing must be groups x {states} states, with every state in a group.")
    return matrix


def spread(state: Floats, sharing: Floats | None) -> Floats:
    """Features x states: the effective weights."""
    return state if sharing is None else state @ sharing


def gathered(gradient: Floats, sharing: Floats | None) -> Floats:
    """The gradient of the group weights from that of the effective ones."""
    return gradient if sharing is None else gradient @ sharing.T


def masked(edge: Floats, forbidden: Bools | None) -> Floats:
    """Edge weights with -inf for forbidden steps."""
    return edge if forbidden is None else np.where(forbidden, -np.inf, edge)


def binary_hierarchy(states: int) -> Bools:
    """Groups x states: each state alone, then pairs, fours and so on, up to all of them together (section 3.1.2)."""
    width, place = 1, np.arange(states)
    groups = {tuple(place == state): None for state in range(states)}
    while width < states:
        width *= 2
        for first in range(0, states, width):
            groups[tuple((place >= first) & (place < first + width))] = None
    return np.array(list(groups), dtype=bool).reshape(len(groups), states)
