"""URL patterns: match all their URLs, stay small, tell clusters apart, and never blow up."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.cluster import url_pattern

ITEMS = [f"http://shop.example/item/{n}.html" for n in (7, 12, 130, 4711)]


@pytest.mark.parametrize(
    ("urls", "pattern"),
    [
        (ITEMS, r"http://shop\.example/item/[0-9]+\.html"),
        (["http://a.example/x"], r"http://a\.example/x"),
        ([f"http://a.example/p?id={n}&v=1" for n in range(9)], r"http://a\.example/p\?id=[0-9]+\&v=1"),
        ([f"http://a.example/t/{w}-view" for w in ("Ada", "Bob", "Eve")], r"http://a\.example/t/[A-Za-z]+\-view"),
        ([], ""),
    ],
)
def test_the_most_specific_pattern(urls: list[str], pattern: str) -> None:
    found = url_pattern(urls)
    assert all(re.fullmatch(found, url) for url in urls)
    assert found == pattern or re.sub(r"\\(\W)", r"\1", found) == re.sub(r"\\(\W)", r"\1", pattern)


def test_ids_that_begin_alike_are_still_ids() -> None:
    pattern = url_pattern(["http://a.example/121", "http://a.example/125"])
    assert re.fullmatch(pattern, "http://a.example/977")


def test_few_shapes_are_alternatives_and_many_are_anything() -> None:
    two = ["http://a.example/x/1", "http://a.example/x/2", "http://a.example/x/1/more", "http://a.example/x/2/more"]
    pattern = url_pattern(two)
    assert re.fullmatch(pattern, "http://a.example/x/9/more")
    assert not re.fullmatch(pattern, "http://a.example/x/9/other")
    many = ["http://a.example/x/" + "/".join("abcdefgh"[:n]) for n in range(1, 8)]
    assert re.fullmatch(url_pattern(many), "http://a.example/x/z/z/z")
    assert not re.fullmatch(url_pattern(many), "http://a.example/y/z")


def test_a_pattern_leaves_the_urls_of_others_alone_where_it_can() -> None:
    mine = [f"http://a.example/{word}/{n}" for word in ("red", "blue") for n in range(6)]
    others = [f"http://a.example/green/{n}" for n in range(6)]
    pattern = url_pattern(mine, others=others)
    assert all(re.fullmatch(pattern, url) for url in mine)
    assert not any(re.fullmatch(pattern, url) for url in others)


urls = st.lists(
    st.text(alphabet="ab1Z/?&=#.-+*()[]{}|\\^$ \né%", max_size=40).map(lambda rest: "http://h.example/" + rest),
    min_size=1,
    max_size=8,
)


@pytest.mark.slow
@given(urls, st.integers(30, 300))
@settings(max_examples=300)
def test_it_matches_every_url_within_the_size(found: list[str], most: int) -> None:
    pattern = url_pattern(found, most=most)
    assert len(pattern) <= most
    assert all(re.fullmatch(pattern, url) for url in found)


@pytest.mark.slow
@given(urls)
@settings(max_examples=200)
def test_no_repetition_can_run_into_another(found: list[str]) -> None:
    """Between two repetitions stands a separator that neither can match: matching is then linear in each stretch."""
    pattern = url_pattern(found).replace("(?s:.*)", "A").replace("(?:", "(").replace("\\w", "w")
    pattern = re.sub(r"\[[^\]]*\]", "C", pattern)
    pattern = re.sub(r"\\[^?&=#;/]", "x", pattern)
    assert not re.search(r"\)[*+{]", pattern)
    for stretch in re.split(r"\\?[/?&=#;]|\|", pattern):
        assert len(re.findall(r"C[+*]", stretch)) <= 1


@pytest.mark.slow
def test_long_urls_match_in_no_time() -> None:
    """Run in a process of its own with a limit on processor time, which a pattern that blows up would use up."""
    code = (
        "import re, resource; resource.setrlimit(resource.RLIMIT_CPU, (20, 20));"
        "from trailmark.cluster import url_pattern;"
        "urls = ['http://a.example/' + '/'.join(w * k for w in 'abcd') + '-x.html' for k in range(1, 9)];"
        "p = url_pattern(urls); hits = [re.fullmatch(p, 'http://a.example/' + t * 20000 + '!')"
        " for t in ('a', 'a/', 'aaaa/bb', '-x.html', 'a-x.html/')]; print(hits.count(None))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "5"
