"""Text of a value as it was found -> its plain form: names as `Family, Given`, dates as `1998-03`, pages as `12-34`, venues without frills."""

from __future__ import annotations

import re

_BETWEEN = re.compile(r"\s*;\s*|\s*&\s*|,?\s+(?:and|und|et)\s+|\s*[•·|]\s*", re.IGNORECASE)
_MARKS = re.compile(
    r"[*†‡§¶∗⋆¹²³⁴⁵⁶⁷⁸⁹⁰]+|(?<=[^\W\d_])\d+(?:,\d+)*|^\d+\s+|\s\d+$|\((?:eds?|editors?)\.?\)|\beds?\.$|\bet al\.?$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"^(?:(?:(?:written\s+)?by|prof(?:essor)?|dr|mr|mrs|ms)\b\.?:?\s+|and\s+)+", re.IGNORECASE)
"""What stands before a name and is no part of it."""
_DEGREE = re.compile(
    r"(?:ph\.?\s?d|m\.?\s?d|m\.?\s?sc|b\.?\s?sc|m\.?a|b\.?a|student member|member|senior member|fellow|ieee|acm)\.?",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"[@{}]|https?:|\d.*\d")
_STRAY = re.compile(r"(?<=\w\w)\s+[a-z]$")
"""A small letter at the end of a name: a raised mark that was read as a letter."""
_INITIALS = re.compile(r"(?:[^\W\d_a-z]\.?[\s-]*){1,4}")
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv)\.?", re.IGNORECASE)
_PARTICLES = frozenset(
    ("von", "van", "de", "der", "den", "del", "della", "di", "du", "la", "le", "ter", "ten", "el", "al")
)
_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(r"(?i)\b(" + "|".join(_MONTHS) + r")[a-z]*\b")
_DAY = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?![\d/])")
_PAGES = re.compile(r"(?<!\d)([a-z]?\d{1,6})(?:\s*(?:[-–—‐]+|to)\s*([a-z]?\d{1,6}))?", re.IGNORECASE)
_FRILLS = re.compile(r"^(?:in\s*:?\s+)?(?:the\s+)?", re.IGNORECASE)
_EDGES = " \t.,;:()[]\"'“”‘’"
MOST_NAMES = 200
LEAST_LETTERS = 4
"""Of a name without any capital."""


def names_in(text: str) -> list[str]:
    """A list of authors as it was found -> each of them as it was found."""
    names: list[str] = []
    for part in _BETWEEN.split(_BEFORE.sub("", _MARKS.sub(" ", text).strip())):
        for piece in (piece.strip(_EDGES.replace(".", "")) for piece in part.split(",")):
            piece = _BEFORE.sub("", piece)
            if not piece or _DEGREE.fullmatch(piece) or _NO_NAME.search(piece):
                continue
            # Initials and suffixes behind a comma belong to the name before it.
            if names and "," not in names[-1] and (_INITIALS.fullmatch(piece) or _SUFFIX.fullmatch(piece)):
                names[-1] = f"{names[-1]}, {piece}"
            else:
                names.append(piece)
    names = [_STRAY.sub("", name) for name in names]
    return [" ".join(name.split()) for name in names if _is_written(name)][:MOST_NAMES]


def _is_written(name: str) -> bool:
    """Whether it has letters enough for a name: a capital, or a whole word."""
    letters = [letter for letter in name if letter.isalpha()]
    return any(letter == letter.upper() for letter in letters) or len(letters) >= LEAST_LETTERS


def normal_name(name: str) -> str:
    """A name as it was found -> `Family, Given`; where there is one word, that."""
    family, comma, given = name.partition(",")
    if comma:
        return f"{_spaced(family)}, {_spaced(given)}".strip(", ")
    words = _spaced(name).split()
    last = len(words) - 1
    if last > 0 and _INITIALS.fullmatch(words[-1]) and not _INITIALS.fullmatch(words[0]):
        return f"{words[0]}, {' '.join(words[1:])}"
    while last > 1 and words[last - 1].lower() in _PARTICLES:
        last -= 1
    return f"{' '.join(words[last:])}, {' '.join(words[:last])}" if last > 0 else " ".join(words)


def _spaced(text: str) -> str:
    """Initials with one blank between them, words without marks at their edges."""
    return " ".join(re.sub(r"(?<=\.)(?=[^\W\d_])", " ", text).split()).strip(" ,;:")


def normal_date(text: str) -> str:
    """A date as it was found -> its year, month and day, as far as they are told; empty where no year is."""
    year = _YEAR.search(text)
    if year is None:
        return ""
    month = _MONTH.search(text)
    if month is None:
        return year[1]
    number = _MONTHS.index(month[1].lower()) + 1
    day = _DAY.search(text.replace(year[1], ""))
    written = f"{year[1]}-{number:02d}"
    return f"{written}-{int(day[1]):02d}" if day and 1 <= int(day[1]) <= 31 else written


def normal_pages(text: str) -> str:
    """Pages as they were found -> `12-34`, also where the last is shortened (`1123-45`); empty where there is no number."""
    pages = _PAGES.search(text)
    if pages is None:
        return ""
    first, last = pages[1], pages[2] or ""
    if len(last) < len(first) and last.isdigit() and first.isdigit() and last:
        last = first[: len(first) - len(last)] + last
    return f"{first}-{last}" if last else first


def normal_venue(text: str) -> str:
    """A journal or a conference as it was found -> without `In`, `the` and marks at its edges."""
    return " ".join(_FRILLS.sub("", text.strip(_EDGES), count=1).split()).strip(_EDGES)
