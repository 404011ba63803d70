"""One run over everything a server can do wrong: each URL gets its own verdict, and no other is harmed by it."""

from __future__ import annotations

import pytest

from tests.forage.forage_answers import Answers, fetch
from tests.forage.hostile_server import RAW, SECRET, HostileServer

pytestmark = pytest.mark.slow

TOO_BIG = "larger than 100000 bytes"
NOT_HTTP = "did not answer in proper HTTP"
LOST = "connection was lost"
NO_END = "head of the answer has no end"
SLOW = "took longer than 5 seconds"
UNPACKED = "can't be unpacked"
PRIVATE = "no public address"

FAILING = {
    "/big": TOO_BIG, "/big-unsaid": TOO_BIG, "/endless": TOO_BIG,
    "/bomb-gzip": TOO_BIG, "/bomb-deflate": TOO_BIG, "/bomb-br": TOO_BIG, "/bomb-zstd": TOO_BIG, "/bomb-twice": TOO_BIG,
    "/garbage": NOT_HTTP, "/no-status": NOT_HTTP, "/odd-status": NOT_HTTP, "/negative": NOT_HTTP, "/worded": NOT_HTTP,
    "/two-lengths": NOT_HTTP,
    "/silent": LOST, "/reset": LOST, "/long-header": LOST,
    "/half": "ended before all of it had come",
    "/bad-chunks": "ended before all of it had come",
    "/many-headers": NO_END, "/endless-head": NO_END, "/endless-100": NO_END,
    "/drip": SLOW, "/drip-head": SLOW,
    "/unpacked-br": UNPACKED, "/unpacked-zstd": UNPACKED, "/unpacked-deflate": UNPACKED,
    "/loop": "redirects more than 5 times", "/maze/0": "redirects more than 5 times",
    "/to-loopback": PRIVATE, "/to-number": PRIVATE, "/to-mapped": PRIVATE,
    "/to-userinfo": "user name",
    "/to-broken": NOT_HTTP,
}  # fmt: skip
ANSWERED = {
    "/good": 200, "/missing": 404, "/packed": 200, "/nameless-header": 200, "/hop": 200, "/odd-cookies": 200,
    "/to-file": 302, "/to-data": 302, "/to-ftp": 302, "/wants-cookie": 200,
}  # fmt: skip


def label(path: str) -> str:
    """A host of its own for each path, so that none waits for another."""
    return "h" + path.replace("/", "-")


@pytest.fixture(scope="module")
def run(server: HostileServer) -> tuple[Answers, HostileServer]:
    paths = [*FAILING, *ANSWERED]
    return fetch(server.url(label(path), path) for path in paths), server


@pytest.mark.slow
def test_every_url_is_answered_exactly_once(run: tuple[Answers, HostileServer]) -> None:
    answers, server = run
    assert sorted(answers.told) == sorted(server.url(label(path), path) for path in [*FAILING, *ANSWERED])


@pytest.mark.slow
@pytest.mark.parametrize("path", FAILING)
def test_a_bad_answer_is_a_plain_failure(run: tuple[Answers, HostileServer], path: str) -> None:
    answers, server = run
    url = server.url(label(path), path)
    message = answers.failures[url]
    assert message.startswith(f"{url} was not fetched: ")
    assert FAILING[path] in message
    assert message.endswith(".")
    assert "\n" not in message


@pytest.mark.parametrize("path", ANSWERED)
def test_other_pages_come_whatever_their_neighbours_do(run: tuple[Answers, HostileServer], path: str) -> None:
    answers, server = run
    assert answers.responses[server.url(label(path), path)].status == ANSWERED[path]


def test_every_prepared_answer_is_used() -> None:
    assert set(RAW) - set(FAILING) - set(ANSWERED) == {"/to-nothing"}


def test_a_redirect_to_nowhere_is_a_page(server: HostileServer) -> None:
    url = server.url("nowhere", "/to-nothing")
    answers = fetch([url])
    assert answers.told == [url]


def test_bodies_are_unpacked_and_redirects_noted(run: tuple[Answers, HostileServer]) -> None:
    answers, server = run
    packed = answers.responses[server.url(label("/packed"), "/packed")]
    assert packed.body == b"<p>packed</p>"
    assert packed.header("content-length") == ""
    assert packed.header("content-encoding") == ""
    hop = answers.responses[server.url(label("/hop"), "/hop")]
    assert hop.url == server.url(label("/hop"), "/good")
    assert hop.redirects == (server.url(label("/hop"), "/hop"),)
    assert answers.responses[server.url(label("/good"), "/good")].redirects == ()


def test_no_redirect_reaches_a_private_address(run: tuple[Answers, HostileServer], connections: list[str]) -> None:
    answers, server = run
    assert not [each for each in server.asked if each.path == "/secret"]
    assert not [each for each in answers.responses.values() if SECRET in each.body]
    assert set(connections) == {"127.0.0.1"}


def test_a_failure_after_a_redirect_names_both_pages(run: tuple[Answers, HostileServer]) -> None:
    answers, server = run
    message = answers.failures[server.url(label("/to-loopback"), "/to-loopback")]
    assert f"it leads to http://127.0.0.1:{server.port}/secret" in message


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/hostname", "ftp://127.0.0.1/", "data:text/html,hello", "s3://bucket/key", "javascript:alert(1)",
        "", "no scheme", "http://", "http:///path", "http://[", "http://[::1", "http://a.localhost:99999/",
        "http://a.localhost:0/", "http://user@a.localhost/", "http://user:pass@a.localhost/",
        "http://a.localhost/" + "x" * 2000, "http://exa mple/\x00", "http://\ud800.localhost/", "HTTP://./", "http://..",
        "http://" + "a" * 300 + ".localhost/", "gopher://a\n\x1b[31mred",
    ],
)  # fmt: skip
def test_what_is_no_web_address_fails_alone(server: HostileServer, connections: list[str], url: str) -> None:
    good = server.url("good", "/good")
    before = len(connections)
    answers = fetch([url, good])
    assert list(answers.failures) == [url]
    assert list(answers.responses) == [good]
    assert set(connections[before:]) == {"127.0.0.1"}
    message = answers.failures[url]
    assert message.isprintable()
    assert len(message) < 500
