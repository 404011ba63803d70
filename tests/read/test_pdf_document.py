"""PDFs: words with their fonts, lines in the order in which they are read, and files that no reader should trust."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.read.made_pdf import Piece, broken_pdfs, made_pdf
from trailmark.datatypes import Document, PlacedWord
from trailmark.errors import DocumentError
from trailmark.read.document_text import document_text, joined
from trailmark.read.page_layout import lines_in_order
from trailmark.read.pdf_document import read_pdf

LEFT, RIGHT = 54.0, 320.0


def texts(document: Document) -> list[str]:
    return [line.text for sheet in document.pages for line in sheet.lines]


def column(x: float, name: str, lines: int = 12) -> list[Piece]:
    return [Piece(x, 200 + 14 * number, f"{name} line {number} of a column of text") for number in range(lines)]


def test_a_word_has_its_font_size_and_place() -> None:
    document = read_pdf(made_pdf([[Piece(72, 90, "Large title", 20, bold=True), Piece(72, 130, "small text")]]))
    title, text = document.pages[0].lines
    assert [word.text for word in title.words] == ["Large", "title"]
    assert (title.words[0].size, title.words[0].bold, text.words[0].size, text.words[0].bold) == (20, True, 10, False)
    left, top, right, bottom = title.words[0].box
    assert left == pytest.approx(72, abs=1)
    assert top < 90 < bottom < top + 30
    assert left < right < title.words[1].box[0]


@pytest.mark.parametrize("rows", [False, True])
def test_two_columns_are_read_one_after_the_other(rows: bool) -> None:
    left, right = column(LEFT, "left"), column(RIGHT, "right")
    body = [piece for pair in zip(left, right, strict=True) for piece in pair] if rows else right + left
    title = Piece(100, 100, "A title that stands across both of the columns of this page", 14)
    footer = Piece(100, 700, "A line at the foot of the page that runs across both columns of it")
    read = texts(read_pdf(made_pdf([[footer, *body, title]])))
    assert read == [title.text, *(piece.text for piece in left), *(piece.text for piece in right), footer.text]


def test_one_column_stays_one_however_short_its_lines_are() -> None:
    pieces = [Piece(72, 100 + 14 * n, "word " * (14 if n % 3 else 3)) for n in range(20)]
    assert texts(read_pdf(made_pdf([pieces]))) == [piece.text.strip() for piece in pieces]


def test_a_word_divided_at_the_end_of_a_line_is_whole_in_the_text() -> None:
    pieces = [Piece(72, 100, "We study infor-"), Piece(72, 114, "mation and well-"), Piece(72, 128, "known, well-known X-"), Piece(72, 142, "Rays")]  # fmt: skip
    document = read_pdf(made_pdf([pieces]))
    assert document_text(document) == "We study information and well-known, well-known X-Rays"


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [("infor-", "mation", "information"), ("page", "two", ""), ("12-", "34", ""), ("-", "x", ""), ("Baum-", "Welch", "Baum-Welch")],
)  # fmt: skip
def test_what_is_joined(before: str, after: str, whole: str) -> None:
    assert joined(before, after) == whole


@pytest.mark.parametrize("name", sorted(broken_pdfs()))
def test_a_broken_file_gives_a_reason_or_its_text(name: str) -> None:
    reason = ""
    try:
        assert read_pdf(broken_pdfs()[name], name).words
    except DocumentError as error:
        reason = str(error)
    assert not reason or (reason.startswith(f"{name}: ") and reason.endswith("."))


def test_reasons_tell_what_is_wrong() -> None:
    reasons = {}
    for name in ("locked.pdf", "no_text.pdf", "cut_in_the_middle.pdf"):
        with pytest.raises(DocumentError) as raised:
            read_pdf(broken_pdfs()[name], name)
        reasons[name] = str(raised.value)
    assert "password" in reasons["locked.pdf"]
    assert "scan" in reasons["no_text.pdf"]
    assert "broken" in reasons["cut_in_the_middle.pdf"]


def test_pages_beyond_the_bound_are_cut_and_that_is_said() -> None:
    document = read_pdf(made_pdf([[Piece(72, 72, f"page {n}")] for n in range(5)]), most_pages=3)
    assert len(document.pages) == 3
    assert document.cuts == ("only the first 3 of 5 pages were read",)


GOOD = made_pdf([[Piece(72, 72, "Some words on a page"), Piece(72, 90, "and some more")]])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_changed_bytes_are_read_or_refused(data: st.DataObject) -> None:
    body = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 8))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(body)))
    try:
        document = read_pdf(bytes(body[:cut]), "x")
    except DocumentError:
        return
    assert document.words


PLACED = st.builds(
    lambda text, x, y, width, size: PlacedWord(text, (x, y, x + width, y + size), size),
    st.text("abc", min_size=1, max_size=5),
    *(st.floats(-50, 700, width=32) for _ in range(2)),
    st.floats(0, 200, width=32),
    st.floats(0, 40, width=32),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PLACED, max_size=60))
def test_no_word_is_lost_or_doubled_in_ordering(words: list[PlacedWord]) -> None:
    lines = lines_in_order(words, 612.0)
    key = [word for line in lines for word in line.words]
    assert sorted(key, key=repr) == sorted(words, key=repr)
    assert lines == lines_in_order(words, 612.0)
