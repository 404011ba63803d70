"""Bytes of a PDF -> a `Document`: words with fonts, sizes and places, lines in reading order.

PDFium reads the file. It is asked for the text of a whole page in one go, for the place of every word, and for its font once a run: asking for every
letter takes five times as long. It is a large program that reads hostile files: whoever calls this does so in a process that may be killed.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import re
import struct
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from trailmark.datatypes import Corners, Document, PlacedWord, Sheet, TextLine
from trailmark.errors import DocumentError
from trailmark.read.accents import NOTHING, with_accents
from trailmark.read.page_layout import lines_in_order

MOST_PAGES, MOST_WORDS = 400, 400_000
"""Of one document that are read: what is longer is cut, and says so."""
MOST_ON_A_PAGE = 20_000
"""Words of one page that are read: a page that a person reads has a tenth of that."""
CLOSELY = 2
"""Sheets at the beginning on which every letter is looked at: there stand names with accents and raised marks."""
LONGEST = 60
"""Letters of a word that is looked at so."""
LEAST_SIZE = 2.0
"""Points below which no letter is printed."""
LIFTED = 0.15
"""Of the height of a letter: how far above the line a mark stands that is raised."""
_WORD = re.compile(r"[^\s\x02\ufffe]+[\x02\ufffe]?")
"""A run of letters; PDFium writes a sign of its own for a hyphen at the end of a line, and goes on without a blank."""
_WRITTEN = re.compile(r"[^\w\s]{0,3}(?:[^\W\d_]+|[\d.,]+)(?:[-'’/.,:@][^\W_]+){0,6}[^\w\s]{0,3}")
_ACCENTED = re.compile(r"[^\w]*[\u00aa-\u024f]+[^\w]*")
"""A word of nothing but letters with accents: no language writes many."""
JUDGED, LEAST_JUDGED, READABLE = 5, 20, 0.35
"""Sheets and words by which it is judged whether letters can be read, and the share of words that must be."""
_ODD = {"\ufffe": "-", "\x02": "-", "\u00ad": "-", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}  # fmt: skip
_UNREADABLE = dict.fromkeys([*range(32), *range(127, 160), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF])
_TRANSLATION = _UNREADABLE | {ord(letter): plain for letter, plain in _ODD.items()} | {9: " ", 10: "\n", 13: "\r"}
_CORNERS, _MATRIX = struct.Struct("4f").unpack_from, struct.Struct("6f").unpack_from
_ITALIC_FLAG, _BOLD_FLAG = 1 << 6, 1 << 18
_BOLD_NAME = re.compile(rb"(?i)bold|black|heavy|medi(?!um)|cmbx|cmb10|-b$|bd$")
_ITALIC_NAME = re.compile(rb"(?i)ital|obli|cmti|cmmi|slanted|cmsl|-i$|-bi$")


def read_pdf(body: bytes, url: str = "", *, most_pages: int = MOST_PAGES) -> Document:
    """The bytes of a PDF -> its document; DocumentError says why there is none."""
    try:
        pdf = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        raise DocumentError(f"{url}: {_reason(str(error))}") from error
    try:
        return _document(pdf, url, most_pages)
    finally:
        pdf.close()


def _reason(message: str) -> str:
    if "password" in message.lower() or "security" in message.lower():
        return "it is encrypted and asks for a password; take the lock off it first."
    return "it is broken, or no PDF: PDFium can't open it; fetch or print it again."


def _document(pdf: pypdfium2.PdfDocument, url: str, most_pages: int) -> Document:
    count = len(pdf)
    if not count:
        raise DocumentError(f"{url}: it has no pages; fetch or print it again.")
    sheets, broken, words = [], 0, 0
    for number in range(min(count, most_pages)):
        sheet = _sheet(pdf, number)
        broken += sheet is None
        sheets.append(sheet or Sheet(()))
        words += sum(len(line.words) for line in sheets[-1].lines)
        if words > MOST_WORDS:
            break
    cuts = [f"only the first {len(sheets)} of {count} pages were read"] if len(sheets) < count else []
    cuts += [f"{broken} pages are broken and were left out"] if broken else []
    if words and not _is_readable(sheets):
        raise DocumentError(f"{url}: its fonts do not tell which letters they show; run text recognition on it first.")
    if not words:
        if broken == len(sheets):
            raise DocumentError(f"{url}: none of its pages can be read; fetch or print it again.")
        raise DocumentError(f"{url}: it has pictures of pages but no text (a scan); run text recognition on it first.")
    return Document(url, "pdf", tuple(sheets), title=_title(pdf), cuts=tuple(cuts))


def _is_readable(sheets: Sequence[Sheet]) -> bool:
    """Whether a fair share of the words are written as words are: old fonts may name their letters by any sign."""
    texts = [
        word.text for sheet in sheets[:JUDGED] for line in sheet.lines for word in line.words if len(word.text) > 3
    ]
    written = sum(bool(_WRITTEN.fullmatch(text)) and not _ACCENTED.fullmatch(text) for text in texts[:2000])
    return len(texts) < LEAST_JUDGED or written >= READABLE * min(len(texts), 2000)


def _title(pdf: pypdfium2.PdfDocument) -> str:
    try:
        return " ".join(pdf.get_metadata_value("Title").translate(_TRANSLATION).split())[:500]
    except (pypdfium2.PdfiumError, UnicodeDecodeError):
        return ""


def _sheet(pdf: pypdfium2.PdfDocument, number: int) -> Sheet | None:
    """A page, or None where it is broken."""
    try:
        page = pdf[number]
    except pypdfium2.PdfiumError:
        return None
    try:
        width, height = page.get_size()
        text_page = page.get_textpage()
        try:
            words, turned = _words(text_page, page.get_bbox(), height, closely=number < CLOSELY)
        finally:
            text_page.close()
    except pypdfium2.PdfiumError:
        return None
    finally:
        page.close()
    return Sheet(tuple(map(_sized, lines_in_order(words, width, turned))), width, height)


def _sized(line: TextLine) -> TextLine:
    """Fonts that are drawn letter by letter have sizes of their own reckoning: such words are as large as the highest of their line."""
    if min([word.size for word in line.words]) >= LEAST_SIZE:
        return line
    high = round(2 * max(word.box[3] - word.box[1] for word in line.words)) / 2
    return TextLine(tuple(word if word.size >= LEAST_SIZE else replace(word, size=high) for word in line.words))


class _Font(NamedTuple):
    bold: bool
    italic: bool


class _Looks(NamedTuple):
    """How a letter is printed: its size in points, its font, and whether it stands on its side, as stamps in a margin do."""

    size: float
    bold: bool
    italic: bool
    turned: bool


def _words(
    text_page: Any, bounds: tuple[float, float, float, float], height: float, *, closely: bool
) -> tuple[list[PlacedWord], list[PlacedWord]]:
    """The words of a page as they stand in the file: those that lie level, and those that are turned."""
    text = text_page.get_text_range()
    raw, asked = text_page.raw, _Asked(text_page.raw)
    plain = len(text) == text_page.count_chars()
    if closely:
        asked.letters = (
            None if plain else [max(0, pdfium.FPDFText_GetCharIndexFromTextIndex(raw, at)) for at in range(len(text))]
        )
        text = with_accents(text, asked.box)
    left, top = bounds[0], bounds[1] + height
    level: list[PlacedWord] = []
    turned: list[PlacedWord] = []
    for match in itertools.islice(_WORD.finditer(text), MOST_ON_A_PAGE):
        first, last, word = match.start(), match.end() - 1, match[0]
        pieces: Sequence[tuple[str, int, int]] = ((word, first, last),)
        if closely:
            if last - first < LONGEST and len(spans := asked.parts(first, last)) > 1:
                pieces = [(text[begin : end + 1], begin, end) for begin, end in spans]
        elif not plain:
            first, last = (max(0, pdfium.FPDFText_GetCharIndexFromTextIndex(raw, place)) for place in (first, last))
            pieces = ((word, first, last),)
        for letters, begin, end in pieces:
            shown = letters if letters.isascii() and letters.isprintable() else _shown(letters)
            if shown and (box := _placed(asked, begin, end, left, top)) is not None:
                size, bold, italic, on_its_side = asked.looks(begin)
                (turned if on_its_side else level).append(PlacedWord(shown, box, size, bold, italic))
    return level, turned


def _shown(letters: str) -> str:
    """Letters as they are kept."""
    return letters.replace(NOTHING, "").translate(_TRANSLATION).strip()


def _placed(asked: _Asked, first: int, last: int, left: float, top: float) -> Corners | None:
    """The box of a word from the upper left corner of its sheet; None where a letter has none."""
    l1, t1, r1, b1 = l2, t2, r2, b2 = asked.box(first)
    if last != first:
        l2, t2, r2, b2 = asked.box(last)
    box = (
        (l2 if l2 < l1 else l1) - left,
        top - (t2 if t2 > t1 else t1),
        (r2 if r2 > r1 else r1) - left,
        top - (b2 if b2 < b1 else b1),
    )
    return box if math.isfinite(sum(box)) else None


class _Asked:
    """What PDFium says of single letters; the room for its answers is made once a page."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.rectangle, self.matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
        self.across, self.up = ctypes.c_double(), ctypes.c_double()
        self.name, self.flags = ctypes.create_string_buffer(128), ctypes.c_int()
        self.fonts: dict[tuple[bytes, int], _Font] = {}
        self.runs: dict[bytes, _Looks] = {}
        """What all letters of one run of the file share, by where PDFium keeps the run: several words long as a rule."""
        self.letters: list[int] | None = None
        """Number of the letter at each place of the text, where it is not the place itself."""

    def _letter(self, place: int) -> int:
        return place if self.letters is None else self.letters[place]

    def box(self, place: int) -> tuple[float, float, float, float]:
        """Left, top, right, bottom as PDF counts: upwards."""
        letter = place if self.letters is None else self.letters[place]
        if not pdfium.FPDFText_GetLooseCharBox(self.raw, letter, self.rectangle):
            return (math.nan,) * 4
        return _CORNERS(self.rectangle)

    def looks(self, place: int) -> _Looks:
        """How a letter is printed; what was asked of another letter of its run is not asked again."""
        letter = place if self.letters is None else self.letters[place]
        run = pdfium.FPDFText_GetTextObject(self.raw, letter)
        if not run:
            return self._looks(letter)
        key = bytes(run)
        known = self.runs.get(key)
        if known is None:
            known = self.runs[key] = self._looks(letter)
        return known

    def parts(self, first: int, last: int) -> list[tuple[int, int]]:
        """A word cut where raised marks of another size hang on it: the word, then the marks; a comma behind them stays theirs."""
        feet = [self.foot(place) for place in range(first, last + 1)]
        base = min(feet)
        if max(feet) == base:  # most words stand on their line with every letter
            return [(first, last)]
        _, top, _, bottom = self.box(first if feet[0] == base else last)
        raised = [foot - base > LIFTED * (top - bottom) for foot in feet]
        cuts = [0, *(at for at in range(1, len(raised)) if raised[at] != raised[at - 1]), len(raised)]
        return [(first + begin, first + end - 1) for begin, end in itertools.pairwise(cuts)]

    def foot(self, place: int) -> float:
        """The height of the line that a letter stands on."""
        found = pdfium.FPDFText_GetCharOrigin(self.raw, self._letter(place), self.across, self.up)
        return self.up.value if found else 0.0

    def _looks(self, letter: int) -> _Looks:
        size, turned = pdfium.FPDFText_GetFontSize(self.raw, letter), True
        if pdfium.FPDFText_GetMatrix(self.raw, letter, self.matrix):
            a, _, c, d, _, _ = _MATRIX(self.matrix)
            size *= math.hypot(c, d)
            turned = abs(c) > 0.5 * math.hypot(a, c)
        pdfium.FPDFText_GetFontInfo(self.raw, letter, self.name, 128, self.flags)
        key = (self.name.value, self.flags.value)
        if key not in self.fonts:
            self.fonts[key] = _font(*key)
        return _Looks(round(size, 2) if 0 < size < 1000 else 0.0, *self.fonts[key], turned)


def _font(name: bytes, flags: int) -> _Font:
    return _Font(
        bool(flags & _BOLD_FLAG or _BOLD_NAME.search(name)), bool(flags & _ITALIC_FLAG or _ITALIC_NAME.search(name))
    )
