"""Damaged pages: what is recovered, what a sound page keeps, and that hostile ones stay harmless."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from tests.read.page_fixtures import shown_words
from tests.read.test_read_page import SCRAPS
from trailmark.datatypes import Page, Response
from trailmark.read import parse_html, read_page
from trailmark.read.browser_tree import browser_tree
from trailmark.read.damage import goes_on, is_damaged, may_be_damaged
from trailmark.read.tree import html_parser
from trailmark.settings import ReadSettings

UTF_8 = "text/html; charset=utf-8"
BEHIND = "<html lang=en></html>"


def tree(html: str) -> etree._Element:
    root = parse_html(html.encode("utf-8", "surrogatepass"), UTF_8)[0]
    assert root is not None
    return root


def page(html: str) -> Page:
    body = html.encode("utf-8", "surrogatepass")
    return read_page(Response("http://a.example/", 200, (("Content-Type", UTF_8),), body), ReadSettings(page_tokens=-1))


def libxml2_tree(html: str) -> etree._Element:
    root: etree._Element = etree.fromstring(html.encode(), html_parser())
    return root


@pytest.mark.parametrize(
    "html",
    [
        "<html></html><p>x",
        "<html><body>a</body></html>x",
        "<html><body>a</body></html><a href=x></a>",
        "<html><body>a</body>x</html>",
        "<html><body>a</body><p>x</p></html>",
        "<html><body>a</body><body>x</body></html>",
        "<ul><li><span>a<li><span>b</ul>",
        "<table><tr><td><div>a<tr><td><div>b</table>",
        "<dl><dt><span>a<dd>b<dt><span>c<dd>d</dl>",
    ],
)
def test_a_tree_that_no_browser_makes(html: str) -> None:
    assert is_damaged(libxml2_tree(html))
    assert not is_damaged(tree(html))


@pytest.mark.parametrize(
    "html",
    [
        "<html><body>a</body></html>\n",
        "<html><body>a</body></html>\n<!-- made in 3 ms -->\n",
        "<html><body>a</body></html><script>count()</script><img src=/count.gif>",
        "<html><head><title>t</title></head><body>a</body><script>1</script></html>",
        "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>",
        "<table><tr><td><table><tr><td>a</table></table>",
        "<dl><dt>a<dd>b<dl><dt>c</dl></dl>",
        "<b><p>a</b>b<i>c<p>d</i>",
        "<table>a<tr>b<td>c</table>",
        "<li>an item of no list<p>",
    ],
)
def test_a_tree_that_is_kept(html: str) -> None:
    root = libxml2_tree(html)
    assert not is_damaged(root)
    assert etree.tostring(tree(html)) == etree.tostring(root)


def test_elements_that_the_standard_adds_are_taken_out_again() -> None:
    """A damaged page has the tree of a sound one of the same site."""
    body = (
        "<body><table><col><tr><td>a</td></tr></table><table><tbody><tr><td>b</td></tr></tbody></table></body></html>"
    )
    assert etree.tostring(tree(f"<html></html>{body}")) == etree.tostring(libxml2_tree(f"<html>{body}"))


def test_names_have_no_namespaces() -> None:
    root = tree(
        "<html></html><html xmlns='http://www.w3.org/1999/xhtml' xmlns:o='urn:o' xml:lang=en><o:p a:b=1>x</o:p>"
        "<svg xmlns:xlink='urn:x'><use xlink:href='#a'/></svg> xmlns='kept'"
    )
    assert [element.tag for element in root.iter()] == ["html", "body", "o:p", "svg", "use"]
    assert [dict(element.attrib) for element in root.iter("o:p", "use")] == [{"a:b": "1"}, {"xlink:href": "#a"}]
    assert "xmlns='kept'" in "".join(root.itertext())


def test_an_ampersand_in_an_address_reaches_the_forager() -> None:
    links = page(f"{BEHIND}<a href='/?a=1&amp;b=2&c=3'>x &amp; y</a>").links
    assert [(link.url, link.anchor) for link in links] == [("http://a.example/?a=1&b=2&c=3", "x & y")]


def test_a_page_of_frames_keeps_what_it_says_to_readers_without() -> None:
    root = tree("<html></html><frameset><frame src=a></frameset><noframes><a href=b>c</a></noframes>")
    assert [link.get("href") for link in root.iter("a")] == ["b"]


WORDY = st.lists(
    st.sampled_from(
        ["<p>one", "</p>", "<a href=x>two</a>", "<b>three", "</b>", "<ul><li>four", "<li>five", "</ul>", "<div>six", "</div>", "<table><tr><td>seven<tr><td>eight",
         "</table>", "<h2>nine</h2>", " ten ", "<br>", "<i>eleven", "</i>", "&amp; &eacute;", "<dl><dt>twelve<dd>thirteen", "</dl>", "<span>", "</body>"]
    ),
    max_size=30,
).map("".join)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WORDY)
def test_what_stands_behind_the_end_says_what_it_says_before_it(html: str) -> None:
    """Letter by letter: where tags are out of place, a browser may join two words, and set what is no cell before its table."""
    sound, damaged = page(f"<html><body>{html}"), page(f"{BEHIND}<body>{html}")
    assert Counter("".join(damaged.body_tokens)) == Counter("".join(sound.body_tokens))
    assert {link.url for link in damaged.links} == {link.url for link in sound.links}
    assert Counter("".join(shown_words(tree(f"{BEHIND}<body>{html}")))) == Counter("".join(damaged.body_tokens))


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(SCRAPS, max_size=40).map("".join))
def test_scraps_behind_the_end(html: str) -> None:
    read = page(f"{BEHIND}x{html}")
    root = tree(f"{BEHIND}x{html}")
    assert all(link.url.startswith(("http://", "https://")) for link in read.links)
    assert read.body_tokens[:1] == ("x",) or read.body_tokens[0].startswith("x")
    for element in root.iter():
        assert not isinstance(element.tag, str) or not element.tag.startswith("{")
        assert not any(key.startswith("{") for key in element.attrib)
    written = etree.tostring(root, encoding="unicode")
    assert not any(sign < " " and sign not in "\t\n\r" for sign in written)
    assert etree.fromstring(written.encode(), etree.XMLParser(recover=True, huge_tree=True)) is not None


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(SCRAPS, max_size=40).map("".join))
def test_the_walk_calls_no_page_sound_whose_entries_nest(html: str) -> None:
    root = libxml2_tree("<html>" + html.encode("utf-8", "replace").decode())
    numbers: dict[etree._Element | None, int] = {
        element: number for number, element in enumerate(root.iter(etree.Element))
    }
    parents = [numbers.get(element.getparent(), -1) for element in root.iter(etree.Element)]
    if is_damaged(root) and not goes_on(root):
        body = next(root.iterchildren("body"), None)
        beside = body is not None and (body.tail or "").strip()
        assert beside or may_be_damaged([str(element.tag) for element in root.iter(etree.Element)], parents)


BOMBS = {
    "open formatting": "<p>" + "".join(f"<b a{n}>" for n in range(400)) + "</p>" + "<p>x</p>" * 50_000,
    "formatting with a sign in quotes": "".join(f'<b a=\'"\' c=">{n}">' for n in range(400)) + "<p>x</p>" * 50_000,
    "formatting in capitals": "".join(f"<FONT COLOR={n}>" for n in range(5000)) + "<P>x" * 50_000,
    "attributes of roots": "".join(f"<html a{n}=1>" for n in range(20_000)),
    "attributes of bodies": "".join(f"<body/a{n}=1>" for n in range(20_000)),
    "deep": "<div>" * 200_000,
    "deep links": "<a href=x><div>" * 50_000,
    "tables": "<table><tr><td>" * 50_000,
    "text between rows": "<table>" + "x<tr>" * 100_000,
    "one attribute": f"<p title='{'x' * 5_000_000}'>y",
    "attributes": "<p " + " ".join(f"a{n}" for n in range(200_000)) + ">y",
    "zeros": "\x00<p>\x01" * 200_000,
    "selects": "<select><option>" * 50_000,
    "ends": "<div>" * 500 + "</p></b></x>" * 100_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_behind_the_end_are_harmless(name: str) -> None:
    began = time.process_time()
    root = tree(f"{BEHIND}y{BOMBS[name]}")
    assert "y" in "".join(root.itertext())[:10]
    assert page(f"{BEHIND}y{BOMBS[name]}").body_tokens[0].startswith("y")
    assert time.process_time() - began < 20


def test_what_would_fill_the_memory_is_refused_and_still_read() -> None:
    bomb = f"{BEHIND}<p>start</p>{BOMBS['open formatting']}<p>end</p>"
    assert browser_tree(bomb.encode()) is None
    words = shown_words(tree(bomb))
    assert words[0] == "start"
    assert words[-1] == "end"
