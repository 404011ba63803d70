"""A reference, with the fields that were tagged in it -> what is compared of it."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]++|\d++")
_PLAIN_WORD = re.compile(r"[a-z]++|[0-9]++")
"""The same in a text of ASCII in lower case, in half the time: most texts are, and this is asked more often than anything else here."""
_HYPHEN = re.compile(r"(?<=[^\W\d_]{2})- ?(?=[^\W\d_])")
"""Of a word that was broken at the end of a line, or of a compound: both are written without it as often as with it."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_NO_NAMES = frozenset({"and", "und", "et", "al", "eds", "ed", "van", "von", "der", "den"})
LONGEST = 2_000
"""Characters of a reference that are compared."""

REMEMBERED = 32_768
"""Texts whose runs of letters are remembered while references are compared: all of them would be ten times what the references are."""

Grams = frozenset[str]
"""Runs of three letters; the second of the same run is another: what two texts have in common is then what two sets have."""


@dataclass(frozen=True, slots=True)
class ReferenceParts:
    """What two references are compared by."""

    words: tuple[str, ...]
    title_words: tuple[str, ...]
    names: tuple[str, ...]
    """Of authors, in order, initials left out."""
    years: frozenset[int]
    numbers: frozenset[str]
    """Volumes and pages."""

    @property
    def title(self) -> Grams:
        """Runs of three letters, so that a misprint costs little."""
        return grams(self.title_words)

    @property
    def whole(self) -> Grams:
        return grams(self.words, letters_only=True)


def plain_words(text: str) -> list[str]:
    """Letters and digits of a text, lower case, without accents and hyphens."""
    text = text[:LONGEST]
    if "-" in text:
        text = _HYPHEN.sub("", text)
    if text.isascii():
        return _PLAIN_WORD.findall(text.lower())
    flat = unicodedata.normalize("NFKD", text).lower()
    return _WORD.findall("".join(sign for sign in flat if not unicodedata.combining(sign)))


def reference_parts(text: str, fields: Mapping[str, Sequence[str]]) -> ReferenceParts:
    """The text of a reference and its fields -> its parts. Fields that are not known cost certainty, no more."""
    words = plain_words(text)
    title = tuple(_letters(_field(fields, "title")))
    names = tuple(word for word in _letters(_field(fields, "author")) if len(word) > 2 and word not in _NO_NAMES)
    years = frozenset(int(word) for word in words if _YEAR.fullmatch(word))
    numbers = frozenset(word for word in words if word.isdigit() and len(word) < 5 and not _YEAR.fullmatch(word))
    return ReferenceParts(tuple(map(sys.intern, words)), tuple(map(sys.intern, title)), names, years, numbers)


def letter_line(words: Sequence[str], *, letters_only: bool = False) -> str:
    """Words -> the line whose runs of letters are compared: with blanks around them; empty where there are none."""
    if letters_only:
        words = [word for word in words if not word.isdigit()]
    return f" {' '.join(words)} " if words else ""


@lru_cache(maxsize=REMEMBERED)
def grams(words: tuple[str, ...], *, letters_only: bool = False) -> Grams:
    """Runs of three characters of words with blanks around them."""
    line = letter_line(words, letters_only=letters_only)
    runs = [line[place : place + 3] for place in range(len(line) - 2)]
    if len(set(runs)) < len(runs):
        seen: dict[str, int] = {}
        for place, run in enumerate(runs):
            seen[run] = again = seen.get(run, 0) + 1
            if again > 1:
                runs[place] = f"{run}{again}"
    return frozenset(map(sys.intern, runs))


def _field(fields: Mapping[str, Sequence[str]], name: str) -> str:
    return " ".join(fields.get(name, ()))


def _letters(text: str) -> list[str]:
    return [word for word in plain_words(text) if not word.isdigit()]
