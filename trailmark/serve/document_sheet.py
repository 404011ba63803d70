"""One page of a document as it is drawn: every word by its box, its field and colour, and the values of the parts that stand on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isfinite

from trailmark.datatypes import PlacedWord, Sheet
from trailmark.tag.document_parts import Given, Part
from trailmark.tag.tagged_text import NO_FIELD
from trailmark.verbs.correct_document import OpenDocument

MOST_WORDS, MOST_PARTS = 6_000, 80
"""Words and parts of one page that are drawn; what is more is told, not drawn."""
COLOURS = 14
NO_NAMES = frozenset((NO_FIELD, "other"))


@dataclass(frozen=True, slots=True)
class DrawnWord:
    """A word of the page; `part` is empty where it belongs to nothing that is tagged."""

    text: str
    x: float
    y: float
    width: float
    height: float
    part: str = ""
    place: int = 0
    label: str = ""
    colour: int = 0
    unsure: bool = False
    given: bool = False


@dataclass(frozen=True, slots=True)
class DrawnValue:
    """Words of one field that follow one another."""

    label: str
    text: str
    first: int
    last: int
    percent: int
    unsure: bool
    given: bool
    colour: int


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """A header or a reference with its values."""

    key: str
    name: str
    values: tuple[DrawnValue, ...]


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """A page of a document."""

    number: int
    count: int
    width: float
    height: float
    lines: tuple[tuple[DrawnWord, ...], ...]
    parts: tuple[DrawnPart, ...]
    cut: bool
    """Whether something of it is not drawn."""


def draw_sheet(opened: OpenDocument, given: Given, number: int, sure: float) -> DrawnSheet:
    """A document and the number of a page, from 1 -> the page; the nearest one where there is none of that number."""
    document = opened.read.document
    assert document is not None
    count = len(document.pages)
    place = min(max(number, 1), max(count, 1)) - 1
    sheet = document.pages[place] if document.pages else Sheet(())
    here = [part for part in opened.parts(given) if any(line.page == place for line in part.lines)]
    colours = colours_of(opened)
    has_layout = sheet.width > 0 and sheet.height > 0
    words = [word for part in here for word in _tagged(part, place, given, colours, sure)]
    if has_layout:
        tagged = {(word.x, word.y): word for _, word in words}
        lines = [[tagged.get(word.box[:2]) or _plain(word) for word in line.words] for line in sheet.lines]
    else:
        lines = [[word for _, word in run] for _, run in groupby(words, key=lambda pair: pair[0])]
    drawn, left = [], MOST_WORDS
    for line in lines:
        drawn.append(tuple(word for word in line if _is_drawn(word))[: max(left, 0)])
        left -= len(line)
    parts = tuple(_drawn_part(part, given, colours, sure) for part in here[:MOST_PARTS])
    cut = left < 0 or len(here) > MOST_PARTS
    return DrawnSheet(place + 1, count, sheet.width if has_layout else 0.0, sheet.height, tuple(drawn), parts, cut)


def colours_of(opened: OpenDocument) -> dict[str, int]:
    """Every field of the document's taggers -> the number of its colour: two of one tagger share one only where there are too few."""
    colours: dict[str, int] = {}
    for labels in opened.labels.values():
        free = [number for number in range(COLOURS) if number not in {colours.get(name) for name in labels}]
        new = [name for name in labels if name not in colours and name not in NO_NAMES]
        colours.update({name: (free or [0])[place % max(len(free), 1)] for place, name in enumerate(new)})
    return dict(sorted(colours.items()))


def _is_drawn(word: DrawnWord) -> bool:
    """Hostile documents have words at places that are no numbers."""
    return all(isfinite(value) and abs(value) < 1e6 for value in (word.x, word.y, word.width, word.height))


def _plain(word: PlacedWord) -> DrawnWord:
    left, top, right, bottom = word.box
    return DrawnWord(word.text, left, top, max(right - left, 0.1), max(bottom - top, 0.1))


def _tagged(
    part: Part, page: int, given: Given, colours: dict[str, int], sure: float
) -> list[tuple[tuple[str, int], DrawnWord]]:
    """The words of a part that stand on a page, each with the part and line it belongs to."""
    words, place, said = [], 0, given.get(part.key, ())
    for number, (line, tags) in enumerate(zip(part.lines, part.tags, strict=True)):
        for word, tag in zip(line.line.words, tags, strict=True):
            if line.page == page:
                plain = _plain(word)
                named = "" if tag.label in NO_NAMES else tag.label
                drawn = DrawnWord(
                    word.text, plain.x, plain.y, plain.width, plain.height, part.key, place, named,
                    colours.get(named, 0), bool(named) and tag.probability < sure, place < len(said) and said[place] is not None,
                )  # fmt: skip
                words.append(((part.key, number), drawn))
            place += 1
    return words


def _drawn_part(part: Part, given: Given, colours: dict[str, int], sure: float) -> DrawnPart:
    name = f"Reference {part.number}" if part.number else {"paper": "The header"}.get(part.kind, part.kind)
    return DrawnPart(part.key, name, tuple(_values(part, given.get(part.key, ()), colours, sure)))


def _values(part: Part, said: Sequence[str | None], colours: dict[str, int], sure: float) -> list[DrawnValue]:
    texts = [word.text for line in part.words for word in line]
    values = []
    for label, run in groupby(enumerate(part.flat), key=lambda pair: pair[1].label):
        found = list(run)
        first, last = found[0][0], found[-1][0]
        if label not in NO_NAMES:
            chance = min(tag.probability for _, tag in found)
            by_hand = any(place < len(said) and said[place] is not None for place in range(first, last + 1))
            text = " ".join(texts[first : last + 1])
            values.append(
                DrawnValue(label, text, first, last, round(100 * chance), chance < sure, by_hand, colours.get(label, 0))
            )
    return values
