"""The value of a feature -> a whole number that stands for it, the same in every process and on every day.

Columns of numbers are compared a page at a time, which is why rules look for numbers and not for strings. Python's own `hash` gives others
in each process (PYTHONHASHSEED): rules could not be handed to other processes, and ties were settled by chance.
"""

from __future__ import annotations

from hashlib import blake2b

MOST_KNOWN = 1 << 16
"""Codes that are kept: pages of a site say the same tags, classes and labels again and again."""
LONGEST_KNOWN = 200
"""Characters of a string whose code is kept: memory stays within bounds whatever a page holds."""


class _Codes(dict[str, int]):
    """String -> its code; begun anew when it is full."""

    def __missing__(self, text: str) -> int:
        number = int.from_bytes(
            blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little", signed=True
        )
        if len(text) <= LONGEST_KNOWN:
            if len(self) >= MOST_KNOWN:
                self.clear()
                self[""] = 0
            self[text] = number
        return number


value_code = _Codes({"": 0}).__getitem__
"""A string -> 64 bits of its BLAKE2 digest, signed; 0 for an empty one, which stands for no value."""


def chained_code(*codes: int) -> int:
    """Several codes in order -> one. Python's hash of whole numbers, unlike that of strings, is the same everywhere."""
    return hash(codes)
