"""Tagged documents mixed from others: the fields of one, some of them filled with what stands in the same field of another.

Documents of one source are alike in more than their fields: one list of addresses is all of one town, another without capitals or commas. Mixed
ones teach that a street of the one may stand before a town of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from random import Random

from trailmark.tag.tagged_text import NO_FIELD, TaggedDocument
from trailmark.tag.words import Word

MARKS = ",.;:"
"""That belong to where a field ends, and not to what is in it."""
SHARE = 0.5
"""Of the fields are filled from elsewhere; of restyled documents as many are without commas."""
Field = tuple[str, tuple[Word, ...]]
"""A label and the words of a line, side by side, that have it."""


def mixed(
    documents: Sequence[TaggedDocument], copies: int, *, restyled: bool = False, seed: int = 0
) -> list[TaggedDocument]:
    """Each document some times over, about half of its fields with words from others; restyled ones also in other capitals, or without commas."""
    dice = Random(f"mixed/{seed}")
    fields = [list(map(list, _fields(document))) for document in documents]
    stock: dict[str, list[tuple[Word, ...]]] = {}
    for lines in fields:
        for label, words in (field for line in lines for field in line):
            stock.setdefault(label, []).append(words)
    found = []
    for _ in range(copies):
        for lines in fields:
            style = _style(dice) if restyled else _as_it_is
            found.append(_document([_filled(line, stock, dice) for line in lines], style))
    return found


def _fields(document: TaggedDocument) -> Iterator[Iterator[Field]]:
    """The fields of each line."""
    for words, labels in zip(document.lines, document.labels, strict=True):
        pairs = zip(labels, words, strict=True)
        yield ((label, tuple(word for _, word in run)) for label, run in groupby(pairs, key=lambda pair: pair[0]))


def _filled(line: Sequence[Field], stock: dict[str, list[tuple[Word, ...]]], dice: Random) -> list[Field]:
    return [
        (label, _ending_like(dice.choice(stock[label]), words[-1]))
        if label != NO_FIELD and dice.random() < SHARE
        else (label, words)
        for label, words in line
    ]


def _ending_like(words: tuple[Word, ...], last: Word) -> tuple[Word, ...]:
    """The words with the marks behind the last of another field: what comes next is the same."""
    text = words[-1].text
    marks = last.text[len(last.text.rstrip(MARKS)) :]
    return (*words[:-1], replace(words[-1], text=(text.rstrip(MARKS) or text) + marks))


def _style(dice: Random) -> Callable[[str], str]:
    """How all words of a document are written."""
    capitals = dice.choice((_as_it_is, str.lower, str.upper, _titled))
    if dice.random() < SHARE:
        return lambda text: capitals(text.rstrip(",") or text)
    return capitals


def _as_it_is(text: str) -> str:
    return text


def _titled(text: str) -> str:
    """`MAIN` -> `Main`, but `IL` and `5TH` stay."""
    return text.title() if text.isalpha() and len(text) > 2 else text


def _document(lines: Sequence[Sequence[Field]], style: Callable[[str], str]) -> TaggedDocument:
    words = tuple(tuple(replace(word, text=style(word.text)) for _, run in line for word in run) for line in lines)
    return TaggedDocument(words, tuple(tuple(label for label, run in line for _ in run) for line in lines))
