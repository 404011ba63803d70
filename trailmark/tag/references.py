"""Lines of a document -> its references: the section is found by its heading, and split by whatever marks where one begins.

Numbers and brackets are marks that nobody sets by chance, so they decide where there are such. Else indentation, blanks between references and names
of authors each propose a split, and the one whose parts look most like references is taken.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from trailmark.datatypes import TextLine
from trailmark.tag.page_lines import PageLine
from trailmark.tag.reference_starts import by_author, by_blank, by_indentation, by_mark

Split = Literal["bracket", "number", "indentation", "blank", "author", "block"]

REFERENCES = re.compile(
    r"(?:(?:\d{1,2}|[ivx]{1,4}|[a-z])\s*[.:)]?\s+|\W{0,3})(?:list\s+of\s+|selected\s+|cited\s+)?"
    r"(?:references?|bibliograph(?:y|ie)|literature|r\s?e\s?f\s?e\s?r\s?e\s?n\s?c\s?e\s?s|works\s+cited|literature\s+cited|sources)"
    r"(?:\s+(?:cited|and\s+(?:notes|further\s+reading|bibliography)))?\s*[.:]?",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"(?:[a-z]\.?\s+|\d{1,2}\.?\s+)?(?:appendi(?:x|ces)|biograph\w*|about\s+the\s+authors?|acknowledge?ments?|author\s+index|index)\b.{0,60}",
    re.IGNORECASE,
)
_YEAR = re.compile(
    r"\b(?:1[6-9]|20)\d\d[a-z]?\b|\b(?:in press|to appear|forthcoming|submitted)\b|['’]\d\d\b", re.IGNORECASE
)
_BEGINNING = re.compile(r"[\"“‘'(\[]?[^\W\d_a-z]")
MARK = re.compile(r"(?:[\[(【][^\]\[()]{1,40}[\])】]|\d{1,3}\s?[\].):]?)\s*(?=\S)")
"""The number or the bracket with which a reference begins."""
SHORT = 8
"""Words of a heading, at most."""
LEAST, MOST = 4, 90
"""Words of a reference."""
MOST_LINES = 6000
"""Of a section that are split: what is longer is no list of references."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The lines of one reference, and what showed where it begins."""

    lines: tuple[PageLine, ...]
    split: Split

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


def find_references(lines: Sequence[PageLine], *, has_layout: bool = True) -> list[Reference]:
    """The references of a document, in order; none where no section of them is found."""
    for place in range(len(lines) - 1, -1, -1):
        if len(lines[place].line.words) <= SHORT and REFERENCES.fullmatch(lines[place].text):
            section = _section(lines[place], lines[place + 1 : place + 1 + MOST_LINES])
            references = split_references(section, has_layout=has_layout)
            if sum(map(looks_right, references)) * 2 >= len(references) > 0:
                return references
    return []


def _section(heading: PageLine, lines: Sequence[PageLine]) -> list[PageLine]:
    """The lines behind a heading until the next one of its kind."""
    usual = median([line.size for line in lines] or [0.0])
    stands_out = heading.size > usual * 1.08 or heading.bold
    section: list[PageLine] = []
    for line in lines:
        short = len(line.line.words) <= SHORT
        alike = stands_out and line.bold == heading.bold and abs(line.size - heading.size) < 0.2
        if short and section and (alike or (_BEHIND.fullmatch(line.text) and (line.bold or line.size > usual * 1.08))):
            break
        section.append(line)
    return section


def split_references(lines: Sequence[PageLine], *, has_layout: bool = True) -> list[Reference]:
    """The lines of a section -> its references."""
    if not lines:
        return []
    if marked := by_mark(lines):
        split, starts = marked
        return _parts(lines, starts, split)
    if not has_layout:
        return [part for part in _parts(lines, range(len(lines)), "block") if len(part.text.split()) >= LEAST]
    proposals = [
        _parts(lines, starts, split)
        for split, starts in (
            ("indentation", by_indentation(lines)),
            ("blank", by_blank(lines)),
            ("author", by_author(lines)),
        )
        if starts
    ]
    return max(proposals, key=_worth, default=_parts(lines, [0], "author"))


def without_mark(lines: Sequence[PageLine], split: Split) -> list[PageLine]:
    """The lines of a reference without its number or bracket: that is the list's, and belongs to no field."""
    if split not in ("bracket", "number") or not lines:
        return list(lines)
    first, *rest = lines
    mark = MARK.match(first.text)
    if mark is None:
        return list(lines)
    words, left = list(first.line.words), mark.end()
    while words and left >= len(words[0].text):
        left -= len(words.pop(0).text) + 1
    if words and left > 0:
        words[0] = replace(words[0], text=words[0].text[left:])
    kept = [replace(first, line=TextLine(tuple(words)))] if words else []
    return [*kept, *rest] or list(lines)


def _parts(lines: Sequence[PageLine], starts: Sequence[int], split: str) -> list[Reference]:
    edges = [*starts, len(lines)]
    pairs = itertools.pairwise(edges)
    return [Reference(tuple(lines[begin:end]), split) for begin, end in pairs]  # type: ignore[arg-type]


def _worth(references: Sequence[Reference]) -> float:
    """How many look like a reference, less those that do not."""
    right = sum(map(looks_right, references))
    return right - 0.7 * (len(references) - right)


def looks_right(reference: Reference) -> bool:
    """Whether it is as long as a reference, begins like one and names a year, but not several papers' years."""
    text = reference.text
    words = len(text.split())
    if reference.split in ("bracket", "number"):
        return LEAST - 1 <= words <= 3 * MOST
    return LEAST <= words <= MOST and bool(_BEGINNING.match(text)) and bool(_YEAR.search(text))
