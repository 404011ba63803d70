"""Single steps equal the whole recursion; rewards equal their equations written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from tests.sequence import sequence_by_enumeration as slow
from trailmark.sequence import (
    HMM,
    Sequences,
    extend_alpha,
    extend_delta,
    local_transitions,
    position_rewards,
    probabilities,
    step_potentials,
)
from trailmark.sequence.lattice import logsumexp

FORBIDDEN = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)


def walked(model: Any, sequence: Any, extend: Any, start: Any) -> Any:
    """alpha or delta at every position of one sequence, one step at a time."""
    scores, allowed = model.state_scores(sequence.X), sequence.allowed_states
    allowed = np.ones_like(scores, dtype=bool) if allowed is None else allowed
    rows = [start(scores[0], allowed=allowed[0])]
    for i in range(1, len(scores)):
        E = None if sequence.E is None else sequence.E[[i]]
        rows.append(np.atleast_2d(extend(rows[-1], scores[i], allowed=allowed[i], E=E))[0])
    return rows


@pytest.mark.parametrize("conditioned", [0, 2])
@pytest.mark.parametrize("masks", [False, True])
@pytest.mark.parametrize("size", [1.0, 400.0])
def test_walking_a_sequence_equals_the_whole_recursion(conditioned: Any, masks: Any, size: Any) -> None:
    rng = np.random.default_rng(3)
    model = slow.random_model(rng, conditioned=conditioned, forbidden=FORBIDDEN, size=size)
    sequences = slow.random_sequences(rng, conditioned=conditioned, masks=masks)
    whole = model.log_z(sequences)
    for number in range(len(sequences)):
        sequence = sequences.take([number])
        alpha = walked(model, sequence, model.extend_alpha, model.start_alpha)
        assert logsumexp(alpha[-1]) == pytest.approx(whole[number], rel=1e-12)
        delta = walked(model, sequence, model.extend_delta, model.start_delta)
        best = dict(slow.paths(model, *slow.pieces(sequence)[0]))[tuple(model.decode(sequence)[0])]
        assert delta[-1].max() == pytest.approx(best, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1.0, 400.0])
@pytest.mark.parametrize("conditioned", [0, 2])
@pytest.mark.parametrize("many", [False, True])
def test_a_batch_of_candidates_equals_one_at_a_time(size: Any, conditioned: Any, many: Any) -> None:
    rng = np.random.default_rng(4)
    model = slow.random_model(rng, conditioned=conditioned, forbidden=FORBIDDEN, size=size)
    X = sp.csr_array(rng.integers(0, 3, (600, 4)).astype(float))
    E = sp.csr_array(rng.integers(0, 2, (600, 2)).astype(float)) if conditioned else None
    allowed = rng.random((600, 3)) < 0.8
    before = rng.normal(0, size, (600, 3) if many else 3)
    before[..., 1] = -np.inf
    scores, edges = step_potentials(model, X, E=E)
    alpha = model.extend_alpha(before, scores, allowed=allowed, E=E)
    delta = model.extend_delta(before, scores, allowed=allowed, E=E)
    for i in range(600):
        prior = before[i] if many else before
        through = prior[:, None] + (edges[i] if conditioned else edges)
        summed = np.where(allowed[i], np.logaddexp.reduce(through, axis=0) + scores[i], -np.inf)
        best = np.where(allowed[i], through.max(axis=0) + scores[i], -np.inf)
        np.testing.assert_allclose(alpha[i], summed, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(delta[i], best, rtol=1e-12, atol=1e-12)


def test_a_hidden_markov_model_extends_the_same_way() -> None:
    rng = np.random.default_rng(5)
    sequences = slow.random_sequences(rng)
    model = HMM(n_states=3).fit(sequences)
    one = sequences.take([2])
    scores, _ = step_potentials(model, one.X)
    alpha = scores[0] + model.weights_.start
    delta = alpha
    for score in scores[1:]:
        alpha, delta = extend_alpha(model, alpha, score), extend_delta(model, delta, score)
    np.testing.assert_allclose(probabilities(alpha), model.marginals(one)[0][-1], atol=1e-12)
    assert delta.argmax() == model.decode(one)[0][-1]


def test_probabilities_among_states() -> None:
    alpha = np.array([[1000.0, 1001.0, 2000.0], [-np.inf, -np.inf, 3.0]])
    shares = probabilities(alpha, among=np.array([True, True, False]))
    np.testing.assert_allclose(shares[0], [1 / (1 + np.e), np.e / (1 + np.e), 0])
    np.testing.assert_array_equal(shares[1], [0, 0, 0])


def literal_rewards(model: Any, sequences: Any, goals: Any, gamma: Any) -> Any:
    """Eqs. 3-5 as they are written, with loops."""
    K, total = model.n_states, np.zeros(model.n_states)
    for X, E, _ in slow.pieces(sequences):
        n = len(X)
        R = np.zeros((n + 1, K))
        R[n] = [float(y in goals) for y in range(K)]
        for i in range(n - 1, 0, -1):
            for y in range(K):
                weight = np.array([np.exp(step_weight(model, X, E, i, y, after)) for after in range(K)])
                R[i, y] = (weight * R[i + 1]).sum() / weight.sum()
        gammas = [gamma**k for k in range(n)]
        total += sum(g * R[n - k] for k, g in enumerate(gammas)) / sum(gammas)
    return total / len(sequences)


def step_weight(model: Any, X: Any, E: Any, row: Any, before: Any, after: Any) -> Any:
    """W . f(after, before, x, row), the row counted from 0."""
    score = X[row] @ model.state_weights_[:, after] + model.edges_[before, after]
    return score if E is None else score + E[row] @ model.weights_.conditioned[:, before, after]


@pytest.mark.parametrize("conditioned", [0, 2])
@pytest.mark.parametrize("forbidden", [None, FORBIDDEN])
def test_rewards_equal_their_equations(conditioned: Any, forbidden: Any) -> None:
    rng = np.random.default_rng(6)
    model = slow.random_model(rng, conditioned=conditioned, forbidden=forbidden)
    drawn = slow.random_sequences(rng, conditioned=conditioned)
    sequences = Sequences(drawn.X, drawn.lengths, E=drawn.E)
    found = position_rewards(model, sequences, [2], 0.9)
    np.testing.assert_allclose(found, literal_rewards(model, sequences, {2}, 0.9), atol=1e-12)
    both = position_rewards(model, sequences, [1, 2], 0.5)
    np.testing.assert_allclose(both, literal_rewards(model, sequences, {1, 2}, 0.5), atol=1e-12)


def test_rewards_by_hand_and_of_dead_ends() -> None:
    model = slow.random_model(np.random.default_rng(0), size=0.0, forbidden=np.eye(3, dtype=bool)[[0, 0, 2]] | False)
    model.edges_ = np.array([[-np.inf, 0, 0], [0, 0, 0], [-np.inf, -np.inf, -np.inf]])
    sequences = Sequences(sp.csr_array((2, 4)), [2])
    # From 0 one of two steps leads to the goal, from 1 one of three, from the goal none leads on.
    R1 = np.array([1 / 2, 1 / 3, 0])
    np.testing.assert_allclose(position_rewards(model, sequences, 2, 0.9), (np.eye(3)[2] + 0.9 * R1) / 1.9)


def test_rewards_only_at_positions_that_admit_the_state() -> None:
    model = slow.random_model(np.random.default_rng(0), size=0.0)
    allowed = np.array([[True, False, False], [False, True, True]])
    sequences = Sequences(sp.csr_array((2, 4)), [2], allowed_states=allowed)
    found = position_rewards(model, sequences, 2, 0.9, only_allowed=True)
    np.testing.assert_allclose(found, [0.5, 0.0, 1.0])


def test_local_transitions_are_distributions_over_the_next_state() -> None:
    model = slow.random_model(np.random.default_rng(1), forbidden=FORBIDDEN)
    scores = np.random.default_rng(2).normal(size=(5, 3)) * 500
    shares = local_transitions(scores, model.edges_)
    np.testing.assert_allclose(shares.sum(axis=2), 1.0)
    assert (shares[:, FORBIDDEN] == 0).all()
