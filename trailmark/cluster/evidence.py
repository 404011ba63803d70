"""Two templates that share their frame, told apart by two witnesses that agree.

Pages of two kinds may differ by little more than the title and the item of the menu that is not a link: too little for any
measure of likeness. One sign alone misleads (a brand in the title, an optional section). But a word of the titles and a
place in the structure that stand on exactly the same pages of a group, and not on the others, hardly do so by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trailmark.cluster.signature import Signature

_LEAST_PAGES = 3  # two pages that share a word and a place prove nothing


@dataclass(frozen=True, slots=True)
class Part:
    """Pages that stay together, and what had to hold for each: a word of the title that is there, or is not."""

    pages: list[int]
    conditions: tuple[tuple[str, bool], ...] = ()


def split_by_evidence(
    pages: Sequence[int], signatures: Sequence[Signature], *, share: float, support: int
) -> list[Part]:
    """Split a group as long as a title word and at least `support` places single out the same `share` or more of it."""
    done: list[Part] = []
    waiting = [Part(list(pages))]
    while waiting:
        part = waiting.pop()
        word = _telling_word([signatures[page] for page in part.pages], share, support)
        if word is None:
            done.append(part)
            continue
        for present in (True, False):
            chosen = [page for page in part.pages if (word in signatures[page].words) == present]
            waiting.append(Part(chosen, (*part.conditions, (word, present))))
    return sorted(done, key=lambda part: part.pages[0])


def _telling_word(signatures: list[Signature], share: float, support: int) -> str | None:
    """The word on most pages that stands on exactly the pages of `support` places; None where there is none."""
    least = max(_LEAST_PAGES, share * len(signatures))
    if len(signatures) <= _LEAST_PAGES:
        return None
    marks = _page_marks(len(signatures))
    words = _word_marks(signatures, marks, least)
    if not words:
        return None
    witnesses = _place_marks(signatures, marks, least)
    telling = [(count, word) for word, (count, mark) in words.items() if witnesses.get(mark, 0) >= support]
    return min(telling, key=lambda counted: (-counted[0], counted[1]))[1] if telling else None


def _page_marks(count: int) -> NDArray[np.uint64]:
    """A random number for each page: sets of pages are equal when their sums are, but for one chance in 2**64."""
    return np.random.default_rng(count).integers(1, 2**63, count).astype(np.uint64)


def _word_marks(signatures: list[Signature], marks: NDArray[np.uint64], least: float) -> dict[str, tuple[int, int]]:
    """Word -> (its pages, their sum), for words on enough pages but not on all."""
    pages: dict[str, list[int]] = {}
    for number, signature in enumerate(signatures):
        for word in signature.words:
            pages.setdefault(word, []).append(number)
    return {
        word: (len(on), int(marks[on].sum(dtype=np.uint64)))
        for word, on in pages.items()
        if least <= len(on) < len(signatures)
    }


def _place_marks(signatures: list[Signature], marks: NDArray[np.uint64], least: float) -> dict[int, int]:
    """Sum of pages -> how many places stand on exactly these pages."""
    places = np.concatenate([signature.places for signature in signatures])
    owner = np.repeat(np.arange(len(signatures)), [len(signature.places) for signature in signatures])
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(places[order]) != 0]))
    counts = np.diff(np.append(starts, len(order)))
    sums = np.add.reduceat(marks[owner[order]], starts)
    sums_seen, times = np.unique(sums[(counts >= least) & (counts < len(signatures))], return_counts=True)
    return dict(zip(sums_seen.tolist(), times.tolist(), strict=True))
