"""Texts and addresses of a course -> its number, its term, its institution."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST = 400
"""Characters of a text that are looked at."""
_NUMBER = re.compile(r"\b([A-Z][A-Za-z]{1,4}(?:/[A-Z][A-Za-z]{1,4})?)[ -]{0,2}(\d{2,4}[A-Z]?)\b")
_SEASON = r"(spring|summer|fall|autumn|winter)"
_TERM = re.compile(
    rf"{_SEASON}(?:\s(?:quarter|semester|term))?[\s,'_-]{{0,3}}((?:19|20)\d\d|\d\d)(?!\d)", re.IGNORECASE
)
_YEAR_FIRST = re.compile(rf"\b((?:19|20)\d\d)[\s,_-]{{0,2}}{_SEASON}", re.IGNORECASE)
_NO_COURSE = frozenset(
    [
        "of",
        "in",
        "the",
        "version",
        "room",
        "page",
        "since",
        "year",
        "due",
        "fall",
        "spring",
        "summer",
        "winter",
        "autumn",
        "week",
        "lab",
        "hw",
        "ps",
        "quiz",
        "exam",
        "unit",
        "part",
    ]
)
_OLDEST_SHORT_YEAR = 50
"""Two digits from here on are of the twentieth century."""
_SHARED_ENDINGS = frozenset(("ac", "edu", "co", "com", "org", "net", "gov"))
"""Before a country's letters they are no name of an institution: `ac.uk`."""


_LENT = frozenset(
    [
        "github.io",
        "gitlab.io",
        "bitbucket.io",
        "netlify.app",
        "vercel.app",
        "pages.dev",
        "readthedocs.io",
        "wordpress.com",
        "blogspot.com",
        "weebly.com",
        "herokuapp.com",
    ]
)
"""Domains whose hosts belong to others than their owner."""


def course_number(texts: Iterable[str]) -> str:
    """The first course number in some texts: `CS 211`; empty where there is none."""
    for text in texts:
        for letters, digits in _NUMBER.findall(text[:LONGEST]):
            if letters.lower() not in _NO_COURSE:
                return f"{letters.upper()} {digits}"
    return ""


def course_term(texts: Iterable[str]) -> str:
    """The first term in some texts or addresses, year first: `1996 autumn`; empty where there is none."""
    for text in texts:
        if match := _TERM.search(text[:LONGEST]):
            return f"{_year(match[2])} {_season(match[1])}"
        if match := _YEAR_FIRST.search(text[:LONGEST]):
            return f"{match[1]} {_season(match[2])}"
    return ""


def institution_of(host: str) -> str:
    """A host's name -> the domain of its owner: `www.cs.example.edu` is of `example.edu`, `cs.example.ac.uk` of `example.ac.uk`, `me.github.io` of itself."""
    labels = host.split(".")
    wide = len(labels) > 2 and (
        (len(labels[-1]) == 2 and labels[-2] in _SHARED_ENDINGS) or ".".join(labels[-2:]) in _LENT
    )
    return ".".join(labels[-3:] if wide else labels[-2:])


def _season(word: str) -> str:
    return "autumn" if word.lower() == "fall" else word.lower()


def _year(digits: str) -> str:
    return digits if len(digits) == 4 else f"{'19' if int(digits) >= _OLDEST_SHORT_YEAR else '20'}{digits}"
