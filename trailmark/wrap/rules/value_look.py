"""What marked values look like: kinds of signs in them, and how long they are -> how like them another text is.

A rule that selects a price on one page and a description on another has lost its way, however many others go with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

SIGNS: tuple[tuple[str, float, Callable[[str], bool]], ...] = (
    ("digit", 0.7, lambda text: any(sign.isdigit() for sign in text)),
    ("letter", 0.6, lambda text: any(sign.isalpha() for sign in text)),
    ("money", 0.6, lambda text: any(sign in "$€£¥₹" for sign in text)),
    ("mail", 0.6, lambda text: "@" in text),
    ("address", 0.7, lambda text: _is_address(text)),
    ("blank", 0.9, lambda text: " " in text),
)
"""A kind of sign, what is left of the likeness where a text has it and no marked value does, or the other way round, and the test."""
ALIKE, STRETCHED = 4.0, 12.0
"""How many times longer than the longest marked value, or shorter than the shortest, a text may be: nothing said against it, hardly anything."""
LONGER, FAR_LONGER = 0.7, 0.4
"""What is left of the likeness of a text that is as long or short as that, and of one beyond."""


def _is_address(text: str) -> bool:
    """Whether the text is one word with a dot inside, as names of hosts are."""
    return " " not in text and "." in text[1:-1] and any(sign.isalpha() for sign in text)


@dataclass(frozen=True, slots=True)
class Look:
    """Kinds of signs that all marked values have, or none, and their lengths."""

    signs: tuple[tuple[str, bool], ...]
    shortest: int
    longest: int

    def likeness(self, text: str) -> float:
        """1 where nothing is different."""
        said = dict(self.signs)
        like = 1.0
        for name, left, has in SIGNS:
            if name in said and has(text) != said[name]:
                like *= left
        stretch = max(len(text) / max(self.longest, 1), self.shortest / max(len(text), 1))
        return like * (1.0 if stretch <= ALIKE else LONGER if stretch <= STRETCHED else FAR_LONGER)


def learn_look(values: Sequence[str]) -> Look:
    """From the marked values, of which there is at least one."""
    tests = ((name, [has(value) for value in values]) for name, _, has in SIGNS)
    lengths = list(map(len, values))
    return Look(tuple((name, said[0]) for name, said in tests if len(set(said)) == 1), min(lengths), max(lengths))
