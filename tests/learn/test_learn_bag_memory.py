"""What is kept of pages for a while stays small, whatever they say."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest

from trailmark.datatypes import Link, Response
from trailmark.learn.bag import link_bag
from trailmark.read import read_page

LONG, MANY = 50_000, 200
"""Together ten megabytes; a twentieth of it may stay."""
SOURCE = "http://h.test/"
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def kept_bytes(work: Callable[[int], object]) -> int:
    """Bytes that are still in use after the work was done on many different things."""
    work(MANY)  # what is made once, on the first call
    tracemalloc.start()
    try:
        for number in range(MANY):
            work(number)
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def long_text(number: int) -> str:
    return f"{number} {'x' * LONG}"


@pytest.mark.slow
def test_long_anchors_headings_urls_and_places_are_not_kept() -> None:
    def work(number: int) -> None:
        text = long_text(number)
        links = (
            Link(f"{SOURCE}{number}", text),
            Link(f"{SOURCE}{number}", "short", heading=text),
            Link(f"{SOURCE}?{text}", "short"),
            Link(f"{SOURCE}{number}", "short", tag_path=f"html/{text}/a"),
        )
        for link in links:
            link_bag(link, source=SOURCE, own=frozenset())

    assert kept_bytes(work) < 4 * LONG * MANY / 20


def test_a_link_that_is_not_kept_has_the_same_bag() -> None:
    words = "Publications of the Ada99 group " * 40
    bag = link_bag(Link(SOURCE + "a.pdf", words), source=SOURCE, own=frozenset())
    assert list(bag["anchor"]) == ["publications", "of", "the", "ada99", "group"]
    assert list(bag["pair"])[:2] == ["publications of", "of the"]


@pytest.mark.slow
def test_long_attributes_are_not_kept() -> None:
    def work(number: int) -> None:
        text = long_text(number)
        body = f"<p class='{text}'>a</p><p id='{text}'>b</p><p><span style='{text}'>c</span></p>"
        read_page(Response(SOURCE, 200, HTML, body.encode()))

    assert kept_bytes(work) < LONG * MANY / 20
