"""The contract of every model: the same calls, the same promises, whatever is inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from tests.sequence import sequence_by_enumeration as slow
from trailmark.errors import InputError
from trailmark.sequence import CRF, HMM, MaxEnt, NaiveBayes, Sequences, contributions

MODELS = [CRF, MaxEnt, NaiveBayes, HMM]


@pytest.fixture(params=MODELS, ids=lambda kind: kind.__name__)
def kind(request: Any) -> Any:
    return request.param


def data(seed: int = 0, **more: Any) -> Any:
    return slow.random_sequences(np.random.default_rng(seed), lengths=(3, 1, 0, 4, 3, 2, 5) * 4, **more)


def telling(n: int = 80, seed: int = 0) -> Any:
    """Sequences in which feature y tells state y, most of the time."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n * 4)
    X = rng.poisson(0.3, (n * 4, 4)).astype(float)
    X[np.arange(n * 4), labels] += 2
    return Sequences(sp.csr_array(X), np.full(n, 4), labels=labels)


def test_fit_returns_self_and_init_only_stores(kind: Any) -> None:
    model = kind(n_states=3)
    assert not [name for name in vars(model) if name.endswith("_")]
    assert model.fit(data()) is model


def test_decodes_one_state_a_position_and_learns_what_the_features_tell(kind: Any) -> None:
    train, test = telling(seed=1), telling(seed=2)
    paths = kind(n_states=3).fit(train).decode(test)
    assert [len(path) for path in paths] == test.lengths.tolist()
    assert np.mean(np.concatenate(paths) == test.labels) > 0.9


def test_marginals_are_distributions(kind: Any) -> None:
    sequences = data()
    for nodes in kind(n_states=3).fit(sequences).marginals(sequences):
        np.testing.assert_allclose(nodes.sum(axis=1), 1.0, atol=1e-12)
        assert (nodes >= 0).all()


def test_states_that_are_not_allowed_are_never_taken(kind: Any) -> None:
    sequences = data(3, masks=True)
    model = kind(n_states=3).fit(sequences)
    states = np.concatenate(model.decode(sequences))
    assert sequences.allowed_states[np.arange(states.size), states].all()
    assert (np.concatenate(model.marginals(sequences))[~sequences.allowed_states] == 0).all()


@pytest.mark.parametrize("labels", ["unknown", "sets"])
def test_learns_from_partly_known_labels(kind: Any, labels: Any) -> None:
    full = telling(seed=1)
    hidden = np.random.default_rng(4).random(full.labels.size) < 0.5
    if labels == "unknown":
        given = np.where(hidden, -1, full.labels)
    else:
        given = np.eye(3, dtype=bool)[full.labels]
        given[hidden, 0] = True
    model = kind(n_states=3).fit(Sequences(full.X, full.lengths, labels=given))
    test = telling(seed=2)
    assert np.mean(np.concatenate(model.decode(test)) == test.labels) > 0.85


@pytest.mark.slow
def test_order_of_sequences_changes_nothing(kind: Any) -> None:
    sequences = data(5)
    order = np.random.default_rng(0).permutation(len(sequences))
    closely = {"tolerance": 1e-13} if kind in (CRF, MaxEnt) else {}
    one, two = (kind(n_states=3, **closely).fit(each) for each in (sequences, sequences.take(order)))
    for first, second in zip(one.marginals(sequences.take(order)), two.marginals(sequences.take(order)), strict=True):
        np.testing.assert_allclose(first, second, atol=1e-4 if closely else 1e-9)
    again = one.marginals(sequences)
    for place, number in enumerate(order):
        np.testing.assert_allclose(one.marginals(sequences.take(order))[place], again[number], atol=1e-12)


def test_fitting_twice_gives_the_same(kind: Any) -> None:
    sequences = data(6, labels="unknown")
    first, second = (kind(n_states=3).fit(sequences).to_arrays() for _ in range(2))
    for name in first:
        np.testing.assert_array_equal(first[name], second[name])


def test_arrays_carry_the_model(kind: Any) -> None:
    sequences = data(7)
    model = kind(n_states=3).fit(sequences)
    arrays = model.to_arrays()
    assert all(isinstance(array, np.ndarray) and array.dtype != object for array in arrays.values())
    copy = kind.from_arrays(arrays)
    for first, second in zip(model.marginals(sequences), copy.marginals(sequences), strict=True):
        np.testing.assert_array_equal(first, second)


def test_weight_of_a_sequence_is_its_multiplicity(kind: Any) -> None:
    plain = data(8)
    numbers = np.repeat(np.arange(len(plain)), 1 + np.arange(len(plain)) % 3)
    repeated = plain.take(numbers)
    repeated = Sequences(repeated.X, repeated.lengths, labels=repeated.labels)
    weighted = Sequences(plain.X, plain.lengths, labels=plain.labels, weights=1.0 + np.arange(len(plain)) % 3)
    one, two = kind(n_states=3).fit(repeated), kind(n_states=3).fit(weighted)
    for first, second in zip(one.marginals(plain), two.marginals(plain), strict=True):
        np.testing.assert_allclose(first, second, atol=1e-3)


def test_features_never_seen_and_positions_without_features(kind: Any) -> None:
    sequences = data(9)
    wide = sp.csr_array(sp.hstack([sequences.X, sp.csr_array((sequences.X.shape[0], 2))]))
    model = kind(n_states=3).fit(Sequences(wide, sequences.lengths, labels=sequences.labels))
    odd = Sequences(sp.csr_array(np.eye(6)[[4, 5, 4]] * [[1], [3], [0]]), [3])
    nodes = model.marginals(odd)[0]
    assert np.isfinite(nodes).all()
    assert nodes.shape == (3, 3)


def test_no_sequences_and_empty_sequences(kind: Any) -> None:
    model = kind(n_states=3).fit(data())
    none = Sequences(sp.csr_array((0, 4)), [])
    assert model.decode(none) == []
    assert model.marginals(none) == []
    hollow = Sequences(sp.csr_array((0, 4)), [0, 0])
    assert [len(path) for path in model.decode(hollow)] == [0, 0]
    assert [nodes.shape for nodes in model.marginals(hollow)] == [(0, 3), (0, 3)]
    assert kind(n_states=3).fit(Sequences(sp.csr_array((0, 4)), [0], labels=[])).marginals(data())[0].shape == (3, 3)


def test_other_features_than_learnt_are_refused(kind: Any) -> None:
    model = kind(n_states=3).fit(data())
    with pytest.raises(InputError, match="4 features"):
        model.decode(Sequences(sp.csr_array((2, 5)), [2]))


def test_labels_out_of_range_are_refused(kind: Any) -> None:
    with pytest.raises(InputError, match="3 states"):
        kind(n_states=3).fit(Sequences(sp.csr_array((2, 4)), [2], labels=[0, 3]))


@pytest.mark.parametrize("counting", [NaiveBayes, HMM])
def test_counting_models_refuse_negative_values(counting: Any) -> None:
    with pytest.raises(InputError, match="negative"):
        counting(n_states=2).fit(Sequences(sp.csr_array([[-1.0]]), [1], labels=[0]))


def test_naive_bayes_by_hand() -> None:
    X = sp.csr_array(np.array([[2.0, 0], [1, 1], [0, 3]]))
    model = NaiveBayes(n_states=2).fit(Sequences(X, [1, 1, 1], labels=[0, 0, 1]))
    np.testing.assert_allclose(np.exp(model.weights_.start), [3 / 5, 2 / 5])
    np.testing.assert_allclose(np.exp(model.state_weights_), [[4 / 6, 1 / 5], [2 / 6, 4 / 5]])
    odds = (3 / 5 * 4 / 6) / (3 / 5 * 4 / 6 + 2 / 5 * 1 / 5)
    found = model.marginals(Sequences(sp.csr_array([[1.0, 0.0]]), [1]))[0]
    np.testing.assert_allclose(found, [[odds, 1 - odds]])


def test_hidden_markov_model_by_hand() -> None:
    X = sp.csr_array(np.array([[1.0, 0], [0, 1], [1, 0]]))
    model = HMM(n_states=2).fit(Sequences(X, [2, 1], labels=[0, 1, 0]))
    np.testing.assert_allclose(np.exp(model.edges_), [[1 / 3, 2 / 3], [1 / 2, 1 / 2]])
    np.testing.assert_allclose(np.exp(model.weights_.start), [3 / 4, 1 / 4])
    np.testing.assert_allclose(np.exp(model.state_weights_), [[3 / 4, 1 / 3], [1 / 4, 2 / 3]])


def test_rounds_of_baum_welch_do_not_lose_likelihood() -> None:
    sequences = telling(seed=3)
    hidden = np.where(np.random.default_rng(1).random(sequences.labels.size) < 0.9, -1, sequences.labels)
    # Without smoothing the likelihood itself is what every round raises.
    model = HMM(n_states=3, laplace=1e-9, tolerance=0.0, max_iterations=20)
    model.fit(Sequences(sequences.X, sequences.lengths, labels=hidden))
    assert len(model.log_likelihoods_) == 20
    assert (np.diff(model.log_likelihoods_) > -1e-6).all()
    assert model.log_likelihoods_[-1] > model.log_likelihoods_[0] + 1


def test_forbidden_steps_are_never_taken() -> None:
    forbidden = np.zeros((3, 3), dtype=bool)
    forbidden[0, 1] = forbidden[2, 0] = True
    sequences = telling(seed=3)
    for model in (CRF(n_states=3, forbidden=forbidden), HMM(n_states=3, forbidden=forbidden)):
        for path in model.fit(sequences).decode(sequences):
            assert not forbidden[path[:-1], path[1:]].any()


def test_contributions_add_up_to_the_score() -> None:
    sequences = data(10)
    model = CRF(n_states=3).fit(sequences)
    parts = contributions(model, sequences.X, 4, 1)
    assert sum(value for _, value in parts) == pytest.approx(model.state_scores(sequences.X)[4, 1])
    assert [abs(value) for _, value in parts] == sorted((abs(value) for _, value in parts), reverse=True)
