"""Work on a cluster of several nodes in one machine, whose workers and nodes are killed."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scale.ray_nodes import ray_nodes
from tests.scale.served_web import WatchedServer, fetched, new_workspace, served
from trailmark.errors import InputError, TrailmarkError
from trailmark.scale.ray_hands import RayHands
from trailmark.verbs.dealt_forage import dealt_forage
from trailmark.verbs.hands import Hands, OwnHands
from trailmark.workspace import Workspace

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A head without cores, and two nodes of one core each."""
    with ray_nodes(1, 1) as made:
        yield made


@pytest.fixture(params=["own", pytest.param("ray", marks=pytest.mark.cluster)])
def hands(request: pytest.FixtureRequest) -> Hands:
    """Every implementation of the role."""
    if request.param == "own":
        return OwnHands()
    request.getfixturevalue("nodes")
    return RayHands()  # its workers go with the nodes


def squared(number: int) -> int:
    return number * number


def refusing(number: int) -> int:
    if number == 2:
        raise InputError(f"{number} is refused: choose another.")
    return number


def test_every_task_has_its_answer_once(hands: Hands) -> None:
    ticks: list[int] = []
    found = list(hands.answers(squared, range(7), tick=lambda: ticks.append(1)))
    assert sorted(found) == [(number, number * number) for number in range(7)]
    assert ticks
    assert list(hands.answers(squared, [])) == []


def test_what_a_task_raises_is_raised(hands: Hands) -> None:
    with pytest.raises(InputError, match="2 is refused"):
        list(hands.answers(refusing, range(5)))


def process(_: int) -> int:
    return os.getpid()


def dying_once(note: str) -> str:
    if not Path(note).exists():
        Path(note).write_text("died here")
        os.kill(os.getpid(), signal.SIGKILL)
    return note


def deadly(_: str) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


@pytest.mark.cluster
def test_a_task_whose_worker_died_is_done_by_another(nodes: Any, tmp_path: Path) -> None:
    notes = [str(tmp_path / str(number)) for number in range(3)]
    assert sorted(RayHands().answers(dying_once, notes)) == list(enumerate(notes))


@pytest.mark.cluster
def test_workers_stay_for_the_next_row_of_tasks(nodes: Any) -> None:
    hands = RayHands(most_workers=1)
    first = {pid for _, pid in hands.answers(process, range(3))}
    assert {pid for _, pid in hands.answers(process, range(3))} == first
    assert list(hands.answers(squared, [3])) == [(0, 9)], "and learn other work"
    hands.leave()
    assert {pid for _, pid in hands.answers(process, range(3))} != first
    hands.leave()


@pytest.mark.cluster
def test_a_task_that_kills_every_worker_is_named(nodes: Any) -> None:
    with pytest.raises(TrailmarkError, match="workers died on the same task"):
        list(RayHands().answers(deadly, ["the culprit"]))


def by_site(folder: Path) -> dict[str, list[Any]]:
    pages: dict[str, list[Any]] = {}
    for url, status, site, depth in fetched(folder):
        pages.setdefault(site, []).append((url, status, depth))
    return pages


def asked_pages(server: WatchedServer) -> Counter[tuple[str, str]]:
    return Counter(each for each in server.asked if each[1] != "/robots.txt")


@pytest.mark.cluster
def test_a_node_dies_another_joins_and_the_run_is_what_it_would_have_been(nodes: Any, tmp_path: Path) -> None:
    with served(8) as server:
        seeds = [server.root(number) for number in range(8)]
        calm = new_workspace(tmp_path / "calm")
        with Workspace.open(calm) as workspace:
            dealt_forage(workspace, seeds, strategy="breadth", site_budget=30)
        calmly = asked_pages(server)
        server.asked.clear()
        server.most_at_once.clear()
        extra = nodes.add_node(num_cpus=1)
        disturbed: list[float] = []

        def disturb(standing: Any) -> None:
            if not disturbed and standing.pages >= 40:
                disturbed.append(time.monotonic())
                nodes.remove_node(extra, allow_graceful=False)
                nodes.add_node(num_cpus=1)

        folder = new_workspace(tmp_path / "w")
        with Workspace.open(folder) as workspace:
            report = dealt_forage(workspace, seeds, RayHands(), strategy="breadth", site_budget=30, watch=disturb)
        assert disturbed, "a node was killed in the middle"
        assert by_site(folder) == by_site(calm), "the same pages of every site, in the same order"
        assert report.pages == len(fetched(calm))
        assert max(server.most_at_once.values()) == 1, "no host saw two requests at once"
        # What was in flight when the node died may be asked again: one request for each of its sites.
        assert (asked_pages(server) - calmly).total() <= 2
        assert not calmly - asked_pages(server)
