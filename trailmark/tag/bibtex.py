"""BibTeX -> the fields of its entries as plain words: names, titles, journals, publishers that somebody already told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_ENTRY = re.compile(r"@([A-Za-z]{1,40})[ \t\r\n]{0,40}[{(]")
_NAME = re.compile(r"[ \t\r\n,]*([A-Za-z][\w:.+/-]{0,80})[ \t\r\n]*=[ \t\r\n]*")
_BARE = re.compile(r"[^\s,{}()\"#=]{1,200}")
_COMMAND = re.compile(r"\\(?:[A-Za-z]{1,30}|.)", re.DOTALL)
_JOINED = re.compile(r"[ \t\r\n]*#[ \t\r\n]*")
LONGEST_VALUE = 20_000
"""Letters of one field; what is longer has lost its closing brace."""


@dataclass(frozen=True, slots=True)
class BibEntry:
    """One work: its kind (article, book ...) and its fields."""

    kind: str
    fields: tuple[tuple[str, str], ...]


def bib_entries(texts: Sequence[str]) -> Iterator[BibEntry]:
    """The entries of some files in their order, with the abbreviations of all of them put in; what is broken is passed over."""
    short: dict[str, str] = {}
    for text in texts:
        for kind, fields in _read(text, short):
            if kind == "string":
                short.update({name: value for name, value in fields if value})
    for text in texts:
        for kind, fields in _read(text, short):
            if kind != "string" and fields:
                yield BibEntry(kind, tuple((name, plain_text(value)) for name, value in fields))


def _read(text: str, short: dict[str, str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Kind and fields of whatever begins with an @, as they are written: ` and ` joins two names only with its blanks."""
    end = 0
    while (match := _ENTRY.search(text, end)) is not None:
        end = match.end()
        if (kind := match[1].lower()) not in ("comment", "preamble"):
            fields, end = _fields(text, end, short)
            yield kind, fields


def plain_text(value: str) -> str:
    """A value without TeX: braces and commands are taken off, accents leave their letter."""
    return " ".join(_COMMAND.sub("", value.replace("~", " ").replace("--", "-")).translate(_BRACES).split())


_BRACES = str.maketrans("", "", "{}$")


def _fields(text: str, start: int, short: dict[str, str]) -> tuple[list[tuple[str, str]], int]:
    """`key, name = value, name = value }` -> the fields and where they end."""
    fields: list[tuple[str, str]] = []
    comma, equals = text.find(",", start, start + 300), text.find("=", start, start + 300)
    if comma >= 0 and (equals < 0 or comma < equals):
        start = comma
    while (match := _NAME.match(text, start)) is not None:
        value, start = _value(text, match.end(), short)
        if value is None:
            break
        fields.append((match[1].lower(), value))
    return fields, start


def _value(text: str, start: int, short: dict[str, str]) -> tuple[str | None, int]:
    """Braces, quotes, a number or an abbreviation, and several of them joined by #."""
    parts = []
    while True:
        part, start = _part(text, start, short)
        if part is None:
            return None, start
        parts.append(part)
        joined = _JOINED.match(text, start)
        if joined is None or len(parts) > 50:
            return "".join(parts), start
        start = joined.end()


def _part(text: str, start: int, short: dict[str, str]) -> tuple[str | None, int]:
    opening = text[start : start + 1]
    if opening in ("{", '"') and opening:
        return _closed(text, start + 1, opening)
    bare = _BARE.match(text, start)
    if bare is None:
        return None, start
    return short.get(bare[0].lower(), bare[0] if bare[0].isdigit() else ""), bare.end()


def _closed(text: str, start: int, opening: str) -> tuple[str | None, int]:
    """What stands before the brace or quote that closes; where none does, reading goes on at the next entry."""
    depth = 0
    longest = min(len(text), start + LONGEST_VALUE)
    another = text.find("\n@", start, longest)
    longest = another if another >= 0 else longest
    for place in range(start, longest):
        letter = text[place]
        if depth == 0 and letter == ('"' if opening == '"' else "}"):
            return text[start:place], place + 1
        depth += (letter == "{") - (letter == "}")
    return None, longest
