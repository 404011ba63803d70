"""Strings on which a regular expression may take long, made from the expression itself.

Each has a start, a stretch that is repeated as often as one likes, and an end that makes the match fail: the stretch is what
a repeat of the pattern matches, the start what stands before it, the end what can't follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

LONG = 50
"""A repeat that ends before is no stretch to pump."""
SIGNS = "".join(map(chr, range(32, 127))) + "\t\n\r\x00\x0béß中\u0301\u2028½"
PUMPS = (
    " ", "\n", "\t", "a", "A", "0", "_", "/", "<", ">", "&", "\\", '"', "'", ".", ",", ";", ":", "-", "%", "=", "(", "[", "é", "\u0301",
    "a ", " a", "a.", "0,", "../", "/a", "a/", "\r\n", "\n\n", "<!--", "//", "&amp;", "%41", "a=b&", "aA0", "a'", "- ", ": ", "; ",
    "<a", "</", "url(", "\\a", "/*", "[0]", "0 ", "a@", "@a.", "1/1/", '\\"', "\\'", "\\(",
)  # fmt: skip
ENDS = ("", "\x00", "!", "\n", "a", "0")


class Attack(NamedTuple):
    start: str
    pump: str
    end: str

    def text(self, size: int) -> str:
        return self.start + self.pump * max(size // len(self.pump), 1) + self.end


def attacks(pattern: re.Pattern[Any]) -> list[Attack]:
    """Attacks from the pattern's own repeats, then those that are tried on every pattern."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    parsed = parser.parse(text, pattern.flags & ~re.UNICODE)
    found: dict[Attack, None] = {}
    for before, bodies, after in _repeats(list(parsed), ""):
        for pump in bodies:
            for start in dict.fromkeys((before, "")):
                found.update(dict.fromkeys(Attack(start, pump, end) for end in (*ENDS, after)))
            # The way to the repeat again and again, none of them closed.
            found[Attack("", (before + pump) or "a", "")] = None
            found[Attack("", (before + pump) or "a", "\x00")] = None
            if before:
                found[Attack("", before, "\x00")] = None
    general = (Attack("", pump, end) for pump in PUMPS for end in ("", "\x00"))
    return [*found, *(attack for attack in general if attack not in found)]


def _repeats(items: list[Any], before: str) -> Iterator[tuple[str, list[str], str]]:
    """(a text that leads to it, what it repeats, what follows) for every long repeat of a parsed pattern."""
    for number, (kind, value) in enumerate(items):
        here = before + _sample(items[:number])
        rest = _sample(items[number + 1 :])
        if kind in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            _, most, body = value
            if most == c.MAXREPEAT or most >= LONG:
                yield here, _bodies(list(body), items[number + 1 :]), rest
        for part in _parts(kind, value):
            for lead, bodies, after in _repeats(part, here):
                yield lead, bodies, after + rest


def _parts(kind: Any, value: Any) -> list[list[Any]]:
    if kind in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
        return [list(value[2])]
    if kind is c.SUBPATTERN:
        return [list(value[-1])]
    if kind is c.BRANCH:
        return [list(each) for each in value[1]]
    if kind in (c.ASSERT, c.ASSERT_NOT):
        return [list(value[1])]
    if kind is c.ATOMIC_GROUP:
        return [list(value)]
    return []


def _bodies(body: list[Any], rest: list[Any]) -> list[str]:
    """What may be repeated: samples of the body, and signs that the body shares with what follows it."""
    samples = [_sample(body, turn) for turn in range(3)]
    if len(body) == 1:
        shared = [sign for sign in SIGNS if _accepts(body[0], sign) and rest and _accepts(rest[0], sign)]
        samples += shared[:2] + [sign for sign in " a0" if _accepts(body[0], sign)]
    return [each for each in dict.fromkeys(samples) if each]


def _sample(items: Iterable[Any], turn: int = 0) -> str:
    """A text that the items match, more or less; `turn` picks another one where there is a choice."""
    return "".join(_one(kind, value, turn) for kind, value in items)


def _one(kind: Any, value: Any, turn: int) -> str:
    if kind is c.LITERAL:
        return chr(value)
    if kind in (c.NOT_LITERAL, c.IN, c.ANY):
        fitting = [sign for sign in "a0 /-;" + SIGNS if _accepts((kind, value), sign)]
        return fitting[turn % len(fitting)] if fitting else _range_start(value)
    if kind in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
        return _sample(value[2], turn) * int(max(value[0], 1 if turn else 0))
    if kind is c.BRANCH:
        return _sample(value[1][turn % len(value[1])], turn)
    if kind in (c.SUBPATTERN, c.ATOMIC_GROUP):
        return _sample(value[-1] if kind is c.SUBPATTERN else value, turn)
    return ""


def _range_start(value: Any) -> str:
    for kind, said in value:
        if kind is c.RANGE:
            return chr(said[0])
        if kind is c.LITERAL:
            return chr(said)
    return "a"


def _accepts(item: tuple[Any, Any], sign: str) -> bool:
    """Whether one item of a parsed pattern takes a sign."""
    kind, value = item
    if kind in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
        return len(value[2]) > 0 and _accepts(value[2][0], sign)
    if kind is c.SUBPATTERN:
        return len(value[-1]) > 0 and _accepts(value[-1][0], sign)
    if kind is c.BRANCH:
        return any(len(each) > 0 and _accepts(each[0], sign) for each in value[1])
    if kind is c.ANY:
        return sign != "\n"
    if kind is c.LITERAL:
        return chr(value) == sign
    if kind is c.NOT_LITERAL:
        return chr(value) != sign
    return kind is c.IN and _in_class(value, sign)


def _in_class(members: list[Any], sign: str) -> bool:
    found = False
    for kind, value in members:
        found |= (
            (kind is c.LITERAL and chr(value) == sign)
            or (kind is c.RANGE and value[0] <= ord(sign) <= value[1])
            or (kind is c.CATEGORY and _CATEGORIES[value](sign))
        )
    return found != any(kind is c.NEGATE for kind, _ in members)


_CATEGORIES: dict[Any, Any] = {
    c.CATEGORY_DIGIT: str.isdigit,
    c.CATEGORY_NOT_DIGIT: lambda sign: not sign.isdigit(),
    c.CATEGORY_SPACE: str.isspace,
    c.CATEGORY_NOT_SPACE: lambda sign: not sign.isspace(),
    c.CATEGORY_WORD: lambda sign: sign.isalnum() or sign == "_",
    c.CATEGORY_NOT_WORD: lambda sign: not (sign.isalnum() or sign == "_"),
}
