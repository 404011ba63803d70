"""The conditional random field against enumeration, finite differences, and what must stay the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from tests.sequence import sequence_by_enumeration as slow
from trailmark.sequence import CRF, binary_hierarchy
from trailmark.sequence.inference import edge_marginals

STEP_FORBIDDEN = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
KINDS = [
    {},
    {"conditioned": 2},
    {"masks": True},
    {"forbidden": STEP_FORBIDDEN},
    {"sharing": binary_hierarchy(3)},
    {"conditioned": 2, "forbidden": STEP_FORBIDDEN, "sharing": binary_hierarchy(3), "size": 3.0},
]


def made(rng: np.random.Generator, kind: Any, **more: Any) -> Any:
    data = {key: kind[key] for key in ("conditioned", "masks") if key in kind}
    model = {key: kind[key] for key in ("conditioned", "forbidden", "sharing", "size") if key in kind}
    return slow.random_model(rng, **model), slow.random_sequences(rng, **data, **more)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_inference_equals_enumeration(kind: Any, seed: Any) -> None:
    model, sequences = made(np.random.default_rng(seed), kind)
    log_z, nodes, best = model.log_z(sequences), model.marginals(sequences), model.decode(sequences)
    for number, piece in enumerate(slow.pieces(sequences)):
        scored = list(slow.paths(model, *piece))
        total = slow.log_z(scored)
        assert log_z[number] == pytest.approx(total, abs=1e-10)
        expected = np.zeros_like(nodes[number])
        for path, score in scored:
            expected[np.arange(len(path)), path] += np.exp(score - total)
        np.testing.assert_allclose(nodes[number], expected, atol=1e-12)
        assert dict(scored)[tuple(best[number])] == pytest.approx(max(score for _, score in scored))


@pytest.mark.parametrize("kind", KINDS)
def test_edge_marginals_equal_enumeration(kind: Any) -> None:
    model, sequences = made(np.random.default_rng(5), kind)
    pieces = slow.pieces(sequences)
    seen = 0
    for batch, edges in edge_marginals(model, sequences):
        for b, number in enumerate(batch.members):
            scored = list(slow.paths(model, *pieces[number]))
            total = slow.log_z(scored)
            expected = np.zeros_like(edges[:, b])
            for path, score in scored:
                for t in range(1, len(path)):
                    expected[t - 1, path[t - 1], path[t]] += np.exp(score - total)
            np.testing.assert_allclose(edges[:, b], expected, atol=1e-12)
            seen += 1
    assert seen == len(sequences)


@pytest.mark.parametrize("labels", ["known", "unknown", "sets"])
@pytest.mark.parametrize("kind", KINDS)
def test_likelihood_of_partial_labels_equals_enumeration(kind: Any, labels: Any) -> None:
    model, sequences = made(np.random.default_rng(7), kind, labels=labels)
    found = model.log_likelihood(sequences)
    sets = sequences.split(sequences.label_sets(3))
    for number, (X, E, allowed) in enumerate(slow.pieces(sequences)):
        free = slow.log_z(slow.paths(model, X, E, allowed))
        bound = slow.log_z(slow.paths(model, X, E, sets[number]))
        assert found[number] == (pytest.approx(bound - free, abs=1e-10) if np.isfinite(bound) else bound)


GRADIENTS = [
    {},
    {"start_weights": True},
    {"transitions": False},
    {"sharing": binary_hierarchy(3), "group_scale": np.arange(1.0, 7.0)[: len(binary_hierarchy(3))]},
    {"feature_scale": np.array([1.0, 2.0, 0.5, 0.0])},
    {"forbidden": STEP_FORBIDDEN, "mask_training": True},
]


@pytest.mark.slow
@pytest.mark.parametrize("setting", GRADIENTS)
@pytest.mark.parametrize("labels", ["known", "unknown", "sets"])
@pytest.mark.parametrize("conditioned", [0, 2])
@pytest.mark.parametrize("masks", [False, True])
def test_gradient_equals_finite_differences(setting: Any, labels: Any, conditioned: Any, masks: Any) -> None:
    rng = np.random.default_rng(11)
    sequences = slow.random_sequences(rng, conditioned=conditioned, masks=masks, labels=labels)
    if setting.get("mask_training"):
        sequences = possible(sequences)
    model = CRF(n_states=3, l2_state=0.3, l2_edge=0.2, l2_conditioned=0.7, **setting)
    objective = model.objective(sequences)
    at = rng.normal(0, 0.7, sum(objective.shape.sizes))
    if not model.transitions:
        at[objective.shape.sizes[0] :][:9] = 0.0
    gradient = objective(at)[1]

    def value(flat: Any) -> Any:
        return objective(flat)[0]

    numeric = approx_fprime(at, value, 1e-6)
    if not model.transitions:
        numeric[objective.shape.sizes[0] :][:9] = 0.0
    np.testing.assert_allclose(gradient, numeric, atol=2e-4)


def possible(sequences: Any) -> Any:
    """The sequences whose labels need no forbidden transition."""
    model = CRF(n_states=3, forbidden=STEP_FORBIDDEN)._take(
        slow.random_weights(np.random.default_rng(0), conditioned=0 if sequences.E is None else sequences.E.shape[1])
    )
    kept = sequences.take(np.isfinite(model.log_likelihood(sequences)))
    assert len(kept)
    return kept


def test_value_is_the_penalised_likelihood() -> None:
    rng = np.random.default_rng(2)
    sequences = slow.random_sequences(rng, conditioned=2, labels="unknown")
    model = CRF(n_states=3, l2_state=0.3, l2_edge=0.2, l2_conditioned=0.7, start_weights=True)
    objective = model.objective(sequences)
    at = rng.normal(0, 0.7, sum(objective.shape.sizes))
    from trailmark.sequence.weights import unpack

    weights = unpack(at, objective.shape)
    model._take(weights)
    penalty = 0.3 * (weights.state**2).sum() + 0.2 * ((weights.edge**2).sum() + (weights.start**2).sum())
    penalty += 0.7 * (weights.conditioned**2).sum()
    expected = penalty - sequences.weights @ model.log_likelihood(sequences)
    assert objective(at)[0] == pytest.approx(expected, rel=1e-12)
