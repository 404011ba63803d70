"""Two references -> how probable it is that they mean the same paper.

A weighted sum of what is alike, through the logistic function. The weights are set by hand and are few: learnt from one collection they carried what its makers took for one paper
(a report and the article of the same title: one there, two here) into another, and there lost a third of the pairs (docs/why/citations.md). What is learnt from examples is
the threshold alone.
"""

from __future__ import annotations

import math
from functools import lru_cache

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
MOST_ELSE = 5 * 0.25 + 2 * 0.5 + 3 * 0.5 + 1e-9
"""What names, years and numbers add at most to what the titles say; a trifle more, for what is lost in rounding."""


def same_paper(one: ReferenceParts, other: ReferenceParts) -> float:
    """Two references -> the probability that they mean the same paper."""
    if titled(one) and titled(other):
        return same_paper_by(title_likeness(one, other), one, other)
    return _probability(_without_title(one, other))


def same_paper_by(title: float, one: ReferenceParts, other: ReferenceParts) -> float:
    """The same for two that have titles, where it is known how alike these are."""
    return _probability(_with_titles(title, one, other))


def highest_chance(title: float) -> float:
    """How alike two titles are -> the probability that they mean the same paper where all else is as alike as can be."""
    return _probability(14 * (title - 0.78) + MOST_ELSE) if title >= UNLIKE else _probability(-LIMIT)


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


def _with_titles(title: float, one: ReferenceParts, other: ReferenceParts) -> float:
    """The title decides, authors next; years and pages move it a little."""
    if title < UNLIKE:
        return -LIMIT
    least, most = _names(one, other)
    years = min(_years_apart(one, other), FARTHEST) / FARTHEST
    return 14 * (title - 0.78) + 5 * (most - 0.75) + 2 * (least - 0.5) - 3 * years + 3 * (_numbers(one, other) - 0.5)


def _without_title(one: ReferenceParts, other: ReferenceParts) -> float:
    """Physicists leave titles out: then the whole text, authors, volume and pages decide."""
    least, most = _names(one, other)
    title = max(share(each.title, rest.whole) if titled(each) else 0.0 for each, rest in ((one, other), (other, one)))
    return (
        10 * (dice(one.whole, other.whole) - 0.75)
        + 3 * (most - 0.75)
        + 2 * (least - 0.5)
        - 1.5 * (_years_apart(one, other) > 0)
        + 3 * (_numbers(one, other) - 0.5)
        + 2 * (title - 0.8)
    )


def dice(one: Grams, other: Grams) -> float:
    """Twice what two have in common, over what both have."""
    return 2 * len(one & other) / max(1, len(one) + len(other))


def share(part: Grams, whole: Grams) -> float:
    """How much of a part stands in a whole."""
    return len(part & whole) / max(1, len(part))


def _names(one: ReferenceParts, other: ReferenceParts) -> tuple[float, float]:
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


def _years_apart(one: ReferenceParts, other: ReferenceParts) -> int:
    return min((abs(first - second) for first in one.years for second in other.years), default=0)


def _numbers(one: ReferenceParts, other: ReferenceParts) -> float:
    """Volumes and pages in common, as a share of the fewer; a half where one has none."""
    fewer = min(len(one.numbers), len(other.numbers))
    return len(one.numbers & other.numbers) / fewer if fewer else 0.5
