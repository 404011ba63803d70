"""Pages lifted on a cluster: the order is kept, and a worker that dies takes one item with it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.scale.ray_nodes import ray_nodes
from trailmark.scale.ray_crew import AHEAD, RayCrew

pytestmark = [pytest.mark.slow, pytest.mark.cluster]
DEADLY = 13


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    with ray_nodes(2) as made:
        yield made


def make_fragile(factor: int) -> Callable[[int], int]:
    def work(item: int) -> int:
        if item == DEADLY:
            os._exit(9)
        return item * factor

    return work


def test_answers_come_in_order_and_one_item_is_lost(ray: Any) -> None:
    given = [list(range(at, at + 3)) for at in range(0, 30, 3)] + [[], [7]]
    with RayCrew(make_fragile, (2,), jobs=0, lost=lambda item: -item) as crew:
        found = list(crew.answers(given))
    assert found == [[-item if item == DEADLY else item * 2 for item in chunk] for chunk in given]


def test_the_look_ahead_is_bounded(ray: Any) -> None:
    taken, furthest = 0, 0

    def row() -> Iterator[list[int]]:
        nonlocal taken
        for number in range(60):
            taken += 1
            yield [number + 100]

    with RayCrew(make_fragile, (2,), jobs=2, lost=lambda item: -item) as crew:
        for answered, _ in enumerate(crew.answers(row()), 1):
            furthest = max(furthest, taken - answered)
    assert taken == 60
    assert furthest < 2 * (1 + AHEAD)
