"""Which part of a text is the value (Vertex, section III-C4): all of it, what a type's pattern finds, or a range of words.

Offsets count words from the beginning or from the end, whichever is the same on all annotated pages; where a value is no run of
words, as in `/covers/emma.jpg`, they count signs. Before that, commas, dashes and quotation marks around a value are taken off,
however many there are. Where two values or more were marked inside texts, what stands around them tells: the first part of a citation up to the
end of a sentence, what stands between quotation marks. What comes out is always a part of what went in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from trailmark.wrap.rules.value_type import PATTERNS, fits, types_of

How = Literal["whole", "type", "words", "trimmed", "signs", "part", "between"]
HOWS: tuple[How, ...] = ("whole", "type", "words", "trimmed", "signs", "part", "between")
TRIMMED = ' ,;:|/"“”„«»•·–—-'
"""Signs that stand around a value between others, and end none."""
MOST_PLACES = 8
SENTENCE = "sentence"
SEPARATORS = {
    SENTENCE: r"(?<!\b[A-Z])[.?!] ",
    **{sign: re.escape(sign) for sign in ("; ", " | ", " – ", " — ", " - ", " / ", " · ", " • ", ": ", ", ")},
}
"""What parts a text, as regular expressions: the end of a sentence, but not of an initial; signs."""
_COMPILED = {name: re.compile(pattern) for name, pattern in SEPARATORS.items()}
LONGEST_LEFT, LONGEST_RIGHT = 8, 4
LEAST_PAIRS = 2
"""Values that must have been marked before what stands around them is believed."""


@dataclass(frozen=True, slots=True)
class Pruner:
    """`start` and `end` as in a Python slice over words or signs: negative numbers count from the end, an end of 0 is the end."""

    how: How = "whole"
    type: str = ""
    start: int = 0
    """Of a part its number: from the end where it is negative."""
    end: int = 0
    left: str = ""
    """What parts the text, by its name; or what stands right before the value, for the first time."""
    right: str = ""
    """What stands right behind the value; nothing where it goes to the end."""

    def value(self, text: str) -> str:
        """The part that is the value; an empty string where there is none."""
        if self.how == "whole":
            return text if not self.type or fits(self.type, text) else ""
        if self.how == "type":
            match = PATTERNS[self.type].search(text)
            return match.group().strip() if match else ""
        if self.how == "trimmed":
            return text.strip(TRIMMED)
        if self.how == "part":
            return self._part(text)
        if self.how == "between":
            _, begins, rest = text.partition(self.left)
            within, ends, _ = rest.partition(self.right) if self.right else (rest, "end", "")
            return within.strip() if begins and ends else ""
        if self.how == "signs":
            return text[self.start : self.end or len(text)].strip()
        words = text.split()
        return " ".join(words[self.start : self.end or len(words)])

    def _part(self, text: str) -> str:
        parts = _COMPILED[self.left].split(text)
        if not -len(parts) <= self.start < len(parts) or len(parts) < 2:
            return ""
        return parts[self.start].strip(TRIMMED).removesuffix("." if self.left == SENTENCE else "")


def check_part(pruner: Pruner) -> None:
    """ValueError for a part that nobody could have learnt: rules are read from files."""
    unnamed = pruner.how == "type" or bool(pruner.type)
    if (
        pruner.how not in HOWS
        or (unnamed and pruner.type not in PATTERNS)
        or (pruner.how == "part" and pruner.left not in SEPARATORS)
        or (
            pruner.how == "between"
            and not (isinstance(pruner.left, str) and pruner.left and isinstance(pruner.right, str))
        )
    ):
        raise ValueError(f"unknown part {pruner}")


def learn_pruner(pairs: Sequence[tuple[str, str]]) -> Pruner | None:
    """The pruner that takes each value out of its text; None where there is none that does so for all."""
    return next(
        (proposal for proposal in _proposals(pairs) if all(proposal.value(text) == value for text, value in pairs)),
        None,
    )


def _proposals(pairs: Sequence[tuple[str, str]]) -> list[Pruner]:
    proposals = [Pruner()]
    text, value = pairs[0]
    proposals += [Pruner("type", name) for name in types_of(value)]
    words, wanted = text.split(), value.split()
    count, size = len(words), len(wanted)
    for at in range(count - size + 1):
        if words[at : at + size] == wanted:
            proposals += _ranges("words", at, size, count)
    proposals.append(Pruner("trimmed"))
    for at in islice(_places(text, value), MOST_PLACES):
        proposals += _ranges("signs", at, len(value), len(text))
    if len({value for _, value in pairs}) < LEAST_PAIRS:
        return proposals
    # Words and signs that happen to be as many in both are no better than what parts the text in both.
    parts = [*_parts(text, value), *_betweens(text, value)]
    return [*(p for p in proposals if not is_counted(p)), *parts, *(p for p in proposals if is_counted(p))]


def is_counted(pruner: Pruner) -> bool:
    """Whether it counts how long the value is, or both what stands before and behind: taking a word off one end is as good as any."""
    return pruner.how in ("words", "signs") and (
        pruner.start < 0 or pruner.end > 0 or bool(pruner.start and pruner.end)
    )


def _parts(text: str, value: str) -> Iterator[Pruner]:
    for name, pattern in _COMPILED.items():
        count = len(pattern.split(text))
        for number in range(min(count, MOST_PLACES)):
            for start in (number, number - count):
                pruner = Pruner("part", start=start, left=name)
                if pruner.value(text) == value:
                    yield pruner


def _betweens(text: str, value: str) -> Iterator[Pruner]:
    """The longest that stands before it first; what stands behind, short first, else the end of the text."""
    for at in islice(_places(text, value), MOST_PLACES):
        before, behind = text[:at], text[at + len(value) :]
        lefts = [before[-size:] for size in range(min(LONGEST_LEFT, len(before)), 0, -1)]
        rights = [behind[:size] for size in range(1, min(LONGEST_RIGHT, len(behind)) + 1)] or [""]
        for left in lefts:
            yield from (Pruner("between", left=left, right=right) for right in rights if left.strip() or right.strip())


def _ranges(how: How, at: int, size: int, count: int) -> list[Pruner]:
    """Between fixed ends, from the beginning, from the end."""
    behind = count - at - size
    return [
        Pruner(how, start=at, end=-behind),
        Pruner(how, start=at, end=at + size),
        Pruner(how, start=at - count, end=-behind),
    ]


def _places(text: str, value: str) -> Iterator[int]:
    """Where the value stands without a letter or a number right beside it: half a word is a slip."""
    at = text.find(value) if value else -1
    while at >= 0:
        beside = text[at - 1 : at] + text[at + len(value) : at + len(value) + 1]
        if not any(sign.isalnum() for sign in beside):
            yield at
        at = text.find(value, at + 1)
