"""A style sheet cut into tokens as a browser cuts it (CSS Syntax 3, sections 3.3 and 4), in time that grows with its length alone.

Every pattern repeats sets of letters and never goes back, so that none can be made to try twice. What no rewriting looks at (brackets,
numbers, blanks) comes in runs. A token's `text` is how it may be written again: every browser cuts it alike, whichever edition of the rules it
follows, and no tag begins in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    """What a token is to someone who looks for addresses."""

    OTHER = "brackets, numbers, marks: nothing that loads"
    SPACE = "blanks and comments"
    NAME = "an identifier"
    AT = "the name of an at-rule, without the @"
    CALL = "the name of a function; its opening bracket has been read"
    STRING = "a string"
    URL = "url(...) without quotes"
    BAD = "a string that a line ends, or an address that is none"


class Token(NamedTuple):
    """What it is, what it says with its escapes undone, and how it may be written again."""

    kind: Kind
    value: str
    text: str


Cut = tuple[Token, int]
"""A token and the place behind it."""

_ENDS = re.compile(r"\r\n?|\f")
_NO_LETTER = re.compile("[\x00\ud800-\udfff]")
_NAME = re.compile(r"[A-Za-z0-9_\-\x80-\U0010ffff]*+")
_FIRST = re.compile(r"[A-Za-z_\x80-\U0010ffff]")
_NUMBER = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+")
_RUN = re.compile(r"[^A-Za-z0-9_\-\x80-\U0010ffff\"'/@#\\<+. \t\n]++")
_SPACE = re.compile(r"[ \t\n]*+")
_HEX = re.compile(r"[0-9A-Fa-f]{1,6}+")
_IN_STRING = {'"': re.compile(r'[^"\\\n]*+'), "'": re.compile(r"[^'\\\n]*+")}
_IN_URL = re.compile(r"[^\"'()\\ \t\n\x00-\x08\x0b\x0e-\x1f\x7f]*+")
_IN_BAD_URL = re.compile(r"[^)\\]*+")
# Letters on which older and newer rules for names differ, and those that a decoder may swallow, are written as escapes.
_ODD = re.compile(
    r"[^A-Za-z0-9_\-\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\U00010000-\U000effff]"
)
_UNSAFE = re.compile('[\x00-\x1f"\\\\<>\x7f\ufeff]')
_BESIDE_LESS = frozenset("= \t\n0123456789")
_NO_FIRST = frozenset("-0123456789")
_NO_UNIT = _NO_FIRST | {"e", "E"}
_LEFT_OUT = " x-left-out "


def preprocessed(text: str) -> str:
    """The text with one kind of line end, and without letters that are none (section 3.3)."""
    return _NO_LETTER.sub("\ufffd", _ENDS.sub("\n", text))


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a preprocessed text, in order."""
    place, end = 0, len(text)
    while place < end:
        match = _RUN.match(text, place)
        if match is not None:
            place = match.end()
            yield Token(Kind.OTHER, "", match.group())
        else:
            token, place = _TOKENS.get(text[place], _name_like)(text, place)
            yield token


def quoted(text: str) -> str:
    """The text as a string of CSS."""
    return f'"{_UNSAFE.sub(lambda match: _escape(match.group()), text)}"'


def named(name: str) -> str:
    """The name as an identifier of CSS: it begins with no digit."""
    sign = "-" if name.startswith("-") and name != "-" else ""
    first, rest = name[len(sign) : len(sign) + 1], name[len(sign) + 1 :]
    begins = _escape(first) if first in _NO_FIRST and not (sign and first == "-") else _plain(first)
    return sign + begins + _plain(rest)


# --- one token, from the letter that it begins with -------------------------------------------------------------------


def _blanks(text: str, place: int) -> Cut:
    end = _space_end(text, place)
    return Token(Kind.SPACE, "", text[place:end]), end


def _slash(text: str, place: int) -> Cut:
    if not text.startswith("/*", place):
        return Token(Kind.OTHER, "", "/"), place + 1
    end = text.find("*/", place + 2)
    return Token(Kind.SPACE, "", "/**/"), len(text) if end < 0 else end + 2


def _less(text: str, place: int) -> Cut:
    if text.startswith("<!--", place):
        return Token(Kind.SPACE, "", " "), place + 4
    beside = text[place + 1 : place + 2]
    return Token(Kind.OTHER, "", "<" if beside in _BESIDE_LESS else "< "), place + 1


def _at(text: str, place: int) -> Cut:
    if not _begins_name(text, place + 1):
        return Token(Kind.OTHER, "", "@"), place + 1
    name, end = _name(text, place + 1)
    return Token(Kind.AT, name, f"@{named(name)}"), end


def _hash(text: str, place: int) -> Cut:
    name, end = _name(text, place + 1)
    return Token(Kind.OTHER, "", f"#{_plain(name)}"), end


def _number(text: str, place: int) -> Cut:
    match = _NUMBER.match(text, place)
    if match is None:
        return _name_like(text, place)
    end = match.end()
    if not _begins_name(text, end):
        return Token(Kind.OTHER, "", match.group()), end
    unit, after = _name(text, end)
    if text[end:after] == unit and not _ODD.search(unit):
        return Token(Kind.OTHER, "", text[place:after]), after
    # What would go on with the number, as the e of an exponent, stays escaped.
    first = _escape(unit[0]) if unit[0] in _NO_UNIT else _plain(unit[0])
    return Token(Kind.OTHER, "", match.group() + first + _plain(unit[1:])), after


def _name_like(text: str, place: int) -> Cut:
    if text.startswith("-->", place):
        return Token(Kind.SPACE, "", " "), place + 3
    if not _begins_name(text, place):
        return Token(Kind.BAD, "", _LEFT_OUT) if text[place] == "\\" else Token(Kind.OTHER, "", text[place]), place + 1
    name, end = _name(text, place)
    if not text.startswith("(", end):
        return Token(Kind.NAME, name, named(name)), end
    beyond = _space_end(text, end + 1)
    if name.lower() == "url" and text[beyond : beyond + 1] not in ('"', "'"):
        return _url(text, beyond)
    return Token(Kind.CALL, name, f"{named(name)}("), end + 1


def _string(text: str, place: int) -> Cut:
    mark, start = text[place], place
    pieces: list[str] = []
    place += 1
    while True:
        end = _end(_IN_STRING[mark], text, place)
        pieces.append(text[place:end])
        place = end + 1
        after = text[end : end + 1]
        if after == "\n":
            return Token(Kind.BAD, "", _LEFT_OUT), end
        if after != "\\":
            break
        if text.startswith("\n", place):  # the line goes on
            place += 1
        elif place < len(text):
            letter, place = _escaped(text, end)
            pieces.append(letter)
    value, raw = "".join(pieces), text[start:place]
    return Token(Kind.STRING, value, raw if after == mark and "<" not in raw else quoted(value)), min(place, len(text))


def _url(text: str, place: int) -> Cut:
    """What stands between `url(` and its bracket, from the first letter that is no blank."""
    pieces: list[str] = []
    while True:
        end = _end(_IN_URL, text, place)
        pieces.append(text[place:end])
        if _is_escape(text, end):
            letter, place = _escaped(text, end)
            pieces.append(letter)
            continue
        beyond = _space_end(text, end)
        if beyond == len(text) or text[beyond] == ")":
            return Token(Kind.URL, "".join(pieces), ""), min(beyond + 1, len(text))
        return Token(Kind.BAD, "", _LEFT_OUT), _bad_url_end(text, end)


def _bad_url_end(text: str, place: int) -> int:
    while True:
        place = _end(_IN_BAD_URL, text, place)
        if not text.startswith("\\", place):
            return min(place + 1, len(text))
        place = min(place + 2, len(text))


_TOKENS = {
    **dict.fromkeys(" \t\n", _blanks),
    **dict.fromkeys("\"'", _string),
    **dict.fromkeys("+-.0123456789", _number),
    "/": _slash,
    "<": _less,
    "@": _at,
    "#": _hash,
}


# --- names and escapes ------------------------------------------------------------------------------------------------


def _begins_name(text: str, place: int) -> bool:
    if text.startswith("-", place):
        place += 1
        if text.startswith("-", place):
            return True
    return _FIRST.match(text, place) is not None or _is_escape(text, place)


def _is_escape(text: str, place: int) -> bool:
    return text.startswith("\\", place) and not text.startswith("\n", place + 1)


def _name(text: str, place: int) -> tuple[str, int]:
    """A name that begins here, its escapes undone, and the place behind it."""
    end = _end(_NAME, text, place)
    if not _is_escape(text, end):
        return text[place:end], end
    pieces = [text[place:end]]
    while _is_escape(text, end):
        letter, place = _escaped(text, end)
        end = _end(_NAME, text, place)
        pieces += letter, text[place:end]
    return "".join(pieces), end


def _escaped(text: str, place: int) -> tuple[str, int]:
    """The letter that the escape at this place stands for, and the place behind it (section 4.3.7)."""
    match = _HEX.match(text, place + 1)
    if match is None:
        return text[place + 1 : place + 2] or "\ufffd", min(place + 2, len(text))
    code, end = int(match.group(), 16), match.end()
    letter = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return letter, end + (text[end : end + 1] in (" ", "\t", "\n"))


def _escape(letter: str) -> str:
    return f"\\{ord(letter):x} "


def _plain(name: str) -> str:
    return _ODD.sub(lambda match: _escape(match.group()), name)


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    """Where the letters of a pattern end that may match nothing."""
    match = pattern.match(text, place)
    return place if match is None else match.end()


def _space_end(text: str, place: int) -> int:
    return _end(_SPACE, text, place)
