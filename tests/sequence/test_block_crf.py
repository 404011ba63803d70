"""The chain over words: its recursions against brute force, its gradient against differences, and weights that come back from arrays."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import check_grad, minimize

from trailmark.errors import InputError
from trailmark.sequence.block_crf import Block, BlockCRF, BlockLikelihood, BlockSequences
from trailmark.sequence.packed import best_path, packing, passed

LENGTHS = np.array([3, 1, 5, 3, 2])
STATES, KINDS = 3, 2


def world(seed: int, *, strength: float = 1.0) -> tuple[Any, Any, Any, Any]:
    random = np.random.default_rng(seed)
    rows = int(LENGTHS.sum())
    scores = random.normal(0, strength, (rows, STATES))
    return scores, random.normal(0, strength, (KINDS, STATES, STATES)), random.integers(0, KINDS, rows), random


def brute(scores: Any, edges: Any, kinds: Any) -> tuple[Any, Any, float]:
    """Best path, marginals and log Z of one chain, by all its paths."""
    paths = list(product(range(STATES), repeat=len(scores)))
    worth = np.array(
        [
            sum(scores[t, y] for t, y in enumerate(path))
            + sum(edges[kinds[t], path[t - 1], path[t]] for t in range(1, len(path)))
            for path in paths
        ]
    )
    top = worth.max()
    shares = np.exp(worth - top)
    log_z = top + np.log(shares.sum())
    shares /= shares.sum()
    nodes = np.zeros(scores.shape)
    for path, share in zip(paths, shares, strict=True):
        nodes[np.arange(len(path)), path] += share
    return np.array(paths[int(worth.argmax())]), nodes, log_z


@pytest.mark.parametrize("strength", [1.0, 8.0, 400.0])
@pytest.mark.parametrize("seed", range(4))
def test_recursions_are_those_of_brute_force(seed: int, strength: float) -> None:
    scores, edges, kinds, _ = world(seed, strength=strength)
    order = packing(LENGTHS)
    found = passed(scores[order.rows], edges, kinds[order.rows], order)
    path = best_path(scores[order.rows], edges, kinds[order.rows], order)
    nodes, best = np.empty_like(scores), np.empty(len(scores), dtype=int)
    nodes[order.rows], best[order.rows] = found.nodes, path
    total, start = 0.0, 0
    for length in LENGTHS:
        rows = slice(start, start + length)
        right, chances, log_z = brute(scores[rows], edges, kinds[rows])
        assert (best[rows] == right).all()
        np.testing.assert_allclose(nodes[rows], chances, atol=1e-9)
        total, start = total + log_z, start + length
    assert found.log_z == pytest.approx(total)
    np.testing.assert_allclose(found.nodes.sum(axis=1), 1.0)
    assert found.edges.sum() == pytest.approx((LENGTHS - 1).sum())


def sequences(seed: int) -> BlockSequences:
    _, _, kinds, random = world(seed)
    rows = int(LENGTHS.sum())
    blocks = tuple(
        Block(sp.csr_array(random.integers(0, 2, (4, 5)).astype(float)), random.integers(-1, 4, rows)) for _ in range(2)
    )
    return BlockSequences(blocks, LENGTHS, kinds, random.integers(0, STATES, rows))


def test_the_gradient_is_that_of_the_value() -> None:
    objective = BlockLikelihood(sequences(1), BlockCRF(n_states=STATES, n_kinds=KINDS, l2=0.3, l2_edge=0.1))
    point = np.random.default_rng(2).normal(0, 0.5, objective.size)

    def value(x: Any) -> Any:
        return objective(x)[0]

    def slope(x: Any) -> Any:
        return objective(x)[1]

    assert check_grad(value, slope, point) < 1e-4


def test_it_learns_what_it_is_shown_and_comes_back_from_its_arrays() -> None:
    data = sequences(3)
    told = Block(sp.csr_array(np.eye(STATES)), data.labels if data.labels is not None else np.zeros(0, np.int64))
    data = BlockSequences((*data.blocks, told), data.lengths, data.kinds, data.labels)
    model = BlockCRF(n_states=STATES, n_kinds=KINDS, l2=0.01, tolerance=1e-9).fit(data)
    again = BlockCRF.from_arrays(model.to_arrays())
    assert (model.decode(data) == data.labels).all()
    assert (again.decode(data) == data.labels).all()
    np.testing.assert_array_equal(model.marginals(data), again.marginals(data))
    second = BlockCRF(n_states=STATES, n_kinds=KINDS, l2=0.01, tolerance=1e-9).fit(data)
    assert all(second.to_arrays()[name].tobytes() == array.tobytes() for name, array in model.to_arrays().items())


def test_path_and_chances_together_are_those_of_each_alone() -> None:
    data = sequences(4)
    model = BlockCRF(n_states=STATES, n_kinds=KINDS).fit(data)
    path, chances = model.decode_with_marginals(data)
    np.testing.assert_array_equal(path, model.decode(data))
    np.testing.assert_array_equal(chances, model.marginals(data))


def test_the_optimum_is_that_of_plain_units_and_comes_in_fewer_rounds() -> None:
    random = np.random.default_rng(5)
    labels, rare = random.integers(0, 2, 3000), random.integers(0, 400, 3000)
    often = Block(sp.csr_array(np.eye(2)), np.where(random.random(3000) < 0.8, labels, 1 - labels))
    blocks = (
        Block(sp.csr_array(np.ones((1, 3))), np.zeros(3000, np.int64)),
        often,
        Block(sp.csr_array(np.eye(400)), rare),
    )
    data = BlockSequences(blocks, np.full(300, 10), np.zeros(3000, np.int64), labels)
    model = BlockCRF(n_states=2, l2=0.1, tolerance=1e-9).fit(data)
    objective = BlockLikelihood(data, model)
    options: Any = {"maxcor": 6, "ftol": 1e-9, "gtol": 1e-6}
    plain = minimize(objective, np.zeros(objective.size), jac=True, method="L-BFGS-B", options=options)
    found = np.concatenate([*(part.ravel() for part in model.state_), model.edges_.ravel(), model.start_])
    assert objective(found)[0] == pytest.approx(float(plain.fun), rel=1e-5)
    assert model.iterations_ < plain.nit


def test_arrays_and_columns_that_do_not_fit_are_refused() -> None:
    arrays = BlockCRF(n_states=STATES, n_kinds=KINDS).fit(sequences(1)).to_arrays()
    for name, wrong in (("start", np.zeros(2)), ("sizes", np.array([-1, 11])), ("edges", np.zeros((2, 3, 2)))):
        with pytest.raises(ValueError, match="do not fit"):
            BlockCRF.from_arrays({**arrays, name: wrong})
    with pytest.raises(InputError, match="another number of positions"):
        BlockSequences((), LENGTHS, np.zeros(3, np.int64))
