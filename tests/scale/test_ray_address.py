"""A cluster elsewhere, reached by its address as `--on ray://host:10001` says it: whoever asks is no part of it."""

from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scale.ray_nodes import ray_nodes

pytestmark = [pytest.mark.slow, pytest.mark.cluster]

PROGRAM = """
import sys
from tests.scale.test_placed_verbs import squared
from tests.tag.test_timed_crew import make_work
from trailmark.scale.places import crew_on, hands_on, taggers_on

place = sys.argv[1]
with hands_on(place) as hands:
    assert sorted(hands.answers(squared, range(4))) == [(n, n * n) for n in range(4)]
with crew_on(place) as crew, crew(make_work, ("did",), jobs=1, lost=str) as lifters:
    assert list(lifters.answers([["a", "b"], ["c"]])) == [["did a", "did b"], ["did c"]]
with taggers_on(place) as made:
    with made(make_work, ("did",), lost=lambda item, reason: reason, seconds=60.0, memory=0, jobs=1) as taggers:
        assert list(taggers.answers(["a", "die"])) == [("a", "did a"), ("die", "its process died")]
print("all done")
"""


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


@pytest.mark.skipif(
    importlib.util.find_spec("grpc") is None, reason="the client of Ray needs grpcio: make test-cluster"
)
def test_hands_and_crews_of_a_cluster_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    root = str(Path(__file__).parents[2])
    monkeypatch.setenv("PYTHONPATH", root)  # the nodes start with it, and know this checkout
    monkeypatch.setenv("GRPC_ENABLE_FORK_SUPPORT", "0")  # what answers there is forked, and dies of it else
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # whoever runs this may have a token of another cluster
    with ray_nodes(2, ray_client_server_port=port):
        words = [sys.executable, "-c", PROGRAM, f"ray://127.0.0.1:{port}"]
        ended = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False, timeout=400)
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert ended.stdout.endswith("all done\n")


def test_a_cluster_that_does_not_answer_is_named_in_a_sentence() -> None:
    """In a process of its own: once asked for an address, Ray of a process can't be a node any more."""
    pytest.importorskip("ray", reason="Ray is not installed: make test-cluster")
    place = f"ray://127.0.0.1:{free_port()}"
    program = "import sys; from trailmark.scale.cluster import cluster; cluster(sys.argv[1]).__enter__()"
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [sys.executable, "-c", program, place], cwd=root, capture_output=True, text=True, check=False, timeout=400
    )
    assert ended.returncode == 1
    assert f"InputError: The cluster at {place} can't be reached" in ended.stderr
