"""Requests that never end: half a head, a body that drips, more connections than there is room for; whoever has a key is served meanwhile."""

from __future__ import annotations

import socket
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import PATIENCE, Visitor, running, wait_for, way_in
from trailmark.serve import events, patient_protocol, sent_body
from trailmark.serve.patient_protocol import PatientProtocol


@pytest.fixture
def address(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(PatientProtocol, "patience", 0.5)
    monkeypatch.setattr(sent_body, "SILENCE", 0.5)
    with running(folder) as made:
        yield made


def connected(address: str) -> socket.socket:
    host, _, port = address.removeprefix("http://").partition(":")
    made = socket.create_connection((host, int(port)), PATIENCE)
    made.settimeout(PATIENCE)
    return made


def heard(connection: socket.socket) -> bytes:
    """All that comes until the other side closes; a time-out where it never does."""
    parts: list[bytes] = []
    while True:
        try:
            part = connection.recv(65536)
        except ConnectionResetError:
            return b"".join(parts)
        if not part:
            return b"".join(parts)
        parts.append(part)


def dripped(connection: socket.socket, drop: bytes) -> int:
    """Drops that could be sent until the other side closed."""
    connection.settimeout(0.05)
    ends = time.monotonic() + PATIENCE
    drops = 0
    while time.monotonic() < ends:
        try:
            connection.sendall(drop)
            drops += 1
            if connection.recv(65536) == b"":
                return drops
        except TimeoutError:
            continue
        except OSError:
            return drops
    raise AssertionError("it was never closed")


def head_of(address: str, method: str = "GET", path: str = "/", **more: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: {address.removeprefix('http://')}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@pytest.mark.slow
@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nA: b"])
def test_half_a_head_is_closed(address: str, sent: bytes) -> None:
    with connected(address) as connection:
        connection.sendall(sent)
        assert heard(connection) == b""


@pytest.mark.slow
def test_a_head_that_drips_is_closed(address: str) -> None:
    with connected(address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        assert dripped(connection, b"X: y\r\n") > 0


@pytest.mark.slow
def test_the_next_head_on_a_connection_is_not_waited_for_either(address: str) -> None:
    with connected(address) as connection:
        connection.sendall(head_of(address))
        assert b"401" in connection.recv(65536)
        connection.sendall(b"GET / HTTP/1.1\r\n")
        assert dripped(connection, b"X: y\r\n") > 0


@pytest.mark.slow
def test_a_strangers_body_that_drips_is_closed(address: str) -> None:
    with connected(address) as connection:
        connection.sendall(head_of(address, "POST", "/demo", Content_Length="1000000"))
        assert b"401" in connection.recv(65536)
        assert dripped(connection, b"x") > 0


@pytest.mark.slow
def test_a_body_that_stops_is_answered_and_closed(address: str, folder: Path) -> None:
    key = Visitor(folder, enters=False).bearer()["authorization"]
    with connected(address) as connection:
        connection.sendall(head_of(address, "POST", "/api/recordings", Content_Length="1000", Authorization=key) + b"{")
        told = heard(connection)
    assert b"408" in told
    assert b"too slowly" in told


@pytest.mark.slow
def test_two_requests_in_one_go_and_one_after_a_pause_are_answered(address: str) -> None:
    with connected(address) as connection:
        connection.sendall(head_of(address) * 2)
        told = b""
        while told.count(b"HTTP/1.1 401") < 2:
            told += connection.recv(65536)
        connection.sendall(head_of(address, Connection="close"))
        assert heard(connection).count(b"HTTP/1.1 401") == 1


@pytest.mark.slow
def test_many_silent_connections_keep_nobody_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patient_protocol, "MOST_CONNECTIONS", 10)
    with running(folder) as address:
        silent = [connected(address) for _ in range(40)]
        try:
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with opener.open(address + way_in(folder), timeout=PATIENCE) as answer:
                assert answer.status == 200
            assert heard(silent[0]) == b"", "the one that waited longest gave way"
        finally:
            for each in silent:
                each.close()


@pytest.mark.slow
def test_streams_are_counted_and_end_with_their_key(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    job = visitor.state.jobs.start("learn", title="x").id
    monkeypatch.setattr(events, "MOST_STREAMS", 0)
    answer = visitor.get(f"/jobs/{job}/events")
    assert answer.status_code == 503
    assert "close some tabs" in answer.text
    monkeypatch.undo()
    visitor.wait(job)
    assert visitor.get(f"/jobs/{job}/events").status_code == 200
    assert visitor.state.streams.count == 0


@pytest.mark.slow
def test_a_stream_ends_when_its_key_is_taken_back(folder: Path) -> None:
    with running(folder) as address:
        visitor = Visitor(folder)
        jobs: Any = visitor.state.jobs
        job = jobs.start("learn", title="x").id
        visitor.wait(job)
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        opener.open(address + way_in(folder), timeout=PATIENCE).close()
        with opener.open(f"{address}/jobs/events?only={job}", timeout=PATIENCE) as stream:
            assert stream.readline().startswith(b"data:")
            visitor.state.ring.revoke("all")
            wait_for(lambda: stream.readline() == b"")
