"""The role of a strategy, and the simplest one.

A strategy judges a page that was fetched and scores the links that lead out of it. It never sees the queue: sums over
several paths, order, budgets and fairness are the frontier's. What it wants to remember of the path up to a page or a
link (alpha and delta of PathLearner, eqs. 6 and 2) travels with the link as a row of numbers that only it can read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from trailmark.datatypes import Page
from trailmark.forage.queued_link import QueuedLink

Floats = NDArray[np.float64]
Rescore = Callable[[QueuedLink], float]
"""The priority of a queued link, from its `base` (the model's own score, summed over paths) and where it was found."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a strategy thinks of a page."""

    label: str
    """The model's label of the page; empty where it has none."""
    goal: bool
    goal_probability: float
    memory: Floats | None = None
    """What the strategy remembers of the path up to this page."""


class Judged(Protocol):
    """What the forager reads of a judgement; a strategy may put more into its own."""

    @property
    def label(self) -> str: ...
    @property
    def goal(self) -> bool: ...
    @property
    def goal_probability(self) -> float: ...


UNJUDGED = Judgement("", False, 0.0)
"""Of a page that was not read: missing, moved away, of the wrong kind."""


class Strategy(Protocol):
    """What `forage` asks of every strategy; it may be called for many sites in turn, and keeps none of them apart."""

    @property
    def name(self) -> str: ...

    def judge(self, page: Page, /, *, site: str, memory: Floats | None) -> Judged:
        """`memory` is that of the link that led here; None at a root."""
        ...

    def score(self, page: Page, judgement: Any, /, *, site: str) -> tuple[Floats, Floats | None]:
        """`judgement` is what `judge` said of the page.

        Returns one score for each link of the page, the higher the better, and one row of memory for each, or None.
        """
        ...


@runtime_checkable
class Adaptive(Protocol):
    """A strategy that learns while it walks, for each site on its own."""

    def adapt(self, page: Page, judgement: Any, /, *, site: str, via: QueuedLink) -> Rescore | None:
        """What the page just judged teaches about the links of its site that wait, and of those still to be found.

        The function returned takes the place of the one before; None leaves things as they are.
        """
        ...


class Breadth:
    """First come, first served. Every link has the same score, and the frontier keeps equals in the order found.

    `judge` of another strategy may be lent to it, so that goals are told apart; without one it finds none.
    """

    name = "breadth"

    def __init__(self, judge: Strategy | None = None) -> None:
        self._judge = judge

    @property
    def judges(self) -> bool:
        """Whether it tells goals apart."""
        return self._judge is not None

    def judge(self, page: Page, /, *, site: str, memory: Floats | None) -> Judged:
        return UNJUDGED if self._judge is None else self._judge.judge(page, site=site, memory=memory)

    def score(self, page: Page, judgement: Any, /, *, site: str) -> tuple[Floats, Floats | None]:
        scores = np.zeros(len(page.links))
        return scores, None if self._judge is None else self._judge.score(page, judgement, site=site)[1]
