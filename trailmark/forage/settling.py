"""The verdicts of a run, settled together: every judged page -> goal, unsure or not, and how likely it is a goal.

A walk judges each page as it comes, knowing only what came before. When it ends, and again whenever a person has said of some of
its pages what they are, all of them are looked at once more. Nothing here fetches, reads or writes; the same pages in the same order
have the same verdicts.

1. *The site's own pages place the threshold.* What a site is like shifts the evidence of all its pages alike: a strange template lowers
   it, a name that stands in every address raises it. So a page's evidence is held against the strongest of its site and against the
   middle one, as well as against 0, and what the teaching says of how common goals are moves the whole:

       log-odds = BIAS + ALONE * e + BEST * (e - strongest) + MIDDLE * (e - median) + COMMON * commonness

   The five weights were measured on webs of many kinds, each kind left out in turn (`python -m evals.settle_weights`).
2. *Answers move it.* What a person said of some pages of the run is one logistic regression more, on these log-odds, with an offset and a
   slope for the run, an offset a site, and one a family (pages that one page links to in one place are mostly of one kind). All of
   them are normal around "no change", so that one answer moves little beyond its family and ten settle the run.
3. What a person said of a page is its verdict. Any other is a goal where its chance is `SURE` or more, unsure from `DOUBTFUL` on, else
   not: no page is called a goal that is more likely not one.

A strategy that gives no evidence is taken at its word: the probability that it judged with stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from trailmark.sequence import chance_of, log_odds

Floats = NDArray[np.float64]
SURE = 0.5
"""A page with this chance or a better one is called a goal."""
DOUBTFUL = 0.3
"""A page with this chance or a better one, that is not called a goal, is unsure: worth a question."""
BIAS, ALONE, BEST, MIDDLE, COMMON = -1.21, 0.11, 0.44, 0.37, 1.18
ROOT = -3.0
"""Log-odds of the page that a walk begins at, beside those of any other: it is where to begin, seldom what is looked for."""
RUN_OFFSET, RUN_SLOPE, SITE_OFFSET, FAMILY_OFFSET = 1.0, 0.3, 1.0, 1.5
"""How far answers may move the verdicts of a run, of a site and of a family: standard deviations."""


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page of a run as the walk judged it, and what a person said of it."""

    url: str
    site: str
    family: str
    """The page whose link led here, and the repeated block or the tags in which that link stood; empty where a walk begins."""
    evidence: float
    """Log-odds that it is a goal; 0 where the strategy gives none."""
    goal_probability: float
    answer: bool | None = None
    """What a person said: wanted or not; None where nobody was asked."""
    commonness: float = 0.0
    """Logarithm of the goals that a site has by what was taught."""
    goal_name: str = ""
    """The goal that this is about, where the walk looks for several."""


@dataclass(frozen=True, slots=True)
class SettledVerdict:
    """What a page of a run is in the end."""

    goal: bool | None
    """None where it is unsure."""
    goal_probability: float


def settle(pages: Sequence[JudgedPage]) -> list[SettledVerdict]:
    """The judged pages of one run, in the order of fetching -> the verdict on each, in the same order."""
    chances = np.zeros(len(pages))
    for places in _by(pages, lambda page: page.goal_name).values():
        some = [pages[place] for place in places]
        chances[places] = chance_of(_answered(some, _placed(some)))
    return [_verdict(page, float(chance)) for page, chance in zip(pages, chances, strict=True)]


def placed_log_odds(pages: Sequence[JudgedPage], weights: Sequence[float]) -> Floats:
    """The pages of one goal that have evidence, and `BIAS`, `ALONE`, `BEST`, `MIDDLE`, `COMMON` -> their log-odds by step 1."""
    rows = placing_features(pages)
    odds: Floats = weights[0] + rows @ np.asarray(weights[1:])
    return odds + ROOT * np.array([not page.family for page in pages])


def placing_features(pages: Sequence[JudgedPage]) -> Floats:
    """The pages of one goal x evidence, the same below the strongest of its site, the same above the middle, commonness."""
    evidence = np.array([page.evidence for page in pages], dtype=np.float64)
    strongest, middle = np.zeros(len(pages)), np.zeros(len(pages))
    for places in _by(pages, lambda page: page.site).values():
        strongest[places], middle[places] = evidence[places].max(), np.median(evidence[places])
    common = np.array([page.commonness for page in pages], dtype=np.float64)
    return np.column_stack([evidence, evidence - strongest, evidence - middle, common])


def in_words(goal: bool | None) -> str:
    """A verdict -> the same for a person."""
    return {True: "a goal", None: "unsure", False: "not a goal"}[goal]


def verdict_of(goal_probability: float) -> bool | None:
    """The chance that a page is a goal -> whether it is called one; None for unsure."""
    if goal_probability >= SURE:
        return True
    return None if goal_probability >= DOUBTFUL else False


def _by(pages: Sequence[JudgedPage], key: Callable[[JudgedPage], str]) -> Mapping[str, list[int]]:
    groups: dict[str, list[int]] = defaultdict(list)
    for place, page in enumerate(pages):
        groups[key(page)].append(place)
    return groups


def _verdict(page: JudgedPage, chance: float) -> SettledVerdict:
    if page.answer is not None:
        return SettledVerdict(page.answer, float(page.answer))
    return SettledVerdict(verdict_of(chance), chance)


def _placed(pages: Sequence[JudgedPage]) -> Floats:
    """Log-odds by the site's own pages; as judged, where the strategy gives no evidence."""
    odds = log_odds(np.array([page.goal_probability for page in pages], dtype=np.float64))
    telling = [place for place, page in enumerate(pages) if page.evidence]
    if telling:
        odds[telling] = placed_log_odds([pages[place] for place in telling], (BIAS, ALONE, BEST, MIDDLE, COMMON))
    return odds


def _answered(pages: Sequence[JudgedPage], odds: Floats) -> Floats:
    """Log-odds as the answers about some of the pages move them (step 2)."""
    asked = [place for place, page in enumerate(pages) if page.answer is not None]
    if not asked:
        return odds
    sites = {name: 2 + n for n, name in enumerate(dict.fromkeys(pages[place].site for place in asked))}
    begun = 2 + len(sites)
    families = {name: begun + n for n, name in enumerate(dict.fromkeys(pages[place].family for place in asked))}
    rows = np.zeros((len(pages), begun + len(families)))
    rows[:, 0], rows[:, 1] = 1.0, odds
    for place, page in enumerate(pages):
        for columns, name in ((sites, page.site), (families, page.family)):
            if name in columns:
                rows[place, columns[name]] = 1.0
    spreads = [RUN_OFFSET, RUN_SLOPE, *[SITE_OFFSET] * len(sites), *[FAMILY_OFFSET] * len(families)]
    answers = np.array([bool(pages[place].answer) for place in asked], dtype=np.float64)
    moved: Floats = odds + rows @ _changes(rows[asked], odds[asked], answers, np.array(spreads) ** -2.0)
    return moved


def _changes(rows: Floats, odds: Floats, answers: Floats, precisions: Floats) -> Floats:
    """The most likely changes of offsets and slope, each normal around 0."""

    def loss(changes: Floats) -> tuple[float, Floats]:
        now = odds + rows @ changes
        value = float((np.logaddexp(0.0, now) - answers * now).sum() + 0.5 * precisions @ changes**2)
        return value, rows.T @ (chance_of(now) - answers) + precisions * changes

    optimum = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B")
    changes: Floats = optimum.x
    return changes
