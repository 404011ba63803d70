"""A document's words cut as running text with spans is: letters, digits and every mark apart, since a field may begin or end between them.

A tagger that learnt from such text knows `3`, `:` and `30`, and no word like `3:30`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trailmark.datatypes import Document, PlacedWord, Sheet, TextLine
from trailmark.tag.tagged_text import PIECE


def in_pieces(document: Document) -> Document:
    """A document -> the same with its words in pieces; each has its share of the word's box."""
    return replace(document, pages=tuple(map(_sheet, document.pages)))


def _sheet(sheet: Sheet) -> Sheet:
    return replace(
        sheet, lines=tuple(TextLine(tuple(p for word in line.words for p in _pieces(word))) for line in sheet.lines)
    )


def _pieces(word: PlacedWord) -> Iterator[PlacedWord]:
    """The pieces of a word; one that has none stays as it is."""
    found = list(PIECE.finditer(word.text))
    left, top, right, bottom = word.box
    letter = (right - left) / max(len(word.text), 1)
    for match in found:
        box = (left + letter * match.start(), top, left + letter * match.end(), bottom)
        yield replace(word, text=match[0], box=box, glued=match.start() > 0)
    if not found:
        yield word
