"""Tagged documents as a bad reading gives them: marks lost, words cut, capitals wrong, numbers before the first word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from trailmark.tag.tagged_text import TaggedDocument
from trailmark.tag.words import Word

MARKS = '.,;:()"'
LOST, CUT, TURNED, NUMBERED = 0.15, 0.04, 0.03, 0.5
"""Shares of words whose last mark is lost, that are cut in two, whose capitals are turned; and of documents with a number before them."""


def worn(documents: Sequence[TaggedDocument], *, seed: int = 0) -> list[TaggedDocument]:
    """Of documents of one line, some again as a bad reading gives them: a third worn, a few without marks, a few without capitals."""
    dice = Random(f"worn/{seed}")
    found: list[TaggedDocument] = []
    for document in documents:
        if len(document.lines) == 1:
            found += _again(document, dice)
    return found


def _again(document: TaggedDocument, dice: Random) -> Iterator[TaggedDocument]:
    if dice.random() < 0.34:
        yield _worn(document, dice)
    if dice.random() < 0.15:
        yield _said(document, [(word.text.strip(MARKS) or word.text, label) for word, label in _pairs(document)])
    if dice.random() < 0.1:
        yield _said(document, [(word.text.lower(), label) for word, label in _pairs(document)])


def _pairs(document: TaggedDocument) -> list[tuple[Word, str]]:
    return list(zip(document.lines[0], document.labels[0], strict=True))


def _worn(document: TaggedDocument, dice: Random) -> TaggedDocument:
    pairs = [(text, label) for word, label in _pairs(document) for text in _pieces(word.text, dice)]
    if pairs and dice.random() < NUMBERED:
        pairs.insert(0, (f"[{dice.randint(1, 40)}]", pairs[0][1]))
    return _said(document, pairs)


def _pieces(text: str, dice: Random) -> list[str]:
    if dice.random() < LOST:
        text = text.rstrip(MARKS) or text
    if len(text) > 5 and dice.random() < CUT:
        place = dice.randint(2, len(text) - 2)
        return [f"{text[:place]}-", text[place:]]
    return [text.swapcase() if dice.random() < TURNED else text]


def _said(document: TaggedDocument, pairs: Sequence[tuple[str, str]]) -> TaggedDocument:
    words, labels = tuple(Word(text) for text, _ in pairs), tuple(label for _, label in pairs)
    return replace(document, lines=(words,), labels=(labels,), places=(), spans=(), text="")
