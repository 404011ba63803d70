"""Examples -> what a page says by itself, whatever way led to it: a logistic regression on its words, goals against all other pages.

The chain tells pages apart along a path, with every label at once; here goals stand against the rest alone, which is what a verdict
asks. Goals and others count alike however many were shown. Pages that lead to *other* goals are contrast: a student's page is
no teacher's, and nothing else in the trails to teachers says so.

What the sites that were taught have in common is known only as far as there are several of them, so the evidence counts
`sites / (sites + 1)`: half of what it says after one site.

The teaching also tells how common goals are: one list of papers a site, or dozens of courses. A verdict needs to know, since a site's
best page is a goal on the first kind and one of many on the second (see `forage.settling`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trailmark.learn.bag import PAGE_GROUPS, Bag
from trailmark.learn.example import Example
from trailmark.learn.label_space import GOAL
from trailmark.learn.regression import fit_regression
from trailmark.learn.vocabulary import Vocabulary, fit_vocabulary
from trailmark.sequence.sequences import Sparse

Floats = npt.NDArray[np.float64]
L2 = 10.0
LEAST_PAGES = 2
"""Words that stand on fewer pages than this tell nothing about another site."""
MOST = 6.0
"""Bound of what a page may say, in log-odds."""
MANY = 6.0
"""Goals a site beyond which more make no difference: teaching seldom shows them all."""

Pages = dict[tuple[str, str], tuple[Bag, bool]]
"""Site and URL -> the words of a page, and whether it is a goal."""


@dataclass(frozen=True)
class PageEvidence:
    """Weights of words of pages, and a constant; and what the teaching says of how many goals a site has."""

    vocabulary: Vocabulary
    weights: Floats
    sites: int
    goals_a_site: float

    @property
    def trust(self) -> float:
        """The share of the evidence that counts."""
        return self.sites / (self.sites + 1.0)

    @property
    def commonness(self) -> float:
        """Logarithm of the goals of a site, from 0 for one to that of `MANY`."""
        return math.log(min(max(self.goals_a_site, 1.0), MANY))

    def log_odds(self, bag: Bag) -> float:
        """The words of a page -> how much they speak for a goal."""
        columns, _ = self.vocabulary.row(bag)
        value = float(self.weights[columns].sum() + self.weights[-1])
        return self.trust * max(-MOST, min(MOST, value))


def fit_page_evidence(examples: Sequence[Example], contrast: Iterable[Example] = ()) -> PageEvidence:
    """Examples of a goal, and those of other goals -> the evidence of pages for it; each page counts once."""
    pages = _pages(examples)
    goals = sum(goal for _, goal in pages.values())
    with_goals = {site for (site, _), (_, goal) in pages.items() if goal}
    everything = {**_contrast_pages(contrast, with_goals), **pages}
    bags = [bag for bag, _ in everything.values()]
    wanted = np.array([goal for _, goal in everything.values()], dtype=bool)
    vocabulary = fit_vocabulary(map(_page_words, bags), min_count=LEAST_PAGES)
    weights = fit_regression(_rows(vocabulary, bags), wanted, _balance(wanted), np.full(vocabulary.size, L2))
    return PageEvidence(vocabulary, weights, len({site for site, _ in pages}), goals / max(1, len(with_goals)))


def _pages(examples: Iterable[Example]) -> Pages:
    """Each page of the examples once; a page that one trail passes and another ends at is a goal."""
    pages: Pages = {}
    for example in examples:
        last = len(example.pages) - 1
        for number, (step, bag) in enumerate(zip(example.trail.steps, example.pages, strict=True)):
            key = (example.site, step.url)
            goal = number == last and example.trail.outcome == GOAL
            pages[key] = (bag, goal or (key in pages and pages[key][1]))
    return pages


def _contrast_pages(examples: Iterable[Example], sites: Collection[str]) -> Pages:
    """What trails to other goals say that a page is, and so that it is not this goal: their ends, and no page that they pass.

    What a trail passes may well be this goal: a list of people lies on the way to a person. Only `sites` with goals of their own count: pages
    of others would speak against whatever those sites have in common.
    """
    return {(each.site, each.trail.steps[-1].url): (each.pages[-1], False) for each in examples if each.site in sites}


def _page_words(bag: Bag) -> Bag:
    return {group: bag[group] for group in PAGE_GROUPS if group in bag}


def _rows(vocabulary: Vocabulary, bags: Sequence[Bag]) -> Sparse:
    """A word is there or not: long pages say more than short ones."""
    rows = vocabulary.matrix(bags)
    rows.data = np.ones_like(rows.data)
    return rows


def _balance(wanted: npt.NDArray[np.bool_]) -> Floats:
    """Goals together weigh as much as all others, and the whole as much as there are pages."""
    goals = max(1, int(wanted.sum()))
    others = max(1, wanted.size - int(wanted.sum()))
    return np.where(wanted, wanted.size / (2.0 * goals), wanted.size / (2.0 * others))
