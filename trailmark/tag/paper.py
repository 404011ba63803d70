"""Is a document a paper, and where in it are header and references?

The test of McCallum et al. (2000, section 2) asks for an abstract or an introduction, and for references. Departures: a heading must stand alone on
its line or open it as headings do; the references must fall apart into some that look like references; and where a heading is missing,
citations in the text and numbered sections speak for it. The header ends where the first section begins or the first page ends (section 4.3).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.datatypes import Document
from trailmark.tag.page_lines import PageLine, body_size, page_lines
from trailmark.tag.references import REFERENCES, Reference, find_references

_NUMBER = r"(?:(?:section\s+)?(?:\d{1,2}|[ivx]{1,4}|[a-z])\s*[.:)]?\s+|\W{0,3})"
_ABSTRACT = re.compile(
    rf"{_NUMBER}(?:abstract|a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|extended abstract|executive summary|summary)\s*[.:]?",
    re.IGNORECASE,
)
_ABSTRACT_OPENS = re.compile(r"(?:abstract|ABSTRACT|Abstract|summary|Summary)\s?(?:[.:—–-]|\s[A-Z])")
_INTRODUCTION = re.compile(
    rf"{_NUMBER}(?:general\s+)?(?:introduction|i\s?n\s?t\s?r\s?o\s?d\s?u\s?c\s?t\s?i\s?o\s?n|background|motivation|overview)"
    r"(?:\s+and\s+\w+|\s+to\s+.{1,40})?\s*[.:]?",
    re.IGNORECASE,
)
_FIRST_SECTION = re.compile(r"(?:1|I)\s*[.:)]?\s+[A-Z][A-Za-z]")
_SECTION = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})?[.:)]?|[IVX]{1,4}\.)\s+[A-Z][A-Za-z]")
_CITATION = re.compile(r"\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]|\((?:[A-Z][^()]{2,60},?\s)?(?:1[89]|20)\d\d[a-z]?\)")
OPENING_PAGES = 4
"""Sheets at the beginning among which abstract and introduction stand: covers and contents come before them."""
LONGEST_HEADING = 9
"""Words."""
LEAST_REFERENCES = 2
MANY_REFERENCES = 5
"""From which a document that cites, or has numbered sections, needs no heading at its beginning."""
ENOUGH = 3
"""Marks that make a paper; see `_marks`."""
MOST_HEADER = 120
"""Lines of a header, where no page ends it."""


@dataclass(frozen=True, slots=True)
class Paper:
    """What was found in a document that may be a paper."""

    is_paper: bool
    reasons: tuple[str, ...]
    """The marks of a paper that it bears."""
    header: tuple[PageLine, ...]
    references: tuple[Reference, ...]
    body_size: float
    lines: tuple[PageLine, ...] = ()
    """All of the document's, without what is repeated at the edges of its sheets."""


def find_paper(document: Document) -> Paper:
    """A document -> whether it is a paper, its header and its references."""
    lines = page_lines(document)
    references = find_references(lines, has_layout=document.kind not in ("html", "text"))
    marks = _marks(lines, references)
    opening = "abstract" in marks or "introduction" in marks
    cited = len(references) >= LEAST_REFERENCES
    # References alone are a list of publications, an opening alone is a manual.
    many = len(references) >= MANY_REFERENCES and ("citations" in marks or "sections" in marks)
    whole = cited and (opening or many)
    is_paper = whole and sum(marks.values()) >= ENOUGH
    header = tuple(header_lines(lines))
    return Paper(is_paper, tuple(marks), header, tuple(references), body_size(lines), tuple(lines))


def _marks(lines: Sequence[PageLine], references: Sequence[Reference]) -> dict[str, int]:
    """What speaks for a paper, and how much."""
    opening = [line for line in lines if line.page < OPENING_PAGES]
    marks = {
        "abstract": 1 if any(map(is_abstract, opening)) else 0,
        "introduction": 1 if any(map(_is_introduction, opening)) else 0,
        "references": 2 if len(references) >= LEAST_REFERENCES else 0,
        "citations": 1 if _matching(lines, _CITATION) >= 5 else 0,
        "sections": 1 if sum(_is_section(line) for line in lines) >= 3 else 0,
    }
    return {name: weight for name, weight in marks.items() if weight}


def is_abstract(line: PageLine) -> bool:
    """Whether a line is the heading of an abstract, or begins with it."""
    short = len(line.line.words) <= LONGEST_HEADING
    return bool((short and _ABSTRACT.fullmatch(line.text)) or _ABSTRACT_OPENS.match(line.text))


def _is_introduction(line: PageLine) -> bool:
    return len(line.line.words) <= LONGEST_HEADING and bool(_INTRODUCTION.fullmatch(line.text))


def _is_section(line: PageLine) -> bool:
    return len(line.line.words) <= LONGEST_HEADING and bool(_SECTION.match(line.text))


def _matching(lines: Sequence[PageLine], pattern: re.Pattern[str]) -> int:
    return sum(bool(pattern.search(line.text)) for line in lines)


def header_lines(lines: Sequence[PageLine]) -> list[PageLine]:
    """The lines before the first section, or those of the first page that has words, whichever ends first."""
    first = lines[0].page if lines else 0
    header: list[PageLine] = []
    for line in lines[:MOST_HEADER]:
        if line.page != first or (header and _opens_body(line)):
            break
        header.append(line)
    return header


def _opens_body(line: PageLine) -> bool:
    short = len(line.line.words) <= LONGEST_HEADING
    return short and bool(
        _INTRODUCTION.fullmatch(line.text) or _FIRST_SECTION.match(line.text) or REFERENCES.fullmatch(line.text)
    )
