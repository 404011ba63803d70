"""Precision measured: which of the pages called goals a person is asked about, and what the answers say of all of them.

Drawing. The N pages are put in order of their chance and cut into up to `STRATA` strata of equal size (sizes differ by one page at most).
Each stratum is shuffled, and pages are taken from the strata in turn, in a shuffled order each turn. So after any number of answers the
sample is spread over all chances, and every stratum has given about its share. The shuffles are seeded by the pages themselves.

Estimator. With N_h pages in stratum h, n_h answers and r_h of them right, the share that is right is estimated by the stratified mean

    P = sum over h of (N_h / N) * (r_h / n_h)                                                                                    (1)

which is unbiased for any answers that stopped at a place fixed beforehand. A stratum without an answer is joined with its neighbour.

Interval. The answers are worth n = 1 / sum((N_h / N)^2 / n_h) answers of a plain random sample (Kish), and, since the pages are few and none is
asked twice, m = n (N - 1) / (N - n). The interval is that of Clopper and Pearson for m P right answers of m, by the beta distribution,
which takes any real number:

    low = B(0.025; m P, m (1 - P) + 1),   high = B(0.975; m P + 1, m (1 - P))                                                     (2)

For a plain random sample of an endless crowd it is never below 95 %. Strata of different precision only make (1) less scattered, so (2) errs on the wide side; `tests/forage/test_forage_precision.py`
measures by simulation how often it covers the truth. When all pages are answered it is the truth itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from random import Random

STRATA = 5
FEWEST = 5
"""Answers below which nothing is said."""
OUTSIDE = 0.05
"""Share of the time in which the interval may miss the truth."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page that is to be asked about, and the stratum it was drawn from."""

    url: str
    stratum: int


@dataclass(frozen=True, slots=True)
class Precision:
    """The share of pages that are right, and between which bounds it lies with 95 % confidence."""

    share: float
    low: float
    high: float


def strata_sizes(pages: int) -> list[int]:
    """How many pages there are -> the sizes of their strata, the least likely pages first."""
    count = min(STRATA, pages)
    return [pages // count + (number < pages % count) for number in range(count)]


def draw(pages: Sequence[tuple[str, float]]) -> list[Drawn]:
    """(URL, chance) of all pages called goals -> all of them in the order of asking; the same pages have the same order."""
    ordered = sorted(pages, key=lambda page: (page[1], page[0]))
    chance = Random(blake2b("\n".join(sorted(url for url, _ in pages)).encode(), digest_size=16).digest())
    strata, start = [], 0
    for size in strata_sizes(len(ordered)):
        stratum = [url for url, _ in ordered[start : start + size]]
        chance.shuffle(stratum)
        strata.append(stratum)
        start += size
    order: list[Drawn] = []
    for turn in range(max(map(len, strata), default=0)):
        numbers = [number for number, stratum in enumerate(strata) if turn < len(stratum)]
        chance.shuffle(numbers)
        order += [Drawn(strata[number][turn], number) for number in numbers]
    return order


def estimate(pages: int, answers: Sequence[tuple[int, bool]]) -> Precision | None:
    """How many pages were drawn from, and (stratum, right) of the answers -> equations 1 and 2; None for fewer than `FEWEST` answers.

    Where all pages are answered, however few, the share is known.
    """
    if not answers or (len(answers) < FEWEST and len(answers) < pages):
        return None
    cells = _joined(strata_sizes(pages), answers)
    share = sum(size / pages * right / count for size, count, right in cells)
    worth = 1.0 / sum((size / pages) ** 2 / count for size, count, _ in cells)
    if len(answers) >= pages or worth >= pages:
        return Precision(share, share, share)
    many = worth * (pages - 1) / (pages - worth)
    return Precision(share, *_bounds(many * share, many * (1.0 - share)))


def _joined(sizes: Sequence[int], answers: Sequence[tuple[int, bool]]) -> list[tuple[int, int, int]]:
    """(pages, answers, right) of each stratum, those without an answer being joined with a neighbour."""
    cells: list[tuple[int, int, int]] = []
    waiting = 0
    for number, size in enumerate(sizes):
        given = [right for stratum, right in answers if stratum == number]
        if given:
            cells.append((size + waiting, len(given), sum(given)))
            waiting = 0
        elif cells:
            cells[-1] = (cells[-1][0] + size, *cells[-1][1:])
        else:
            waiting += size
    return cells


def _bounds(right: float, wrong: float) -> tuple[float, float]:
    from scipy.special import betaincinv  # it takes a while to load, and most commands do without it

    low = float(betaincinv(right, wrong + 1.0, OUTSIDE / 2)) if right > 0 else 0.0
    high = float(betaincinv(right + 1.0, wrong, 1.0 - OUTSIDE / 2)) if wrong > 0 else 1.0
    return low, high
