"""A paper's lines -> its body: the running text without its references, words that were divided whole again, headings on lines of their own."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from trailmark.datatypes import TextLine
from trailmark.read.document_text import joined_words, known_words
from trailmark.tag.page_lines import PageLine
from trailmark.tag.references import Reference

MOST_TEXT = 400_000
"""Letters of a body."""
HEADING = 10
"""Words of a heading, at most."""


def body_text(lines: Sequence[PageLine], references: Sequence[Reference]) -> str:
    """The lines of a document (`page_lines`) and its references -> paragraphs, one a line, as far as headings part them; for contexts of citations and for search."""
    listed = {id(line.line) for reference in references for line in reference.lines}
    own = [line for line in lines if id(line.line) not in listed and line.line.words]
    known = known_words(line.line for line in own)
    usual = median([line.size for line in own] or [0.0])
    paragraphs: list[list[TextLine]] = [[]]
    for line in own:
        if _is_heading(line, usual):
            paragraphs += [[line.line], []]
        else:
            paragraphs[-1].append(line.line)
    texts = (" ".join(joined_words(paragraph, known)) for paragraph in paragraphs)
    return "\n".join(text for text in texts if text)[:MOST_TEXT]


def _is_heading(line: PageLine, usual: float) -> bool:
    """Whether a line stands out: bold or larger than most, and short."""
    return len(line.line.words) <= HEADING and (line.bold or line.size > usual * 1.12)
