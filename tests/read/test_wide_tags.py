"""Tags with thousands of attributes: the page is read all the same, in time that grows with its length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from trailmark.read import parse_html
from trailmark.read import wide_tags as module
from trailmark.read.tree import html_parser
from trailmark.read.wide_tags import WIDEST, widest_tag, without_wide_tags

PAGE = "<title>T</title><p>before</p><p {}>within</p><h1>after</h1>"
UTF_8 = "text/html; charset=utf-8"


def page(attribute: str, number: int) -> bytes:
    return PAGE.format(" ".join(attribute.format(n=n) for n in range(number))).encode()


@pytest.mark.slow
@pytest.mark.parametrize("attribute", ["a{n}", "a{n}=b", "a{n}='b c'", 'a{n}="/"', "a{n}=%", "a{n} = '\"'", "a{n}=''"])
def test_the_first_attributes_and_the_rest_of_the_page_are_read(attribute: str) -> None:
    root, _, cuts = parse_html(page(attribute, 60_000), UTF_8)
    assert root is not None
    assert cuts == (f"of a tag's attributes only the first {WIDEST} were read",)
    wide = root.findall(".//p")[1]
    assert list(wide.attrib) == [f"a{n}" for n in range(WIDEST)]
    assert (wide.text, root.findtext(".//h1")) == ("within", "after")


@pytest.mark.parametrize("number", [0, 1, WIDEST])
def test_what_is_not_too_wide_is_left_as_it_is(number: int) -> None:
    body = page("a{n}='b'", number)
    assert without_wide_tags(body, html_parser) == (body, False)


def test_what_only_looks_wide_is_left_as_it_is() -> None:
    script = b"<script>if (a<b) " + b"x = 'y' ; " * 2000 + b"</script><p>after</p>"
    assert without_wide_tags(script, html_parser) == (script, False)


def test_a_wide_tag_that_hides_in_a_large_page_costs_the_page_and_no_time() -> None:
    root, _, cuts = parse_html(page("a{n}='>'", 80_000), UTF_8)
    assert (root, cuts) == (None, ("a tag is too wide",))


def test_an_ordinary_page_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(*_: object) -> int:
        raise AssertionError("counting takes nearly as long as parsing")

    monkeypatch.setattr(module, "widest_tag", counted)
    body = b"<p class='a' title=\"b > c\">text <a href='/d'>e</a></p>" * 5_000 + b"<script>" + b"a = b; " * 9_000
    assert without_wide_tags(body, html_parser) == (body, False)


PIECES = st.sampled_from(
    ["<p ", "<b", ">", "'", '"', "=", " ", "/", "x", "a='b' ", "c ", "<!--", "-->", "<script>", "</script>"]
)


@pytest.mark.slow
@given(st.lists(st.one_of(PIECES, st.integers(1, 700)), max_size=12))
def test_no_tag_is_wider_than_the_widest_unless_its_length_is_hidden(pieces: list[str | int]) -> None:
    """Numbers stand for so many attributes."""
    text = "".join(each if isinstance(each, str) else " ".join(f"a{n}" for n in range(each)) for each in pieces)
    narrow, dropped = without_wide_tags(text.encode(), html_parser)
    if narrow is not None and b">" not in narrow[:-1]:
        assert widest_tag(narrow, html_parser) <= WIDEST
    if not dropped:
        assert narrow == text.encode()
    elif narrow is not None:
        before, after = (etree.fromstring(each, html_parser()) for each in (text.encode(), narrow))
        assert [each.tag for each in before.iter()] == [each.tag for each in after.iter()]
