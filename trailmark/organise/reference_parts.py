"""A reference, with the fields that were tagged in it -> what is compared of it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[^\W\d_]++|\d++")
_HYPHEN = re.compile(r"(?<=[^\W\d_]{2})- ?(?=[^\W\d_])")
"""Of a word that was broken at the end of a line, or of a compound: both are written without it as often as with it."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_NO_NAMES = frozenset({"and", "und", "et", "al", "eds", "ed", "van", "von", "der", "den"})
LONGEST = 2_000
"""Characters of a reference that are compared."""

Grams = Counter[str]


@dataclass(frozen=True, slots=True)
class ReferenceParts:
    """What two references are compared by."""

    words: tuple[str, ...]
    title: Grams
    """Runs of three letters, so that a misprint costs little."""
    title_words: tuple[str, ...]
    whole: Grams
    names: tuple[str, ...]
    """Of authors, in order, initials left out."""
    name_grams: tuple[Grams, ...]
    years: frozenset[int]
    numbers: frozenset[str]
    """Volumes and pages."""


def plain_words(text: str) -> list[str]:
    """Letters and digits of a text, lower case, without accents and hyphens."""
    flat = unicodedata.normalize("NFKD", _HYPHEN.sub("", text[:LONGEST])).lower()
    return _WORD.findall("".join(sign for sign in flat if not unicodedata.combining(sign)))


def reference_parts(text: str, fields: Mapping[str, Sequence[str]]) -> ReferenceParts:
    """The text of a reference and its fields -> its parts. Fields that are not known cost certainty, no more."""
    words = plain_words(text)
    title = _letters(_field(fields, "title"))
    names = tuple(word for word in _letters(_field(fields, "author")) if len(word) > 2 and word not in _NO_NAMES)
    years = frozenset(int(word) for word in words if _YEAR.fullmatch(word))
    numbers = frozenset(word for word in words if word.isdigit() and len(word) < 5 and not _YEAR.fullmatch(word))
    letters = [word for word in words if not word.isdigit()]
    return ReferenceParts(
        tuple(words),
        grams(title),
        tuple(title),
        grams(letters),
        names,
        tuple(grams([name]) for name in names),
        years,
        numbers,
    )


def grams(words: Sequence[str]) -> Grams:
    """Runs of three characters of words with blanks around them."""
    line = f" {' '.join(words)} "
    return Counter(line[place : place + 3] for place in range(len(line) - 2)) if words else Counter()


def _field(fields: Mapping[str, Sequence[str]], name: str) -> str:
    return " ".join(fields.get(name, ()))


def _letters(text: str) -> list[str]:
    return [word for word in plain_words(text) if not word.isdigit()]
