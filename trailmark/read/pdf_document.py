"""Bytes of a PDF -> a `Document`: words with fonts, sizes and places, lines in reading order.

PDFium reads the file. It is asked for the text of a whole page in one go, and for font and place once a word: asking for every
letter takes five times as long. It is a large program that reads hostile files: whoever calls this does so in a process that may be killed.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from trailmark.datatypes import Document, PlacedWord, Sheet
from trailmark.errors import DocumentError
from trailmark.read.page_layout import lines_in_order

MOST_PAGES, MOST_WORDS = 400, 400_000
"""Of one document that are read: what is longer is cut, and says so."""
MOST_ON_A_PAGE = 20_000
"""Words of one page that are read: a page that a person reads has a tenth of that."""
_WORD = re.compile(r"[^\s\x02\ufffe]+[\x02\ufffe]?")
"""A run of letters; PDFium writes a sign of its own for a hyphen at the end of a line, and goes on without a blank."""
_ODD = {"\ufffe": "-", "\x02": "-", "\u00ad": "-", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}  # fmt: skip
_UNREADABLE = dict.fromkeys([*range(32), *range(127, 160), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF])
_TRANSLATION = _UNREADABLE | {ord(letter): plain for letter, plain in _ODD.items()} | {9: " ", 10: "\n", 13: "\r"}
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
    if not words:
        if broken == len(sheets):
            raise DocumentError(f"{url}: none of its pages can be read; fetch or print it again.")
        raise DocumentError(f"{url}: it has pictures of pages but no text (a scan); run text recognition on it first.")
    return Document(url, "pdf", tuple(sheets), title=_title(pdf), cuts=tuple(cuts))


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
            words = list(_words(text_page, page.get_bbox(), height))
        finally:
            text_page.close()
    except pypdfium2.PdfiumError:
        return None
    finally:
        page.close()
    return Sheet(lines_in_order(words, width), width, height)


class _Font(NamedTuple):
    bold: bool
    italic: bool


def _words(text_page: Any, bounds: tuple[float, float, float, float], height: float) -> Iterator[PlacedWord]:
    """The words of a page as they stand in the file."""
    text = text_page.get_text_range()
    raw, asked = text_page.raw, _Asked(text_page.raw)
    plain = len(text) == text_page.count_chars()
    left, top = bounds[0], bounds[1] + height
    for number, match in enumerate(_WORD.finditer(text)):
        written = match[0].translate(_TRANSLATION).strip()
        if number >= MOST_ON_A_PAGE:
            return
        if not written:
            continue
        first, last = match.start(), match.end() - 1
        if not plain:
            first, last = (max(0, pdfium.FPDFText_GetCharIndexFromTextIndex(raw, place)) for place in (first, last))
        begin, end = asked.box(first), asked.box(last)
        size, font = asked.font(first)
        box = (
            min(begin[0], end[0]) - left,
            top - max(begin[1], end[1]),
            max(begin[2], end[2]) - left,
            top - min(begin[3], end[3]),
        )
        if all(map(math.isfinite, box)):
            yield PlacedWord(written, box, size, font.bold, font.italic)


class _Asked:
    """What PDFium says of single letters; the room for its answers is made once a page."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.rectangle, self.matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
        self.name, self.flags = ctypes.create_string_buffer(128), ctypes.c_int()
        self.fonts: dict[tuple[bytes, int], _Font] = {}

    def box(self, place: int) -> tuple[float, float, float, float]:
        """Left, top, right, bottom as PDF counts: upwards."""
        if not pdfium.FPDFText_GetLooseCharBox(self.raw, place, self.rectangle):
            return (math.nan,) * 4
        rectangle = self.rectangle
        return rectangle.left, rectangle.top, rectangle.right, rectangle.bottom

    def font(self, place: int) -> tuple[float, _Font]:
        """The size of a letter in points, and what its font is."""
        size = pdfium.FPDFText_GetFontSize(self.raw, place)
        if pdfium.FPDFText_GetMatrix(self.raw, place, self.matrix):
            size *= math.hypot(self.matrix.c, self.matrix.d)
        pdfium.FPDFText_GetFontInfo(self.raw, place, self.name, 128, self.flags)
        key = (self.name.value, self.flags.value)
        if key not in self.fonts:
            self.fonts[key] = _font(*key)
        return (round(size, 2) if 0 < size < 1000 else 0.0), self.fonts[key]


def _font(name: bytes, flags: int) -> _Font:
    return _Font(
        bool(flags & _BOLD_FLAG or _BOLD_NAME.search(name)), bool(flags & _ITALIC_FLAG or _ITALIC_NAME.search(name))
    )
