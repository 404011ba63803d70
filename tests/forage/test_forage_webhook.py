"""Notices go where they were meant to, under the address rule, or nowhere."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from trailmark.errors import FetchError
from trailmark.forage.contact import contact_problem
from trailmark.forage.webhook import send_json
from trailmark.settings import ForageSettings


class Taken(HTTPServer):
    status = 204
    got: list[tuple[str, Any]]


class Handler(BaseHTTPRequestHandler):
    server: Taken

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, json.loads(body)))
        self.send_response(self.server.status)
        if self.server.status == 302:
            self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in http.server
        del format, args


@pytest.fixture
def server() -> Iterator[Taken]:
    made = Taken(("127.0.0.1", 0), Handler)
    made.got = []
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()


ALLOWED = ForageSettings(allow_hosts=("hook.localhost",))


def test_a_host_that_was_allowed_is_told(server: Taken) -> None:
    assert send_json(f"http://hook.localhost:{server.server_port}/a?b=1", b'{"kind": "goals"}', ALLOWED) == 204
    assert server.got == [("/a?b=1", {"kind": "goals"})]


@pytest.mark.parametrize("host", ["hook.localhost", "127.0.0.1", "localhost", "2130706433", "[::1]", "0x7f.1"])
def test_private_hosts_are_not_told_unless_allowed(server: Taken, host: str) -> None:
    with pytest.raises(FetchError, match=r"no public address|no address is known"):
        send_json(f"http://{host}:{server.server_port}/", b"{}", ForageSettings())
    assert server.got == []


def test_a_name_that_leads_to_a_private_address_is_not_told(server: Taken) -> None:
    with pytest.raises(FetchError, match="no public address"):
        send_json(
            f"http://hook.example:{server.server_port}/", b"{}", ForageSettings(), lookup=lambda _host: ["10.0.0.7"]
        )
    assert server.got == []


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("file:///etc/passwd", "only http"),
        ("http://hook.localhost:25/", "another service"),
        ("http://user@hook.localhost/", "user name"),
        ("nonsense", "only http"),
        ("http:///x", "valid"),
    ],
)
def test_odd_addresses_are_refused(url: str, why: str) -> None:
    with pytest.raises(FetchError, match=why):
        send_json(url, b"{}", ALLOWED)


@pytest.mark.parametrize("status", [302, 404, 500])
def test_what_is_not_taken_is_said_and_redirects_are_not_followed(server: Taken, status: int) -> None:
    server.status = status
    with pytest.raises(FetchError, match=f"status {status}"):
        send_json(f"http://hook.localhost:{server.server_port}/", b"{}", ALLOWED)
    assert len(server.got) == 1


@pytest.mark.parametrize(
    "good", ["me@example.org", "a.b+c@x-y.example.co.uk", "https://example.org/crawl", " me@example.org "]
)
def test_contacts_that_can_be_written_to(good: str) -> None:
    assert contact_problem(good) == ""


@pytest.mark.parametrize(
    "bad", ["", "nonsense", "me@", "@example.org", "me@localhost", "https://", "http://x/", "ftp://example.org/", "a\nb@example.org", "é@example.org", "me (at) example.org", "x" * 400]
)  # fmt: skip
def test_contacts_that_can_not(bad: str) -> None:
    assert contact_problem(bad)
