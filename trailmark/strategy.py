"""The one call between a walk and the strategy that leads it: a page and the link that led to it -> a `Visit`.

It stands beside the datatypes because `learn` makes strategies and `forage` follows them, and neither knows the other. A strategy
never sees the queue: sums over several paths, order, budgets and fairness are the frontier's. What it wants to remember of the path up
to a link (alpha and delta of PathLearner, eqs. 6 and 2) travels with the link as a row of numbers that only it can read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trailmark.datatypes import Page

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a strategy takes a page for."""

    label: str
    """The model's label of the page; empty where it has none."""
    goal: bool | None
    """Whether it is a goal; None where that is unsure, which counts as no goal while the walk goes on."""
    goal_probability: float
    evidence: float = 0.0
    """Log-odds that the page is a goal, by itself and its link, before the verdicts of the run are settled.

    0.0 where a strategy does not say; its word then stands as it is.
    """
    goal_name: str = ""
    """The goal that this is about, where a walk looks for several."""
    commonness: float = 0.0
    """Logarithm of the goals that a site has by what was taught: 0 where it has one, or nothing is known."""
    keywords: tuple[str, ...] = ()
    """The keywords that stand on the page, where a walk looks for some."""

    def decided(self, evidence: float, chance: float, goal_name: str) -> Judgement:
        """The same page with other log-odds and the chance that they are: a goal from even on, and named so only where it is one."""
        goal = chance >= 0.5
        other = self.label if self.label != goal_name else ""
        label = goal_name if goal else other
        return replace(self, label=label, goal=goal, goal_probability=chance, evidence=evidence)


UNJUDGED = Judgement("", False, 0.0)
"""Of a page that was not read (missing, moved away, of the wrong kind), and of all pages where nobody tells goals apart."""


@dataclass(frozen=True, slots=True, eq=False)
class FollowedLink:
    """The link that led to a page, as a strategy sees it."""

    site: str
    """Root of the site that is walked."""
    url: str
    key: int
    """The same for all spellings of one page, now and when the run is taken up again."""
    depth: int = 0
    """Clicks from the root of the site; 0 at the root itself."""
    memory: Floats | None = None
    """The row of `Visit.memories` that this link got on the page it stands on; None at a root, or where there was none."""


class WaitingLink(Protocol):
    """A link that was found and still waits, as `Visit.rescore` sees it."""

    @property
    def key(self) -> int: ...
    @property
    def url(self) -> str: ...
    @property
    def base(self) -> float:
        """The strategy's own scores of it, summed over the pages it was found on."""
        ...


Rescore = Callable[[WaitingLink], float]


@dataclass(frozen=True, slots=True, eq=False)
class Visit:
    """All that a strategy makes of one page."""

    judgement: Judgement
    scores: Floats
    """One for each link of the page, in its order: the higher, the sooner; finite and not below 0."""
    memories: Floats | None = None
    """One row for each link, handed back with it when it is followed; None where nothing is to be remembered."""
    rescore: Rescore | None = None
    """The score of a link of this site that waits, from now on and in place of the sum; None leaves things as they are."""


class Strategy(Protocol):
    """What `forage` asks of every strategy. It is called for the pages of many sites in turn."""

    @property
    def name(self) -> str:
        """What a run is called by: the same name over the same roots takes the same run up again."""
        ...

    @property
    def judges(self) -> bool:
        """Whether it tells goals from other pages; where it does not, no shape of addresses is given up as fruitless."""
        ...

    @property
    def learns(self) -> bool:
        """Whether pages change what it says of later ones; then it is shown them again when a run is taken up."""
        ...

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """What it makes of a page just fetched; called once for each page, in the order of fetching."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """What a guide makes of a page, with goals and ways kept apart; a walk that learns on the way builds on it."""

    judgement: Judgement
    goal: Floats
    """Chance of each link to lead to a goal."""
    onward: Floats
    """Worth of each link as a way to goals, 0 to 1."""
    memories: Floats | None
    bags: Sequence[Mapping[str, Sequence[str]]]
    """Words of each link, in groups."""
    alone: float = 0.0
    """What the page says by itself, whatever way led to it, in log-odds of a goal; `judgement` is without it."""


class Guide(Protocol):
    """A taught strategy that can tell goals from ways."""

    @property
    def name(self) -> str: ...
    @property
    def goal_name(self) -> str: ...

    def outlook(self, page: Page, link: FollowedLink, /) -> Outlook:
        """What it makes of a page just fetched, and of its links."""
        ...

    def expected(self, memory: Floats, /) -> float:
        """The chance of a goal that a link with this memory promised."""
        ...
