"""Lines of a document with the sheet that each stands on; what stands at the edge of many sheets is left out of them."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from trailmark.datatypes import Document, PlacedWord, TextLine
from trailmark.read.document_text import joined, known_words
from trailmark.tag.words import Word

_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b")
_PAGE_NUMBER = re.compile(r"\W*(?:page\s*)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|/)\s*\d{1,4})?\W*", re.IGNORECASE)
AT_THE_EDGE = 2
"""Lines at the top and at the foot of a sheet that may be the same on many."""


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line, the number of its sheet counted from 0, and that sheet's size."""

    line: TextLine
    page: int
    width: float = 0.0
    height: float = 0.0
    start: int = 0
    """The place of its first letter in the document's text: lines one below the other, words with one blank between them."""

    @property
    def text(self) -> str:
        return self.line.text

    @property
    def size(self) -> float:
        """Of its largest letters."""
        return max(word.size for word in self.line.words)

    @property
    def bold(self) -> bool:
        return all(word.bold for word in self.line.words)


def page_lines(document: Document) -> list[PageLine]:
    """The lines of a document in order, without page numbers and what is repeated at the edges of its sheets."""
    repeated = _repeated(document)
    lines, start = [], 0
    for number, sheet in enumerate(document.pages):
        last = len(sheet.lines) - AT_THE_EDGE
        for place, line in enumerate(sheet.lines):
            at_edge = sheet.height and not AT_THE_EDGE <= place < last
            if not (at_edge and (_PAGE_NUMBER.fullmatch(line.text) or _bare(line) in repeated)):
                lines.append(PageLine(line, number, sheet.width, sheet.height, start))
            start += len(line.text) + 1
    return lines


def _repeated(document: Document) -> frozenset[str]:
    """Texts without their numbers that stand at the edge of three sheets or more."""
    counts: Counter[str] = Counter()
    for sheet in document.pages:
        counts.update({_bare(line) for line in (*sheet.lines[:AT_THE_EDGE], *sheet.lines[-AT_THE_EDGE:])})
    return frozenset(text for text, count in counts.items() if count >= 3)


def _bare(line: TextLine) -> str:
    return _NUMBERS.sub("#", line.text.lower())


def body_size(lines: Iterable[PageLine]) -> float:
    """The size of most letters; 0 where sizes are not known."""
    exact: dict[float, int] = {}
    get = exact.get
    for line in lines:
        for word in line.line.words:
            size = word.size
            exact[size] = get(size, 0) + len(word.text)
    sizes: Counter[float] = Counter()
    for size, letters in exact.items():
        sizes[round(size, 1)] += letters
    return max(sizes.items(), key=lambda item: (item[1], -item[0]))[0] if sizes else 0.0


def whole_words(lines: Sequence[PageLine], known: frozenset[str] | None = None) -> list[PageLine]:
    """Lines whose words are whole: one that goes on in the next line stands where it begins."""
    if known is None:
        known = known_words(line.line for line in lines)
    rows: list[list[PlacedWord]] = []
    for page_line in lines:
        words = list(page_line.line.words)
        if words and rows and rows[-1] and (whole := joined(rows[-1][-1].text, words[0].text, known)):
            rows[-1][-1] = replace(rows[-1][-1], text=whole)
            del words[0]
        rows.append(words)
    pairs = zip(lines, rows, strict=True)
    return [replace(line, line=TextLine(tuple(row))) for line, row in pairs if row]


def tagger_lines(lines: Sequence[PageLine], body: float) -> list[list[Word]]:
    """Lines -> lines of words as taggers read them: sizes beside that of the body text, places as shares of the sheet."""
    return [[_word(word, line, body) for word in line.line.words] for line in lines]


def _word(word: PlacedWord, line: PageLine, body: float) -> Word:
    return Word(
        word.text,
        size=word.size / body if body else 0.0,
        bold=word.bold,
        italic=word.italic,
        x=word.box[0] / line.width if line.width else 0.0,
        y=word.box[1] / line.height if line.height else 0.0,
        page=line.page,
    )


def line_step(lines: Sequence[PageLine]) -> float:
    """The usual distance between two lines that follow one another on a sheet; 0 where none do."""
    steps = [
        below.line.box[1] - above.line.box[1]
        for above, below in itertools.pairwise(lines)
        if above.page == below.page and below.line.box[1] > above.line.box[1]
    ]
    return median(steps) if steps else 0.0
