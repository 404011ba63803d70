"""Titles of a few pages of a template -> a name that says what the pages are, where their addresses do not."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 60
SAYS_ENOUGH = 1 / 3
"""Share of a title's letters that the words which all titles share have to be, to say what the pages are."""
_LOOSE = " \t|-–—:·,»/"


def group_name(titles: Sequence[str]) -> str:
    """Titles -> the words that all share, in their order; where these say little ("of"), the first title. Empty where no page has one."""
    known = [" ".join(title.split()) for title in titles if title.strip()]
    if not known:
        return ""
    shared = [word for word in known[0].split() if all(word in title.split() for title in known[1:])]
    name = " ".join(shared).strip(_LOOSE)
    if len(known) < 2 or not _letters(name) or _letters(name) < SAYS_ENOUGH * _letters(known[0]):
        name = known[0]
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _letters(text: str) -> int:
    return sum(letter.isalnum() for letter in text)
