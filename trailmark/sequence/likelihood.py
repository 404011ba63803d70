"""Penalised log-likelihood of a conditional random field and its gradient (PathLearner, section 2.3).

Value: sum over sequences of weight * (log Z - log Z restricted to the label sets) + sum of l2 * w^2. For a wholly labelled
sequence the restricted log Z is the score of its one path, whose counts never change and are taken once. Positions with
unknown or partly known labels are thereby marginalised (a departure: the paper knows all labels).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from trailmark.errors import InputError
from trailmark.sequence.lattice import Posterior, posterior
from trailmark.sequence.sequences import Batch, Bools, Floats, Sequences, Sparse, batches
from trailmark.sequence.weights import Weights, WeightShape, gathered, masked, spread, unpack

EDGE_CELLS = 500_000
"""Numbers in one batch's own transition matrices, where transitions are conditioned on the observation."""


@dataclass(frozen=True, eq=False)
class BatchPart:
    """A batch with what the likelihood needs of it, in the order of the batch."""

    batch: Batch
    by_column: Any
    """X by columns: the product with the weights is then about twice as fast."""
    E: Sparse | None
    """Edge features of all positions but the first ones."""
    allowed: Bools | None
    sets: Bools | None
    """None where every label is known."""
    weights: Floats


@dataclass(frozen=True, eq=False)
class Likelihood:
    """Training data laid out for a likelihood that is asked for again and again."""

    shape: WeightShape
    parts: tuple[BatchPart, ...]
    X: Sparse
    """All positions in the order of the parts."""
    penalty: Floats
    """One L2 factor a weight of the flat vector."""
    observed: Floats
    """Counts of the wholly labelled sequences, as a flat vector."""
    sharing: Floats | None
    forbidden: Bools | None
    edges: bool
    """Whether edge weights are learnt; they stay 0 otherwise."""

    def __call__(self, flat: Floats) -> tuple[float, Floats]:
        """Value and gradient at the given weights."""
        weights = unpack(flat, self.shape)
        effective = np.ascontiguousarray(spread(weights.state, self.sharing))
        slope = _no_counts(self.shape)
        nodes = np.empty((self.X.shape[0], self.shape.states))
        value, row = 0.0, 0
        for part in self.parts:
            rows = part.batch.rows.size
            value += self._add(part, weights, effective, slope, nodes[row : row + rows])
            row += rows
        state = gathered(self.X.T @ nodes, self.sharing)
        gradient = Weights(state, slope.edge * self.edges, slope.start, slope.conditioned).flat(self.shape)
        gradient -= self.observed
        gradient += 2.0 * self.penalty * flat
        value += float(-self.observed @ flat + (self.penalty * flat) @ flat)
        return value, gradient

    def _add(self, part: BatchPart, weights: Weights, effective: Floats, slope: Weights, out: Floats) -> float:
        """Adds the part's expected counts to `slope` and writes its node marginals; returns its value."""
        scores = part_scores(part, weights, effective)
        edges = part_edges(part, masked(weights.edge, self.forbidden), weights.conditioned)
        free = posterior(_restricted(scores, part.allowed), edges, part.weights)
        value = _value(free, part)
        _count(free, part, slope, 1.0)
        target = out.reshape(scores.shape)
        target[...] = free.nodes
        if part.sets is not None:
            bound = posterior(_restricted(scores, part.sets), edges, part.weights)
            value -= _value(bound, part)
            _count(bound, part, slope, -1.0)
            target -= bound.nodes
        return value


def likelihood(
    sequences: Sequences,
    shape: WeightShape,
    penalty: Floats,
    *,
    sharing: Floats | None,
    forbidden: Bools | None,
    edges: bool,
) -> Likelihood:
    """Lays the training data out; raises InputError where labels contradict the masks."""
    sets = sequences.label_sets(shape.states)
    empty = np.flatnonzero(~sets.any(axis=1))
    if empty.size:
        raise InputError(f"At position {empty[0]} no state is left: its label is not among its allowed states.")
    parts = tuple(
        _part(sequences, batch, sets, shape)
        for batch in batches(sequences, sets=sets, max_positions=batch_size(shape, sequences))
    )
    order = np.concatenate([part.batch.rows for part in parts]) if parts else np.zeros(0, np.int64)
    likelihood = Likelihood(
        shape, parts, sequences.X[order], penalty, np.zeros(sum(shape.sizes)), sharing, forbidden, edges
    )
    return replace(likelihood, observed=_observed(likelihood, sets))


def batch_size(shape: WeightShape, sequences: Sequences) -> int:
    """Positions in a batch: few enough to stay in the processor's cache, and to bound conditioned transitions."""
    if shape.conditioned and sequences.E is not None:
        return max(16, EDGE_CELLS // (shape.states * shape.states))
    return max(64, 50_000 // shape.states)


def _part(sequences: Sequences, batch: Batch, sets: Bools, shape: WeightShape) -> BatchPart:
    rows = batch.rows
    allowed = sequences.allowed_states
    given = sequences.weights
    conditioned = shape.conditioned and batch.length > 1
    return BatchPart(
        batch,
        sp.csc_array(sequences.X[rows]),
        sequences.E[rows[batch.count :]] if conditioned and sequences.E is not None else None,
        None if allowed is None or allowed[rows].all() else allowed[rows],
        None if batch.known else sets[rows],
        np.ones(batch.count) if given is None else given[batch.members],
    )


def part_scores(part: BatchPart, weights: Weights, effective: Floats) -> Floats:
    """(positions, chains, states): W . f of the state features."""
    states = effective.shape[1]
    scores: Floats = (part.by_column @ effective).reshape(part.batch.length, part.batch.count, states)
    scores[0] += weights.start
    return scores


def part_edges(part: BatchPart, edge: Floats, conditioned: Floats) -> Floats:
    """The edges of `lattice`: one matrix, or one a position where the observation has its say."""
    if part.E is None:
        return edge
    states = edge.shape[0]
    own = part.E @ conditioned.reshape(-1, states * states)
    edges: Floats = own.reshape(part.batch.length - 1, part.batch.count, states, states) + edge
    return edges


def _restricted(scores: Floats, allowed: Bools | None) -> Floats:
    return scores if allowed is None else np.where(allowed.reshape(scores.shape), scores, -np.inf)


def _value(posterior: Posterior, part: BatchPart) -> float:
    if not np.isfinite(posterior.log_z).all():
        number = part.batch.members[np.flatnonzero(~np.isfinite(posterior.log_z))[0]]
        raise InputError(f"Sequence {number} has no possible path: its labels need a forbidden transition.")
    return float(posterior.log_z @ part.weights)


def _count(posterior: Posterior, part: BatchPart, slope: Weights, sign: float) -> None:
    """Expected transitions and starts, added in place."""
    slope.start[...] += sign * posterior.nodes[0].sum(axis=0)
    if part.E is None:
        slope.edge[...] += sign * posterior.edges
        return
    slope.edge[...] += sign * posterior.edges.sum(axis=(0, 1))
    pairs = posterior.edges.reshape(part.E.shape[0], -1)
    slope.conditioned[...] += sign * (part.E.T @ pairs).reshape(slope.conditioned.shape)


def _no_counts(shape: WeightShape) -> Weights:
    """Counters of transitions and starts; states are counted in one product at the end."""
    square = (shape.states, shape.states)
    return Weights(np.empty(0), np.zeros(square), np.zeros(shape.states), np.zeros((shape.conditioned, *square)))


def _observed(likelihood: Likelihood, sets: Bools) -> Floats:
    """Counts along the paths of wholly labelled sequences: expectations with all the mass on one path."""
    shape = likelihood.shape
    slope = _no_counts(shape)
    nodes = np.zeros((likelihood.X.shape[0], shape.states))
    row = 0
    for part in likelihood.parts:
        batch = part.batch
        if batch.known:
            _observe(part, sets, slope, nodes[row : row + batch.rows.size], likelihood.forbidden)
        row += batch.rows.size
    state = gathered(likelihood.X.T @ nodes, likelihood.sharing)
    return Weights(state, slope.edge * likelihood.edges, slope.start, slope.conditioned).flat(shape)


def _observe(part: BatchPart, sets: Bools, slope: Weights, out: Floats, forbidden: Bools | None) -> None:
    batch = part.batch
    path = sets[batch.rows].argmax(axis=1).reshape(batch.length, batch.count)
    before, after = path[:-1].ravel(), path[1:].ravel()
    if forbidden is not None and forbidden[before, after].any():
        number = batch.members[np.flatnonzero(forbidden[path[:-1], path[1:]].any(axis=0))[0]]
        raise InputError(f"Sequence {number} has no possible path: its labels need a forbidden transition.")
    weight = np.tile(part.weights, batch.length)
    out[np.arange(batch.rows.size), path.ravel()] = weight
    later = weight[batch.count :]
    np.add.at(slope.start, path[0], part.weights)
    np.add.at(slope.edge, (before, after), later)
    if part.E is not None:
        states = slope.edge.shape[0]
        pairs = sp.csr_array(
            (later, (np.arange(before.size), before * states + after)), shape=(before.size, states * states)
        )
        slope.conditioned[...] += (part.E.T @ pairs).toarray().reshape(slope.conditioned.shape)
