"""When to keep silent: a value that looks odd, and that fewer rules are for than usual.

Either alone says little: a model without a number in its name is still a model, and on pages with an advert more rules go astray than
elsewhere. Both together are nearly always a neighbour of the value that is missing on this page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trailmark.wrap.page.node_table import LONGEST, NodeTable
from trailmark.wrap.rules.value_type import PATTERNS, fits, types_of

DIGIT = "digit"
LOOKS = ("", DIGIT, *PATTERNS)
ALIKE = 0.8
"""Share of the values found on pages that were not annotated which must look alike before another look is odd."""
FEWEST = 5
SEPARATORS = " .,;:|/&()[]·•"
NEAR = 3
"""Rows around a value whose texts are remembered, if they stand there on two pages or more."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is usual for a field."""

    looks: str = ""
    """A type, or `digit` where values hold one."""
    usual: float = 0.0
    """Share of the rules that are for a value on most pages."""
    beside: frozenset[str] = frozenset()
    """Texts that stand near the value on several pages, and never are it."""

    def refuses(self, value: str, share: float) -> bool:
        """What parts values is refused at any share; a dash, which says that nothing is known, is not."""
        if all(sign in SEPARATORS for sign in value):
            return True
        return share < self.usual and (value in self.beside or not looks_like(self.looks, value))


def looks_like(looks: str, value: str) -> bool:
    if looks == DIGIT:
        return any(sign.isdigit() for sign in value)
    return not looks or fits(looks, value)


def learn_doubt(marked: Sequence[str], lifted: Sequence[tuple[NodeTable, int, str, float]]) -> Doubt | None:
    """From the marked values and, for pages not annotated, table, row, value and share; None where those are few."""
    if len(lifted) < FEWEST or not all(value.strip(SEPARATORS) for value in marked):
        return None
    values = [value for _, _, value, _ in lifted]
    looks = next((look for look in _looks_of(marked) if _alike(look, values)), "")
    shares = [share for _, _, value, share in lifted if looks_like(looks, value)]
    near = Counter(text for table, row, _, _ in lifted for text in _neighbours(table, row))
    beside = {text for text, count in near.items() if count > 1} - {*values, *marked}
    return Doubt(looks, round(float(np.quantile(shares, 0.25)), 4), frozenset(beside))


def _looks_of(marked: Sequence[str]) -> list[str]:
    """What all marked values look like, the most telling first."""
    names = [name for name in types_of(marked[0]) if all(fits(name, value) for value in marked)]
    return [*names, *([DIGIT] if all(looks_like(DIGIT, value) for value in marked) else [])]


def _alike(looks: str, values: Sequence[str]) -> bool:
    return sum(looks_like(looks, value) for value in values) >= ALIKE * len(values)


def _neighbours(table: NodeTable, row: int) -> set[str]:
    around = (*range(max(row - NEAR, 0), row), *range(row + 1, min(row + NEAR + 1, len(table))))
    return {text for at in around if len(text := table.texts[at]) <= LONGEST}
