"""HTML and plain text as documents, packed files, and what kind of document some bytes are."""

from __future__ import annotations

import contextlib
import gzip
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.errors import DocumentError
from trailmark.read.document_kind import document_kind, is_document_name
from trailmark.read.html_document import read_html, read_text
from trailmark.read.unpacked import unpacked

PAGE = b"""<html><head><title>A page</title><style>p {}</style></head><body class="has-sidebar">
<nav><a href=/>Home</a></nav><ul id=menu><li><a href=1>One</a><li><a href=2>Two</a></ul>
<header><p>The name of the site</p></header>
<h1>On <i>Things</i></h1><p>Some text with <b>bold</b> words and <a href=x>a link</a>.</p>
<p><a href=1>Next</a> <a href=2>Previous</a></p><script>var x;</script><footer>Imprint</footer></body></html>"""


def test_the_main_text_of_a_page_has_no_navigation() -> None:
    document = read_html(PAGE, "http://a.example/")
    heading, text = document.pages[0].lines
    assert (heading.text, text.text) == ("On Things", "Some text with bold words and a link .")
    assert heading.words[0].size > text.words[0].size
    assert [word.text for word in text.words if word.bold] == ["bold"]
    assert document.title == "A page"


def test_an_article_is_read_alone_with_its_own_header() -> None:
    article = b"<article><header><h1>Title</h1></header>" + b"<p>word word word word word</p>" * 50 + b"</article>"
    document = read_html(b"<body><p>Outside of it</p>" + article + b"Behind it</body>")
    lines = document.pages[0].lines
    assert lines[0].text == "Title"
    assert len(lines) == 51


def test_a_page_nested_without_end_is_read() -> None:
    assert read_html(b"<div>" * 50_000 + b"deep text" + b"</div>" * 50_000).words <= 2


@pytest.mark.parametrize("body", [b"", b"<html></html>", b"<p> </p>"])
def test_a_page_without_text_says_so(body: bytes) -> None:
    with pytest.raises(DocumentError, match="no text"):
        read_html(body, "http://a.example/")


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300) | st.text("<>/pahb1 div=", max_size=300).map(str.encode))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    for read in (read_html, read_text):
        with contextlib.suppress(DocumentError):
            assert read(body, "x").words


def test_a_form_feed_begins_a_new_sheet() -> None:
    document = read_text(b"One\ntwo words\n\fthree")
    assert [[line.text for line in sheet.lines] for sheet in document.pages] == [["One", "two words"], ["three"]]


@pytest.mark.parametrize(
    ("body", "content_type", "name", "kind"),
    [
        (b"%PDF-1.4", "text/html", "a.html", "pdf"),
        (b"\n\n%PDF-1.4", "", "", "pdf"),
        (b"%!PS-Adobe-2.0", "", "", "postscript"),
        (b"\x04%!PS", "", "", "postscript"),
        (b"\x1f\x8b\x08", "application/postscript", "a.ps.gz", "packed"),
        (b"\x1f\x9d\x90", "", "a.ps.Z", "packed"),
        (b"<p>", "text/html; charset=utf-8", "", "html"),
        (b"words", "", "a.txt", "text"),
        (b"PK", "application/zip", "a.pdf", ""),
        (b"", "", "", ""),
    ],
)
def test_the_kind_of_a_document(body: bytes, content_type: str, name: str, kind: str) -> None:
    assert document_kind(body, content_type, name) == kind


def test_names_of_documents() -> None:
    assert all(map(is_document_name, ("a.pdf", "A.PS", "x/b.ps.gz", "c.ps.Z", "d.PDF.gz")))
    assert not any(map(is_document_name, ("a.html", "pdf", "a.pdf.exe", "a.zip")))


def compressed(body: bytes, bits: int = 16, clear_after: int = 0) -> bytes:
    """What Unix `compress` would write; it clears its table when it pleases, here after so many codes, or never."""
    table, limit = {bytes((value,)): value for value in range(256)}, 1 << bits
    width, free = 9, 257
    out, group = bytearray(), list[int]()

    def flush() -> None:
        packed = 0
        for number, code in enumerate(group):
            packed |= code << (number * width)
        out.extend(packed.to_bytes(width if len(group) == 8 else -(-len(group) * width // 8), "little"))
        group.clear()

    def write(code: int) -> None:
        group.append(code)
        if len(group) == 8:
            flush()

    prefix, codes = b"", 0
    for value in body:
        letter = bytes((value,))
        if prefix + letter in table:
            prefix += letter
            continue
        write(table[prefix])
        codes += 1
        if clear_after and codes >= clear_after:
            write(256)
            if group:
                group.extend([0] * (8 - len(group)))
                flush()
            table, width, free, codes = {bytes((value,)): value for value in range(256)}, 9, 257, 0
            prefix = letter
            continue
        if free < limit:
            table[prefix + letter] = free
            free += 1
            if free > 1 << width and width < bits:
                if group:
                    group.extend([0] * (8 - len(group)))
                    flush()
                width += 1
        prefix = letter
    if prefix:
        write(table[prefix])
    if group:
        flush()
    return b"\x1f\x9d" + bytes((0x80 | bits,)) + bytes(out)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=40).map(lambda parts: b"".join(parts) + b"".join(parts[::2]) * 9))
def test_what_compress_packed_comes_back(body: bytes) -> None:
    assert unpacked(compressed(body), "x", most=1_000_000) == body
    assert unpacked(compressed(body, bits=9), "x", most=1_000_000) == body
    assert unpacked(compressed(body, clear_after=7), "x", most=1_000_000) == body


@pytest.mark.parametrize(("bits", "clear_after"), [(16, 0), (12, 0), (16, 700), (16, 5000), (10, 1000)])
def test_long_codes_come_back_too_and_another_program_agrees(tmp_path: Path, bits: int, clear_after: int) -> None:
    body = b"".join(b"%d %d;" % (number, number * number) for number in range(9000))
    packed = compressed(body, bits, clear_after)
    assert unpacked(packed, "x", most=1_000_000) == body
    if shutil.which("gzip"):
        (tmp_path / "x.Z").write_bytes(packed)
        told = subprocess.run(["gzip", "-dc", tmp_path / "x.Z"], capture_output=True, check=True)
        assert told.stdout == body


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.sampled_from((b"\x1f\x8b", b"\x1f\x9d\x90", b"\x1f\x9d\x8c")))
def test_broken_packed_files_are_refused_or_bounded(body: bytes, magic: bytes) -> None:
    with contextlib.suppress(DocumentError):
        assert len(unpacked(magic + body, "x", most=5000)) <= 5000


def test_what_unpacks_to_too_much_is_refused() -> None:
    for packed in (gzip.compress(b" " * 10_000_000), compressed(b" " * 100_000)):
        with pytest.raises(DocumentError, match="more than 10,000 bytes"):
            unpacked(packed, "x", most=10_000)
    with pytest.raises(DocumentError, match="too early"):
        unpacked(gzip.compress(b"text" * 100)[:-12], "x", most=10_000)
