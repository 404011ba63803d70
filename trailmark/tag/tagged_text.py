"""Lines of a tagged file -> documents whose words have labels. The three forms are in docs/how-to/tag.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from trailmark.read.written_lines import JsonObject, Problem, Refusal, parse_lines, refuse_no_text
from trailmark.tag.words import Word

NO_FIELD = "O"
"""The label of a word that belongs to no field."""
MOST_WORDS = 200_000
"""Of one document: what is longer is no document that somebody tagged."""
PIECE = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
"""Running text in words: letters, digits and every mark apart, since a field may begin or end between them."""

Span = tuple[int, int]
"""Where a word stands in its text: first character, and the one behind the last."""


@dataclass(frozen=True, slots=True)
class TaggedDocument:
    """Lines of words, and a label for each of them in the same shape."""

    lines: tuple[tuple[Word, ...], ...]
    labels: tuple[tuple[str, ...], ...]
    places: tuple[tuple[Span, ...], ...] = ()
    """Where each word stands in the text; only where the text was given with spans."""
    spans: tuple[tuple[int, int, str], ...] = ()
    """The spans themselves, as somebody marked them."""
    text: str = ""


def parse_tagged(lines: Iterable[str], source: str) -> tuple[list[TaggedDocument], list[Problem]]:
    """Lines of a file -> its documents, and a problem for each line that is none; the rest is still read."""
    good, problems = parse_lines(lines, source, _document)
    return [document for _, document in good], problems


def words_of(text: str) -> tuple[tuple[tuple[Word, ...], ...], tuple[tuple[Span, ...], ...]]:
    """Running text -> the words of each line that has any, and where they stand."""
    lines, places, start = [], [], 0
    for line in text.splitlines(keepends=True):
        found = [(match[0], (start + match.start(), start + match.end())) for match in PIECE.finditer(line)]
        start += len(line)
        if found:
            lines.append(tuple(Word(piece) for piece, _ in found))
            places.append(tuple(place for _, place in found))
    return tuple(lines), tuple(places)


def _document(entry: JsonObject) -> TaggedDocument:
    forms = {"lines": _from_lines, "tokens": _from_tokens, "text": _from_text}
    present = [name for name in forms if name in entry]
    if len(present) != 1:
        raise Refusal("give either 'lines', or 'tokens' with 'labels', or 'text' with 'spans'")
    document = forms[present[0]](entry)
    if sum(map(len, document.lines)) > MOST_WORDS:
        raise Refusal(f"more than {MOST_WORDS:,} words; cut it into several documents")
    return document


def _from_lines(entry: JsonObject) -> TaggedDocument:
    lines = [[_pair(pair) for pair in _list(line, "each of 'lines'")] for line in _list(entry["lines"], "'lines'")]
    words = tuple(tuple(Word(token) for token, _ in line) for line in lines)
    return TaggedDocument(words, tuple(tuple(label for _, label in line) for line in lines))


def _from_tokens(entry: JsonObject) -> TaggedDocument:
    tokens = [_text(token, "a token") for token in _list(entry["tokens"], "'tokens'")]
    labels = [_label(label) for label in _list(entry.get("labels"), "'labels'")]
    if len(tokens) != len(labels):
        raise Refusal(f"{len(tokens)} tokens, but {len(labels)} labels; give one label a token")
    if not tokens:
        return TaggedDocument((), ())
    return TaggedDocument((tuple(map(Word, tokens)),), (tuple(labels),))


def _from_text(entry: JsonObject) -> TaggedDocument:
    text = entry["text"]
    if not isinstance(text, str):
        raise Refusal("'text' must be a string")
    spans = tuple(sorted(_span(span, len(text)) for span in _list(entry.get("spans"), "'spans'")))
    for (_, end, _), (start, _, _) in pairwise(spans):
        if start < end:
            raise Refusal(f"two spans overlap at character {start}; a word has one label")
    words, places = words_of(text)
    tags = _labels_at([place for line in places for place in line], spans)
    labels = tuple(tuple(next(tags) for _ in line) for line in places)
    return TaggedDocument(words, labels, places, spans, text)


def _labels_at(places: Sequence[Span], spans: Sequence[tuple[int, int, str]]) -> Iterator[str]:
    """The label of the span that each word touches; both are in the order of the text."""
    number = 0
    for start, end in places:
        while number < len(spans) and spans[number][1] <= start:
            number += 1
        touched = number < len(spans) and spans[number][0] < end
        yield spans[number][2] if touched else NO_FIELD


def _list(value: object, name: str) -> list[object]:
    if not isinstance(value, list):
        raise Refusal(f"{name} must be a list, like [...]")
    return value


def _pair(value: object) -> tuple[str, str]:
    if not isinstance(value, list) or len(value) != 2:
        raise Refusal('a word must be a pair, like ["Ada", "author"]')
    return _text(value[0], "a word"), _label(value[1])


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise Refusal(f"{name} must be a string, not {str(value)[:40]}")
    return value


def _label(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Refusal(f"a label must be a name, not {str(value)[:40]!r}")
    refuse_no_text(value, "a label")
    return value.strip()


def _span(value: object, length: int) -> tuple[int, int, str]:
    if not isinstance(value, list) or len(value) != 3:
        raise Refusal('a span must be [start, end, label], like [8, 12, "stime"]')
    start, end, label = value
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= length:
        raise Refusal(f"a span must lie within the text of {length} characters, not {str(value)[:60]}")
    return start, end, _label(label)
