"""Decoding, marginals and log Z of a fitted chain over whole sequences, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from trailmark.errors import InputError
from trailmark.sequence import lattice
from trailmark.sequence.sequences import Batch, Bools, Floats, Ints, Sequences, batches
from trailmark.sequence.weights import Weights

CELLS = 400_000
"""Numbers in the largest array of a batch: bounds memory whatever the length of the sequences."""


class Chain(Protocol):
    """What inference and prefixes need of a model."""

    n_states: int

    @property
    def weights_(self) -> Weights:
        """Of which the start and the conditioned weights are asked for."""

    @property
    def state_weights_(self) -> Floats:
        """Features x states: the effective weights."""

    @property
    def edges_(self) -> Floats:
        """States x states, -inf where forbidden."""


def best_states(model: Chain, sequences: Sequences) -> Ints:
    """The state of every position on the best path of its sequence (eq. 2); InputError where the masks leave none."""
    paths = np.zeros(sequences.X.shape[0], dtype=np.int64)
    for batch, scores, edges in batch_scores(model, sequences, per_step=True):
        path, best = lattice.viterbi(scores, edges)
        require(np.isfinite(best), batch)
        paths[batch.rows] = path.ravel()
    return paths


def state_probabilities(model: Chain, sequences: Sequences) -> Floats:
    """Positions x states, all sequences stacked; InputError where the masks leave no path."""
    nodes = np.zeros((sequences.X.shape[0], model.n_states))
    for batch, scores, edges in batch_scores(model, sequences):
        posterior = lattice.posterior(scores, edges, np.ones(batch.count))
        require(np.isfinite(posterior.log_z), batch)
        nodes[batch.rows] = posterior.nodes.reshape(batch.rows.size, -1)
    return nodes


def log_z(model: Chain, sequences: Sequences, *, labelled: bool = False) -> Floats:
    """log Z of each sequence, restricted to its label sets where `labelled`; 0 for an empty sequence."""
    sets = sequences.label_sets(model.n_states) if labelled else None
    totals = np.zeros(len(sequences))
    for batch, scores, edges in batch_scores(model, sequences, sets=sets, per_step=True):
        totals[batch.members] = lattice.log_z(scores, edges)
    return totals


def edge_marginals(model: Chain, sequences: Sequences) -> Iterator[tuple[Batch, Floats]]:
    """For each batch (positions - 1, chains, states, states): the probability of each transition."""
    for batch, scores, edges in batch_scores(model, sequences, per_position=True):
        own_edges = np.broadcast_to(edges, (batch.length - 1, batch.count, *model.edges_.shape))
        yield batch, lattice.posterior(scores, own_edges, np.ones(batch.count)).edges


def edges_of(model: Chain, sequences: Sequences, batch: Batch) -> Floats:
    """One matrix for all, or one for each position after the first where transitions are conditioned."""
    conditioned = model.weights_.conditioned
    if sequences.E is None or not conditioned.shape[0] or batch.length == 1:
        return model.edges_
    states = model.n_states
    if sequences.E.shape[1] != conditioned.shape[0]:
        raise InputError(f"The model knows {conditioned.shape[0]} edge features, not {sequences.E.shape[1]}.")
    own = sequences.E[batch.rows[batch.count :]] @ conditioned.reshape(-1, states * states)
    edges: Floats = own.reshape(batch.length - 1, batch.count, states, states) + model.edges_
    return edges


def scores_of(model: Chain, sequences: Sequences, batch: Batch) -> Floats:
    """(positions, chains, states) of start weights and state scores."""
    shape = (batch.length, batch.count, model.n_states)
    scores: Floats = (sequences.X[batch.rows] @ model.state_weights_).reshape(shape)
    scores[0] += model.weights_.start
    return scores


def possible(sequences: Sequences, *, n_states: int, forbidden: Bools | None = None) -> Bools:
    """Which sequences have a path through their label sets, their allowed states and the steps that are not forbidden."""
    sets = sequences.label_sets(n_states)
    steps = np.ones((n_states, n_states)) if forbidden is None else 1.0 - np.asarray(forbidden, dtype=np.float64)
    reachable = np.ones(len(sequences), dtype=bool)
    for batch in batches(sequences, max_positions=CELLS // n_states):
        allowed = sets[batch.rows].reshape(batch.length, batch.count, n_states)
        reached = allowed[0]
        for here in allowed[1:]:
            reached = here & (reached @ steps > 0)
        reachable[batch.members] = reached.any(axis=1)
    return reachable


def batch_scores(
    model: Chain, sequences: Sequences, *, sets: Bools | None = None, per_step: bool = False, per_position: bool = False
) -> Iterator[tuple[Batch, Floats, Floats]]:
    """Batches with their scores and edges, small enough for (states x states) at each step, or at every position."""
    if sequences.X.shape[1] != model.state_weights_.shape[0]:
        raise InputError(f"The model knows {model.state_weights_.shape[0]} features, not {sequences.X.shape[1]}.")
    allowed = sequences.allowed_states if sets is None else sets
    if allowed is not None and allowed.shape[1] != model.n_states:
        raise InputError(f"allowed_states must have one column for each of the {model.n_states} states.")
    square = model.n_states**2
    heavy = per_position or (sequences.E is not None and model.weights_.conditioned.shape[0] > 0)
    positions = max(16, CELLS // (square if heavy else model.n_states))
    most = max(1, CELLS // square) if per_step else positions
    for batch in batches(sequences, max_positions=positions, max_count=most):
        scores = scores_of(model, sequences, batch)
        if allowed is not None:
            scores = np.where(allowed[batch.rows].reshape(scores.shape), scores, -np.inf)
        yield batch, scores, edges_of(model, sequences, batch)


def require(possible: Bools, batch: Batch) -> None:
    """Raises InputError, naming the first sequence that has no possible path."""
    if not possible.all():
        number = batch.members[np.flatnonzero(~possible)[0]]
        raise InputError(f"Sequence {number} has no possible path: its allowed states need a forbidden transition.")
