"""Links: order, surroundings, place, kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Link, Page, Response
from trailmark.read import read_page, tokens
from trailmark.settings import ReadSettings

URL = "http://www.cs.example.edu/dept/page.html"


def page_of(html: str, settings: ReadSettings | None = None) -> Page:
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return read_page(Response(URL, 200, headers, html.encode()), settings or ReadSettings())


def link_of(html: str) -> Link:
    (link,) = page_of(html).links
    return link


def test_links_come_in_document_order_and_twice_if_they_stand_twice() -> None:
    page = page_of(
        '<a href="b">1</a><a href="a">2</a><map><area href="c" alt="3"></map><a href="b">4</a><iframe src="d"></iframe>'
    )
    assert [(link.url.rsplit("/")[-1], link.anchor, link.kind) for link in page.links] == [
        ("b", "1", "a"), ("a", "2", "a"), ("c", "3", "area"), ("b", "4", "a"), ("d", "", "frame"),
    ]  # fmt: skip


def test_frames_and_what_stands_in_noframes() -> None:
    page = page_of(
        '<frameset><frame src="menu.html" name="menu"></frameset><noframes><a href="plain.html">Plain</a></noframes>'
    )
    assert [(link.kind, link.anchor) for link in page.links] == [("frame", "menu"), ("a", "Plain")]


def test_meta_refresh_is_a_frame() -> None:
    assert (
        link_of('<meta http-equiv="Refresh" content="0; URL=\'new.html\'">').url
        == "http://www.cs.example.edu/dept/new.html"
    )


def test_base_is_honoured_and_a_broken_one_ignored() -> None:
    assert link_of('<base href="/other/"><a href="x">x</a>').url == "http://www.cs.example.edu/other/x"
    assert link_of('<base href="javascript:1"><a href="x">x</a>').url == "http://www.cs.example.edu/dept/x"


def test_what_is_no_page_is_left_out_but_stays_in_the_text() -> None:
    page = page_of(
        '<a href="mailto:a@b.c">Mail</a> <a href="javascript:x()">Do</a> <a name="here">Here</a> <a href="tel:1">Call</a>'
    )
    assert page.links == ()
    assert page.body_tokens == ("mail", "do", "here", "call")


@pytest.mark.parametrize(
    ("html", "anchor"),
    [
        ('<a href="x">  My \n <b>home</b>page </a>', "My homepage"),
        ('<a href="x"><img alt="Faculty  list"></a>', "Faculty list"),
        ('<a href="x" title="The people"><img></a>', "The people"),
        ('<a href="x" title="t"><img alt="one"><img alt="two"></a>', "one two"),
        ('<a href="x" title="t">text<img alt="alt"></a>', "text"),
        ('<a href="x"></a>', ""),
        ('<a href="x">caf&eacute; &amp; bar</a>', "café & bar"),
        ('<a href="x">a&#1;b</a>', "ab"),
    ],
)
def test_anchor(html: str, anchor: str) -> None:
    assert link_of(html).anchor == anchor


def test_windows_cross_elements_and_leave_the_anchor_out() -> None:
    html = "<p>one two <b>three</b></p><ul><li>four <a href=x>the anchor</a>, five</li><li>six</li></ul><p>seven"
    link = link_of(html)
    assert link.before == ("one", "two", "three", "four")
    assert link.after == ("five", "six", "seven")


def test_windows_hold_other_anchors_and_are_cut() -> None:
    words = " ".join(f"w{n}" for n in range(30))
    page = page_of(f"{words} <a href=x>A</a> <a href=y>B</a> {words}", ReadSettings(window=3))
    first, second = page.links
    assert (first.before, first.after) == (("w27", "w28", "w29"), ("b", "w0", "w1"))
    assert (second.before, second.after) == (("w28", "w29", "a"), ("w0", "w1", "w2"))


def test_forged_signs_do_not_move_windows() -> None:
    page = page_of("<p>&#1; one &#2; &#3;<a href=x>A</a> two \x01 \x02 \x03 three <a href=y>B</a> four")
    assert [(link.before[-1], link.after[0]) for link in page.links] == [("one", "two"), ("three", "four")]


def test_an_unclosed_link_ends_where_the_next_begins() -> None:
    page = page_of('<a href="x">one <a href="y">two')
    assert [(link.anchor, link.after) for link in page.links] == [("one", ("two",)), ("two", ())]


def test_heading_above_path_and_rel() -> None:
    html = "<h2>People</h2><ul><li><a rel='NoFollow me' href=x>Ada</a></ul><h2>Courses</h2><a href=y>CS 1</a>"
    first, second = page_of(f"<body>{html}").links
    assert (first.heading, first.tag_path, first.rel) == ("People", "html/body/ul/li/a", ("nofollow", "me"))
    assert (second.heading, second.tag_path, second.rel) == ("Courses", "html/body/a", ())


@pytest.mark.parametrize(
    ("html", "headings"),
    [
        ("<h2>Staff</h2>" + "<h4><a href=x>Ada</a></h4>" * 3, ["Staff"] * 3),
        ("<h2>Staff</h2><h4><a href=x>Ada</a></h4><p><a href=y>page</a>", ["Staff", "Ada"]),
        ("<h1>School</h1><h2>Staff</h2><h4>Ada</h4><h2><a href=x>Courses</a></h2>", ["School"]),
        ("<h4>Ada</h4><h4><a href=x>Alan</a></h4>", [""]),
        ("<h2>Staff</h2>" + "<h4><a href=x><img></a></h4>" * 2, ["Staff"] * 2),
        ("<h2>Staff</h2>" + "<p><b><a href=x>Ada</a>, professor</b></p>" * 3, ["Staff"] * 3),
        ("<p><b>Staff</b></p>" + "<p><b><a href=x>Ada</a></b></p>" * 2, ["Staff"] * 2),
        ("<h2>Staff</h2><p><b>New</b></p><p><a href=x>Ada</a>", ["New"]),
    ],
)
def test_a_link_in_a_heading_stands_under_the_one_of_a_higher_level(html: str, headings: list[str]) -> None:
    assert [link.heading for link in page_of(html).links] == headings


def test_a_frame_inside_a_link_comes_behind_it() -> None:
    first, second = page_of("<a href=x>one <iframe src=y></iframe>two</a> three").links
    assert (first.anchor, first.after) == ("one two", ("three",))
    assert (second.kind, second.before, second.after) == ("frame", ("one", "two"), ("three",))


@given(
    st.integers(min_value=0, max_value=3),
    st.integers(min_value=0, max_value=60),
    st.integers(min_value=-1, max_value=5),
)
def test_windows_do_not_depend_on_what_is_kept_of_the_page(window: int, between: int, wanted: int) -> None:
    """Long texts between links are not tokenised whole where nobody looks at their middle."""
    text = " ".join(f"w{number} -" for number in range(between))
    html = f"<a href=x>x</a> {text} <a href=y>y</a> {text} end"
    short = page_of(html, ReadSettings(window=window, page_tokens=wanted))
    whole = page_of(html, ReadSettings(window=window, page_tokens=-1))
    assert short.links == whole.links
    assert short.body_tokens == (whole.body_tokens if wanted < 0 else whole.body_tokens[:wanted])


@pytest.mark.parametrize(
    ("html", "place"),
    [
        ("<p>{}</p>", "text"),
        ("<ul><li>{}</ul>", "list"),
        ("<dl><dt>x<dd>{}</dl>", "list"),
        ("<table><tr><td>{}</table>", "table"),
        ("<table><tr><td><ul><li>{}</ul></table>", "list"),
        ("<h2>{}</h2>", "heading"),
        ("<nav><ul><li>{}</ul></nav>", "navigation"),
        ("<div class='left-menu'><ul><li>{}</ul></div>", "navigation"),
        ("<table><tr><td id=navbar>{}</table>", "navigation"),
        ("<div role=navigation>{}</div>", "navigation"),
        ("<div class='unavailable'>{}</div>", "text"),
    ],
)
def test_place(html: str, place: str) -> None:
    assert link_of(html.format("<a href=x>x</a>")).place == place


def test_links_made_without_the_initialiser_are_links_all_the_same() -> None:
    link = link_of("<a href=x>x</a>")
    assert type(link) is Link
    assert link == Link("http://www.cs.example.edu/dept/x", "x", tag_path="html/body/a")
    assert hash(link) == hash(Link("http://www.cs.example.edu/dept/x", "x", tag_path="html/body/a"))
    with pytest.raises(AttributeError):
        link.url = "y"  # type: ignore[misc]


def test_too_many_links_are_cut_and_the_page_says_so() -> None:
    page = page_of("<a href=x>x</a>" * 10, ReadSettings(max_links=3))
    assert len(page.links) == 3
    assert page.cuts == ("links after the first 3 were left out",)


WORD = st.text(alphabet="abcdefgh", min_size=1, max_size=6)
PARTS = st.lists(
    st.tuples(st.sampled_from(["text", "link", "item"]), st.lists(WORD, min_size=1, max_size=4)), max_size=12
)


@pytest.mark.slow
@given(PARTS, st.integers(min_value=0, max_value=12))
def test_window_laws(parts: list[tuple[str, list[str]]], window: int) -> None:
    """Before, anchor and after are slices of the page's tokens, and stand side by side."""
    shapes = {"text": "<p>{}</p>", "link": " <a href=x>{}</a> ", "item": "<li>{}"}
    page = page_of(
        "".join(shapes[kind].format(" ".join(words)) for kind, words in parts),
        ReadSettings(window=window, page_tokens=-1),
    )
    every = page.body_tokens
    assert list(every) == [word for _, words in parts for word in words]
    links = iter(page.links)
    position = 0
    for kind, words in parts:
        if kind == "link":
            link = next(links)
            assert tokens(link.anchor) == words
            assert link.before == every[max(0, position - window) : position]
            assert link.after == every[position + len(words) : position + len(words) + window]
        position += len(words)
    assert next(links, None) is None


def test_a_long_base_is_not_repeated_by_every_link() -> None:
    base = "http://h.test/" + "a" * 100_000 + "/"
    body = f"<base href='{base}'>" + "".join(f"<a href='{number}'>x</a>" for number in range(50))
    page = read_page(Response("http://h.test/p", 200, (("Content-Type", "text/html"),), body.encode()))
    assert [link.url for link in page.links[:2]] == ["http://h.test/0", "http://h.test/1"]


def test_long_names_of_elements_do_not_pile_up() -> None:
    body = f"<x{'a' * 20_000}>" * 50 + "<a href=x>y</a>"
    page = read_page(Response("http://h.test/p", 200, (("Content-Type", "text/html"),), body.encode()))
    assert all(len(link.tag_path) < 60 * 50 for link in page.links)
    assert len(page.links) == 1


def test_images_without_number_say_so_much_and_no_more() -> None:
    body = "<a href=x>" + "<img alt='some words'>" * 20_000 + "</a><a href=y title='" + "t" * 9000 + "'></a>"
    page = read_page(Response("http://h.test/p", 200, (("Content-Type", "text/html"),), body.encode()))
    assert [len(link.anchor) for link in page.links] == [500, 500]
    assert page.links[0].anchor.startswith("some words some words")
