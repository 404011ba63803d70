"""A word -> its attributes: what it says, how it is written, and what a lexicon knows of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from trailmark.tag.lexicon import Lexicon

LONGEST = 40
"""Letters of a word that are looked at; what is longer is no word of a language."""
_KINDS = (
    ("email", re.compile(r"[^\s@]{1,64}@[^\s@]{1,64}\.?[A-Za-z]{2,}")),
    ("web", re.compile(r"(?:https?:|ftp:|www\.)\S+", re.IGNORECASE)),
    ("year", re.compile(r"\W*(?:1[89]|20)\d\d[a-z]?\W*")),
    ("zip", re.compile(r"\W*\d{5}(?:-\d{4})?\W*")),
    ("pages", re.compile(r"\W*\d{1,5}\W{1,3}\d{1,5}\W*")),
    ("volume", re.compile(r"\d{1,4}\(\d{1,4}(?:[-/]\d{1,4})?\)\W*")),
    ("initial", re.compile(r"(?:[A-Z]\.-?){1,3},?")),
    ("ordinal", re.compile(r"\d{1,3}(?:st|nd|rd|th)\W*", re.IGNORECASE)),
    ("roman", re.compile(r"[IVXLC]{1,6}\W*")),
    ("number", re.compile(r"\W*\d+\W*")),
    ("code", re.compile(r"\W*(?=\S{0,30}\d)(?=\S{0,30}[A-Z])[\w./:#-]{3,30}\W*")),
)
"""How special words are written; a word may be several of them."""


@lru_cache(maxsize=65_536)
def trimmed(text: str) -> str:
    """The word in small letters without the marks around it; all of it where it is nothing but marks."""
    small = text[:LONGEST].lower()
    start, end = 0, len(small)
    while start < end and not small[start].isalnum():
        start += 1
    while end > start and not small[end - 1].isalnum():
        end -= 1
    return small[start:end] or small


@lru_cache(maxsize=65_536)
def shape(text: str) -> str:
    """`McCallum,` -> `XxXx,`: runs of capitals, small letters and digits, and marks as they are."""
    signs: list[str] = []
    for letter in text[:LONGEST]:
        sign = "d" if letter.isdigit() else letter
        if letter.isalpha():
            sign = "X" if letter.isupper() else "x"
        if not signs or signs[-1] != sign:
            signs.append(sign)
    return "".join(signs[:12])


@lru_cache(maxsize=65_536)
def kinds_of(text: str) -> tuple[str, ...]:
    """The special kinds that a word is written like."""
    short = text[: 4 * LONGEST]
    return tuple(name for name, pattern in _KINDS if pattern.fullmatch(short))


def near_attributes(text: str, lexicon: Lexicon) -> list[str]:
    """What is looked at in words further off too."""
    word = trimmed(text)
    end = text[-1:] if not text[-1:].isalnum() else ""
    return [
        f"w={word}",
        f"s={shape(text)}",
        f"end={end}",
        *(f"k={kind}" for kind in kinds_of(text)),
        *(f"x={use}" for use in lexicon.of(word)),
    ]


def word_attributes(text: str, lexicon: Lexicon, near: Sequence[str] | None = None) -> list[str]:
    """All attributes of a word itself; those that are `near_attributes` may be at hand."""
    word = trimmed(text)
    affixes = [f"p{size}={word[:size]}" for size in (1, 2, 3, 4) if len(word) > size]
    affixes += [f"e{size}={word[-size:]}" for size in (1, 2, 3, 4) if len(word) > size]
    return [
        *(near_attributes(text, lexicon) if near is None else near),
        *affixes,
        f"t={text[:LONGEST]}",
        f"n={min(len(text), 12)}",
        f"begin={text[:1] if not text[:1].isalnum() else ''}",
        f"digits={min(sum(map(str.isdigit, text[:LONGEST])), 8)}",
        f"known={bool(lexicon.of(word))}",
    ]
