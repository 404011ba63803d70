"""URLs: normalised, resolved, split into words."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.read import normalise_url, url_words

BASE = "http://www.cs.example.edu/people/list.html?page=2"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("ada.html", "http://www.cs.example.edu/people/ada.html"),
        ("./ada.html", "http://www.cs.example.edu/people/ada.html"),
        ("../~ada/", "http://www.cs.example.edu/~ada/"),
        ("../../../x", "http://www.cs.example.edu/x"),
        ("/a/./b/../c", "http://www.cs.example.edu/a/c"),
        ("/a/..", "http://www.cs.example.edu/"),
        ("", BASE),
        ("#top", BASE),
        ("?page=3", "http://www.cs.example.edu/people/list.html?page=3"),
        ("//other.example/x", "http://other.example/x"),
        ("HTTP://WWW.Example.EDU:80/A#b", "http://www.example.edu/A"),
        ("https://example.edu:443", "https://example.edu/"),
        ("http://example.edu:8080/", "http://example.edu:8080/"),
        ("http://example.edu?q=1", "http://example.edu/?q=1"),
        ("  x y.html \n", "http://www.cs.example.edu/people/x%20y.html"),
        ("pa\n\tper.ps", "http://www.cs.example.edu/people/paper.ps"),
        ("café.html", "http://www.cs.example.edu/people/caf%C3%A9.html"),
        ("caf%C3%A9%2e.html", "http://www.cs.example.edu/people/caf%C3%A9%2e.html"),
        ("sub\\dir\\x.html", "http://www.cs.example.edu/people/sub/dir/x.html"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http:other.html", "http://www.cs.example.edu/people/other.html"),
        ("index.html", "http://www.cs.example.edu/people/index.html"),
        ("a//b", "http://www.cs.example.edu/people/a//b"),
        ("http://user@host.example/x", "http://user@host.example/x"),
        ("http://[::1]:80/x", "http://[::1]/x"),
    ],
)
def test_normalised(href: str, expected: str) -> None:
    assert normalise_url(href, BASE) == expected


@pytest.mark.parametrize(
    "href",
    ["mailto:ada@example.edu", "javascript:void(0)", "JavaScript:x", "java\nscript:x", "tel:+1", "data:text/html,x", "ftp://a/b",
     "file:///etc/passwd", "about:blank", "http://", "http:///x", "http://a b/", "http://exa<mple/", "http://a:99999/", "http://a:x/",
     "https:x", "http://[::1", "news:comp.ai"],
)  # fmt: skip
def test_what_leads_nowhere(href: str) -> None:
    assert normalise_url(href, BASE) is None


def test_relative_without_base_is_nothing() -> None:
    assert normalise_url("x.html") is None
    assert normalise_url("x.html", "not a url") is None


@given(st.one_of(st.text(max_size=60), st.text(alphabet="htps:/.?#@[]%\\~ab01 \t-", max_size=40)))
def test_normalising_never_raises_and_twice_is_once(url: str) -> None:
    for base in (None, BASE):
        once = normalise_url(url, base)
        if once is not None:
            assert normalise_url(once) == once
            assert normalise_url(once, "http://elsewhere.example/a/b") == once
            parts = urlsplit(once)
            assert parts.scheme in ("http", "https")
            assert parts.netloc
            assert not parts.fragment
            assert once.isascii()
            assert not any(sign.isspace() for sign in once)


def test_url_words_of_the_paper() -> None:
    words = url_words("http://www-2.cs.cmu.edu/~svc/papers/view-publications-ckl2004.html")
    assert words == ("~svc", "papers", "view", "publications", "ckl2004", "html", "~")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://example.edu/", ()),
        ("http://example.edu", ()),
        (
            "http://example.edu/People/Staff_List.asp?dept=CS&y=1997",
            ("people", "staff", "list", "asp", "dept", "cs", "y", "1997"),
        ),
        ("http://example.edu/%7Eada/", ("~ada", "~")),
        ("http://example.edu/caf%C3%A9", ("café",)),
        ("http://~host.example/x#frag", ("x",)),
    ],
)
def test_url_words(url: str, words: tuple[str, ...]) -> None:
    assert url_words(url) == words


@given(st.text(max_size=80))
def test_url_words_never_raise_and_are_short(url: str) -> None:
    assert all(0 < len(word) <= 60 for word in url_words(url))
