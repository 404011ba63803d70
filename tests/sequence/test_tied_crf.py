"""The chain whose rules hold for every state alike: its gradient against differences, what a guess is worth, and arrays that come back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import check_grad

from trailmark.errors import InputError
from trailmark.sequence.tied_crf import TiedCRF, TiedLikelihood, TiedPenalty, TiedSequences

STATES, KINDS, FEATURES, RULES = 3, 2, 4, 2
LENGTHS = np.array([3, 1, 4])


def world(seed: int) -> TiedSequences:
    random = np.random.default_rng(seed)
    rows = int(LENGTHS.sum())
    free = sp.csr_array(random.integers(0, 2, (rows, FEATURES)).astype(float))
    tied = sp.csr_array(random.integers(0, 2, (rows * STATES, RULES)).astype(float))
    return TiedSequences(free, tied, LENGTHS, random.integers(0, KINDS, rows), random.integers(0, STATES, rows))


PENALTY = TiedPenalty(np.full(FEATURES, 0.5), np.array([1.0, -0.5]), tied=0.3, stay=0.2, edge=0.7)


@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_is_that_of_differences(seed: int) -> None:
    objective = TiedLikelihood(world(seed), PENALTY, STATES, KINDS)
    point = np.random.default_rng(seed).normal(0, 1, objective.penalty.size)

    def value(weights: Any) -> float:
        return objective(weights)[0]

    def gradient(weights: Any) -> Any:
        return objective(weights)[1]

    error: Any = check_grad(value, gradient, point)
    assert error < 1e-4 * max(1.0, float(np.abs(objective(point)[1]).max()))


def test_a_rule_that_is_seen_for_one_state_is_believed_for_another() -> None:
    # The rule speaks for states 0 and 1 in the lesson, and for state 2 in the test.
    lesson = TiedSequences(_free(6), _tied([0, 1, 0, 1, 0, 1]), np.ones(6, int), np.zeros(6, int), np.array([0, 1] * 3))
    nothing = TiedPenalty(np.full(1, 1.0), np.zeros(1), tied=0.01)
    model = TiedCRF(n_states=STATES).fit(lesson, nothing)
    test = TiedSequences(_free(1), _tied([2]), np.ones(1, int), np.zeros(1, int))
    path, chances = model.decode_with_marginals(test)
    assert path.tolist() == [2]
    assert chances.sum(axis=1) == pytest.approx([1.0])


def test_a_rule_that_no_example_speaks_of_keeps_its_guess() -> None:
    lesson = TiedSequences(_free(2), sp.csr_array((2 * STATES, 1)), np.ones(2, int), np.zeros(2, int), np.array([0, 1]))
    model = TiedCRF(n_states=STATES).fit(lesson, TiedPenalty(np.ones(1), np.array([2.0])))
    assert model.tied_ == pytest.approx([2.0])


def test_a_model_comes_back_from_its_arrays() -> None:
    sequences = world(1)
    model = TiedCRF(n_states=STATES, n_kinds=KINDS).fit(sequences, PENALTY)
    again = TiedCRF.from_arrays(model.to_arrays())
    for mine, other in zip(model.decode_with_marginals(sequences), again.decode_with_marginals(sequences), strict=True):
        assert (mine == other).all()
    with pytest.raises(ValueError, match="fit"):
        TiedCRF.from_arrays(model.to_arrays() | {"stay": np.zeros(7)})
    with pytest.raises(ValueError, match="fit"):
        TiedCRF.from_arrays(model.to_arrays() | {"tied": np.full(RULES, np.nan)})


def test_columns_of_other_lengths_are_refused() -> None:
    with pytest.raises(InputError):
        replace(world(0), kinds=np.zeros(3, int))
    with pytest.raises(InputError):
        TiedLikelihood(replace(world(0), labels=None), PENALTY, STATES, KINDS)


def _free(rows: int) -> Any:
    return sp.csr_array(np.ones((rows, 1)))


def _tied(states: list[int]) -> Any:
    matrix = np.zeros((len(states) * STATES, 1))
    matrix[[row * STATES + state for row, state in enumerate(states)]] = 1.0
    return sp.csr_array(matrix)
