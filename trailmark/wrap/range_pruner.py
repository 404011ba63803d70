"""Which part of a text is the value (Vertex, section III-C4): all of it, what a type's pattern finds, or a range of words.

Offsets count words from the beginning or from the end, whichever is the same on all annotated pages. What comes out is always
a part of what went in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trailmark.wrap.value_type import PATTERNS, fits, types_of

How = Literal["whole", "type", "words"]


@dataclass(frozen=True, slots=True)
class Pruner:
    """`start` and `end` as in a Python slice over words: negative numbers count from the end, an end of 0 is the end."""

    how: How = "whole"
    type: str = ""
    start: int = 0
    end: int = 0

    def value(self, text: str) -> str:
        """The part that is the value; an empty string where there is none."""
        if self.how == "whole":
            return text if not self.type or fits(self.type, text) else ""
        if self.how == "type":
            found = PATTERNS[self.type].search(text)
            return found.group().strip() if found else ""
        words = text.split()
        return " ".join(words[self.start : self.end or len(words)])


def learn_pruner(pairs: Sequence[tuple[str, str]]) -> Pruner | None:
    """The pruner that takes each value out of its text; None where there is none that does so for all."""
    return next((each for each in _proposals(pairs) if all(each.value(text) == value for text, value in pairs)), None)


def _proposals(pairs: Sequence[tuple[str, str]]) -> list[Pruner]:
    proposals = [Pruner()]
    text, value = pairs[0]
    proposals += [Pruner("type", name) for name in types_of(value)]
    words, wanted = text.split(), value.split()
    count, size = len(words), len(wanted)
    for at in range(count - size + 1):
        if words[at : at + size] == wanted:
            behind = count - at - size
            proposals += [
                Pruner("words", start=at, end=-behind),
                Pruner("words", start=at, end=at + size),
                Pruner("words", start=at - count, end=-behind),
            ]
    return proposals
