"""Breadth-first, the simplest strategy."""

from __future__ import annotations

import numpy as np

from trailmark.datatypes import Page
from trailmark.strategy import UNJUDGED, FollowedLink, Strategy, Visit


class Breadth:
    """First come, first served. Every link has the same score, and the frontier keeps equals in the order found.

    `judge` is another strategy that is lent to it, so that goals are told apart; without one it finds none.
    """

    name = "breadth"

    def __init__(self, judge: Strategy | None = None) -> None:
        self._judge = judge

    @property
    def judges(self) -> bool:
        return self._judge is not None and self._judge.judges

    @property
    def learns(self) -> bool:
        return self._judge is not None and self._judge.learns

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """Scores that are all alike; the judgement, and what is remembered for it, are those of `judge`."""
        scores = np.zeros(len(page.links))
        if self._judge is None:
            return Visit(UNJUDGED, scores)
        other = self._judge.visit(page, link)
        return Visit(other.judgement, scores, other.memories)
