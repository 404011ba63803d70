"""Fetch in a test, without DNS, and keep what was said about each URL."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from dataclasses import dataclass, field

from trailmark.datatypes import Response
from trailmark.errors import FetchError
from trailmark.forage import fetch_pages
from trailmark.settings import ForageSettings

SETTINGS = ForageSettings(
    contact="tests@example.org",
    allow_hosts=("*.localhost",),
    delay=0.0,
    timeout=5.0,
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
