"""`Lexicon`: what words are used for in bibliographies: names, titles, journals, publishers, places. Learnt, never typed in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from trailmark.tag.bibtex import BibEntry

USES = {
    "title": "title",
    "booktitle": "booktitle",
    "series": "booktitle",
    "journal": "journal",
    "publisher": "publisher",
    "organization": "publisher",
    "institution": "institution",
    "school": "institution",
    "address": "place",
    "location": "place",
    "month": "month",
    "keywords": "keyword",
    "note": "note",
    "annote": "note",
    "howpublished": "note",
    "url": "web",
    "email": "email",
    "year": "date",
}
"""Field of BibTeX -> what it says of a word; names are told apart into given and family ones."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SHARES = ((0.75, "most"), (0.4, "much"), (0.12, "some"))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Word in small letters -> what it is used for, each with how much of its use that is: `family:most`."""

    uses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, word: str) -> tuple[str, ...]:
        """What is known of a word; nothing of one that no entry has."""
        return self.uses.get(word, ())


def lexicon_of(entries: Iterable[BibEntry], *, least: int = 2) -> Lexicon:
    """Counts the words of all fields; a word that was seen fewer times than `least` says nothing."""
    counts: dict[str, Counter[str]] = {}
    totals: Counter[str] = Counter()
    for entry in entries:
        for use, word in entry_words(entry):
            counts.setdefault(word, Counter())[use] += 1
            totals[use] += 1
    known = {word: _uses(found, totals) for word, found in sorted(counts.items()) if found.total() >= least}
    return Lexicon(known)


def entry_words(entry: BibEntry) -> Iterator[tuple[str, str]]:
    """(use, word in small letters) of all fields of an entry."""
    for name, value in entry.fields:
        if name in ("author", "editor"):
            yield from _name_words(value)
        elif name in USES:
            yield from ((USES[name], match[0].lower()) for match in _WORD.finditer(value))


def _name_words(value: str) -> Iterator[tuple[str, str]]:
    """Names as BibTeX writes them: `Family, Given and Given Family`."""
    for name in value.split(" and "):
        family, comma, given = name.partition(",")
        if not comma:
            given, _, family = name.rpartition(" ")
        yield from (("family", match[0].lower()) for match in _WORD.finditer(family))
        yield from (("given", match[0].lower()) for match in _WORD.finditer(given) if len(match[0]) > 1)


def _uses(found: Counter[str], totals: Counter[str]) -> tuple[str, ...]:
    """Shares after every use was brought to the same size: titles have the most words and would drown the rest."""
    rates = {use: count / (totals[use] + 1000) for use, count in found.items()}
    whole = sum(rates.values())
    return tuple(
        sorted(f"{use}:{_size(rate / whole)}" for use, rate in rates.items() if rate / whole >= _SHARES[-1][0])
    )


def _size(share: float) -> str:
    return next(name for least, name in _SHARES if share >= least)
