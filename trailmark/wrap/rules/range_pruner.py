"""Which part of a text is the value (Vertex, section III-C4): all of it, what a type's pattern finds, or a range of words.

Offsets count words from the beginning or from the end, whichever is the same on all annotated pages; where a value is no run of
words, as in `/covers/emma.jpg`, they count signs. Before that, commas, dashes and quotation marks around a value are taken off,
however many there are. What comes out is always a part of what went in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from trailmark.wrap.rules.value_type import PATTERNS, fits, types_of

How = Literal["whole", "type", "words", "trimmed", "signs"]
HOWS: tuple[How, ...] = ("whole", "type", "words", "trimmed", "signs")
TRIMMED = ' ,;:|/"“”„«»•·–—-'
"""Signs that stand around a value between others, and end none."""
MOST_PLACES = 8


@dataclass(frozen=True, slots=True)
class Pruner:
    """`start` and `end` as in a Python slice over words or signs: negative numbers count from the end, an end of 0 is the end."""

    how: How = "whole"
    type: str = ""
    start: int = 0
    end: int = 0

    def value(self, text: str) -> str:
        """The part that is the value; an empty string where there is none."""
        if self.how == "whole":
            return text if not self.type or fits(self.type, text) else ""
        if self.how == "type":
            match = PATTERNS[self.type].search(text)
            return match.group().strip() if match else ""
        if self.how == "trimmed":
            return text.strip(TRIMMED)
        if self.how == "signs":
            return text[self.start : self.end or len(text)].strip()
        words = text.split()
        return " ".join(words[self.start : self.end or len(words)])


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
    return proposals


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
