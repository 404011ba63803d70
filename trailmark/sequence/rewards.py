"""`position_rewards`: how near a state is to the goal (PathLearner, section 3.1, eqs. 3-5).

    R_i(y) = sum over y' of exp(W . f(y', y, x, i+1)) R_{i+1}(y') / sum over y' of exp(W . f(y', y, x, i+1))     (3)
    R_n(y) = [[y = Goal]]
    R^x(y) = sum over k < n of gamma^k R_{n-k}(y) / sum over k < n of gamma^k                                   (4)
    R(y)   = mean over the training sequences of R^x(y)                                                       (5)

Departures: there may be several goal states; a state from which no step is possible has reward 0 (the paper's fraction would
be 0 / 0); sequences count by their weights where they have any, and empty ones not at all. With `only_allowed`, a position
counts for the states it admits only: page positions say nothing of link-states, which the equations as written would
count as well.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from trailmark.sequence.inference import Chain, batch_scores
from trailmark.sequence.lattice import logsumexp
from trailmark.sequence.sequences import Floats, Sequences


def local_transitions(scores: Floats, edges: Floats) -> Floats:
    """(chains, states, states): exp(W . f(y', y, x, i+1)) normalised over y', from each y; 0 where no step is possible.

    `scores` (chains, states) are those of position i+1.
    """
    joint = edges + scores[:, None, :]
    total = logsumexp(joint)
    shares: Floats = np.exp(joint - np.where(np.isfinite(total), total, 0.0)[..., None])
    return shares


def position_rewards(
    model: Chain,
    sequences: Sequences,
    goal_states: npt.ArrayLike,
    gamma: float = 0.9,
    *,
    only_allowed: bool = False,
) -> Floats:
    """R(y) of every state (eq. 5)."""
    goal = np.zeros(model.n_states)
    goal[np.asarray(goal_states)] = 1.0
    summed, counted = np.zeros(model.n_states), np.zeros(model.n_states)
    for batch, scores, edges in batch_scores(model, sequences, per_step=True):
        admitted = np.isfinite(scores) if only_allowed else np.ones(scores.shape, dtype=bool)
        rewards, mass = _discounted(scores, edges, goal, gamma, admitted)
        weights = np.ones(batch.count) if sequences.weights is None else sequences.weights[batch.members]
        seen = mass > 0
        summed += weights @ np.where(seen, rewards / np.where(seen, mass, 1.0), 0.0)
        counted += weights @ seen
    return np.where(counted > 0, summed / np.where(counted > 0, counted, 1.0), 0.0)


def _discounted(
    scores: Floats, edges: Floats, goal: Floats, gamma: float, admitted: npt.NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Numerator and denominator of eq. 4 for each chain and state."""
    length, count, states = scores.shape
    reward = np.broadcast_to(goal, (count, states))
    rewards, mass = reward * admitted[-1], admitted[-1].astype(np.float64)
    for k in range(1, length):
        step = edges if edges.ndim == 2 else edges[length - 1 - k]
        share = local_transitions(scores[length - k], step)
        reward = np.matmul(share, reward[:, :, None])[:, :, 0]
        rewards = rewards + gamma**k * reward * admitted[-1 - k]
        mass = mass + gamma**k * admitted[-1 - k]
    return rewards, mass
