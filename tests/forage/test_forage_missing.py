"""Soft 404s: what they look like, and what must not be mistaken for one."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from trailmark.datatypes import Page, Response
from trailmark.demo import DemoWeb
from trailmark.forage.missing_pages import ELSEWHERE, Look, MissingPages, look_of
from trailmark.read import read_page

HTML = (("Content-Type", "text/html"),)
MENU = " ".join(
    f"<a href='/menu/{word}.html'>{word}</a>" for word in ("home", "people", "teaching", "research", "news", "contact")
)


def read(url: str, body: str, status: int = 200) -> tuple[Page, int, int]:
    response = Response(url, status, HTML, body.encode())
    return read_page(response), len(response.body), status


def met(site: MissingPages, url: str, body: str, status: int = 200) -> bool:
    page, length, status = read(url, body, status)
    return site.meet(url, look_of(page, length), status=status)


@pytest.mark.parametrize(
    "title",
    [
        "404 Not Found", "Page not found", "Error 404", "404", "404 Error - Page Not Found", "Page Not Found | Our Site",
        "Our Site - The page could not be found", "The requested URL was not found on this server", "File not found",
        "Our department: page not found", "Sorry, the page you requested cannot be found", "Seite nicht gefunden",
        "Oops! Page does not exist", "The document you are looking for is no longer available", "Document doesn't exist",
        "Object not found!", "Error 404 (Not Found)",
    ],
)  # fmt: skip
def test_titles_that_say_it(title: str) -> None:
    assert met(MissingPages(), "http://a.test/x", f"<title>{title}</title>welcome")
    if title != "404":  # a number alone is no heading
        assert met(MissingPages(), "http://a.test/x", f"<title>Our site</title><h1>{title}</h1>welcome")


@pytest.mark.parametrize(
    "title",
    [
        "CS 404 Home Page", "CS 404/504 Software Project Management", "Page 404", "Lost and not found: a thesis", "Found",
        "What to do when a page is not found on the web", "No publications found", "Documents", "The missing page", "",
        "Handling 404 Not Found in web servers", "Not found in Paris, Texas",
    ],
)  # fmt: skip
def test_titles_that_do_not(title: str) -> None:
    assert not met(MissingPages(), "http://a.test/x", f"<title>{title}</title>welcome")


def test_a_page_like_one_that_answered_404() -> None:
    said = f"<title>Site</title>{MENU}<p>apologies we do not have that {{}} any more please use the menu above</p>"
    site = MissingPages()
    met(site, "http://a.test/gone", said.format("gone"), status=404)
    assert met(site, "http://a.test/other", said.format("other"))
    assert not met(
        site, "http://a.test/page", f"<title>Site</title>{MENU}<p>ada studies engines with analytic methods daily</p>"
    )


def test_a_page_without_words_is_like_nothing() -> None:
    site = MissingPages()
    met(site, "http://a.test/gone", "", status=404)
    assert not met(site, "http://a.test/page", "<p>page</p>")
    assert not met(site, "http://a.test/empty", "")


def test_a_text_that_says_it_needs_another_that_did() -> None:
    said = "<title>Site</title>" + MENU + "<p>Sorry, the page {} could not be found. Perhaps {}?</p>"
    site, paths = MissingPages(), ("/one/x.html", "/two/y.html", "/two/z/", "/a-b")
    found = [met(site, f"http://a.test{path}", said.format(path, "abcd"[n])) for n, path in enumerate(paths)]
    assert found == [False, True, True, True]


def stub(name: str) -> str:
    return (
        f"<title>Department</title>{MENU}<h2>{name}</h2><p>Professor. Phone 555-1234. Room 12. Mail {name}@a.test</p>"
    )


def test_pages_of_a_template_that_say_little_are_pages() -> None:
    site = MissingPages()
    names = [f"{first}{second}" for first in "abcdef" for second in "uvwxyz"]
    met(site, "http://a.test/gone", f"<title>Department</title>{MENU}<h2>Nothing</h2><p>is here</p>", status=404)
    assert not any(met(site, f"http://a.test/people/{name}.html", stub(name)) for name in names)
    assert not any(met(site, f"http://a.test/{name}/{name}/", stub(name)) for name in names)


def test_the_same_name_in_many_folders_is_a_template() -> None:
    site = MissingPages()
    body = f"<title>Contact</title>{MENU}<p>write to us or call the office between nine and five on weekdays</p>"
    assert not any(met(site, f"http://a.test/{folder}/contact.html", body) for folder in "abcdefgh")
    assert not any(met(MissingPages(), f"http://a.test/all/{name}.html", body) for name in "abcdefgh")


def test_one_answer_to_anything() -> None:
    site = MissingPages()
    body = f"<title>Situs</title>{MENU}<p>hic nihil est {{}} forsitan aliud quaeris amice noster carissime</p>"
    found = [met(site, f"http://a.test/{word}/{word}.html", body.format(word)) for word in "abcdefgh"]
    assert found == [False] * ELSEWHERE + [True] * (8 - ELSEWHERE)


@pytest.mark.slow
def test_no_page_of_the_generated_web_is_missing() -> None:
    web = DemoWeb(sites=6, pages=100)
    for number in range(6):
        site = MissingPages()
        for response in web.site(number).responses():
            page = read_page(response)
            marked = site.meet(page.url, look_of(page, len(response.body)), status=response.status)
            assert not marked or response.status != 200, page.url


@given(
    st.integers(-(2**63), 2**63 - 1),
    st.integers(0, 2**40),
    st.integers(0, 10**6),
    st.integers(0, 2),
    st.binary(min_size=32, max_size=32),
)
def test_a_look_can_be_kept(face: int, length: int, words: int, says: int, minima: bytes) -> None:
    look = Look(face, length, words, says, minima)
    assert Look.unpacked(look.packed()).packed() == look.packed()
    assert Look.unpacked(look.packed()).minima == minima


@pytest.mark.slow
@given(st.text(max_size=200), st.text(max_size=50))
def test_any_page_has_a_look(body: str, title: str) -> None:
    look = look_of(Page("http://a.test/x", title=title, body_tokens=tuple(body.split())), len(body))
    assert look.like(look) or not any(look.minima)
