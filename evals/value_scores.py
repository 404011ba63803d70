"""Values found against true ones: the first of each page, and all of them."""

from __future__ import annotations

import html
from collections.abc import Sequence


def plain(text: str) -> str:
    """Blanks squeezed, entities decoded."""
    return " ".join(html.unescape(text).split())


def compared(found: Sequence[str], wanted: Sequence[str]) -> tuple[list[str], set[str], bool]:
    """The values found, the true ones, and whether the first found is true."""
    got, true = [plain(each) for each in found], {plain(each) for each in wanted}
    return got, true, bool(got) and got[0] in true


def value_scores(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> dict[str, float]:
    """`f1` of the first value found, which must be a true one, and `set_f1` of all values of all pages together."""
    right = wrong = missed = 0
    hits = found_all = true_all = 0
    for found, wanted in pairs:
        got, true, hit = compared(found, wanted)
        right += hit
        wrong += bool(got) and not hit
        missed += bool(true) and not hit
        hits += len(set(got) & true)
        found_all += len(set(got))
        true_all += len(true)
    return {
        "f1": f1(right, wrong, missed),
        "set_f1": f1(hits, found_all - hits, true_all - hits),
    }


def f1(right: int, wrong: int, missed: int) -> float:
    """1 where there was nothing to find and nothing was found."""
    return 2 * right / (2 * right + wrong + missed) if right + wrong + missed else 1.0
