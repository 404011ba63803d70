"""Whole pages: what is read of them, and that nothing can make reading raise."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.datatypes import Heading, Page, Response
from trailmark.read import parse_html, read_page
from trailmark.settings import ReadSettings

URL = "http://www.example.edu/"
HTML = (("Content-Type", "text/html"),)


def read(html: str | bytes, content_type: str = "text/html", **options: int | tuple[str, ...]) -> Page:
    body = html if isinstance(html, bytes) else html.encode()
    return read_page(Response(URL, 200, (("content-type", content_type),), body), ReadSettings(**options))  # type: ignore[arg-type]


def test_title_head_and_body_tokens() -> None:
    page = read(
        "<title>Ada &amp; Co</title><meta name=Keywords content='computing, engines'><meta name=other content=no>"
        "<script>var hidden</script><style>p {}</style><!-- comment --><p>Seen <noscript>too</noscript> caf&eacute;s<select><option>No</select>"
    )
    assert page.title == "Ada & Co"
    assert page.head_tokens == ("ada", "co", "computing", "engines")
    assert page.body_tokens == ("seen", "too", "cafés")


@pytest.mark.parametrize(("count", "expected"), [(0, 0), (10, 10), (100, 50), (-1, 50)])
def test_number_of_page_tokens(count: int, expected: int) -> None:
    assert len(read("<p>" + "word " * 50, page_tokens=count).body_tokens) == expected


def test_inline_elements_do_not_part_words_and_blocks_do() -> None:
    assert read("<b>A</b>da<br>Love<i>lace</i><table><td>one<td>two</table>").body_tokens == (
        "ada",
        "lovelace",
        "one",
        "two",
    )


def test_equal_bodies_have_equal_digests() -> None:
    assert (
        read("<p>x").content_hash
        == Response("http://other.test/", 200, body=b"<p>x").content_hash
        != read("<p>y").content_hash
    )


@pytest.mark.parametrize(
    ("html", "headings"),
    [
        ("<h1>Teaching</h1><h3>Other <a href=x>things</a></h3>", [("Teaching", 1, True), ("Other things", 3, False)]),
        ("<h2><img alt='Research interests'></h2>", [("Research interests", 2, True)]),
        ("<p><b>Publications:</b></p><p>text", [("Publications:", 7, True)]),
        ("text<br><strong>Courses</strong><br>more", [("Courses", 7, True)]),
        ("<font size=+2>Contact</font><hr>", [("Contact", 7, True)]),
        ("<font size=2>Contact</font><hr>", []),
        ("<span style='font-weight: bold'>Software</span><p>", [("Software", 7, True)]),
        ("<p><b>Name:</b> Ada</p>", []),
        ("<p>see <b>this</b> word</p>", []),
        ("<p><b><a href=x>Publications</a></b></p>", []),
        ("<ul><li><b><a href=x>Ada</a></b>", []),
        ("<dl><dt>Address<dd>Main street</dl>", [("Address", 7, True)]),
        ("<table><tr><td><b>Name</b><td>Ada</table>", []),
        ("<table><tr><td><b>Projects</b></table>", [("Projects", 7, True)]),
        ("<b>Papers<br>Talks<br></b>", [("Papers", 7, True), ("Talks", 7, True)]),
        ("<p><b>" + "very long " * 30 + "</b></p>", []),
        ("<p><b>***</b></p>", []),
        ("<h1><b>News</b></h1>", [("News", 1, True)]),
        ("<h4>Coursesque</h4>", [("Coursesque", 4, False)]),
    ],
)
def test_headings(html: str, headings: list[tuple[str, int, bool]]) -> None:
    assert read(html).headings == tuple(Heading(*heading) for heading in headings)


def test_known_headings_are_settable() -> None:
    page = read("<h1>Menu of the day</h1>", known_headings=("menu",))
    assert page.headings[0].known
    assert not read("<h1>Menu of the day</h1>", known_headings=()).headings[0].known


@pytest.mark.parametrize(
    ("body", "header", "kind"),
    [
        (b"%PDF-1.4 ...", "text/html", "application/pdf"),
        (b"%!PS-Adobe", "application/postscript", "application/postscript"),
        (b"\x89PNG\r\n", "", "image/png"),
        (b"GIF89a", "text/html", "image/gif"),
        (b"", "application/pdf", "application/pdf"),
        (b"", "text/html; charset=utf-8", "text/html"),
        (b"anything", "application/octet-stream", "application/octet-stream"),
        (b"<rss><channel/></rss>", "application/xml", "application/xml"),
    ],
)
def test_what_is_no_page_has_no_tokens(body: bytes, header: str, kind: str) -> None:
    page = read(body, header)
    assert page.content_type == kind
    assert page.content_hash
    assert (page.title, page.body_tokens, page.links, page.headings) == ("", (), (), ())


def test_plain_text_has_tokens_and_no_links() -> None:
    page = read("See <a href=x>this</a>: café", "text/plain; charset=utf-8")
    assert page.body_tokens == ("see", "a", "href", "x", "this", "a", "café")
    assert page.links == ()


def test_xhtml_with_an_encoding_declaration() -> None:
    page = read(
        '<?xml version="1.0" encoding="utf-16"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Text</p></body></html>',
        "application/xhtml+xml",
    )
    assert page.body_tokens == ("text",)


def test_entity_declarations_are_not_expanded() -> None:
    bomb = '<!DOCTYPE html [<!ENTITY a "boom"><!ENTITY b SYSTEM "file:///etc/passwd">]><html><p>&a;&b; end'
    tokens = read(bomb, page_tokens=-1).body_tokens
    assert "boom" not in tokens
    assert "root" not in " ".join(tokens)
    assert tokens[-1] == "end"


@pytest.mark.slow
@pytest.mark.parametrize("tag", ["div", "b", "table><tr><td", "ul><li", "a href=x", "font size=5", "blockquote"])
def test_endless_nesting_is_cut(tag: str) -> None:
    page = read(f"<p>start</p>{f'<{tag}>' * 100_000}deep")
    assert page.body_tokens[0] == "start"
    assert page.cuts  # links do not nest: of them it is the number that is cut
    assert all(link.tag_path.count("/") <= 256 for link in page.links)


def test_what_stands_after_a_nest_that_is_not_endless_is_read() -> None:
    page = read("<div>" * 300 + "<a href=x>deep</a>" + "</div>" * 300 + "<p>after <a href=y>y</a>")
    assert page.body_tokens == ("after", "y")
    assert [link.anchor for link in page.links] == ["y"]
    assert page.cuts == ("elements nested too deep were left out",)


@pytest.mark.slow
def test_unmatched_ends_in_deep_nests_do_not_take_forever() -> None:
    page = read("<b>" * 50_000 + "</i>" * 50_000)
    assert page.cuts


def test_large_pages_are_cut() -> None:
    page = read(b"<p>start</p>" + b"<p>word</p>" * 1000, max_bytes=1000)
    assert page.body_tokens[0] == "start"
    assert page.cuts == ("10,012 of 11,012 bytes were not read",)


@pytest.mark.slow
def test_a_page_of_ten_megabytes() -> None:
    page = read(b"<p>some words <a href=x>x</a>\n" * 370_000)
    assert len(page.links) == 5000
    assert len(page.cuts) == 2


def test_the_tree_is_the_same_page() -> None:
    root, charset, cuts = parse_html(
        "<p>caf\u00e9 <noframes><a href=x>y</a></noframes>".encode("latin-1"), "text/html; charset=utf-8"
    )
    assert root is not None
    assert "".join(root.itertext()) == "café y"
    assert [link.get("href") for link in root.iter("a")] == ["x"]
    assert (charset, cuts) == ("windows-1252", ())


@pytest.mark.parametrize("body", [b"", b"   ", b"\x00", b"<!-- only -->"])
def test_a_tree_of_nothing(body: bytes) -> None:
    root, _, cuts = parse_html(body, "")
    assert root is None or len(root) <= 2
    assert cuts == ()


def test_a_tree_of_an_endless_nest_says_what_was_cut() -> None:
    root, _, cuts = parse_html(b"<div>" * 100_000, "text/html")
    assert root is not None
    assert len(cuts) == 1


SCRAPS = st.sampled_from(
    ["<p>", "</p>", "<a href='x'>", "</a>", "<a href=", "<b>", "</b>", "<li>", "<table><tr><td>", "</table>", "<title>", "</title>", "<h1>", "</h1>",
     "<br>", "<script>", "</script>", "<!--", "-->", "<![CDATA[", "]]>", "&amp;", "&#1;", "&#xD800;", "&#0;", "&", "<", ">", "\x00", "\x01", "text", " ", "é",
     "<img alt='a'>", "<frameset>", "<base href='//x'>", "<meta http-equiv=refresh content='0;url=y'>", "<plaintext>", "<textarea>", "</body>", "<html>", "</html>", "<body class=b>", "<template>", "</template>", "<li><span>", "<o:p>",
     "<svg><title>t</title></svg>", "<font size=7>", "<dt>", "<dd>", "<noframes>", "</noframes>", "<select><option>", "<iframe src=z>", "<?xml?>", "<a href='\ud800'>"]
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.lists(SCRAPS, max_size=40).map("".join))
def test_scraps_of_markup_in_any_order(html: str) -> None:
    body = html.encode("utf-8", "surrogatepass")
    page = read_page(Response(URL, 200, HTML, body))
    for link in page.links:
        assert link.url.startswith(("http://", "https://"))
        assert "\x01" not in link.anchor
    for number, block in enumerate(page.repetition.blocks):
        assert 0 < block.coverage <= 1
        assert all(0 <= place < len(page.links) for place in block.links)
        assert all(page.links[place].block >= 0 for place in block.links), number
    parse_html(body, "")


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=600),
    st.sampled_from(["text/html", "", "text/html; charset=utf-16", "text/plain", "application/xhtml+xml"]),
)
def test_any_bytes(body: bytes, content_type: str) -> None:
    page = read_page(Response(URL, 200, (("Content-Type", content_type),), body))
    assert page.url == URL
    root, charset, _ = parse_html(body, content_type)
    assert charset
    assert root is None or root.tag is not None


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=200))
def test_a_page_cut_off_anywhere(end: int) -> None:
    whole = b"<html><head><title>T</title></head><body><ul><li><a href='x' title=\"y\">z</a></li></ul><p>caf\xc3\xa9 &eacute;</p></body></html>"
    assert read(whole[:end]).url == URL


@given(st.text(max_size=30))
def test_any_url_of_the_page(url: str) -> None:
    page = read_page(Response(url, 200, HTML, b"<a href='x'>x</a><a href='http://a.example/'>y</a>"))
    assert page.url == url
    assert "http://a.example/" in [link.url for link in page.links]
