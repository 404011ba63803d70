"""Traps: what is refused for its address, what is not expanded for its content, and what must not be mistaken for one."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from trailmark.datatypes import Link, Page
from trailmark.forage.queued_link import QueuedLink, numbered_shape, url_pattern
from trailmark.forage.traps import SiteTraps, gist_of, is_no_page, refusal_of, repeats
from trailmark.settings import ForageSettings
from trailmark.url_key import link_key, url_key

SETTINGS = ForageSettings(max_url_length=100, max_depth=5, max_chain=3, shape_cap=4)


def queued(url: str, *, depth: int = 1, chain: int = 0) -> QueuedLink:
    return QueuedLink(link_key(url), 0, url, depth, 0, 0, "", -1, "", chain, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("http://a.test/p;jsessionid=AB12?x=1", "http://a.test/p?x=1"),
        ("http://a.test/p?PHPSESSID=0a9f&x=1", "http://a.test/p?x=1"),
        ("http://a.test/p?x=1&sid=77", "http://a.test/p?x=1"),
        ("http://a.test/p?sid=77", "http://a.test/p"),
        ("http://a.test/%7Eada/", "http://a.test/~ada/"),
        ("http://a.test/a%2fb", "http://a.test/a%2Fb"),
        ("http://a.test/p#top", "http://a.test/p"),
    ],
)
def test_one_page_under_many_names(url: str, other: str) -> None:
    assert link_key(url) == link_key(other)


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("http://a.test/p?x=1", "http://a.test/p?x=2"), ("http://a.test/session=1/p", "http://a.test/session=2/p"),
        ("http://a.test/p?inside=1", "http://a.test/p?inside=2"), ("http://a.test/p", "http://a.test/p/"),
        ("http://a.test/a%2Fb", "http://a.test/a/b"), ("http://a.test/P", "http://a.test/p"),
    ],
)  # fmt: skip
def test_two_pages_stay_two(url: str, other: str) -> None:
    assert link_key(url) != link_key(other)


@pytest.mark.slow
@given(st.text())
def test_keys_are_stable_whatever_the_text(url: str) -> None:
    assert link_key(url) == link_key(url_key(url))
    assert -(2**63) <= link_key(url) < 2**63


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("http://h1.test/", "h1.test/"), ("http://h1.test/a.html", "h1.test/*.html"), ("http://h.test/~ada/", "h.test/~*/"),
        ("http://h.test/y2004/05/x.htm", "h.test/y#/#/*.htm"), ("http://h.test/p.php?m=5&y=2004", "h.test/p.php?m=*&y=*"),
        ("http://h.test/people/ada", "h.test/people/*"),
    ],
)  # fmt: skip
def test_shapes_of_urls(url: str, pattern: str) -> None:
    assert url_pattern(url) == pattern


def test_numbered_shapes_ignore_the_host() -> None:
    assert numbered_shape("http://h1.test/about") == ""
    assert numbered_shape("http://h1.test/a12/b3?c=4") == numbered_shape("http://h1.test/a9/b77?c=0")


@pytest.mark.parametrize(
    ("path", "trap"),
    [
        ("h.test/a/a/a/", True), ("h.test/x/a/b/a/b/a/b", True), ("h.test/a/a/b", False), ("h.test/", False),
        ("h.test/a/b/c/a/b/c", False), ("h.test/1/2/3/4/5/6", False), ("h.test/a/x/a/y/a/z/a", True),
    ],
)  # fmt: skip
def test_repeated_segments(path: str, trap: bool) -> None:
    assert repeats(path) is trap


def repeats_plainly(path: str) -> bool:
    """As the words say it, by trying every group at every place."""
    parts = [part for part in path.split("/")[1:] if part]
    for size in range(1, len(parts) // 3 + 1):
        for start in range(len(parts) - 3 * size + 1):
            first, second, third = (parts[start + size * k : start + size * (k + 1)] for k in range(3))
            if first == second == third:
                return True
    return len(parts) > 5 and max(map(parts.count, parts)) > 3


@pytest.mark.slow
@given(st.lists(st.sampled_from("abcdefgh"), max_size=24), st.integers(0, 3))
def test_repeated_segments_are_told_as_by_trying_all(parts: list[str], times: int) -> None:
    for path in ("h.test/" + "/".join(parts), "h.test/x/" + "/".join(parts[:8] * times) + "/y"):
        assert repeats(path) is repeats_plainly(path)


def test_a_long_path_is_looked_at_once() -> None:
    class Counted(str):
        looked = 0
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            Counted.looked += 1
            return str.__eq__(self, str(other))

        __hash__ = str.__hash__

    class Path(str):
        __slots__ = ()

        def split(self, sep: str | None = None, maxsplit: int = -1) -> list[str]:  # type: ignore[override]
            return [Counted(part) for part in str.split(self, sep, maxsplit)]

    names = [f"{number:x}" for number in range(2000)]
    assert not repeats(Path("h.test/" + "/".join([*names, "z", *names, "y", *names])))
    assert Counted.looked < 12 * 3 * len(names)


@pytest.mark.parametrize(
    ("path", "no_page"),
    [
        ("h.test/a.JPG", True), ("h.test/a.tar.gz", True), ("h.test/a.ps.gz", False), ("h.test/a.pdf", False),
        ("h.test/a.ps", False), ("h.test/a.html", False), ("h.zip", False), ("h.test/a", False), ("h.test/gif/", False),
        ("h.test/paper.ps.Z", False),
    ],
)  # fmt: skip
def test_files_that_are_no_pages(path: str, no_page: bool) -> None:
    assert is_no_page(path) is no_page


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        (queued("http://h.test/" + "x" * 100), "url length"), (queued("http://h.test/x", depth=6), "depth"),
        (queued("http://h.test/x.png"), "file type"), (queued("http://h.test/a/a/a/"), "repeated path"),
        (queued("http://h.test/cal/2004/05", chain=4), "numbered chain"), (queued("http://h.test/cal/2004/05", chain=3), ""),
        (queued("http://h.test/x.html", depth=5), ""),
    ],
)  # fmt: skip
def test_reasons(link: QueuedLink, reason: str) -> None:
    assert refusal_of(link, SiteTraps(), SETTINGS) == reason


def test_a_shape_that_never_led_to_a_goal_is_left() -> None:
    traps = SiteTraps()
    for number in range(4):
        assert refusal_of(queued(f"http://h.test/item/{number}"), traps, SETTINGS) == ""
        traps.fetched(f"http://h.test/item/{number}", "http://h.test/", goal=False)
    assert refusal_of(queued("http://h.test/item/99"), traps, SETTINGS) == "fruitless shape"
    assert refusal_of(queued("http://h.test/other/99"), traps, SETTINGS) == ""


def test_a_shape_that_once_led_to_a_goal_is_never_a_trap() -> None:
    traps = SiteTraps()
    traps.fetched("http://h.test/staff/ada", "http://h.test/list?page=1", goal=True)
    for number in range(20):
        traps.fetched(f"http://h.test/list?page={number}", "", goal=False)
    assert refusal_of(queued("http://h.test/list?page=30", chain=30), traps, SETTINGS) == ""


def test_what_a_site_said_before_is_told() -> None:
    traps = SiteTraps()
    assert not traps.seen_before("body", 1)
    assert not traps.seen_before("other", 2)
    assert traps.seen_before("third", 1)
    # A folder without its slash and with it: the same body may be expanded a second time, and no more.
    assert not traps.seen_before("body", 3)
    assert traps.seen_before("body", 4)


def page(url: str, words: str, *links: str) -> Page:
    return Page(url, body_tokens=tuple(words.split()), links=tuple(Link(each, "") for each in links))


def test_the_gist_of_a_page() -> None:
    lost = "sorry there is no page {} here 404"
    one = page("http://h.test/lost/one", lost.format("one"), "http://h.test/")
    two = page("http://h.test/lost/two", lost.format("two"), "http://h.test/")
    assert gist_of(one) == gist_of(two)
    assert gist_of(one) != gist_of(page("http://h.test/lost/one", lost.format("one"), "http://h.test/more"))
    assert gist_of(one) != gist_of(page("http://h.test/lost/one", "welcome", "http://h.test/"))
