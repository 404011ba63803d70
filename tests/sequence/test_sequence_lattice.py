"""The recursions: scaled equals log space, forward equals backward, and no weight is too extreme."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.sequence import lattice
from trailmark.sequence.inference import possible
from trailmark.sequence.lattice import log_posterior, log_push, logsumexp, posterior, scaled_posterior, viterbi
from trailmark.sequence.sequences import Sequences, batches


@st.composite
def chains(draw: Any, sizes: Any = (0.5, 3.0, 60.0, 900.0)) -> Any:
    """Scores and edges of a few short chains, some states and steps struck out, weights from mild to absurd."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    length, count, states = draw(st.integers(1, 5)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    size, struck = draw(st.sampled_from(sizes)), draw(st.sampled_from([0.0, 0.2, 0.6]))
    scores = rng.normal(0, size, (length, count, states))
    shape = (length - 1, count, states, states) if draw(st.booleans()) else (states, states)
    edges = rng.normal(0, size, shape)
    scores[rng.random(scores.shape) < struck] = -np.inf
    edges[rng.random(shape) < struck] = -np.inf
    return scores, edges


def every_path(scores: Any, edges: Any, b: Any) -> Any:
    for path in itertools.product(range(scores.shape[2]), repeat=scores.shape[0]):
        score = scores[0, b, path[0]]
        for t in range(1, len(path)):
            step = edges if edges.ndim == 2 else edges[t - 1, b]
            score = score + step[path[t - 1], path[t]] + scores[t, b, path[t]]
        yield path, score


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(chains())
def test_everything_equals_enumeration(chain: Any) -> None:
    scores, edges = chain
    found = posterior(scores, edges, np.ones(scores.shape[1]))
    best, value = viterbi(scores, edges)
    for b in range(scores.shape[1]):
        listed = list(every_path(scores, edges, b))
        total = np.logaddexp.reduce([score for _, score in listed])
        assert found.log_z[b] == pytest.approx(total, rel=1e-11, abs=1e-9)
        assert value[b] == pytest.approx(max(score for _, score in listed), rel=1e-12)
        nodes = np.zeros(found.nodes[:, b].shape)
        if np.isfinite(total):
            assert dict(listed)[tuple(best[:, b])] == pytest.approx(value[b], rel=1e-12)
            for path, score in listed:
                nodes[np.arange(len(path)), path] += np.exp(score - total)
        np.testing.assert_allclose(found.nodes[:, b], nodes, atol=1e-9)


@settings(max_examples=100, deadline=None)
@given(chains(sizes=(0.5, 3.0, 20.0)))
def test_scaled_equals_log_space_where_it_says_it_is_exact(chain: Any) -> None:
    scores, edges = chain
    weights = np.linspace(0.5, 2.0, scores.shape[1])
    fast, safe = scaled_posterior(scores, edges, weights)
    slow = log_posterior(scores, edges, weights)
    np.testing.assert_allclose(fast.log_z[safe], slow.log_z[safe], rtol=1e-11, atol=1e-9)
    np.testing.assert_allclose(fast.nodes[:, safe], slow.nodes[:, safe], atol=1e-10)
    assert (safe <= np.isfinite(slow.log_z)).all()
    if safe.all() or edges.ndim == 4:
        kept = (slice(None), safe) if edges.ndim == 4 else ...
        np.testing.assert_allclose(fast.edges[kept], slow.edges[kept], atol=1e-10)


@settings(max_examples=60, deadline=None)
@given(chains())
def test_forward_equals_backward(chain: Any) -> None:
    scores, edges = chain
    backward = np.zeros(scores.shape[1:])
    for t in range(scores.shape[0] - 1, 0, -1):
        step = edges if edges.ndim == 2 else edges[t - 1]
        backward = log_push(scores[t] + backward, np.swapaxes(step, -1, -2))
    np.testing.assert_allclose(logsumexp(scores[0] + backward), lattice.log_z(scores, edges), rtol=1e-11, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(chains())
def test_edge_marginals_agree_with_node_marginals(chain: Any) -> None:
    scores, edges = chain
    length, count, states = scores.shape
    each = np.array(np.broadcast_to(edges, (length - 1, count, states, states)))
    found = posterior(scores, each, np.ones(count))
    np.testing.assert_allclose(found.edges.sum(axis=2), found.nodes[1:], atol=1e-9)
    np.testing.assert_allclose(found.edges.sum(axis=3), found.nodes[:-1], atol=1e-9)
    summed = posterior(scores, edges, np.ones(count)).edges
    np.testing.assert_allclose(summed, found.edges.sum(axis=(0, 1)) if edges.ndim == 2 else found.edges, atol=1e-9)


def test_extreme_weights_fall_back_and_stay_exact() -> None:
    scores = np.zeros((3, 2, 2))
    scores[1, 0] = [5000.0, -np.inf]
    scores[2, 0] = [-np.inf, 0.0]
    edges = np.array([[0.0, -2000.0], [0.0, 0.0]])
    _, safe = scaled_posterior(scores, edges, np.ones(2))
    assert safe.tolist() == [False, True]
    found = posterior(scores, edges, np.ones(2))
    assert found.log_z[0] == pytest.approx(3000 + np.log(2))
    np.testing.assert_allclose(found.nodes[:, 0], [[0.5, 0.5], [1, 0], [0, 1]], atol=1e-12)
    assert np.isfinite(found.edges).all()
    assert found.edges.sum() == pytest.approx(4.0)


def test_long_chains_neither_overflow_nor_vanish() -> None:
    rng = np.random.default_rng(0)
    scores, edges = rng.normal(0, 5, (3000, 2, 3)), rng.normal(0, 5, (3, 3))
    fast, safe = scaled_posterior(scores, edges, np.ones(2))
    assert safe.all()
    np.testing.assert_allclose(fast.log_z, lattice.log_z(scores, edges), rtol=1e-12)
    np.testing.assert_allclose(fast.nodes.sum(axis=2), 1.0, atol=1e-9)


def test_batches_hold_every_position_once_and_are_bounded() -> None:
    lengths = np.array([3, 0, 1, 3, 7, 3, 1, 0, 2] * 5)
    sequences = Sequences(sp.csr_array((lengths.sum(), 1)), lengths)
    made = list(batches(sequences, max_positions=8, max_count=2))
    assert np.sort(np.concatenate([batch.rows for batch in made])).tolist() == list(range(lengths.sum()))
    assert np.sort(np.concatenate([batch.members for batch in made])).tolist() == np.flatnonzero(lengths).tolist()
    assert max(batch.count for batch in made) == 2
    for batch in made:
        starts = sequences.offsets[batch.members]
        np.testing.assert_array_equal(batch.rows.reshape(batch.length, -1), starts + np.arange(batch.length)[:, None])


def test_possible_tells_which_sequences_have_a_path() -> None:
    forbidden = np.array([[False, True], [False, False]])
    labels = np.array([0, 1, 1, 0, 0, -1, 1, 0, 1])
    sequences = Sequences(sp.csr_array((9, 1)), [2, 2, 0, 3, 2], labels=labels)
    assert possible(sequences, n_states=2, forbidden=forbidden).tolist() == [False, True, True, False, False]
    assert possible(sequences, n_states=2).all()
