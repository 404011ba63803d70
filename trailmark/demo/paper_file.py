"""A paper of the generated web: a work and what it cites -> a PDF of two or three sheets, and the truth about it.

Papers differ as papers do: one column or two, headers in several manners, references with brackets, numbers or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from trailmark.demo.paper_header import (
    HeaderRow,
    abstract_text,
    body_text,
    draw_header_manner,
    header_rows,
)
from trailmark.demo.pdf_writer import WIDTH, DrawnLine, Run, pdf_bytes, text_width
from trailmark.demo.reference_text import Labelled, Manner, draw_manner, reference_words
from trailmark.demo.works import TERMS, Author, Work

MARGIN, FOOT, GUTTER = 72.0, 730.0, 24.0
SECTIONS = ("Introduction", "Related Work", "Method", "Experiments", "Conclusion")


@dataclass(frozen=True, slots=True)
class DemoPaper:
    """A paper as its bytes, and all that it says."""

    title: str
    authors: tuple[str, ...]
    cited: tuple[Work, ...]
    body: bytes
    header: tuple[tuple[Labelled, ...], ...]
    """Words above the first section with their fields, a segment of a line each; raised marks stand behind a ^."""
    references: tuple[tuple[Labelled, ...], ...]
    """Words of each reference with their fields, without its number."""
    area: str = ""
    """What it is about."""


def make_paper(work: Work, cited: Sequence[Work], rng: Random) -> DemoPaper:
    """Set a work that cites others."""
    manner = draw_manner(rng)
    if manner.mark == "author":
        cited = sorted(cited, key=lambda each: (each.authors[0].family, each.year, each.title))
    references = [reference_words(each, manner, rng) for each in cited]
    setter = _Setter(rng, columns=rng.choice((1, 1, 2)))
    header = _set_header(setter, work, rng)
    _set_body(setter, work, [_citation(each, number, manner) for number, each in enumerate(cited, 1)], rng)
    _set_references(setter, references, manner)
    names = tuple(author.name for author in work.authors)
    body = pdf_bytes(setter.sheets, work.title if rng.random() < 0.3 else "")
    return DemoPaper(work.title, names, tuple(cited), body, tuple(header), tuple(map(tuple, references)), work.area)


class _Setter:
    """Where the next line goes: down a column, then to the next, then to the next sheet."""

    def __init__(self, rng: Random, columns: int) -> None:
        self.columns = columns
        self.sheets: list[list[DrawnLine]] = [[]]
        self.column, self.y, self.top = 0, MARGIN, MARGIN
        self.size = rng.choice((9.0, 9.5, 10.0) if columns == 2 else (10.0, 10.5, 11.0))
        self.width = (WIDTH - 2 * MARGIN - (columns - 1) * GUTTER) / columns
        self.in_columns = False

    @property
    def left(self) -> float:
        return MARGIN + (self.column * (self.width + GUTTER) if self.in_columns else 0.0)

    @property
    def measure(self) -> float:
        return self.width if self.in_columns else WIDTH - 2 * MARGIN

    def begin_columns(self) -> None:
        self.in_columns, self.top = True, self.y

    def draw(self, x: float, runs: Sequence[Run], *, step: float) -> None:
        """A line at a place; the next one is `step` further down."""
        if self.y + step > FOOT:
            self._next_column()
        self.y += step
        self.sheets[-1].append(DrawnLine(x, self.y, tuple(runs)))

    def room(self, points: float) -> None:
        self.y += points

    def _next_column(self) -> None:
        self.column += 1
        if self.column >= (self.columns if self.in_columns else 1):
            self.sheets.append([])
            self.column, self.top = 0, MARGIN
        self.y = self.top

    def heading(self, text: str, size: float | None = None) -> None:
        self.room(8)
        if self.y + 40 > FOOT:
            self._next_column()
        size = size or self.size + 2
        self.draw(self.left, (Run(text, "Times-Bold", size),), step=size * 1.3)

    def paragraph(self, text: str, *, face: str = "Times-Roman", size: float | None = None, hang: float = 0.0) -> None:
        """Running text; lines behind the first stand `hang` points further in."""
        size = size or self.size
        for place, words in enumerate(_filled(text.split(), self.measure, size, face, hang)):
            if self.y + size * 1.2 > FOOT:
                self._next_column()
            self.draw(self.left + (hang if place else 0.0), (Run(" ".join(words), face, size),), step=size * 1.2)


def _filled(words: Sequence[str], measure: float, size: float, face: str, hang: float) -> Iterator[list[str]]:
    line: list[str] = []
    room = measure
    for word in words:
        wide = text_width(f"{word} ", size, face)
        if line and wide > room:
            yield line
            line, room = [], measure - hang
        line.append(word)
        room -= wide
    if line:
        yield line


def _set_header(setter: _Setter, work: Work, rng: Random) -> list[tuple[Labelled, ...]]:
    manner = draw_header_manner(rng)
    wrap = int(0.8 * setter.measure / (0.5 * manner.title_size))
    truth: list[tuple[Labelled, ...]] = []
    for row in header_rows(work, manner, rng, wrap):
        setter.room(row.before)
        _set_row(setter, row, left=manner.left)
        truth += row.segments
    setter.room(14)
    setter.begin_columns()
    text = abstract_text(work, rng)
    size = setter.size if rng.random() < 0.5 else setter.size - 0.5
    if rng.random() < 0.3:
        text = f"Abstract{rng.choice(('. ', ': ', '— '))}{text}"
    else:
        word = rng.choice(("Abstract", "Abstract", "ABSTRACT", "Summary"))
        setter.heading(word, setter.size + 1)
        truth.append(((word, "abstract"),))
    setter.paragraph(text, size=size)
    truth.append(tuple((word, "abstract") for word in text.split()))
    if rng.random() < 0.4:
        keywords = f"Keywords: {', '.join(rng.sample(TERMS[work.area], 4))}"
        setter.room(6)
        setter.paragraph(keywords, size=size)
        truth.append(tuple((word, "keyword") for word in keywords.split()))
    return truth


def _set_row(setter: _Setter, row: HeaderRow, *, left: bool) -> None:
    """Segments side by side, each in the middle of its share of the sheet; or one at the margin."""
    share = setter.measure / len(row.segments)
    top = setter.y
    for number, words in enumerate(row.segments):
        setter.y = top
        text = " ".join(word for word, _ in words).replace("^", "")
        middle = max(0.0, (share - text_width(text, row.size, row.face)) / 2)
        x = MARGIN + share * number + (0.0 if left and len(row.segments) == 1 else middle)
        setter.draw(x, list(_runs(words, row)), step=row.size * 1.25)


def _runs(words: Sequence[Labelled], row: HeaderRow) -> Iterator[Run]:
    """What stands behind a ^ is raised."""
    for place, (word, _) in enumerate(words):
        text, mark, raised = word.partition("^")
        blank = " " if place + 1 < len(words) else ""
        if not mark:
            yield Run(text + blank, row.face, row.size)
            continue
        digits = raised.rstrip(",")
        yield from (Run(part, row.face, row.size) for part in (text,) if part)
        yield Run(digits, row.face, row.size * 0.65, raised=True)
        yield Run(raised[len(digits) :] + blank, row.face, row.size)


def _set_body(setter: _Setter, work: Work, cites: Sequence[str], rng: Random) -> None:
    dot = rng.choice(("", ".", ""))
    for number, name in enumerate(SECTIONS, 1):
        setter.heading(f"{number}{dot} {name}")
        for _ in range(2 if number < 4 else 1):
            setter.paragraph(body_text(work, rng, cites))


def _citation(work: Work, number: int, manner: Manner) -> str:
    if manner.mark == "author":
        return f"({_families(work.authors)}, {work.year})"
    return f"[{number}]"


def _families(authors: Sequence[Author]) -> str:
    if len(authors) > 2:
        return f"{authors[0].family} et al."
    return " and ".join(author.family for author in authors)


def _set_references(setter: _Setter, references: Sequence[Sequence[Labelled]], manner: Manner) -> None:
    setter.heading("References")
    size = setter.size - 0.5
    for number, words in enumerate(references, 1):
        text = " ".join(word for word, _ in words)
        mark = {"bracket": f"[{number}] ", "number": f"{number}. ", "author": ""}[manner.mark]
        setter.paragraph(mark + text, size=size, hang=14.0)
