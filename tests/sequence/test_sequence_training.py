"""Training: the same optimum as python-crfsuite, weights that come back, and settings that do what they say."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pycrfsuite
import pytest
import scipy.sparse as sp

from tests.sequence import sequence_by_enumeration as slow
from trailmark.errors import InputError
from trailmark.sequence import CRF, MaxEnt, Sequences, binary_hierarchy


def drawn(model: Any, sequences: Any, rng: np.random.Generator) -> Any:
    """Labels drawn from the model itself, by listing all paths."""
    labels = []
    for X, E, allowed in slow.pieces(sequences):
        listed = list(slow.paths(model, X, E, allowed))
        odds = np.exp(np.array([score for _, score in listed]) - slow.log_z(listed))
        labels += listed[rng.choice(len(listed), p=odds / odds.sum())][0]
    return np.array(labels)


def noisy(n: int = 60, states: int = 4, features: int = 12, seed: int = 0, length: int = 5) -> Any:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, states, n * length)
    X = (rng.random((n * length, features)) < 0.3).astype(float)
    X[np.arange(n * length), labels] += rng.random(n * length) < 0.6
    return Sequences(sp.csr_array(X), np.full(n, length), labels=labels)


@pytest.mark.parametrize("c2", [0.1, 2.0])
def test_same_objective_as_crfsuite(c2: Any, tmp_path: Any) -> None:
    sequences = noisy()
    trainer = pycrfsuite.Trainer(verbose=False)
    for X, labels in zip(sequences.split(sequences.X.toarray()), sequences.split(sequences.labels), strict=True):
        items = [{str(f): value for f, value in enumerate(row) if value} for row in X]
        trainer.append(pycrfsuite.ItemSequence(items), [str(label) for label in labels])
    trainer.select("lbfgs")
    trainer.set_params(
        {
            "c2": c2,
            "feature.possible_states": True,
            "feature.possible_transitions": True,
            "delta": 1e-10,
            "epsilon": 1e-7,
            "max_iterations": 1000,
        }
    )
    path = tmp_path / "second-opinion.crfsuite"
    trainer.train(str(path))
    model = CRF(n_states=4, l2_state=c2, l2_edge=c2, tolerance=1e-12).fit(sequences)
    assert model.objective_ == pytest.approx(trainer.logparser.last_iteration["loss"], rel=1e-6)
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    X = sequences.take([0]).X.toarray()
    tagger.set(pycrfsuite.ItemSequence([{str(f): value for f, value in enumerate(row) if value} for row in X]))
    theirs = [[tagger.marginal(str(state), t) for state in range(4)] for t in range(len(X))]
    np.testing.assert_allclose(model.marginals(sequences)[0], theirs, atol=2e-4)


@pytest.mark.slow
def test_weights_come_back_from_data_drawn_from_a_known_model() -> None:
    rng = np.random.default_rng(1)
    truth = slow.random_model(rng, states=2, features=3)
    sequences = slow.random_sequences(rng, lengths=(3,) * 2500, states=2, features=3)
    sequences = Sequences(sequences.X, sequences.lengths, labels=drawn(truth, sequences, rng))
    model = CRF(n_states=2, l2_state=1e-6, l2_edge=1e-6, start_weights=True).fit(sequences)
    # Weights are known up to what cancels: differences between states, and the interaction of a step.
    contrast = np.array([1.0, -1.0])
    np.testing.assert_allclose(model.state_weights_ @ contrast, truth.state_weights_ @ contrast, atol=0.25)
    found, given = (contrast @ each.edges_ @ contrast for each in (model, truth))
    assert found == pytest.approx(given, abs=0.3)


def test_unknown_labels_add_what_the_known_ones_lack() -> None:
    """With few labels, knowing that labels follow one another helps where the position alone tells nothing."""
    sequences = noisy(n=200, seed=3)
    hidden = np.where(np.random.default_rng(0).random(sequences.labels.size) < 0.7, -1, sequences.labels)
    partial = Sequences(sequences.X, sequences.lengths, labels=hidden)
    model = CRF(n_states=4).fit(partial)
    wholly = CRF(n_states=4).fit(sequences)
    ours = np.mean(np.concatenate(model.decode(sequences)) == sequences.labels)
    best = np.mean(np.concatenate(wholly.decode(sequences)) == sequences.labels)
    assert ours > best - 0.06


def test_no_labels_at_all_leave_the_weights_at_nothing() -> None:
    sequences = noisy()
    model = CRF(n_states=4).fit(Sequences(sequences.X, sequences.lengths))
    assert model.objective_ == 0.0
    assert not model.weights_.state.any()


def test_a_warm_start_arrives_sooner_at_the_same_place() -> None:
    sequences = noisy()
    cold = CRF(n_states=4, tolerance=1e-12).fit(sequences)
    warm = CRF(n_states=4, tolerance=1e-12).fit(sequences, start=cold)
    assert warm.iterations_ < cold.iterations_ / 2
    assert warm.objective_ == pytest.approx(cold.objective_, rel=1e-9)
    with pytest.raises(InputError, match="start from"):
        CRF(n_states=3).fit(slow.random_sequences(np.random.default_rng(0)), start=cold)


def test_order_of_sequences_does_not_change_the_value() -> None:
    sequences = slow.random_sequences(
        np.random.default_rng(5), lengths=(3, 1, 4, 2, 3, 3), labels="sets", conditioned=2
    )
    order = np.array([4, 2, 0, 5, 1, 3])
    model = CRF(n_states=3)
    one, two = model.objective(sequences), model.objective(sequences.take(order))
    at = np.random.default_rng(6).normal(size=sum(one.shape.sizes))
    assert one(at)[0] == pytest.approx(two(at)[0], rel=1e-13)
    np.testing.assert_allclose(one(at)[1], two(at)[1], atol=1e-12)


def test_each_strength_of_l2_acts_on_its_own_weights() -> None:
    sequences = slow.random_sequences(np.random.default_rng(7), lengths=(4,) * 20, conditioned=3)
    for name, kind in (("l2_state", "state"), ("l2_edge", "edge"), ("l2_conditioned", "conditioned")):
        held = CRF(n_states=3, **{name: 1e5}).fit(sequences).weights_
        assert np.abs(getattr(held, kind)).max() < 1e-3
        others = {"state", "edge", "conditioned"} - {kind}
        assert all(np.abs(getattr(held, other)).max() > 1e-2 for other in others)


def test_scales_hold_single_features_and_groups() -> None:
    sequences = noisy()
    scale = np.ones(12)
    scale[2] = 1e5
    weights = CRF(n_states=4, feature_scale=scale).fit(sequences).weights_.state
    assert np.abs(weights[2]).max() < 1e-3 < 1e-2 < np.abs(weights[1]).max()
    groups = binary_hierarchy(4)
    held = CRF(n_states=4, sharing=groups, group_scale=np.where(groups.sum(axis=1) == 1, 1e5, 1.0)).fit(sequences)
    assert np.abs(held.weights_.state[:, :4]).max() < 1e-3
    np.testing.assert_allclose(held.state_weights_[:, 0], held.state_weights_[:, 1], atol=2e-3)
    with pytest.raises(InputError, match="group_scale"):
        CRF(n_states=4, group_scale=[1.0]).fit(sequences)


def test_binary_hierarchy_has_each_state_alone_and_the_groups_above() -> None:
    groups = binary_hierarchy(5)
    members = [tuple(np.flatnonzero(row)) for row in groups]
    assert members == [(0,), (1,), (2,), (3,), (4,), (0, 1), (2, 3), (0, 1, 2, 3), (0, 1, 2, 3, 4)]
    assert binary_hierarchy(1).tolist() == [[True]]


def test_sharing_lets_a_state_without_examples_borrow() -> None:
    """State 1 is never seen, but shares its group with state 0, and a mask keeps 0 out at decoding."""
    labels = np.repeat([0, 2, 3], 40)
    X = sp.csr_array(np.eye(2)[(labels > 1).astype(int)])
    train = Sequences(X, np.ones(labels.size), labels=labels)
    model = CRF(n_states=4, sharing=binary_hierarchy(4)).fit(train)
    allowed = np.array([[False, True, True, False]])
    assert model.decode(Sequences(sp.csr_array([[1.0, 0.0]]), [1], allowed_states=allowed))[0].tolist() == [1]
    alone = CRF(n_states=4).fit(train)
    first, second = (each.state_scores(sp.csr_array([[1.0, 0.0]]))[0] for each in (model, alone))
    assert first[1] - first[2] > second[1] - second[2]


def test_masking_in_training_refuses_what_it_can_not_explain() -> None:
    forbidden = np.array([[False, True], [False, False]])
    sequences = Sequences(sp.csr_array(np.eye(4)[:, :2]), [2, 2], labels=[0, 0, 0, 1])
    CRF(n_states=2, forbidden=forbidden).fit(sequences)
    with pytest.raises(InputError, match="Sequence 1 "):
        CRF(n_states=2, forbidden=forbidden, mask_training=True).fit(sequences)
    partly = Sequences(sequences.X, [2, 2], labels=np.array([[1, 1], [1, 1], [1, 0], [0, 1]]))
    with pytest.raises(InputError, match="Sequence 1 "):
        CRF(n_states=2, forbidden=forbidden, mask_training=True).fit(partly)


def test_decoding_says_when_masks_leave_no_path() -> None:
    forbidden = np.array([[False, True], [False, False]])
    train = Sequences(sp.csr_array(np.eye(2)), [2], labels=[1, 0])
    model = CRF(n_states=2, forbidden=forbidden).fit(train)
    stuck = Sequences(sp.csr_array(np.eye(2)), [2], allowed_states=np.eye(2, dtype=bool))
    for ask in (model.decode, model.marginals):
        with pytest.raises(InputError, match="no possible path"):
            ask(stuck)


def test_a_label_that_is_not_allowed_is_refused() -> None:
    allowed = np.array([[True, False], [True, True]])
    with pytest.raises(InputError, match="position 0"):
        CRF(n_states=2).fit(Sequences(sp.csr_array((2, 1)), [2], labels=[1, 0], allowed_states=allowed))


def test_without_transitions_the_crf_is_maximum_entropy() -> None:
    sequences = noisy()
    chain = CRF(n_states=4, transitions=False, tolerance=1e-12).fit(sequences)
    alone = MaxEnt(n_states=4, tolerance=1e-12).fit(sequences)
    assert not chain.edges_.any()
    np.testing.assert_allclose(chain.state_weights_, alone.crf_.state_weights_, atol=1e-4)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"lengths": [3]}, "3, but X has 2"),
        ({"lengths": [3, -1]}, "but X has 2"),
        ({"labels": [0]}, "labels has 1 rows"),
        ({"E": sp.csr_array((3, 1))}, "E has 3 rows"),
        ({"allowed_states": np.ones((1, 2))}, "allowed_states has 1 rows"),
        ({"weights": [1.0, 1.0]}, "2 sequence weights"),
        ({"weights": [np.nan]}, "finite number of at least 0"),
        ({"X": sp.csr_array([[np.nan], [1.0]])}, "not a finite number"),
    ],
)
def test_crooked_input_is_refused_with_a_reason(given: Any, complaint: Any) -> None:
    with pytest.raises(InputError, match=complaint):
        Sequences(**{"X": sp.csr_array((2, 1)), "lengths": [2], **given})


def test_taking_sequences() -> None:
    sequences = slow.random_sequences(np.random.default_rng(0), conditioned=2, masks=True)
    taken = sequences.take([3, 0])
    assert taken.lengths.tolist() == [3, 3]
    for name in ("X", "E"):
        whole = sequences.split(getattr(sequences, name).toarray())
        np.testing.assert_array_equal(getattr(taken, name).toarray(), np.concatenate([whole[3], whole[0]]))
    assert taken.weights.tolist() == [sequences.weights[3], sequences.weights[0]]
    assert len(sequences.take(np.zeros(5, dtype=bool))) == 0
    assert len(sequences.take([])) == 0


@pytest.mark.slow
def test_memory_stays_linear_in_the_data() -> None:
    """A matrix of transitions for every position at once would be several times the bound."""
    states, count, length = 30, 4000, 5
    rng = np.random.default_rng(0)
    given = rng.integers(0, states, count * length)
    given[::2] = -1
    X = sp.random_array((count * length, 20), density=0.1, rng=rng, format="csr")
    E = sp.random_array((count * length, 5), density=0.1, rng=rng, format="csr")
    objective = CRF(n_states=states).objective(Sequences(X, np.full(count, length), labels=given, E=E))
    at = np.zeros(sum(objective.shape.sizes))
    tracemalloc.start()
    objective(at)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < count * length * states * states * 8 / 3


@pytest.mark.slow
def test_strengths_far_apart_do_not_slow_the_descent() -> None:
    sequences = noisy()
    scale = np.ones(12)
    scale[2] = 1e6
    apart = CRF(n_states=4, feature_scale=scale).fit(sequences)
    alike = CRF(n_states=4).fit(sequences)
    assert apart.iterations_ < 2 * alike.iterations_
    closely = CRF(n_states=4, feature_scale=scale, tolerance=1e-14).fit(sequences)
    assert apart.objective_ == pytest.approx(closely.objective_, rel=1e-6)
