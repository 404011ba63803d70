"""A Ray cluster: reached by its address, or started on this machine; left when the work is done."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from trailmark.errors import InputError

LOCAL = "local"
"""The place that is no cluster: this process and its children."""
HERE = "ray"
"""The cluster that this machine belongs to; where it belongs to none, one of its own for as long as the work takes."""
_ADDRESS = re.compile(r"ray(://[^\s/]+)?")
_HOW_TO = "pip install 'trailmark[scale]'"
PATIENCE = {
    "RAY_gcs_rpc_server_connect_timeout_s": "60",
    "RAY_gcs_server_request_timeout_seconds": "180",
    "RAY_health_check_timeout_ms": "30000",
    "RAY_worker_register_timeout_seconds": "180",
}
"""How long Ray waits for its own processes: on a machine that is busy with the work itself they are slow to answer, and not dead.

One that is dead refuses to be asked, which is noticed as soon as before.
"""


def check_place(place: str) -> str:
    """What `--on` says -> the same, where it names a place and what is needed for it is installed; raises InputError else."""
    if place == LOCAL:
        return place
    if not _ADDRESS.fullmatch(place):
        raise InputError(
            f"'{place}' names no place to work: choose {LOCAL}, {HERE}, or the address of a cluster as ray://host:10001."
        )
    if importlib.util.find_spec("ray") is None:
        raise InputError(f"Working on a cluster needs Ray, which is not installed; install it with: {_HOW_TO}")
    return place


def ray_module() -> Any:
    """Ray, loaded when it is needed: it takes a second, and is there only where it was asked for."""
    for name, value in PATIENCE.items():
        os.environ.setdefault(name, value)
    return importlib.import_module("ray")


def signs_of_death() -> tuple[type[BaseException], ...]:
    """What Ray raises where a worker is gone: its process, its node, or the answer that it gave."""
    errors = ray_module().exceptions
    return (errors.RayActorError, errors.ObjectLostError, errors.OutOfMemoryError)


@contextmanager
def cluster(place: str) -> Iterator[None]:
    """Connected to the cluster within the block; raises InputError where it does not answer."""
    check_place(place)
    ray = ray_module()
    joined = not ray.is_initialized()
    if joined:
        _join(place)
    try:
        yield
    finally:
        if joined:
            ray.shutdown()


def _join(place: str) -> None:
    ray = ray_module()
    try:
        ray.init(
            address=None if place == HERE else place,
            ignore_reinit_error=True,
            include_dashboard=False if place == HERE else None,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        first = str(error).strip().partition("\n")[0]
        raise InputError(
            f"The cluster at {place} can't be reached ({first}): check its address, and that it runs."
        ) from error
