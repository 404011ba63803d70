"""`BlockCRF`: a conditional random field over words, whose features are written down once for every distinct word, line and place.

The score of a state at a position is the sum over blocks of (matrix @ weights)[row of the position]: what a word is like is a row of a
matrix of distinct words, and the word before it is the same matrix read one row earlier. So the work grows with distinct words and not
with the number of neighbours a feature looks at: tens of thousands of words are learnt from in minutes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.optimize import minimize

from trailmark.errors import InputError
from trailmark.sequence.packed import Packing, best_path, packing, passed
from trailmark.sequence.sequences import Floats, Ints, Sparse

NOTHING = -1
"""The row of a position that a block says nothing of."""
SMALLEST_CURVATURE = 1e-3
"""Of a weight that nothing is known of and nothing holds."""


@dataclass(frozen=True, eq=False)
class Block:
    """Features of distinct things, and which of them stands at each position (or `NOTHING`)."""

    matrix: Sparse
    """Distinct things x features."""
    rows: Ints


@dataclass(frozen=True, eq=False)
class BlockSequences:
    """Chains one below the other; every block has a row for every position."""

    blocks: tuple[Block, ...]
    lengths: Ints
    kinds: Ints
    """Of the step that leads to each position; ignored at first ones."""
    labels: Ints | None = None

    def __post_init__(self) -> None:
        positions = int(self.lengths.sum())
        columns = [self.kinds, *(block.rows for block in self.blocks), *([] if self.labels is None else [self.labels])]
        if any(len(column) != positions for column in columns):
            raise InputError(f"lengths add up to {positions}, but a column has another number of positions.")


class BlockCRF:
    """`fit` learns `state_` (one array a block), `edges_` (kinds x states x states) and `start_`.

    `l2` holds state weights, `l2_edge` the others; the penalty is l2 * (sum of squares).
    """

    def __init__(
        self,
        *,
        n_states: int,
        n_kinds: int = 1,
        l2: float | Sequence[float] = 1.0,
        l2_edge: float = 0.1,
        max_iterations: int = 150,
        tolerance: float = 1e-5,
    ) -> None:
        self.n_states = n_states
        self.n_kinds = n_kinds
        self.l2 = l2
        self.l2_edge = l2_edge
        self.max_iterations = max_iterations
        self.tolerance = tolerance

    def fit(self, sequences: BlockSequences) -> BlockCRF:
        """Learns from labelled chains by L-BFGS, each weight in the unit of its own curvature.

        A feature of every word and one of two words differ in curvature by thousands. In plain units the steep ones hold all others
        back; in these a few dozen rounds do, and stopping there keeps rare features from being believed too much.
        """
        objective = BlockLikelihood(sequences, self)
        options: Any = {"maxcor": 6, "maxiter": self.max_iterations, "ftol": self.tolerance, "gtol": 1e-6}
        start = np.zeros(objective.size)
        if objective.size and len(objective.packing.rows):
            unit = 1.0 / np.sqrt(np.maximum(objective.curvature(), SMALLEST_CURVATURE))

            def scaled(point: Floats) -> tuple[float, Floats]:
                value, gradient = objective(point * unit)
                return value, gradient * unit

            optimum = minimize(scaled, start, jac=True, method="L-BFGS-B", options=options)
            start, self.iterations_ = np.asarray(optimum.x) * unit, int(optimum.nit)
        self.state_, self.edges_, self.start_ = objective.unpacked(start)
        return self

    def decode(self, sequences: BlockSequences) -> Ints:
        """The best state of every position, chains one below the other."""
        order = packing(sequences.lengths[sequences.lengths > 0])
        scores = packed_scores(sequences, order, self.state_, self.start_)
        path = best_path(scores, self.edges_, sequences.kinds[order.rows], order)
        return _unpacked(path, order)

    def decode_with_marginals(self, sequences: BlockSequences) -> tuple[Ints, Floats]:
        """Both `decode` and `marginals`: what they share is done once."""
        order = packing(sequences.lengths[sequences.lengths > 0])
        scores, kinds = packed_scores(sequences, order, self.state_, self.start_), sequences.kinds[order.rows]
        path, nodes = best_path(scores, self.edges_, kinds, order), passed(scores, self.edges_, kinds, order).nodes
        return _unpacked(path, order), _unpacked(nodes, order)

    def marginals(self, sequences: BlockSequences) -> Floats:
        """Positions x states: the probability of each state."""
        order = packing(sequences.lengths[sequences.lengths > 0])
        scores = packed_scores(sequences, order, self.state_, self.start_)
        nodes = passed(scores, self.edges_, sequences.kinds[order.rows], order).nodes
        return _unpacked(nodes, order)

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What inference needs, as named arrays: the blocks one below the other."""
        sizes = np.array([len(block) for block in self.state_], dtype=np.int64)
        state = np.concatenate([np.zeros((0, self.n_states)), *self.state_])
        return {"state": state, "sizes": sizes, "edges": self.edges_, "start": self.start_}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> BlockCRF:
        """A model that infers as the saved one did; ValueError where the arrays do not fit each other."""
        state, sizes, edges, start = (arrays[name] for name in ("state", "sizes", "edges", "start"))
        states = start.size
        fits = (
            start.shape == (states,)
            and edges.ndim == 3
            and edges.shape[1:] == (states, states)
            and state.ndim == 2
            and state.shape[1] == states
            and sizes.ndim == 1
            and (sizes >= 0).all()
            and int(sizes.sum()) == len(state)
        )
        if not fits:
            raise ValueError("its weights do not fit each other")
        model = cls(n_states=states, n_kinds=len(edges))
        model.state_ = np.split(state.astype(np.float64), np.cumsum(sizes)[:-1].astype(np.int64))
        model.edges_, model.start_ = edges.astype(np.float64), start.astype(np.float64)
        return model


class BlockLikelihood:
    """Flat weights -> penalised negative log-likelihood and its gradient, over data laid out once."""

    def __init__(self, sequences: BlockSequences, model: BlockCRF) -> None:
        if sequences.labels is None:
            raise InputError("Learning needs labels.")
        self.states, self.kinds_count = model.n_states, model.n_kinds
        self.packing = packing(sequences.lengths[sequences.lengths > 0])
        self.sequences = sequences
        self.kinds = sequences.kinds[self.packing.rows]
        self.gathers = [_gather(block, self.packing) for block in sequences.blocks]
        self.turned = [sp.csr_array(block.matrix.T) for block in sequences.blocks]
        self.shapes = [(block.matrix.shape[1], self.states) for block in sequences.blocks]
        self.shapes += [(self.kinds_count * self.states, self.states), (1, self.states)]
        self.size = sum(rows * columns for rows, columns in self.shapes)
        strengths = [model.l2] * len(self.gathers) if isinstance(model.l2, int | float) else list(model.l2)
        strengths += [model.l2_edge, model.l2_edge]
        self.penalty = np.concatenate([np.full(r * c, l2) for (r, c), l2 in zip(self.shapes, strengths, strict=True)])
        self.observed = self._counted(sequences.labels[self.packing.rows])

    def __call__(self, flat: Floats) -> tuple[float, Floats]:
        state, edges, start = self.unpacked(flat)
        scores = packed_scores(self.sequences, self.packing, state, start)
        found = passed(scores, edges, self.kinds, self.packing)
        held = self.penalty * flat
        value = found.log_z - float(self.observed @ flat) + float(held @ flat)
        return value, self._flat(found.nodes, found.edges) - self.observed + 2.0 * held

    def curvature(self) -> Floats:
        """About how steeply the value bends along each weight, where nothing is known yet: all states are as probable as each other."""
        once = np.ones(len(self.packing.rows))
        seen = [np.asarray(turned @ (gather @ once)) for turned, gather in zip(self.turned, self.gathers, strict=True)]
        first = len(once) - len(self.packing.before)
        steps = np.bincount(self.kinds[first:], minlength=self.kinds_count) / self.states
        counts = [np.repeat(each, self.states) for each in seen]
        counts += [np.repeat(steps, self.states**2), np.full(self.states, float(first))]
        spread = (1 - 1 / self.states) / self.states
        return np.asarray(2.0 * self.penalty + spread * np.concatenate(counts))

    def unpacked(self, flat: Floats) -> tuple[list[Floats], Floats, Floats]:
        """State weights by block, edges by kind, starts."""
        ends = np.cumsum([rows * columns for rows, columns in self.shapes])[:-1]
        parts = [part.reshape(shape) for part, shape in zip(np.split(flat, ends), self.shapes, strict=True)]
        square = (self.kinds_count, self.states, self.states)
        return parts[:-2], parts[-2].reshape(square), parts[-1][0]

    def _flat(self, nodes: Floats, edges: Floats) -> Floats:
        """Expected counts of every weight."""
        parts = [(turned @ (gather @ nodes)).ravel() for turned, gather in zip(self.turned, self.gathers, strict=True)]
        first = int(self.packing.starts[1]) if len(self.packing.starts) > 1 else 0
        return np.concatenate([*parts, edges.ravel(), nodes[:first].sum(axis=0)])

    def _counted(self, labels: Ints) -> Floats:
        nodes = np.zeros((len(labels), self.states))
        nodes[np.arange(len(labels)), labels] = 1.0
        edges = np.zeros((self.kinds_count, self.states, self.states))
        first = len(labels) - len(self.packing.before)
        np.add.at(edges, (self.kinds[first:], labels[self.packing.before], labels[first:]), 1.0)
        return self._flat(nodes, edges)


def packed_scores(sequences: BlockSequences, order: Packing, state: Sequence[Floats], start: Floats) -> Floats:
    """Positions x states in packed order."""
    scores = np.zeros((len(order.rows), len(start)))
    for block, weights in zip(sequences.blocks, state, strict=True):
        # One row more for positions that the block says nothing of.
        distinct = np.zeros((block.matrix.shape[0] + 1, len(start)))
        distinct[:-1] = block.matrix @ weights
        scores += distinct[block.rows[order.rows]]
    if len(order.starts) > 1:
        scores[: int(order.starts[1])] += start
    return scores


def _gather(block: Block, order: Packing) -> Sparse:
    """Distinct things x packed positions: where each of them stands."""
    rows = block.rows[order.rows]
    stands = np.flatnonzero(rows != NOTHING)
    shape = (block.matrix.shape[0], len(rows))
    return sp.csr_array((np.ones(len(stands)), (rows[stands], stands)), shape=shape)


def _unpacked(packed_rows: npt.NDArray[Any], order: Packing) -> npt.NDArray[Any]:
    rows = np.empty_like(packed_rows)
    rows[order.rows] = packed_rows
    return rows
