"""Nothing in these tests may reach past the machine: connections are watched, and only loopback ones are made."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import pytest
from hostile_server import HostileServer, serve

from trailmark.datatypes import Response
from trailmark.errors import FetchError
from trailmark.forage.fetch import fetch_pages
from trailmark.settings import ForageSettings

SETTINGS = ForageSettings(
    contact="tests@example.org",
    allow_hosts=("*.localhost",),
    delay=0.0,
    timeout=2.0,
    max_bytes=100_000,
    max_redirects=5,
    retries=0,
    max_wait=3.0,
)


@dataclass
class Answers:
    """What a run said about each URL."""

    responses: dict[str, Response] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def on_response(self, url: str, response: Response) -> None:
        self.told.append(url)
        self.responses[url] = response

    def on_failure(self, url: str, error: FetchError) -> None:
        self.told.append(url)
        self.failures[url] = str(error)


async def no_dns(host: str) -> list[str]:
    """Reads literals in every spelling, as the system does, and knows no names."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    return [str(each[4][0]) for each in found]


def fetch(urls: Iterable[str], settings: ForageSettings = SETTINGS) -> Answers:
    answers = Answers()
    fetch_pages(urls, settings, on_response=answers.on_response, on_failure=answers.on_failure, lookup=no_dns)
    return answers


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


@pytest.fixture(scope="session")
def fetching() -> Callable[..., Answers]:
    return fetch
