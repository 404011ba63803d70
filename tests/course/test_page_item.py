"""Items of a course page: every link once, and what stands around it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile_text import HOSTILE
from trailmark.course.page_item import LONGEST, ItemPage, PageItem, item_page, target
from trailmark.course.page_line import MOST_LINKS
from trailmark.datatypes import Response

HOME = "http://cs.example.edu/courses/101/"


def page(body: str) -> ItemPage:
    return item_page(
        Response(HOME, 200, (("Content-Type", "text/html; charset=utf-8"),), body.encode("utf-8", "replace"))
    )


def only(body: str) -> PageItem:
    (item,) = page(body).items
    return item


def test_a_target_is_an_item_once_where_it_stands_first_and_its_fragment_counts() -> None:
    found = page(
        '<a href="a.html">A</a> <a href="a.html#x">AX</a> <a href="a.html">again</a><map><area href="b.ps" alt="B"></map>'
    )
    assert [(item.url, item.text) for item in found.items] == [
        (f"{HOME}a.html", "A"),
        (f"{HOME}a.html#x", "AX"),
        (f"{HOME}b.ps", "B"),
    ]


def test_addresses_that_are_no_pages_are_items_and_scripts_are_not() -> None:
    found = page(
        '<a href="mailto:a@b.edu">A</a><a href="news:cs.101">N</a><a href="javascript:x()">J</a><a href="#">top</a><a name="x">no</a>'
    )
    assert [item.url for item in found.items] == ["mailto:a@b.edu", "news:cs.101", HOME]


def test_the_address_of_a_base_element_counts() -> None:
    assert only('<base href="/other/"><a href="x.ps">X</a>').url == "http://cs.example.edu/other/x.ps"


def test_an_image_speaks_for_its_link() -> None:
    assert only('<a href="x.ps"><img src="p/icon.gif" alt="Slides"></a>').text == "Slides"
    item = only('<a href="x.ps"><img src="p/icon.gif"></a>')
    assert (item.text, item.is_image) == ("icon.gif", True)
    assert only('<a href="x" title="Readings"></a>').text == "Readings"


@pytest.mark.parametrize(
    "body",
    [
        "<h2>Homework</h2><p>Take <a href=x>one</a>.",
        "<p><b>Homework</b><br><a href=x>one</a>",
        "<font size=+2>Homework</font><p><a href=x>one</a>",
        "<dl><dt>Homework<dd><a href=x>one</a></dl>",
        "<ul><li>Homework<ul><li><a href=x>one</a></ul></ul>",
        "<p>Homework:</p><p><a href=x>one</a>",
    ],
)
def test_whatever_looks_like_a_heading_is_one(body: str) -> None:
    assert only(body).headings[0].rstrip(":") == "Homework"


def test_the_nearest_heading_comes_first_and_ends_with_its_section() -> None:
    found = page("<h1>CS 101</h1><h2>Homework</h2><a href=a>1</a><h2>Exams</h2><a href=b>2</a>")
    assert [item.headings for item in found.items] == [("Homework", "CS 101"), ("Exams", "CS 101")]


def test_words_before_a_nested_list_hold_for_that_list_alone() -> None:
    found = page("<ul><li>Homework<ul><li><a href=a>1</a></ul><li><a href=b>Staff</a></ul>")
    assert [item.headings for item in found.items] == [("Homework",), ()]


def test_a_bold_link_heads_nothing() -> None:
    found = page("<h2>Homework</h2><p><b><a href=a>One</a></b><br><a href=b>Two</a>")
    assert [item.headings for item in found.items] == [("Homework",), ("Homework",)]


def test_heads_of_columns_and_rows() -> None:
    found = page(
        "<table><tr><th>Week<th>Slides<th colspan=2>Homework</tr>"
        "<tr><td>1<td><a href=a>A</a><td><a href=b>B</a><td><a href=c>C</a></tr></table>"
    )
    assert [(item.column, item.row) for item in found.items] == [("Slides", "1"), ("Homework", "1"), ("Homework", "1")]


def test_the_words_of_the_line() -> None:
    first, second = page("<p>Homeworks: <a href=1>1</a>, then <a href=2>2</a> (due)</p>").items
    assert (first.lead, first.before, first.after) == ("Homeworks:", "Homeworks:", ", then")
    assert (second.lead, second.before, second.after, second.thing, second.mates) == (
        "Homeworks:",
        ", then",
        "(due)",
        "1",
        2,
    )


def test_a_link_to_a_section_knows_what_stands_there() -> None:
    assert only('<a href="#hw">see below</a><h2><a name="hw">Homework</a></h2>').section == "Homework"


def test_lines_of_written_text_and_frames() -> None:
    found = page('<frameset><frame src="menu.html"><frame src="/top.html"></frameset>')
    assert found.frames == (f"{HOME}menu.html", "http://cs.example.edu/top.html")
    items = page("<pre>Homework: <a href=a>A</a>\nExams: <a href=b>B</a></pre>").items
    assert [item.lead for item in items] == ["Homework:", "Exams:"]


@pytest.mark.parametrize("href", ["http://[", "javascript:alert(1)", "data:text/html,x", "x" * 5000])
def test_broken_addresses_lead_nowhere(href: str) -> None:
    assert target(href, HOME) is None


@given(
    st.lists(
        st.one_of(
            HOSTILE,
            st.sampled_from(["<a href=x>", "</a>", "<table>", "<td colspan=999>", "<li>", "<dt>", "<b>", "<h1>"]),
        ),
        max_size=30,
    )
)
def test_no_page_raises_and_every_text_is_bounded(pieces: list[str]) -> None:
    for item in page("".join(pieces)).items:
        assert (
            max(map(len, (item.text, item.lead, item.after, item.column, item.row, *item.headings)), default=0)
            <= LONGEST
        )


def test_a_page_of_too_many_links_is_cut() -> None:
    assert len(page("".join(f"<a href={number}>x</a>" for number in range(MOST_LINKS + 10))).items) == MOST_LINKS


def test_nested_without_end() -> None:
    for opening in ("<ul><li>" * 3000, "<table><tr><td>" * 500):
        assert len(page(opening + "<a href=x>x</a>").items) <= 1
    assert len(page("<ul><li>" * 20 + "<a href=x>x</a>").items) == 1
