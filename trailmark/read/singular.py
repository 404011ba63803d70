"""A word -> itself in small letters and in the singular, so that `Algorithms` and `algorithm` are one."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word in small letters and in the singular, as far as its ending tells."""
    low = word.lower().replace("\u2019", "'").removesuffix("'s")
    if len(low) > 4 and low.endswith("ies"):
        return low[:-3] + "y"
    if len(low) > 4 and low.endswith(("sses", "shes", "ches", "xes")):
        return low[:-2]
    if len(low) > 3 and low.endswith("s") and not low.endswith(("ss", "us", "is")):
        return low[:-1]
    return low
