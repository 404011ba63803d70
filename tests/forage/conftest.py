"""Nothing in these tests may reach past the machine: connections are watched, and only loopback ones are made."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator

import pytest

from tests.forage.hostile_server import HostileServer, serve


@pytest.fixture(scope="session", autouse=True)
def connections() -> Iterator[list[str]]:
    """Addresses that were connected to; any but 127.0.0.1 is noted and refused before a packet leaves."""
    noted: list[str] = []
    original_ex, original = socket.socket.connect_ex, socket.socket.connect

    def connect_ex(self: socket.socket, address: tuple[str, int]) -> int:
        noted.append(str(address[0]))
        return original_ex(self, address) if address[0] == "127.0.0.1" else errno.ECONNREFUSED

    def connect(self: socket.socket, address: tuple[str, int]) -> None:
        noted.append(str(address[0]))
        if address[0] != "127.0.0.1":
            raise ConnectionRefusedError
        original(self, address)

    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect_ex", connect_ex)
    patch.setattr(socket.socket, "connect", connect)
    yield noted
    patch.undo()


@pytest.fixture(scope="session")
def server() -> Iterator[HostileServer]:
    yield from serve()
