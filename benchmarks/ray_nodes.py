"""Several nodes of Ray on this machine, for benchmarks and tests."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from trailmark.scale.cluster import ray_module


@contextmanager
def ray_nodes(*cores: int, **head: Any) -> Iterator[Any]:
    """A head without cores, and nodes with so many each, connected to."""
    ray = ray_module()  # sets how patient it is, before anything of it is loaded
    from ray.cluster_utils import Cluster

    nodes: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, **head})
    try:
        for each in cores:
            nodes.add_node(num_cpus=each)
        ray.init(address=nodes.address, log_to_driver=False, logging_level=logging.ERROR)
        yield nodes
    finally:
        ray.shutdown()
        nodes.shutdown()
