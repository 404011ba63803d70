"""Forward, backward and Viterbi on a batch of chains of equal length.

The recursions run in probability space with a rescaling at every step (Rabiner 1989), which costs one matrix product a
step for a whole batch. What was lost to underflow is less than K * 1e-308 while each rescaling factor stays above
`SMALLEST`; a chain that falls below it (extreme weights, masks that leave improbable states only) is done again in log
space, where nothing is lost.

Arrays are `scores` (positions, chains, states), with -inf for states that are not allowed, and `edges`: either one matrix
(previous state, state) or one for each chain and position after the first (positions - 1, chains, states, states).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trailmark.sequence.sequences import Bools, Floats, Ints

SMALLEST = 1e-100
"""Products of two such factors are divided by, and must stay far from underflow themselves."""
PLAIN = 50.0
"""Scores up to this are exponentiated as they are; larger ones are shifted by the best state first."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """What a forward-backward pass gives."""

    log_z: Floats
    """(chains): -inf where no path is possible."""
    nodes: Floats
    """(positions, chains, states): probabilities times the weight of the chain."""
    edges: Floats
    """Expected transitions times weight: (states, states) summed over all, or one each like the given edges."""


def posterior(scores: Floats, edges: Floats, weights: Floats) -> Posterior:
    """log Z, node and edge marginals, scaled where that is exact and in log space elsewhere."""
    scaled, safe = scaled_posterior(scores, edges, weights)
    if safe.all():
        return scaled
    bad = np.flatnonzero(~safe)
    own_edges = edges if edges.ndim == 2 else edges[:, bad]
    again = log_posterior(scores[:, bad], own_edges, weights[bad])
    scaled.log_z[bad] = again.log_z
    scaled.nodes[:, bad] = again.nodes
    if edges.ndim == 2:
        return Posterior(scaled.log_z, scaled.nodes, scaled.edges + again.edges)
    scaled.edges[:, bad] = again.edges
    return scaled


def scaled_posterior(scores: Floats, edges: Floats, weights: Floats) -> tuple[Posterior, Bools]:
    """A pass in probability space, and which chains it is exact for; the others count as nothing."""
    length, count, states = scores.shape
    local, shift = _exponentiated(scores)
    top = top_of(edges)
    moves = np.exp(edges - top)
    ones = np.ones(states)
    alpha = np.empty_like(local)
    scale = np.empty((length, count))
    for t in range(length):
        now = alpha[t]
        if t:
            _push(alpha[t - 1], moves if moves.ndim == 2 else moves[t - 1], out=now)
            now *= local[t]
        else:
            now[...] = local[0]
        total = now @ ones
        scale[t] = total
        now /= np.where(total > 0, total, 1.0)[:, None]
    safe = (scale > SMALLEST).all(axis=0)
    with np.errstate(divide="ignore"):
        log_z = np.log(scale).sum(axis=0) + shift + (length - 1) * top
    nodes, used, fine = _backward(alpha, local, moves, scale, np.where(safe, weights, 0.0))
    return Posterior(log_z, nodes, used), safe & fine


def _backward(
    alpha: Floats, local: Floats, moves: Floats, scale: Floats, weights: Floats
) -> tuple[Floats, Floats, Bools]:
    """Node and edge marginals from the scaled alphas; `alpha` is overwritten by the node marginals."""
    length, _, states = alpha.shape
    ones = np.ones(states)
    fine = np.ones(weights.size, dtype=bool)
    used = np.zeros(moves.shape)
    beta = np.ones(alpha.shape[1:])
    for t in range(length - 1, -1, -1):
        both = alpha[t] * beta
        mass = both @ ones
        fine &= mass > SMALLEST
        # A chain that is not safe carries no weight: it is done again in log space.
        share = np.where(fine, weights, 0.0) / np.where(mass > 0, mass, 1.0)
        if t:
            ahead = np.multiply(local[t], beta, out=beta)
            step = moves if moves.ndim == 2 else moves[t - 1]
            ratio = share / np.where(scale[t] > 0, scale[t], 1.0)
            if moves.ndim == 2:
                used += alpha[t - 1].T @ (ahead * ratio[:, None])
            else:
                used[t - 1] = alpha[t - 1][:, :, None] * (ahead * ratio[:, None])[:, None, :]
            beta = _pull(ahead, step)
            total = beta @ ones
            beta /= np.where(total > 0, total, 1.0)[:, None]
        np.multiply(both, share[:, None], out=alpha[t])
    used *= moves
    return alpha, used, fine


def log_posterior(scores: Floats, edges: Floats, weights: Floats) -> Posterior:
    """The same pass in log space: slower, exact for any weights."""
    length, count, states = scores.shape
    alpha = np.empty_like(scores)
    alpha[0] = scores[0]
    for t in range(1, length):
        alpha[t] = log_push(alpha[t - 1], edges if edges.ndim == 2 else edges[t - 1]) + scores[t]
    log_z = logsumexp(alpha[-1])
    floor = np.where(np.isfinite(log_z), log_z, 0.0)
    used = np.zeros_like(edges)
    beta = np.zeros((count, states))
    nodes = np.empty_like(scores)
    for t in range(length - 1, -1, -1):
        nodes[t] = np.exp(alpha[t] + beta - floor[:, None]) * weights[:, None]
        if t:
            step = edges if edges.ndim == 2 else edges[t - 1]
            ahead = scores[t] + beta
            joint = alpha[t - 1][:, :, None] + step + ahead[:, None, :] - floor[:, None, None]
            pairs = np.exp(joint) * weights[:, None, None]
            if edges.ndim == 2:
                used += pairs.sum(axis=0)
            else:
                used[t - 1] = pairs
            beta = log_push(ahead, np.swapaxes(step, -1, -2))
    return Posterior(log_z, nodes, used)


def log_z(scores: Floats, edges: Floats) -> Floats:
    """log Z alone, in log space."""
    alpha = scores[0]
    for t in range(1, scores.shape[0]):
        alpha = log_push(alpha, edges if edges.ndim == 2 else edges[t - 1]) + scores[t]
    return logsumexp(alpha)


def viterbi(scores: Floats, edges: Floats) -> tuple[Ints, Floats]:
    """Best paths (positions, chains) and their scores, by eq. 2; of equal ones the path of the lowest states."""
    length, count, _ = scores.shape
    back = np.zeros((length, count, scores.shape[2]), dtype=np.int32)
    # With the previous state last, the search runs over neighbours in memory.
    edges = np.ascontiguousarray(np.swapaxes(edges, -1, -2))
    delta = scores[0]
    for t in range(1, length):
        through = delta[:, None, :] + (edges if edges.ndim == 2 else edges[t - 1])
        best = through.argmax(axis=2)
        back[t] = best
        delta = np.take_along_axis(through, best[:, :, None], axis=2)[:, :, 0] + scores[t]
    path = np.empty((length, count), dtype=np.int64)
    path[-1] = delta.argmax(axis=1)
    for t in range(length - 1, 0, -1):
        path[t - 1] = back[t][np.arange(count), path[t]]
    return path, delta.max(axis=1)


def log_push(alpha: Floats, edges: Floats) -> Floats:
    """log of sum over y' of exp(alpha(y') + edges(y', y)), chain by chain."""
    through = alpha[:, :, None] + edges
    best = through.max(axis=1)
    floor = np.where(np.isfinite(best), best, 0.0)
    with np.errstate(divide="ignore"):
        pushed: Floats = np.log(np.exp(through - floor[:, None, :]).sum(axis=1)) + floor
    return pushed


def logsumexp(rows: Floats) -> Floats:
    """log of the summed exponentials of each row; -inf for a row of -inf."""
    best = rows.max(axis=-1)
    floor = np.where(np.isfinite(best), best, 0.0)
    with np.errstate(divide="ignore"):
        summed: Floats = np.log(np.exp(rows - floor[..., None]).sum(axis=-1)) + floor
    return summed


def _exponentiated(scores: Floats) -> tuple[Floats, Floats | float]:
    """exp(scores), shifted where needed, and the shift of each chain's log Z."""
    if -PLAIN < scores.max(initial=-np.inf) < PLAIN:
        return np.exp(scores), 0.0
    best = scores.max(axis=2)
    best = np.where(np.isfinite(best), best, 0.0)
    return np.exp(scores - best[:, :, None]), best.sum(axis=0)


def top_of(edges: Floats) -> float:
    """The largest edge weight; 0 where every step is forbidden."""
    top = float(edges.max(initial=-np.inf))
    return top if np.isfinite(top) else 0.0


def _push(alpha: Floats, moves: Floats, *, out: Floats) -> None:
    if moves.ndim == 2:
        np.matmul(alpha, moves, out=out)
    else:
        np.matmul(alpha[:, None, :], moves, out=out[:, None, :])


def _pull(ahead: Floats, moves: Floats) -> Floats:
    if moves.ndim == 2:
        pulled: Floats = ahead @ moves.T
    else:
        pulled = np.matmul(moves, ahead[:, :, None])[:, :, 0]
    return pulled
