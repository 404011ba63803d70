"""The body of a paper."""

from __future__ import annotations

from trailmark.datatypes import Document, PlacedWord, Sheet, TextLine
from trailmark.tag.body_text import body_text
from trailmark.tag.paper import find_paper


def line(text: str, *, bold: bool = False, size: float = 10.0) -> TextLine:
    return TextLine(tuple(PlacedWord(word, size=size, bold=bold) for word in text.split()))


PAPER = Document(
    "http://a.test/x.pdf",
    "text",
    (
        Sheet((line("Trees of graphs", size=16), line("Abstract"), line("Graphs are bal-"))),
        Sheet(
            (
                line("anced by trees [1]."),
                line("1 Introduction", bold=True),
                line("They were known [2]."),
                line("References"),
                line("[1] A. Novak. Trees that are balanced. 1999."),
                line("[2] B. Jansen. Graphs that are not. 1998."),
            )
        ),
    ),
)


def test_the_body_has_whole_words_headings_of_their_own_and_no_references() -> None:
    paper = find_paper(PAPER)
    assert body_text(paper.lines, paper.references) == (
        "Trees of graphs\nAbstract Graphs are balanced by trees [1].\n1 Introduction\nThey were known [2]. References"
    )


def test_an_empty_document_has_no_body() -> None:
    assert body_text([], []) == ""
