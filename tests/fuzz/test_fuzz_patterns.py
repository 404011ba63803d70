"""No text makes a regular expression of the package take more than its share of time: twice the text, twice the time."""

from __future__ import annotations

import re
from collections import deque
from typing import Any

import pytest

from tests.fuzz.fuzz_attacks import Attack, attacks
from tests.fuzz.fuzz_doubling import too_steep
from tests.fuzz.fuzz_patterns import Collected, collect, other_ways_in
from trailmark.cluster import url_pattern
from trailmark.demo.months import _matcher
from trailmark.read.page import _known_pattern
from trailmark.serve.app_words import _WORDS
from trailmark.settings import ReadSettings
from trailmark.wrap.rules.value_type import PATTERNS

URLS = [
    f"https://a.example/people/{name}/{number}?id={number}" for number, name in enumerate(("ann", "bob", "cyd") * 9)
]

MADE: dict[str, list[re.Pattern[Any]]] = {
    "trailmark.cluster.url_pattern": [
        re.compile(url_pattern(URLS)),
        re.compile(url_pattern([*URLS, "https://a.example/x/y"])),
    ],
    "trailmark.cluster.page_matcher": [re.compile(url_pattern(URLS))],
    "trailmark.monitor.value_place": [re.compile(rf"(?<!\w){re.escape('a a a')}(?!\w)")],
    "trailmark.wrap.writing.rules_program": list(PATTERNS.values()),
    "trailmark.read.page": [_known_pattern(ReadSettings().known_headings), _known_pattern(("a a a", "a"))],
    # A person's own pattern: how long it takes is measured before it is used (`trailmark.shape.time_limit`).
    "trailmark.shape.field_step": [re.compile(r"\d{4}")],
    "trailmark.store.snippets": [
        re.compile(r"(?<![a-z0-9])(?:aa|a|ab)"),
        re.compile(rf"(?<![a-z0-9])(?:{re.escape('x' * 40)})"),
    ],
    "trailmark.serve.app_words": [re.compile(pattern) for pattern, _ in _WORDS],
    "trailmark.demo.months": [_matcher("/calendar/{year}/{month:02d}.html")],
}
"""Examples of the patterns that are made while running, by the module that makes them."""

PATTERNS_FOUND, MISSED = collect(MADE)


def use(pattern: re.Pattern[Any], way: str, text: Any) -> object:
    """All the work of one way to use a pattern."""
    if way == "sub":
        return pattern.sub(text[:0], text)
    found = getattr(pattern, way)(text)
    return deque(found, maxlen=0) if way == "finditer" else found


def steep_use(each: Collected) -> str | None:
    """The first attack under which a pattern's time more than doubles with the text; None where there is none."""
    tried = ((attack, way) for attack in attacks(each.pattern) for way in each.uses)
    return next((line for attack, way in tried if (line := steepness(each, attack, way))), None)


def steepness(each: Collected, attack: Attack, way: str) -> str | None:
    """How steep the time of one use under one attack is, where it is too steep."""
    return too_steep(
        lambda text: use(each.pattern, way, text),
        lambda size: _text(each.pattern, attack, size),
        f"{each.place} {each.pattern.pattern[:60]!r} {way} {attack}",
        first=256,
        last=16_384,
    )


def _text(pattern: re.Pattern[Any], attack: Attack, size: int) -> Any:
    text = attack.text(size)
    return text.encode("utf-8") if isinstance(pattern.pattern, bytes) else text


@pytest.mark.slow
def test_no_pattern_escapes() -> None:
    assert not MISSED, f"no pattern is known for {MISSED}: name examples in MADE"
    assert not other_ways_in()
    assert len(PATTERNS_FOUND) > 80


@pytest.mark.fuzz
@pytest.mark.parametrize(
    ("pattern", "way"),
    [(r"(a+)+$", "match"), (r"\s+,\s+", "search"), (r"\"(?:[^\"\\]|\\.)*\"", "search"), (r"(?:x|x)*y", "search")],
)
def test_the_attacks_find_what_is_not_linear(pattern: str, way: str) -> None:
    assert steep_use(Collected("known", re.compile(pattern), (way,)))


@pytest.mark.fuzz
@pytest.mark.parametrize("each", PATTERNS_FOUND, ids=lambda each: each.place)
def test_patterns_are_linear(each: Collected) -> None:
    assert steep_use(each) is None
