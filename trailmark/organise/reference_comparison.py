"""Two references -> how probable it is that they mean the same paper.

A weighted sum of what is alike, through the logistic function. The weights are set by hand and are few: learnt from one collection they carried what its makers took for one paper
(a report and the article of the same title: one there, two here) into another, and there lost a third of the pairs (docs/why/citations.md). What is learnt from examples is
the threshold alone.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from trailmark.organise.reference_parts import Grams, ReferenceParts, grams

LIMIT = 30.0
SHORTEST_TITLE = 2
"""Words that make a title."""
FARTHEST = 6
"""Years apart beyond which more years say no more."""
ALIKE = 0.6
"""Of runs of letters, for two names to be one with a misprint."""
LONG_NAME = 5
REMEMBERED = 65_536
"""Pairs of names of which it is remembered whether they are one with a misprint."""
UNLIKE = 0.3
"""Likeness of titles below which nothing else can make two references one: names, years and numbers together add too little."""

Amount = TypeVar("Amount", float, npt.NDArray[np.float64])


def same_paper(one: ReferenceParts, other: ReferenceParts) -> float:
    """Two references -> the probability that they mean the same paper."""
    score = _with_titles(one, other) if titled(one) and titled(other) else _without_title(one, other)
    return _probability(score)


def _probability(score: float) -> float:
    return 1 / (1 + math.exp(-max(-LIMIT, min(LIMIT, score))))


def titled(parts: ReferenceParts) -> bool:
    """Whether a reference has a title that can be compared."""
    return len(parts.title_words) >= SHORTEST_TITLE


def title_likeness(one: ReferenceParts, other: ReferenceParts) -> float:
    """Two references -> how alike their titles are, from 0 to 1."""
    title = dice(one.title, other.title)
    # A title that was cut short or too long by the tagger still stands in the whole of the other.
    if (within := share(one.title, other.whole)) > title:
        title = max(title, min(within, share(other.title, one.whole)))
    return title


def _with_titles(one: ReferenceParts, other: ReferenceParts) -> float:
    title = title_likeness(one, other)
    if title < UNLIKE:
        return -LIMIT
    least, most = name_likeness(one, other)
    years = min(years_apart(one, other), FARTHEST) / FARTHEST
    return weighed(title, least, most, years, _numbers(one, other))


def weighed(title: Amount, least: Amount, most: Amount, years: Amount, numbers: Amount) -> Amount:
    """What is alike in two references with titles -> log-odds that they mean one paper. The title decides, authors next; years and pages move it a little."""
    return 14 * (title - 0.78) + 5 * (most - 0.75) + 2 * (least - 0.5) - 3 * years + 3 * (numbers - 0.5)


def _without_title(one: ReferenceParts, other: ReferenceParts) -> float:
    """Physicists leave titles out: then the whole text, authors, volume and pages decide."""
    least, most = name_likeness(one, other)
    title = max(share(each.title, rest.whole) if titled(each) else 0.0 for each, rest in ((one, other), (other, one)))
    return (
        10 * (dice(one.whole, other.whole) - 0.75)
        + 3 * (most - 0.75)
        + 2 * (least - 0.5)
        - 1.5 * (years_apart(one, other) > 0)
        + 3 * (_numbers(one, other) - 0.5)
        + 2 * (title - 0.8)
    )


def dice(one: Grams, other: Grams) -> float:
    """Twice what two have in common, over what both have."""
    return 2 * len(one & other) / max(1, len(one) + len(other))


def share(part: Grams, whole: Grams) -> float:
    """How much of a part stands in a whole."""
    return len(part & whole) / max(1, len(part))


def name_likeness(one: ReferenceParts, other: ReferenceParts) -> tuple[float, float]:
    """The share of each one's names that the other has: the smaller and the larger; a half where one has none."""
    if not one.names or not other.names:
        return 0.5, 0.5
    first, second = _known(one, other), _known(other, one)
    return min(first, second), max(first, second)


def _known(one: ReferenceParts, other: ReferenceParts) -> float:
    return sum(name in other.names or _misprinted(name, other.names) for name in one.names) / len(one.names)


def _misprinted(name: str, names: tuple[str, ...]) -> bool:
    """Whether a name is one of others with a misprint."""
    return len(name) >= LONG_NAME and any(len(rival) >= LONG_NAME and _alike(*sorted((name, rival))) for rival in names)


@lru_cache(maxsize=REMEMBERED)
def _alike(name: str, rival: str) -> bool:
    """Names come again and again, and so do pairs of them."""
    return dice(grams((name,)), grams((rival,))) > ALIKE


def years_apart(one: ReferenceParts, other: ReferenceParts) -> int:
    """How many years lie between the nearest of both; nothing where one has none."""
    return min((abs(first - second) for first in one.years for second in other.years), default=0)


def _numbers(one: ReferenceParts, other: ReferenceParts) -> float:
    """Volumes and pages in common, as a share of the fewer; a half where one has none."""
    fewer = min(len(one.numbers), len(other.numbers))
    return len(one.numbers & other.numbers) / fewer if fewer else 0.5
