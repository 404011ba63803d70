"""Is every step linked from the one before? By URL, by what servers redirect, by anchor, by the archive's redirects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Link, Page, Step, Trail
from trailmark.errors import FetchError
from trailmark.teach import check_trail
from trailmark.teach.trail_check import find_link, loose_url

SITE = "http://www.example.edu/"


def page(*links: tuple[str, str], url: str = SITE) -> Page:
    return Page(url, links=tuple(Link(target, anchor) for target, anchor in links))


def trail(*urls: str) -> Trail:
    return Trail(SITE, "goal", tuple(map(Step, urls)))


def test_anchors_are_filled_in() -> None:
    pages = {SITE: page((SITE + "people/", "People")), SITE + "people/": page((SITE + "~ada/", "Ada"))}
    checked = check_trail(trail(SITE, SITE + "people/", SITE + "~ada/"), pages.__getitem__)
    assert [step.anchor for step in checked.steps] == [None, "People", "Ada"]


def test_an_anchor_that_was_noted_is_kept() -> None:
    steps = (Step(SITE), Step(SITE + "people/", "staff", "Our people"))
    checked = check_trail(Trail(SITE, "fail", steps), lambda _: page((SITE + "people/", "People")))
    assert checked == Trail(SITE, "fail", steps)


def test_a_trail_of_one_step_needs_no_page() -> None:
    def never(url: str) -> Page:
        raise AssertionError(url)

    assert check_trail(trail(SITE), never) == trail(SITE)


def test_the_last_page_is_not_read() -> None:
    asked = []

    def pages(url: str) -> Page:
        asked.append(url)
        return page((SITE + "a", "A"))

    check_trail(trail(SITE, SITE + "a"), pages)
    assert asked == [SITE]


def test_the_step_that_jumps_is_named() -> None:
    pages = {SITE: page((SITE + "a", "A")), SITE + "a": page((SITE + "b", "B"), url=SITE + "a")}
    with pytest.raises(ValueError, match=rf"^step 3 \({SITE}c\) is not linked from the step before it \({SITE}a\)$"):
        check_trail(trail(SITE, SITE + "a", SITE + "c"), pages.__getitem__)


def test_a_page_that_cant_be_had_is_not_hidden() -> None:
    def gone(url: str) -> Page:
        raise FetchError(f"{url} answers 404")

    with pytest.raises(FetchError, match="answers 404"):
        check_trail(trail(SITE, SITE + "a"), gone)


@pytest.mark.parametrize(
    ("linked", "stepped"),
    [
        ("people", "people/"),
        ("people/", "people/index.html"),
        ("people/Default.HTM", "people/"),
        ("~ada/home.php", "~ada"),
        ("%7Eada/", "~ada/"),
        ("a%20b", "a%20b/"),
    ],
)
def test_what_servers_redirect_counts_as_linked(linked: str, stepped: str) -> None:
    found = find_link(page((SITE + linked, "there")), Step(SITE + stepped))
    assert found is not None
    assert found.url == SITE + linked
    assert find_link(page((SITE.replace("http:", "https:") + linked, "there")), Step(SITE + stepped)) is not None


@pytest.mark.parametrize("other", ["people2/", "people/index.html?page=2", "People/", "people/news.html"])
def test_other_pages_do_not(other: str) -> None:
    assert find_link(page((SITE + other, "there")), Step(SITE + "people/")) is None


def test_the_same_url_wins_over_a_loose_one_and_words_over_none() -> None:
    seen = page((SITE + "a/", "loose"), (SITE + "a", ""), (SITE + "a", "Exact"), (SITE + "a", "Later"))
    found = find_link(seen, Step(SITE + "a"))
    assert found is not None
    assert found.anchor == "Exact"


def test_by_anchor_where_the_url_differs() -> None:
    seen = page((SITE + "go?7", "Faculty"), (SITE + "x", "Staff"))
    found = find_link(seen, Step(SITE + "faculty/", anchor="FACULTY"))
    assert found is not None
    assert found.url == SITE + "go?7"
    assert find_link(seen, Step(SITE + "faculty/", anchor="")) is None
    assert find_link(seen, Step(SITE + "faculty/")) is None


def test_by_redirect_where_the_caller_can_tell() -> None:
    seen = page((SITE + "go?7", "Faculty"), (SITE + "x", "Staff"))
    found = find_link(seen, Step(SITE + "faculty/"), final_url={SITE + "go?7": SITE + "faculty/"}.get)  # type: ignore[arg-type]
    assert found is not None
    assert found.anchor == "Faculty"


@given(st.text(st.sampled_from("ab/.%7E~?index.html"), max_size=20))
def test_a_loose_url_is_loose_already(path: str) -> None:
    once = loose_url(SITE + path)
    assert "://" not in once
    assert not once.endswith("/")
    assert loose_url(SITE.replace("http:", "https:") + path) == once
