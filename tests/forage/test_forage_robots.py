"""Robots.txt: what can't be read forbids, what is read counts whole, and what is kept of it is bounded."""

from __future__ import annotations

import dataclasses
import gc
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from tests.forage.forage_answers import SETTINGS, fetch
from tests.forage.hostile_server import ROBOTS, HostileServer
from trailmark.forage import robots_rules
from trailmark.forage.bounded_memory import BoundedMemory
from trailmark.forage.robots_rules import RobotsRules, RulesMemory, UnreadableRules, own_rules, robots_text

FORBIDDING = {
    "robots-broken-gzip": "its body can't be unpacked", "robots-cut-gzip": "its body can't be unpacked",
    "robots-no-gzip": "its body can't be unpacked", "robots-bomb": "larger than 1048576 bytes when unpacked",
    "robots-bomb-twice": "larger than 1048576 bytes when unpacked", "robots-deflate": "its body can't be unpacked",
    "robots-br": "packed as 'br', which was not asked for", "robots-zstd": "packed as 'zstd', which was not asked for",
    "robots-unsaid": "it is packed and does not say so", "robots-bytes": "it is no text", "robots-nul": "it is no text",
    "robots-half": "the connection ended before all of it had come",
    "robots-chunks": "the connection ended before all of it had come",
    "robots-large": "larger than 1048576 bytes", "robots-endless": "larger than 1048576 bytes",
    "robots-loop": "it redirects more than 5 times", "robots-to-file": "can't be had",
    "robots-300": "(status 300)", "robots-304": "(status 304)", "robots-206": "(status 206)", "robots-429": "(status 429)",
    "robots-503": "(status 503)", "robots-599": "(status 599)",
}  # fmt: skip
ALLOWING = ("robots-401", "robots-403", "robots-410", "robots-204", "robots-html", "robots-gone-gzip")
RULING = ("robots-packed", "robots-deflated", "robots-wide", "robots-tail")


def test_every_prepared_answer_is_used() -> None:
    assert set(ROBOTS) == {*FORBIDDING, *ALLOWING, *RULING}


@pytest.mark.slow
@pytest.mark.parametrize("label", FORBIDDING)
def test_what_can_not_be_read_forbids(server: HostileServer, label: str) -> None:
    url = server.url(label, "/good")
    message = fetch([url]).failures[url]
    assert "its robots.txt, which must be read first, can't be had" in message
    assert FORBIDDING[label] in message
    assert server.visits(label) == []


@pytest.mark.parametrize("label", ALLOWING)
def test_where_there_are_no_rules_all_is_allowed(server: HostileServer, label: str) -> None:
    url = server.url(label, "/good")
    assert fetch([url]).responses[url].status == 200


@pytest.mark.parametrize("label", RULING)
def test_rules_are_found_however_they_come(server: HostileServer, label: str) -> None:
    good, hop = server.url(label, "/good"), server.url(label, "/hop")
    answers = fetch([good, hop])
    assert answers.responses[good].status == 200
    assert "its robots.txt forbids it" in answers.failures[hop]


def test_rules_that_had_to_go_are_asked_for_again(server: HostileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots_rules, "KEPT_HOSTS", 1)
    urls = [server.url(f"denied-{number % 2}", f"/good?{number}") for number in range(6)]
    answers = fetch(urls, dataclasses.replace(SETTINGS, delay=0.05))
    assert sorted(answers.failures) == sorted(urls)
    for label in ("denied-0", "denied-1"):
        assert server.visits(label) == []
        asked = [each for each in server.asked if each.host == f"{label}.localhost"]
        assert len(asked) >= 1


# --- the rules that are meant for us -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("", ""),
        ("User-agent: *\nDisallow: /a\nCrawl-delay: 3", "User-agent: *\nDisallow: /a\nCrawl-delay: 3"),
        ("User-agent: other\nDisallow: /", ""),
        ("User-agent: other\nUser-agent: *\nDisallow: /b", "User-agent: *\nDisallow: /b"),
        ("user-agent: *\nDisallow: /\n\nUser-Agent: TRAILMARK\nAllow: /c", "User-agent: *\nAllow: /c"),
        ("User-agent: *\nDisallow: /\nUser-agent: trailmark/2.0\nDisallow: /d", "User-agent: *\nDisallow: /d"),
        ("User-agent: trailmark\nDisallow: /a\nUser-agent: x\nDisallow: /b\nUser-agent: trailmark\nDisallow: /c",
         "User-agent: *\nDisallow: /a\nDisallow: /c"),
        ("User-agent: *\nDisallow: /\nUser-agent: trailmark\nDisallow:", ""),
        ("User-agent: trailmarker\nDisallow: /", ""),
        ("User agent *\nDissallow /e # why", "User-agent: *\nDisallow: /e"),
        ("User-agent: *\nSitemap: http://x/\nUser-agent: x\nDisallow: /f", "User-agent: *\nDisallow: /f"),
        ("User-agent: *\nDisallow: /a\nDisallow: /a", "User-agent: *\nDisallow: /a"),
        ("Disallow: /", ""),
    ],
)  # fmt: skip
def test_only_our_rules_are_kept(text: str, rules: str) -> None:
    assert own_rules(text, "Trailmark") == rules


FIELDS = (
    "User-agent",
    "user-agent",
    "User agent",
    "Disallow",
    "Allow",
    "disalow",
    "Crawl-delay",
    "Sitemap",
    "Host",
    "Odd",
    "#",
)
VALUES = (
    "*",
    "Trailmark",
    "other",
    "/",
    "/a",
    "/a/b",
    "/*.x$",
    "/a*b",
    "",
    "2",
    "/a$b",
    "/ä",
    "/%61",
    "http://x/",
    "/index.html",
)
LINES = st.tuples(st.sampled_from(FIELDS), st.sampled_from((":", ": ", " ", " : ")), st.sampled_from(VALUES)).map(
    "".join
)
URLS = ("http://h/", "http://h/a", "http://h/a/b?c", "http://h/q.x", "http://h/a$b", "http://h/%C3%A4", "http://h/axb")


@pytest.mark.slow
@given(st.lists(LINES, max_size=14))
def test_the_rules_that_are_kept_say_what_the_whole_file_says(lines: list[str]) -> None:
    whole, kept = Protego.parse("\n".join(lines)), Protego.parse(own_rules("\n".join(lines), "Trailmark"))
    assert [whole.can_fetch(url, "Trailmark") for url in URLS] == [kept.can_fetch(url, "Trailmark") for url in URLS]
    assert whole.crawl_delay("Trailmark") == kept.crawl_delay("Trailmark")


@pytest.mark.slow
@given(st.binary(max_size=60))
def test_any_bytes_are_text_or_unreadable(body: bytes) -> None:
    try:
        own_rules(robots_text(body), "Trailmark")
    except UnreadableRules:
        assert (
            body.startswith((b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b", b"\x28\xb5", b"BZh", b"PK", b"\xfd7"))
            or b"\x00" in body
        )


@pytest.mark.slow
def test_many_names_times_many_rules_take_no_more_room_than_they_say() -> None:
    names = "".join(f"User-agent: a{number}\n" for number in range(5000))
    text = names + "User-agent: *\n" + "".join(f"Disallow: /{number}\n" for number in range(5000))
    tracemalloc.start()
    parser = Protego.parse(own_rules(text, "Trailmark"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert not parser.can_fetch("http://h/4711", "Trailmark")
    assert peak < 20_000_000


@pytest.mark.slow
def test_the_rules_of_many_hosts_take_bounded_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots_rules, "KEPT_BYTES", 400_000)
    monkeypatch.setattr(robots_rules, "PARSED_BYTES", 50_000)
    memory = RulesMemory()
    tracemalloc.start()
    for number in range(40):
        rules = "".join(f"Disallow: /{number}/{line}\n" for line in range(1000))
        origin = f"http://h{number}.example"
        memory.keep(origin, RobotsRules(own_rules("User-agent: *\n" + rules, "Trailmark")))
        kept = memory.get(origin)
        assert kept is not None
        assert not memory.parser(origin, kept).can_fetch(f"{origin}/{number}/7", "Trailmark")
    gc.collect()  # parsers hold themselves
    room = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert memory.kept.bytes <= robots_rules.KEPT_BYTES
    assert len(memory.kept) > 10
    assert room < robots_rules.KEPT_BYTES + 4_000_000
    assert memory.get("http://h0.example") is None
    assert memory.get("http://h39.example") is not None


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 50)), max_size=40))
def test_a_bounded_memory_holds_the_latest_within_its_bounds(things: list[tuple[int, int]]) -> None:
    memory: BoundedMemory[int, int] = BoundedMemory(most_items=3, most_bytes=60)
    for key, size in things:
        memory.keep(key, size, size)
        assert memory.get(key) == size
        assert len(memory) <= 3
        assert memory.bytes <= 60
        assert memory.bytes == sum(memory.get(each) or 0 for each in sorted(range(6)))
