"""Where the words of a query stand in a text: the whole text marked, or the stretch of it that shows most of them. Structure, and no HTML."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.store.search_words import PlacedWords, placed_words

LONGEST_READ = 200_000
"""Characters of a text in which places are looked for."""
SNIPPET_WORDS = 40
"""Runs of letters in a snippet."""
BEFORE = 5
"""The fifth part of these stands before the first that is marked."""
NEAR = 300
"""Characters around a place that are looked at closely: a long text is not taken apart for the sake of one stretch."""


@dataclass(frozen=True, slots=True)
class SnippetPart:
    """A piece of a text."""

    text: str
    marked: bool = False
    """Whether it is what the reader looked for."""


Snippet = tuple[SnippetPart, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Words side by side that are to be marked."""

    words: tuple[str, ...]
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    first: int
    last: int
    """Runs of letters, by their numbers."""
    pattern: int


def marked_text(text: str, patterns: Sequence[Pattern]) -> Snippet:
    """The whole text, with what was looked for marked."""
    text = text[:LONGEST_READ]
    runs = list(placed_words(text))
    return _parts(text, runs, _places(runs, patterns), 0, len(text))


def snippet_of(text: str, patterns: Sequence[Pattern], most: int = SNIPPET_WORDS) -> Snippet:
    """The stretch with the most different words of those that were looked for, its beginning where none is there; blanks squeezed."""
    text = text[:LONGEST_READ]
    begin, stop = _neighbourhood(text, patterns)
    near = " ".join(text[begin:stop].split())
    runs = list(placed_words(near))
    if not runs:
        return ()
    places = _places(runs, patterns)
    first = _best_start(places, most)
    last = min(first + most, len(runs)) - 1
    start = 0 if first == 0 else runs[first].start
    end = len(near) if last == len(runs) - 1 else runs[last].end
    parts = _parts(near, runs, [place for place in places if first <= place.first and place.last <= last], start, end)
    before = (SnippetPart("… "),) if start or begin else ()
    return (*before, *parts, *((SnippetPart(" …"),) if end < len(near) or stop < len(text) else ()))


def _neighbourhood(text: str, patterns: Sequence[Pattern]) -> tuple[int, int]:
    """From where to where in a long text most patterns begin close together, cut at blanks where there are some; the beginning where none does.

    Only spellings without accents are seen here: a text that has none of them is looked at as a whole.
    """
    lowered = text.lower()
    if len(text) <= 2 * NEAR or len(lowered) != len(text) or not patterns:
        return 0, len(text)
    firsts = "|".join(re.escape(pattern.words[0]) for pattern in patterns)
    places = [(match.start(), match[0]) for match in re.finditer(rf"(?<![a-z0-9])(?:{firsts})", lowered)]
    if not places and not text.isascii():
        return 0, len(text)
    best, at = 0, 0
    for number, (start, _) in enumerate(places):
        words = {word for place, word in places[number : number + len(patterns) * 3] if place < start + NEAR}
        if len(words) > best:
            best, at = len(words), start
    begin, stop = max(0, at - NEAR), min(len(text), at + 2 * NEAR)
    blank = text.find(" ", begin, at) if begin else -1
    last = text.rfind(" ", at, stop) if stop < len(text) else -1
    return blank + 1 if blank >= 0 else begin, last if last > at else stop


def _best_start(places: Sequence[_Place], most: int) -> int:
    """The run with which the best stretch begins: most patterns, then most places, then the earliest."""
    best, start, firsts = (0, 0), 0, [place.first for place in places]
    for number, place in enumerate(places):
        begin = max(0, place.first - most // BEFORE)
        inside = [each for each in places[number : bisect_left(firsts, begin + most)] if each.last < begin + most]
        score = len({each.pattern for each in inside}), len(inside)
        if score > best:
            best, start = score, begin
    return start


def _places(runs: Sequence[PlacedWords], patterns: Sequence[Pattern]) -> list[_Place]:
    """Where patterns stand, in order."""
    words = [word for run in runs for word in run.words]
    owner = [number for number, run in enumerate(runs) for _ in run.words]
    by_first: dict[str, list[int]] = {}
    for number, pattern in enumerate(patterns):
        by_first.setdefault(pattern.words[0], []).append(number)
    open_ended = [n for n, pattern in enumerate(patterns) if pattern.prefix and len(pattern.words) == 1]
    places = []
    for at, word in enumerate(words):
        candidates = by_first.get(word, [])
        if open_ended:
            candidates = [*candidates, *(n for n in open_ended if word.startswith(patterns[n].words[0]))]
        for number in candidates:
            size = len(patterns[number].words)
            if _fits(words[at : at + size], patterns[number]):
                places.append(_Place(owner[at], owner[at + size - 1], number))
                break
    return places


def _fits(words: Sequence[str], pattern: Pattern) -> bool:
    *before, last = pattern.words
    if len(words) != len(pattern.words) or list(words[:-1]) != before:
        return False
    return words[-1].startswith(last) if pattern.prefix else words[-1] == last


def _parts(text: str, runs: Sequence[PlacedWords], places: Sequence[_Place], start: int, end: int) -> Snippet:
    """The text from start to end in pieces; joined together they are the text."""
    parts, at = [], start
    for place in places:
        begin, stop = max(runs[place.first].start, at), runs[place.last].end
        if stop <= at:
            continue
        if begin > at:
            parts.append(SnippetPart(text[at:begin]))
        parts.append(SnippetPart(text[begin:stop], marked=True))
        at = stop
    return (*parts, SnippetPart(text[at:end])) if at < end else tuple(parts)
