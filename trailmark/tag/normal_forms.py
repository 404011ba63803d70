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
_VOLUME = re.compile(r"^\D{0,20}(\d{1,9})\s{0,3}(?:\([^()]{0,30}\))?\s{0,3}:\s{0,3}(?=[a-z]?\d)", re.IGNORECASE)
"""Volume and issue before pages without a blank between them, as in `21(8):613-641`."""
_BY_ARTICLE = re.compile(r"(?<!\d)(\d{1,6}):(\d{1,6})\s*[-–—‐]+\s*\1:(\d{1,6})(?!\d)")
"""Pages that are counted within an article, as in `23:1-23:30`."""
_FRILLS = re.compile(r"^(?:in\s*:?\s+)?(?:the\s+)?", re.IGNORECASE)
_EDGES = " \t.,;:()[]\"'“”‘’"
MOST_NAMES = 200
LEAST_LETTERS = 4
"""Of a name without any capital."""
SHORTENED = 4
"""Letters that a given name has at most where a full stop behind it tells that it is shortened."""


def names_in(text: str) -> list[str]:
    """A list of authors as it was found -> each of them as it was found."""
    names: list[str] = []
    for part in _BETWEEN.split(_BEFORE.sub("", _MARKS.sub(" ", text).strip())):
        for piece in (piece.strip(_EDGES.replace(".", "")) for piece in part.split(",")):
            piece = _BEFORE.sub("", piece)
            if not piece or _DEGREE.fullmatch(piece) or _NO_NAME.search(piece):
                continue
            # Initials and suffixes behind a comma belong to the name before it.
            goes_on = (
                _SUFFIX.fullmatch(piece) or ("," not in names[-1] and _INITIALS.fullmatch(piece)) if names else None
            )
            if goes_on:
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
    """A name as it was found -> `Family, Given`; where there is one word, that. `Jr.` stands behind the given names."""
    name, suffix = _without_suffix(name)
    family, given = _family_and_given(name)
    behind = " ".join(part for part in (_without_stop(given, SHORTENED), suffix) if part)
    return f"{_without_stop(family, 1)}, {behind}".strip(", ")


def _without_suffix(name: str) -> tuple[str, str]:
    """`Brooks, F. P., Jr.` -> `Brooks, F. P.` and `Jr.`"""
    rest, comma, last = name.rpartition(",")
    if not comma:
        rest, _, last = name.strip().rpartition(" ")
    if (comma or " " in rest.strip()) and rest.strip(_EDGES) and _SUFFIX.fullmatch(last.strip()):
        return rest, last.strip()
    return name, ""


def _family_and_given(name: str) -> tuple[str, str]:
    family, comma, given = name.partition(",")
    if comma:
        return _spaced(family), _spaced(given)
    words = _spaced(name).split()
    last = len(words) - 1
    if last > 0 and _INITIALS.fullmatch(words[-1]) and not _INITIALS.fullmatch(words[0]):
        return words[0], " ".join(words[1:])
    while last > 1 and words[last - 1].lower() in _PARTICLES:
        last -= 1
    return " ".join(words[max(last, 0) :]), " ".join(words[: max(last, 0)])


def _without_stop(name: str, most: int) -> str:
    """A name without the full stop that ends the list it stood in: initials, suffixes and what has few letters keep theirs."""
    last = name.split()[-1:] or [""]
    word = last[0].rstrip(".")
    kept = len(word) <= most or _INITIALS.fullmatch(last[0]) or _SUFFIX.fullmatch(last[0])
    return name if kept else name.rstrip(".")


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
    """Pages as they were found -> `12-34`, also where the last is shortened (`1123-45`) or a volume stands before; empty where there is no number."""
    if (article := _BY_ARTICLE.search(text)) is not None:
        return f"{article[1]}:{article[2]}-{article[1]}:{article[3]}"
    volume = _VOLUME.match(text)
    pages = _PAGES.search(text, volume.end() if volume else 0)
    if pages is None:
        return ""
    first, last = pages[1], pages[2] or ""
    if len(last) < len(first) and last.isdigit() and first.isdigit() and last:
        last = first[: len(first) - len(last)] + last
    return f"{first}-{last}" if last else first


def normal_venue(text: str) -> str:
    """A journal or a conference as it was found -> without `In`, `the` and marks at its edges."""
    return " ".join(_FRILLS.sub("", text.strip(_EDGES), count=1).split()).strip(_EDGES)
