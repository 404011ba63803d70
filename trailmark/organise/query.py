"""What a reader types into a search box -> a `Query`, and back.

Nothing that is typed is an error: a sign, a quote or a colon that makes no sense where it stands is read as part of the words, and a remark says how it
was understood. The signs are those of Cora, section 2 (`+`, `-`, `"`, `author:knuth`). Departures: years, `neur*`, and quotes as word processors bend them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from trailmark.datatypes import Query, QueryTerm, Sign, YearSpan
from trailmark.quoting import count_of, unicode_text

QUOTED = 60
"""Characters of what was typed that a remark repeats."""
LONGEST = 1000
"""Characters of a query that are read."""
MOST_TERMS = 32
"""Words, phrases and years of a query that are looked for."""
SAME_FIELD = {"authors": "author", "by": "author", "host": "site", "topics": "topic"}
"""Other names of fields that every item has."""

_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))
_TERM = re.compile(
    r"""(?P<sign>[+-]?)[+-]*
    (?:(?P<field>[^\W\d_][\w.-]{0,60}):(?=["+\-*]*[^\s"+\-*])(?!//))?
    (?:"(?P<phrase>[^"]*)"(?P<long>\**)|(?P<word>[^\s"]+)|"|$)""",
    re.VERBOSE,
)
_YEARS = re.compile(r"([0-9]{4})?\.\.([0-9]{4})?")
_YEAR = re.compile(r"[0-9]{4}")


@dataclass(frozen=True, slots=True)
class ReadQuery:
    """A query, and what is to be said of how it was understood."""

    query: Query
    remarks: tuple[str, ...] = ()


def read_query(text: str) -> ReadQuery:
    """Any text -> the query that it means."""
    remarks: list[str] = []
    plain = unicode_text(text).translate(_QUOTES).replace("\0", " ")
    if len(plain) > LONGEST:
        remarks.append(f"The first {LONGEST} characters were read.")
        plain = plain[:LONGEST]
    if plain.count('"') % 2:
        remarks.append("A quote that is not closed was left out.")
        before, _, after = plain.rpartition('"')
        plain = f"{before} {after}"
    parts = list(dict.fromkeys(_parts(plain, remarks)))
    if len(parts) > MOST_TERMS:
        remarks.append(f"The first {MOST_TERMS} of {count_of(len(parts), 'term')} were looked for.")
    terms = tuple(part for part in parts[:MOST_TERMS] if isinstance(part, QueryTerm))
    years = tuple(part for part in parts[:MOST_TERMS] if isinstance(part, YearSpan))
    return ReadQuery(Query(terms, years), tuple(dict.fromkeys(remarks)))


def query_text(query: Query) -> str:
    """A query -> a text that is read as the same query: how it was understood, in its own language."""
    return " ".join([*map(_term_text, query.terms), *map(_years_text, query.years)])


def _parts(text: str, remarks: list[str]) -> Iterator[QueryTerm | YearSpan]:
    """The terms of a text in order; what holds no letter and no digit is left out."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        match = _TERM.match(text, at)
        assert match is not None, "the expression takes any character"
        part = _part(match)
        if part is None:
            remarks.append(f"'{match[0][:QUOTED]}' holds no letter and no digit, and was left out.")
        else:
            yield part
        at = max(match.end(), at + 1)


def _part(match: re.Match[str]) -> QueryTerm | YearSpan | None:
    sign = cast("Sign", match["sign"])
    name = (match["field"] or "").lower()
    field = SAME_FIELD.get(name, name)
    phrase = match["phrase"] is not None
    typed = match["phrase"] if phrase else match["word"] or ""
    if field in ("", "year") and (years := _span(typed, sign, alone=field == "year")):
        return years
    words = " ".join(typed.split())
    prefix = bool(match["long"]) if phrase else words.endswith("*")
    if not phrase:
        words = words.lstrip("+-*" if field else "+-").rstrip("*")
    if not any(letter.isalnum() for letter in words):
        return None
    return QueryTerm(words, field, sign, phrase, prefix)


def _span(typed: str, sign: Sign, *, alone: bool) -> YearSpan | None:
    """`1995..2000`, `..1990`, `2001..`; a single year only where it is called one."""
    if alone and _YEAR.fullmatch(typed):
        return YearSpan(int(typed), int(typed), sign)
    match = _YEARS.fullmatch(typed)
    if match is None or not any(match.groups()):
        return None
    first, last = (int(year) if year else None for year in match.groups())
    if first is not None and last is not None and first > last:
        first, last = last, first
    return YearSpan(first, last, sign)


def _term_text(term: QueryTerm) -> str:
    field = f"{term.field}:" if term.field else ""
    words = f'"{term.words}"' if term.phrase else term.words
    return f"{term.sign}{field}{words}{'*' if term.prefix else ''}"


def _years_text(years: YearSpan) -> str:
    first, last = (f"{year:04}" if year is not None else "" for year in (years.first, years.last))
    return f"{years.sign}{first}..{last}"
