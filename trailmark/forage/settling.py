"""The verdicts of a run, settled together: every judged page -> goal, unsure or not, and how likely it is a goal.

A walk judges each page as it comes, knowing only what came before. When it ends, and again whenever a person has said of some of
its pages what they are, all of them are looked at once more. Nothing here fetches, reads or writes; the same pages in the same order
have the same verdicts.

1. What a person said of a page is its verdict.
2. Any other page keeps the probability that it was judged with.
3. It is a goal where that is `SURE` or more, unsure from `DOUBTFUL` on, else not: no page is called a goal that is more likely not one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SURE = 0.5
"""A page with this chance or a better one is called a goal."""
DOUBTFUL = 0.3
"""A page with this chance or a better one, that is not called a goal, is unsure: worth a question."""


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page of a run as the walk judged it, and what a person said of it."""

    url: str
    site: str
    family: str
    """The page whose link led here, and the repeated block or the tags in which that link stood."""
    evidence: float
    """Log-odds that it is a goal."""
    goal_probability: float
    answer: bool | None = None
    """What a person said: wanted or not; None where nobody was asked."""


@dataclass(frozen=True, slots=True)
class SettledVerdict:
    """What a page of a run is in the end."""

    goal: bool | None
    """None where it is unsure."""
    goal_probability: float


def settle(pages: Sequence[JudgedPage]) -> list[SettledVerdict]:
    """The judged pages of one run, in the order of fetching -> the verdict on each, in the same order."""
    return [_verdict(page) for page in pages]


def _verdict(page: JudgedPage) -> SettledVerdict:
    if page.answer is not None:
        return SettledVerdict(page.answer, float(page.answer))
    return SettledVerdict(verdict_of(page.goal_probability), page.goal_probability)


def in_words(goal: bool | None) -> str:
    """A verdict -> the same for a person."""
    return {True: "a goal", None: "unsure", False: "not a goal"}[goal]


def verdict_of(goal_probability: float) -> bool | None:
    """The chance that a page is a goal -> whether it is called one; None for unsure."""
    if goal_probability >= SURE:
        return True
    return None if goal_probability >= DOUBTFUL else False
