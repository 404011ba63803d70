"""Several nodes of Ray on this machine."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from benchmarks import ray_nodes as started


@contextmanager
def ray_nodes(*cores: int, **head: Any) -> Iterator[Any]:
    """A head without cores and nodes with so many each, connected to; the test is skipped where Ray is not installed."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed: make test-cluster")
    with started.ray_nodes(*cores, **head) as made:
        yield made
