"""`TiedCRF`: a conditional random field whose rules hold for every state alike, and whose few exceptions are learnt by the state.

    score(position, state) = free weights of the position's features, one a state
                           + tied weights of what speaks for that very state, one for all states

"The link's words name the state" is one weight, whatever the state: a rule that is seen at work for lectures is believed for exams too, so
that a few hundred labelled items do for thousands of features. Tied weights are held near a first guess and not near 0: where no example
speaks of a rule, it is believed as far as the guess says. Staying in a state is such a weight too, one a kind of step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.optimize import minimize

from trailmark.errors import InputError
from trailmark.sequence.packed import Packing, best_path, packing, passed
from trailmark.sequence.sequences import Floats, Ints, Sparse

_SMALLEST = 1e-3
_FIELDS = ("free", "tied", "stay", "edges")


@dataclass(frozen=True, eq=False)
class TiedSequences:
    """Chains one below the other."""

    free: Sparse
    """Positions x features."""
    tied: Sparse
    """(Positions x states) x rules: row `position * states + state` holds what speaks for that state there."""
    lengths: Ints
    kinds: Ints
    """Of the step that leads to each position; ignored at first ones."""
    labels: Ints | None = None

    def __post_init__(self) -> None:
        positions = int(self.lengths.sum())
        columns = [self.free.shape[0], len(self.kinds), *([] if self.labels is None else [len(self.labels)])]
        if any(count != positions for count in columns) or (positions and self.tied.shape[0] % positions):
            raise InputError(f"lengths add up to {positions}, but a column has another number of positions.")


@dataclass(frozen=True, eq=False)
class TiedPenalty:
    """How strongly weights are held, and what tied ones are held near."""

    free: Floats
    """One a feature."""
    guess: Floats
    """One a rule."""
    tied: float = 1.0
    stay: float = 1.0
    edge: float = 1.0


class TiedCRF:
    """`fit` learns `free_` (features x states), `tied_` (rules), `stay_` (kinds) and `edges_` (kinds x states x states)."""

    def __init__(self, *, n_states: int, n_kinds: int = 1, max_iterations: int = 120, tolerance: float = 1e-5) -> None:
        self.n_states = n_states
        self.n_kinds = n_kinds
        self.max_iterations = max_iterations
        self.tolerance = tolerance

    def fit(self, sequences: TiedSequences, penalty: TiedPenalty) -> TiedCRF:
        """Learns from labelled chains by L-BFGS, each weight in the unit of its own curvature."""
        objective = TiedLikelihood(sequences, penalty, self.n_states, self.n_kinds)
        unit = 1.0 / np.sqrt(np.maximum(objective.curvature(), _SMALLEST))

        def scaled(point: Floats) -> tuple[float, Floats]:
            value, gradient = objective(point * unit)
            return value, gradient * unit

        options: Any = {"maxcor": 8, "maxiter": self.max_iterations, "ftol": self.tolerance, "gtol": 1e-6}
        start = objective.guess / unit
        if sequences.lengths.sum():
            start = np.asarray(minimize(scaled, start, jac=True, method="L-BFGS-B", options=options).x)
        self.free_, self.tied_, self.stay_, self.edges_ = objective.unpacked(start * unit)
        return self

    def decode_with_marginals(self, sequences: TiedSequences) -> tuple[Ints, Floats]:
        """The best state of every position, and positions x states: the probability of each state."""
        order = packing(sequences.lengths[sequences.lengths > 0])
        scores = _scores(sequences, self.free_, self.tied_)[order.rows]
        edges, kinds = _moves(self.stay_, self.edges_), sequences.kinds[order.rows]
        path, nodes = best_path(scores, edges, kinds, order), passed(scores, edges, kinds, order).nodes
        return _unpacked(path, order), _unpacked(nodes, order)

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What inference needs, as named arrays."""
        return {name: getattr(self, f"{name}_") for name in _FIELDS}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> TiedCRF:
        """A model that infers as the saved one did; ValueError where the arrays do not fit each other."""
        free, tied, stay, edges = (arrays[name] for name in _FIELDS)
        fits = (
            free.ndim == 2
            and tied.ndim == 1
            and stay.ndim == 1
            and edges.shape == (stay.size, free.shape[1], free.shape[1])
            and all(np.isfinite(array).all() for array in (free, tied, stay, edges))
        )
        if not fits:
            raise ValueError("its weights do not fit each other")
        model = cls(n_states=free.shape[1], n_kinds=stay.size)
        for name in _FIELDS:
            setattr(model, f"{name}_", arrays[name].astype(np.float64))
        return model


class TiedLikelihood:
    """Flat weights -> penalised negative log-likelihood and its gradient, over data laid out once."""

    def __init__(self, sequences: TiedSequences, penalty: TiedPenalty, states: int, kinds: int) -> None:
        if sequences.labels is None:
            raise InputError("Learning needs labels.")
        self.sequences, self.states, self.kinds_count = sequences, states, kinds
        self.packing = packing(sequences.lengths[sequences.lengths > 0])
        self.kinds = sequences.kinds[self.packing.rows]
        self.turned = sp.csr_array(sequences.free.T), sp.csr_array(sequences.tied.T)
        features, rules = sequences.free.shape[1], sequences.tied.shape[1]
        self.shapes = [(features, states), (rules,), (kinds,), (kinds, states, states)]
        self.penalty = np.concatenate(
            [
                np.repeat(penalty.free, states),
                np.full(rules, penalty.tied),
                np.full(kinds, penalty.stay),
                np.full(kinds * states * states, penalty.edge),
            ]
        )
        self.guess = np.zeros(self.penalty.size)
        self.guess[features * states : features * states + rules] = penalty.guess
        self.observed = self._observed(sequences.labels)

    def __call__(self, flat: Floats) -> tuple[float, Floats]:
        free, tied, stay, edges = self.unpacked(flat)
        scores = _scores(self.sequences, free, tied)[self.packing.rows]
        found = passed(scores, _moves(stay, edges), self.kinds, self.packing)
        away = flat - self.guess
        held = self.penalty * away
        value = found.log_z - float(self.observed @ flat) + float(held @ away)
        nodes = _unpacked(found.nodes, self.packing)
        return value, self._flat(nodes, found.edges) - self.observed + 2.0 * held

    def curvature(self) -> Floats:
        """About how steeply the value bends along each weight, where all states are as probable as each other."""
        positions = len(self.packing.rows)
        counts = [
            np.repeat(np.asarray(self.sequences.free.sum(axis=0)).ravel(), self.states),
            np.asarray(abs(self.sequences.tied).sum(axis=0)).ravel(),
            np.full(self.kinds_count, positions / self.kinds_count),
            np.full(self.kinds_count * self.states**2, positions / self.kinds_count / self.states),
        ]
        spread = (1 - 1 / self.states) / self.states
        return np.asarray(2.0 * self.penalty + spread * np.concatenate(counts))

    def unpacked(self, flat: Floats) -> list[Floats]:
        """Free, tied, staying, edges."""
        ends = np.cumsum([int(np.prod(shape)) for shape in self.shapes])[:-1]
        return [part.reshape(shape) for part, shape in zip(np.split(flat, ends), self.shapes, strict=True)]

    def _flat(self, nodes: Floats, edges: Floats) -> Floats:
        """Expected counts of every weight."""
        free, tied = self.turned
        stays = np.trace(edges, axis1=1, axis2=2)
        return np.concatenate([(free @ nodes).ravel(), tied @ nodes.ravel(), stays, edges.ravel()])

    def _observed(self, labels: Ints) -> Floats:
        nodes = np.zeros((len(labels), self.states))
        nodes[np.arange(len(labels)), labels] = 1.0
        edges = np.zeros((self.kinds_count, self.states, self.states))
        packed = labels[self.packing.rows]
        first = len(packed) - len(self.packing.before)
        np.add.at(edges, (self.kinds[first:], packed[self.packing.before], packed[first:]), 1.0)
        return self._flat(nodes, edges)


def _scores(sequences: TiedSequences, free: Floats, tied: Floats) -> Floats:
    """Positions x states."""
    scores = np.asarray(sequences.free @ free)
    return np.asarray(scores + np.asarray(sequences.tied @ tied).reshape(scores.shape))


def _moves(stay: Floats, edges: Floats) -> Floats:
    return np.asarray(edges + stay[:, None, None] * np.eye(edges.shape[1]))


def _unpacked(packed_rows: npt.NDArray[Any], order: Packing) -> npt.NDArray[Any]:
    rows = np.empty_like(packed_rows)
    rows[order.rows] = packed_rows
    return rows
