"""Manners: robots.txt, pace, Retry-After, who is asking, cookies, and how a run ends."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.forage.forage_answers import SETTINGS, Answers, fetch, no_dns
from tests.forage.hostile_server import HostileServer
from trailmark.errors import FetchError, InputError
from trailmark.forage import fetch_pages
from trailmark.forage.engine_settings import engine_settings, user_agent
from trailmark.forage.gate import refusal
from trailmark.forage.pace import bounded, retry_after
from trailmark.settings import ForageSettings

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PATIENT = dataclasses.replace(SETTINGS, retries=2, max_wait=0.3)


def test_nothing_is_fetched_without_a_contact(server: HostileServer) -> None:
    before = len(server.asked)
    with pytest.raises(InputError, match=r"'contact' under \[forage\] in trailmark.toml"):
        fetch([server.url("anonymous")], dataclasses.replace(SETTINGS, contact=" "))
    assert len(server.asked) == before


@pytest.mark.parametrize("contact", ["a@b\r\nX-Evil: 1", "ä@b.example", "me (not)"])
def test_a_contact_that_breaks_the_header_is_refused(contact: str) -> None:
    with pytest.raises(InputError, match="plain ASCII"):
        user_agent(ForageSettings(contact=contact))


def test_every_request_says_who_asks(server: HostileServer) -> None:
    fetch([server.url("who", "/hop")])
    asked = [each for each in server.asked if each.host == "who.localhost"]
    assert [each.path for each in asked] == ["/robots.txt", "/hop", "/good"]
    for each in asked:
        assert each.headers["user-agent"].startswith("Trailmark/")
        assert each.headers["user-agent"].endswith("(+tests@example.org)")


def test_only_the_web_is_open_and_no_door_to_the_process() -> None:
    made = engine_settings(SETTINGS)
    assert set(made["DOWNLOAD_HANDLERS"]) == {"http", "https"}
    assert made["DOWNLOAD_HANDLERS_BASE"] == made["EXTENSIONS_BASE"] == {}
    for door in ("TELNETCONSOLE_ENABLED", "REMOTE_CONTROL_ENABLED", "HTTPPROXY_ENABLED", "COOKIES_ENABLED"):
        assert made[door] is False
    assert made["ROBOTSTXT_OBEY"] is True
    assert (made["DOWNLOAD_TIMEOUT"], made["DOWNLOAD_MAXSIZE"]) == (SETTINGS.timeout, SETTINGS.max_bytes)


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ("denied", "its robots.txt forbids it"),
        ("robots-500", "robots.txt, which must be read first, can't be had (status 500)"),
        ("robots-away", "robots.txt, which must be read first, can't be had: host 127.0.0.9 has no public address"),
        ("robots-mute", "robots.txt, which must be read first, can't be had: the connection was lost"),
    ],
)
def test_a_page_is_not_asked_for_where_robots_txt_speaks_against_it(
    server: HostileServer, label: str, reason: str
) -> None:
    urls = [server.url(label, "/good"), server.url(label, "/hop")]
    answers = fetch(urls)
    assert sorted(answers.failures) == sorted(urls)
    assert all(reason in message for message in answers.failures.values())
    assert server.visits(label) == []


@pytest.mark.parametrize("label", ["robots-404", "robots-odd"])
def test_without_rules_that_can_be_read_a_page_is_asked_for(server: HostileServer, label: str) -> None:
    url = server.url(label, "/good")
    assert fetch([url]).responses[url].status == 200


def test_robots_txt_is_obeyed_after_a_redirect_too(server: HostileServer) -> None:
    url = server.url("sends-away", "/to-sister")
    answers = fetch([url])
    assert answers.responses[url].body == b"no cookie"
    assert [each.host for each in server.asked if each.path == "/robots.txt"].count("sister.localhost") == 1


def test_robots_txt_can_be_left_out_of_account(server: HostileServer) -> None:
    url = server.url("denied", "/good")
    assert fetch([url], dataclasses.replace(SETTINGS, obey_robots=False)).responses[url].status == 200


@pytest.mark.slow
def test_crawl_delay_is_kept(server: HostileServer) -> None:
    fetch([server.url("slow", "/good"), server.url("slow", "/hop")])
    times = [each.at for each in server.visits("slow")]
    assert len(times) == 3
    assert all(later - earlier > 0.5 for earlier, later in pairwise(times))


@pytest.mark.slow
def test_the_delay_is_kept_by_host(server: HostileServer) -> None:
    fetch([server.url("calm", "/good"), server.url("calm", "/hop")], dataclasses.replace(SETTINGS, delay=0.4))
    times = [each.at for each in server.asked if each.host == "calm.localhost"]
    assert len(times) == 4
    assert all(later - earlier > 0.15 for earlier, later in pairwise(times))


@pytest.mark.slow
def test_a_host_sees_one_request_at_a_time(server: HostileServer) -> None:
    answers = fetch(server.url("single", f"/counted?{number}") for number in range(8))
    assert [each.body for each in answers.responses.values()] == [b"1"] * 8


@pytest.mark.slow
def test_a_redirect_keeps_the_pace_of_the_host_it_leads_to(server: HostileServer) -> None:
    urls = [server.url(f"leads-{number}", "/to-sister") for number in range(3)]
    before = len(server.asked)
    answers = fetch(urls, dataclasses.replace(SETTINGS, delay=0.4))
    assert len(answers.responses) == 3
    times = [each.at for each in server.asked[before:] if each.host == "sister.localhost"]
    assert len(times) == 4
    assert all(later - earlier > 0.15 for earlier, later in pairwise(times))


@pytest.mark.slow
def test_retry_after_is_waited_for(server: HostileServer) -> None:
    url = server.url("busy", "/busy")
    answers = fetch([url], dataclasses.replace(SETTINGS, retries=1))
    assert answers.responses[url].body == b"well again"
    first, second = server.visits("busy")
    assert second.at - first.at > 0.5


def test_a_host_that_wants_a_long_rest_gets_it(server: HostileServer) -> None:
    urls = [server.url("tired", f"/busy-for-long?{number}") for number in range(3)]
    other = server.url("fresh", "/good")
    answers = fetch([*urls, other], dataclasses.replace(SETTINGS, retries=2))
    assert len(server.visits("tired")) == 1
    assert sorted(each.status for each in answers.responses.values()) == [200, 429]
    assert len(answers.failures) == 2
    assert all("asks to be left alone" in message for message in answers.failures.values())


@pytest.mark.slow
def test_a_failing_server_is_tried_again(server: HostileServer) -> None:
    url = server.url("failing", "/failing")
    assert fetch([url], PATIENT).responses[url].body == b"well again"
    lost = server.url("lost", "/silent")
    assert "connection was lost" in fetch([lost], PATIENT).failures[lost]
    assert len(server.visits("lost")) == 3


def test_what_would_fail_again_is_not_tried_again(server: HostileServer) -> None:
    urls = [server.url("stubborn", path) for path in ("/garbage", "/many-headers", "/big", "/bomb-gzip", "/missing")]
    fetch(urls, PATIENT)
    assert len(server.visits("stubborn")) == len(urls)


def test_a_host_that_the_address_rule_refuses_is_asked_for_once() -> None:
    asked: list[str] = []
    answers = Answers()

    async def lookup(host: str) -> list[str]:
        asked.append(host)
        return ["10.0.0.1"]

    settings = dataclasses.replace(PATIENT, obey_robots=False)
    url = "http://inner.example/"
    fetch_pages([url], settings, on_response=answers.on_response, on_failure=answers.on_failure, lookup=lookup)
    assert asked == ["inner.example"]
    assert "host inner.example has no public address (10.0.0.1)" in answers.failures[url]


@pytest.mark.slow
def test_a_refused_connection_is_a_failure(server: HostileServer) -> None:
    answers = fetch(["http://closed.localhost:2/"], dataclasses.replace(SETTINGS, obey_robots=False))
    assert "refused the connection" in answers.failures["http://closed.localhost:2/"]


def test_a_cookie_goes_back_to_its_own_host_only(server: HostileServer) -> None:
    fed = server.url("cookies", "/wants-cookie")
    assert fetch([fed]).responses[fed].body == b"fed"
    away = server.url("baker", "/to-sister")
    assert fetch([away]).responses[away].body == b"no cookie"
    sister = server.visits("sister")
    assert sister
    assert not [each for each in sister if "cookie" in each.headers]


def test_no_cookie_outlives_a_run(server: HostileServer) -> None:
    fetch([server.url("forgets", "/wants-cookie")])
    mirror = server.url("forgets", "/mirror")
    assert fetch([mirror]).responses[mirror].body == b"no cookie"


def test_a_url_given_twice_is_one(server: HostileServer) -> None:
    url = server.url("twice", "/good")
    assert fetch([url, url]).told == [url]
    assert len(server.visits("twice")) == 1


def test_nothing_to_fetch_is_nothing_to_do() -> None:
    assert fetch([]).told == []


def test_what_a_callback_raises_ends_the_run(server: HostileServer) -> None:
    seen: list[str] = []

    def broken(url: str, _: object) -> None:
        seen.append(url)
        raise OSError("the disk is full")

    urls = [server.url("callback", f"/good?{number}") for number in range(5)]
    unhurried = dataclasses.replace(SETTINGS, delay=30.0, obey_robots=False)
    with pytest.raises(OSError, match="the disk is full"):
        fetch_pages(urls, unhurried, on_response=broken, on_failure=broken, lookup=no_dns)
    assert len(seen) == 1
    with pytest.raises(OSError, match="the disk is full"):
        fetch_pages(["file:///x", *urls], SETTINGS, on_response=broken, on_failure=broken, lookup=no_dns)
    assert len(seen) == 2
    assert len(server.visits("callback")) == 1


def test_ctrl_c_ends_the_run_without_waiting_for_the_rest(server: HostileServer) -> None:
    answers = Answers()

    def interrupt(url: str, response: object) -> None:
        answers.told.append(url)
        os.kill(os.getpid(), signal.SIGINT)

    def failed(url: str, error: FetchError) -> None:
        answers.failures[url] = str(error)

    urls = [server.url("unhurried", f"/good?{number}") for number in range(5)]
    settings = dataclasses.replace(SETTINGS, delay=30.0, obey_robots=False)
    before, handler = time.monotonic(), signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        fetch_pages(urls, settings, on_response=interrupt, on_failure=failed, lookup=no_dns)
    assert time.monotonic() - before < 20
    assert len(answers.told) == len(server.visits("unhurried")) == 1
    assert answers.failures == {}
    assert signal.getsignal(signal.SIGINT) is handler
    again = server.url("again", "/good")
    assert fetch([again]).responses[again].status == 200


def test_a_run_can_be_made_off_the_main_thread(server: HostileServer) -> None:
    url = server.url("thread", "/good")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(fetch, [url]).result(timeout=60).responses[url].status == 200


SCRIPT = """
import sys
from trailmark.forage import fetch_pages
from trailmark.settings import ForageSettings

settings = ForageSettings(contact="tests@example.org", allow_hosts=("*.localhost",), delay=0.0, retries=0)
fetch_pages(sys.argv[1:], settings, on_response=lambda url, r: print(r.status), on_failure=lambda url, e: print(e))
"""


@pytest.mark.slow
def test_a_process_of_its_own_says_nothing_more_and_ends(server: HostileServer) -> None:
    urls = [server.url("alone", path) for path in ("/good", "/garbage", "/bomb-br", "/robots", "/to-file")]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *urls], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert sorted(lines)[:3] == ["200", "200", "302"]
    assert len(lines) == 5


@given(st.floats() | st.none(), st.floats(0, 1000))
def test_a_wish_is_kept_within_bounds(wish: float | None, most: float) -> None:
    assert 0.0 <= bounded(wish, most) <= most


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0), (" 0 ", 0.0), ("", None), ("soon", None), ("-5", None), ("1.5", None), ("9" * 400, 999999999999.0),
        (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
        (format_datetime(NOW - timedelta(days=9), usegmt=True), 0.0),
        ("Thu, 99 Foo 2026 99:99:99 GMT", None),
    ],
)  # fmt: skip
def test_retry_after_is_read(value: str, seconds: float | None) -> None:
    assert retry_after(value, now=NOW) == seconds


@given(st.text())
def test_any_retry_after_is_survived(value: str) -> None:
    seconds = retry_after(value, now=NOW)
    assert seconds is None or seconds >= 0.0


@pytest.mark.parametrize(
    ("url", "ports", "refused"),
    [
        ("http://h.test/", (), False), ("https://h.test/", (), False), ("http://h.test:443/", (), False),
        ("http://h.test:8080/", (8080,), False), ("http://h.test:8080/", (), True), ("http://h.test:9200/", (8080,), True),
        ("http://h.test:25/", None, True), ("http://h.test:22/", (22,), True), ("http://h.test:12345/", None, False),
        ("http://h.test:6379/", (80,), True),
    ],
)  # fmt: skip
def test_ports_that_are_asked(url: str, ports: tuple[int, ...] | None, refused: bool) -> None:
    assert (refusal(url, max_length=2000, ports=ports) is not None) is refused


def test_a_redirect_leads_to_no_other_port(server: HostileServer) -> None:
    url = server.url("to-port", "/to-port")
    message = fetch([url]).failures[url]
    assert "it leads to http://to-port.localhost:9201/" in message
    assert "its port is none of 'ports' under [forage]" in message
