"""The body of a paper and its references -> for each reference the sentences in which it is cited.

Citations are found by their marks: numbers in brackets (`[12]`, `[3, 7-9]`), labels (`[Knu84]`), or a year with names before it (`Knuth (1984)`, `Knuth et al. 1984a`,
`(Knuth, 1984; Lamport, 1994)`). For the last every year in the text is taken, the words before it are walked back over as far as they may be names, and the
references of that year are asked whose first author stands there. A citation that may mean two references is given to neither.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trailmark.organise.reference_parts import plain_words
from trailmark.organise.sentences import sentence_spans

MOST = 5
"""Sentences that are kept of a reference."""
LONGEST = 500
"""Letters of a context: of a longer sentence what stands around the citation."""
WIDEST = 60
"""Numbers that a range in brackets may span."""
BACK = 14
"""Words before a year that are walked back over."""

_BRACKET = re.compile(r"\[([^\[\]]{1,250})\]")
_NUMBERS = re.compile(r"\s*(\d{1,4})\s*(?:[-\u2010-\u2015]\s*(\d{1,4}))?\s*")
_YEAR = re.compile(r"(?<![\d.$#-])((?:1[6-9]|20)\d\d)([a-z])?(?![\w-])")
_TOKEN = re.compile(r"\S{1,60}")
_LIST_NUMBER = re.compile(r"\s*[\[(【]?\s?(\d{1,4})\s?[\].):】]?(?=\s|[^\W\d_]|[“\"]|$)")
_LIST_LABEL = re.compile(r"\s*[\[【]([^\]\[]{1,40})[\]】]")
_SMALL = frozenset(
    [
        "and",
        "et",
        "al",
        "und",
        "van",
        "von",
        "der",
        "den",
        "de",
        "del",
        "della",
        "di",
        "du",
        "la",
        "le",
        "ter",
        "ten",
        "e",
        "y",
    ]
)


@dataclass(frozen=True, slots=True)
class CitedReference:
    """A reference of a paper by all that the text may call it."""

    number: int | None = None
    """The number with which it is marked in the list."""
    label: str = ""
    """What stands in brackets before it, if that is no number: `Knu84`."""
    names: tuple[str, ...] = ()
    """Family names of its authors in plain words, the first one first."""
    year: int | None = None
    letter: str = ""
    """Behind the year: `1984a`."""


def cited_reference(text: str, fields: Mapping[str, Sequence[str]]) -> CitedReference:
    """A reference as it stands in the list, with its mark, and its tagged fields -> what a text may call it."""
    number, label = _LIST_NUMBER.match(text), _LIST_LABEL.match(text)
    named = label[1].strip() if label and not label[1].strip().isdigit() else ""
    families = tuple(family for name in _authors(fields) if (family := _family(name))) or _first_name(text)
    years = list(_YEAR.finditer(text)) or [*_YEAR.finditer(" ".join(fields.get("date", ())))]
    dates = " ".join(fields.get("date", ()))
    year = next((each for each in years if each[1] in dates), years[-1] if years else None)
    return CitedReference(
        int(number[1]) if number and not _YEAR.match(number[1]) else None,
        named,
        families,
        int(year[1]) if year else None,
        (year[2] or "") if year else "",
    )


def _authors(fields: Mapping[str, Sequence[str]]) -> Sequence[str]:
    return fields.get("author_normal") or fields.get("author") or fields.get("editor_normal") or ()


def _first_name(text: str) -> tuple[str, ...]:
    """Where no authors are tagged: the first word of a reference that may be a name."""
    words = (word for word in _TOKEN.findall(_LIST_LABEL.sub("", text[:120], count=1)) if word[:1].isupper())
    return next(((plain[-1],) for word in words if (plain := plain_words(word)) and len(plain[-1]) > 1), ())


def _family(name: str) -> str:
    """`Family, Given` or `Given Family` -> the last word of the family name in plain letters."""
    before, comma, _ = name.partition(",")
    words = [word for word in plain_words(before if comma else name) if len(word) > 1 and not word.isdigit()]
    return words[-1] if words else ""


@dataclass(frozen=True, slots=True)
class Citation:
    """One place in a text where a reference is cited."""

    reference: int
    """The place of the reference in the list, counted from 0."""
    start: int
    end: int


def citation_contexts(body: str, references: Sequence[CitedReference]) -> list[tuple[str, ...]]:
    """The body of a paper and its references -> for each the sentences in which it is cited, in order, each once."""
    spans = sentence_spans(body)
    starts = [start for start, _ in spans]
    contexts: list[dict[str, None]] = [{} for _ in references]
    for citation in sorted(citations(body, references), key=lambda each: (each.start, each.reference)):
        start, end = spans[max(0, bisect_right(starts, citation.start) - 1)]
        if len(contexts[citation.reference]) < MOST:
            contexts[citation.reference][_around(body, start, end, citation)] = None
    return [tuple(each) for each in contexts]


def _around(body: str, start: int, end: int, citation: Citation) -> str:
    """A sentence, cut at words to what stands around the citation where it is long."""
    if end - start <= LONGEST:
        return " ".join(body[start:end].split())
    middle = (citation.start + citation.end) // 2
    first = max(start, min(middle - LONGEST // 2, end - LONGEST))
    words = body[first : first + LONGEST].split(" ")
    cut = words[first > start : -1 if first + LONGEST < end else None]
    return " ".join(f"{'… ' if first > start else ''}{' '.join(cut)}{' …' if first + LONGEST < end else ''}".split())


def citations(body: str, references: Sequence[CitedReference]) -> list[Citation]:
    """All places at which references are cited, by brackets first; by names and years where brackets say nothing or hold these."""
    return [*_bracketed(body, references), *_by_year(body, references)]


def _bracketed(body: str, references: Sequence[CitedReference]) -> Iterator[Citation]:
    marked = [(reference.number, place) for place, reference in enumerate(references) if reference.number is not None]
    numbers = dict(reversed(marked)) if len(marked) * 2 >= len(references) else {}
    labels = {_plain(reference.label): place for place, reference in enumerate(references) if reference.label}
    for bracket in _BRACKET.finditer(body):
        if bracket.start() and body[bracket.start() - 1].isalnum() and not body[bracket.start() - 2].isalnum():
            continue  # a[12] is a place in an array
        parts = re.split("[,;]", bracket[1])
        found = [place for part in parts if (place := labels.get(_plain(part))) is not None]
        if not found and (whole := labels.get(_plain(bracket[1]))) is not None:
            found = [whole]
        if not found and not labels:
            found = [numbers[number] for number in _numbers(parts) if number in numbers]
        for place in dict.fromkeys(found):
            yield Citation(place, bracket.start(), bracket.end())


def _plain(label: str) -> str:
    return "".join(label.lower().split()).replace("\u2013", "-")


def _numbers(parts: Sequence[str]) -> list[int]:
    """What stands between commas in brackets -> the numbers it names; none where the first is no number."""
    numbers: list[int] = []
    for part in parts:
        found = _NUMBERS.fullmatch(part)
        if found is None:
            break  # `[12, p. 7]`: what follows is a place in it
        first, last = int(found[1]), int(found[2] or found[1])
        numbers += range(first, last + 1) if 0 <= last - first <= WIDEST else []
    return numbers


def _by_year(body: str, references: Sequence[CitedReference]) -> Iterator[Citation]:
    """Years with names before them."""
    of_year: dict[int, list[int]] = defaultdict(list)
    for place, reference in enumerate(references):
        if reference.year is not None and reference.names:
            of_year[reference.year].append(place)
    before, names = 0, ()  # type: tuple[int, tuple[str, ...]]
    for year in _YEAR.finditer(body):
        between = body[before : year.start()]
        # `Knuth (1984, 1986a)`: the names before the first year hold for the second.
        if not ((before and len(between) <= 6 and not between.strip(" ,&;")) or between.strip() in ("and", ", and")):
            names = _names_before(body, year.start(), max(before, year.start() - 200))
        before = year.end()
        meant = _meant(names, year[2] or "", [(place, references[place]) for place in of_year.get(int(year[1]), ())])
        if meant is not None:
            yield Citation(meant, year.start(), year.end())


def _names_before(body: str, end: int, start: int) -> tuple[str, ...]:
    """The words before a year that may be names of authors, the last one first; `et al` among them stands for more."""
    words = _TOKEN.findall(body[start:end])
    names: list[str] = []
    for word in reversed(words[-BACK:]):
        if names and word.endswith(";"):
            break
        plain = plain_words(re.sub(r"['\u2019]s?\W*$", "", word))
        if not plain and not word.strip("()[],.&"):
            continue
        if not plain or not (word.strip("([,;.\u201c\"'")[:1].isupper() or plain[0] in _SMALL):
            break
        names += [each for each in reversed(plain) if len(each) > 1 and (each not in _SMALL or each == "al")]
        if word.startswith(("(", "[")) and len(names) > 0:
            break
    return tuple(names)


def _meant(names: Sequence[str], letter: str, candidates: Sequence[tuple[int, CitedReference]]) -> int | None:
    """Names before a year, the letter behind it, references of that year -> the one that is meant; None where none is, or two may be."""
    scored = [(_fit(names, letter, reference), place) for place, reference in candidates]
    good = sorted((score, place) for score, place in scored if score > 0)
    if not good or (len(good) > 1 and good[-1][0] == good[-2][0]):
        return None
    return good[-1][1]


def _fit(names: Sequence[str], letter: str, reference: CitedReference) -> float:
    """How well a reference goes with names: its first author must be there; others that are there, and their number, decide between two."""
    there = set(names)
    if reference.names[0] not in there or (letter and reference.letter and letter != reference.letter):
        return 0.0
    named = sum(name in there for name in reference.names[:3])
    if "al" in there:
        missing = 0 if len(reference.names) > 1 else 1
    else:
        missing = sum(name not in there for name in reference.names[:2])
    return 10 + named - 2 * missing + 3 * (bool(letter) and letter == reference.letter)
