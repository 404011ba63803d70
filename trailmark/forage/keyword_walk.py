"""A walk by keywords alone: it learns on the way as any other, and leaves every verdict open.

Nothing was taught, so there is nothing to be sure by: a page that the keywords speak for is unsure, any other is none. The chance is never above `MOST`;
once a person has answered about some of its pages, the run is settled with the answers, and pages may be goals.
"""

from __future__ import annotations

from dataclasses import replace

from trailmark.datatypes import Page
from trailmark.forage.learning_walk import LearningWalk
from trailmark.forage.settling import verdict_of
from trailmark.strategy import FollowedLink, Guide, Judgement, Strategy, Visit

PREFIX = "keywords-"
"""What the name of such a walk begins with; the digest of its list of keywords follows."""
MOST = 0.49
"""Chance above which no page gets by keywords: just below that of a goal."""


def is_keyword_walk(strategy: Strategy) -> bool:
    """Whether a strategy looks for keywords, with documents or without."""
    return strategy.name.startswith(PREFIX)


class KeywordWalk:
    """The walk of a guide that knows keywords."""

    learns = True

    def __init__(self, guide: Guide, name: str = "") -> None:
        self.name, self.judges = name or guide.name, False
        self._walk = LearningWalk(
            guide, name=guide.name, part=0.0
        )  # what lies below a page that speaks of them does so too

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """A page and the link that led to it -> its links scored as the walk has learnt, and a verdict that is unsure or no."""
        visit = self._walk.visit(page, link)
        return replace(visit, judgement=_open(visit.judgement))


def _open(judgement: Judgement) -> Judgement:
    """A judgement with its chance bounded, and no evidence by which it could be settled to more."""
    chance = min(judgement.goal_probability, MOST)
    return replace(judgement, label="", goal=verdict_of(chance), goal_probability=chance, evidence=0.0)
