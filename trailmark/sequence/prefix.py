"""One step further from a stored prefix: alpha (eq. 6) and delta (eq. 2) for one or thousands of candidates at once.

A forager keeps the alpha and delta of every page it fetched; the links of a page are candidates for the next position
of one prefix, and nothing before that prefix is looked at again. Alphas are kept as logarithms, so that paths of any
length neither overflow nor vanish. `alpha` is (states) for one prefix shared by all candidates, or (candidates, states).
What comes of it are chances; as log-odds, other evidence is added to them.
"""

from __future__ import annotations

import numpy as np

from trailmark.sequence.inference import Chain
from trailmark.sequence.lattice import log_push, logsumexp, top_of
from trailmark.sequence.sequences import Bools, Floats, Sparse

_LEAST = 1e-6
"""How near to 0 or 1 a chance may come before its log-odds are taken."""
CANDIDATES = 32
"""Candidates at a time, where each has a matrix (states x states) of its own: few enough for the processor's cache."""


def step_potentials(model: Chain, X: Sparse, *, E: Sparse | None = None) -> tuple[Floats, Floats]:
    """State scores (candidates, states) and edges: (states, states), or (candidates, states, states) with `E`."""
    scores: Floats = X @ model.state_weights_
    if E is None or not model.weights_.conditioned.shape[0]:
        return scores, model.edges_
    return scores, _own_edges(model, E)


def start(model: Chain, scores: Floats, *, allowed: Bools | None = None) -> Floats:
    """log alpha, and delta, of first positions: start weight and state score."""
    return _allowed(scores + model.weights_.start, allowed)


def extend_alpha(
    model: Chain, alpha: Floats, scores: Floats, *, allowed: Bools | None = None, E: Sparse | None = None
) -> Floats:
    """log alpha_i(y) = log sum over y' of exp(log alpha_{i-1}(y') + W . f(y, y', x, i))  (eq. 6)."""
    if E is None or not model.weights_.conditioned.shape[0]:
        pushed = _pushed(np.atleast_2d(alpha), model.edges_)
        return _allowed(scores + (pushed if alpha.ndim == 2 else pushed[0]), allowed)
    return _allowed(scores + _by_candidate(model, alpha, E, best=False), allowed)


def extend_delta(
    model: Chain, delta: Floats, scores: Floats, *, allowed: Bools | None = None, E: Sparse | None = None
) -> Floats:
    """delta(i, y) = max over y' of delta(i - 1, y') + W . f(y, y', x, i)  (eq. 2)."""
    if E is None or not model.weights_.conditioned.shape[0]:
        best = _best(np.atleast_2d(delta), model.edges_)
        return _allowed(scores + (best if delta.ndim == 2 else best[0]), allowed)
    return _allowed(scores + _by_candidate(model, delta, E, best=True), allowed)


def probabilities(alpha: Floats, *, among: Bools | None = None) -> Floats:
    """alpha_i(y) / sum over the states `among` of alpha_i (section 3.2); 0 outside them, and where nothing is possible."""
    logs = alpha if among is None else np.where(among, alpha, -np.inf)
    total = logsumexp(logs)
    shares: Floats = np.exp(logs - np.where(np.isfinite(total), total, 0.0)[..., None])
    return shares


def _pushed(alpha: Floats, edges: Floats) -> Floats:
    """`log_push` by one matrix product, and in log space for the rows in which that lost a state."""
    best = alpha.max(axis=1, keepdims=True)
    best = np.where(np.isfinite(best), best, 0.0)
    top = top_of(edges)
    moved = np.exp(alpha - best) @ np.exp(edges - top)
    with np.errstate(divide="ignore"):
        pushed: Floats = np.log(moved) + best + top
    faint = moved < 1e-200
    if faint.any():
        reachable = (np.isfinite(alpha).astype(float) @ np.isfinite(edges).astype(float)) > 0
        lost = np.flatnonzero((faint & reachable).any(axis=1))
        for first in range(0, lost.size, CANDIDATES):
            some = lost[first : first + CANDIDATES]
            pushed[some] = log_push(alpha[some], edges)
    return pushed


def _best(delta: Floats, edges: Floats) -> Floats:
    best = np.empty_like(delta)
    for first in range(0, delta.shape[0], CANDIDATES):
        some = slice(first, first + CANDIDATES)
        best[some] = (delta[some, :, None] + edges).max(axis=1)
    return best


def _by_candidate(model: Chain, before: Floats, E: Sparse, *, best: bool) -> Floats:
    """The sum or the maximum over y', each candidate with its own edges."""
    totals = np.empty((E.shape[0], model.n_states))
    for first in range(0, E.shape[0], CANDIDATES):
        some = slice(first, first + CANDIDATES)
        edges = _own_edges(model, E[some])
        prior = np.broadcast_to(before, totals.shape)[some]
        totals[some] = (prior[:, :, None] + edges).max(axis=1) if best else log_push(prior, edges)
    return totals


def _own_edges(model: Chain, E: Sparse) -> Floats:
    states = model.n_states
    own = E @ model.weights_.conditioned.reshape(-1, states * states)
    edges: Floats = own.reshape(-1, states, states) + model.edges_
    return edges


def _allowed(scores: Floats, allowed: Bools | None) -> Floats:
    return scores if allowed is None else np.where(allowed, scores, -np.inf)


def log_odds(chance: Floats) -> Floats:
    """Probabilities -> log-odds, kept away from certainty."""
    inside = np.clip(chance, _LEAST, 1.0 - _LEAST)
    odds: Floats = np.log(inside / (1.0 - inside))
    return odds


def chance_of(odds: Floats) -> Floats:
    """Log-odds -> probabilities."""
    chance: Floats = 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
    return chance
