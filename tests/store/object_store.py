"""An S3 store on this machine, on real sockets; tests that need one are skipped, with the reason, where moto is not installed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest


class Store(NamedTuple):
    """A running store with an empty bucket."""

    server: Any
    endpoint: str
    bucket: str

    def put(self, file: Path, name: str) -> str:
        """A file becomes an object -> its address."""
        from trailmark.store.remote_path import RemotePath

        path = RemotePath(f"s3://{self.bucket}/{name}")
        path.put(file)
        return str(path)


@contextmanager
def running_store() -> Iterator[tuple[Any, str]]:
    """A server -> its address."""
    server_module: Any = pytest.importorskip("moto.server", reason="moto is not installed: make test")
    pytest.importorskip("s3fs", reason="s3fs is not installed: make test-cluster")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield server, f"http://{host}:{port}"
    finally:
        server.stop()


def environment(endpoint: str) -> dict[str, str]:
    """What a process needs to reach the store."""
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "tests",
        "AWS_SECRET_ACCESS_KEY": "tests",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
