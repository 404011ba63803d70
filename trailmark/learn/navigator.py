"""The navigator: what was learnt, ready to walk (PathLearner section 3).

It takes a page in a path and says what the page is (eq. 2) and how likely it is a goal; it scores all links of a page at
once: the chance of each label of the link (eq. 6) times the reward of that label (eqs. 3-5), summed (eq. 7). The sum over several
paths to one link is the forager's. What it remembers of a path is one array: alpha and delta of its last position.

Departure: trails end at goals and failures, so nothing was learnt about what follows them; their links are taken to follow the
mean of what follows the other labels, and what was found off the way is believed to stay off it to the share `STAYS_OFF`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from trailmark.datatypes import Page
from trailmark.learn.bag import Bag, host_words, link_bag, page_bag
from trailmark.learn.encoding import Encoding
from trailmark.learn.label_space import FAIL, GOAL
from trailmark.learn.recipe import Recipe
from trailmark.sequence import CRF, probabilities
from trailmark.sequence.lattice import logsumexp
from trailmark.strategy import FollowedLink, Judgement, Visit

Floats = npt.NDArray[np.float64]
STAYS_OFF = 0.2
"""Share of the links of a failed page that are taken to fail as well, whatever they look like.

On a site unlike the taught ones pages of the way are easily taken for failures; with half of their links lost too, hardly a page behind them
was still called a goal (2 of 25 on one web, all 25 with a fifth), while the order of fetching stayed as good.
"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a page is, and what is remembered of the path up to it."""

    label: str
    goal: bool
    goal_probability: float
    memory: Floats
    chances: Floats
    """Probability of each label of the navigator."""

    @property
    def judgement(self) -> Judgement:
        """What a walk wants to know of it."""
        return Judgement(self.label, self.goal, self.goal_probability)


class Navigator:
    """A learnt way. It is a strategy itself: `visit` judges a page in its path, and scores its links by eq. 7."""

    name, judges, learns = "path", True, False

    def __init__(self, recipe: Recipe, encoding: Encoding, model: CRF, rewards: Floats, goal: str = GOAL) -> None:
        self.recipe, self.encoding, self.model, self.rewards, self.goal_name = recipe, encoding, model, rewards, goal
        self._own: dict[str, frozenset[str]] = {}

    @property
    def labels(self) -> tuple[str, ...]:
        return self.encoding.space.labels

    @cached_property
    def walking(self) -> _WalkingChain:
        """The chain with steps beyond goals and failures."""
        return _WalkingChain(self.model, self.encoding)

    def judge(self, page: Page, *, site: str, memory: Floats | None = None) -> Verdict:
        """What a page is. `memory` is that of the link that led to it; None at a root."""
        return self.judge_words(self.page_words(page, site=site), memory)

    def page_words(self, page: Page, *, site: str) -> Bag:
        """The words of a page, as many as the recipe says."""
        return page_bag(page, site=site, page_tokens=self.recipe.page_tokens)

    def judge_words(self, bag: Bag, memory: Floats | None) -> Verdict:
        """The words of a page and the memory of the link that led to it -> what the page is."""
        scores = self.walking.page_scores([bag])[0]
        if memory is None:
            alpha, delta = scores, scores
        else:
            alpha, delta = self.walking.arrive(memory, scores)
        chances = probabilities(alpha)
        goal = self.encoding.space.index[GOAL]
        best = int(np.argmax(delta))
        return Verdict(
            label=self.goal_name if best == goal else self.labels[best],
            goal=best == goal,
            goal_probability=float(chances[goal]),
            memory=np.concatenate([_from_zero(alpha), _from_zero(delta)]),
            chances=chances,
        )

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """A page and the link that led to it -> what the page is, and eq. 7 for its links."""
        verdict = self.judge(page, site=link.site, memory=link.memory)
        scores, memories = self.score(verdict, self.link_bags(page, site=link.site))
        return Visit(verdict.judgement, scores, memories)

    def score(self, verdict: Verdict, bags: Sequence[Bag]) -> tuple[Floats, Floats]:
        """Eq. 7 for every link of the page that the verdict is about, and the memory of each; `bags` are the links' words."""
        if not bags:
            return np.zeros(0), np.zeros((0, 2 * len(self.labels)))
        alpha, delta = self.walking.leave(verdict.memory, bags)
        scores: Floats = probabilities(alpha) @ self.rewards
        return scores, np.hstack([_from_zero(alpha), _from_zero(delta)])

    def link_bags(self, page: Page, *, site: str) -> list[Bag]:
        """The words of every link of a page."""
        own = self._own.get(site)
        if own is None:
            own = self._own[site] = host_words(site)
        window = self.recipe.window
        return [link_bag(link, source=page.url, own=own, window=window) for link in page.links]


class _WalkingChain:
    """Steps in label space, whatever the scheme of states: page -> links, link -> page."""

    def __init__(self, model: CRF, encoding: Encoding) -> None:
        self.model, self.encoding = model, encoding
        size = encoding.space.size
        weights = model.state_weights_
        self._page_weights = weights[:, :size]
        self._link_weights = weights[:, size:] if encoding.with_links else None
        steps = model.edges_[:size, size:] if encoding.with_links else model.edges_
        self.steps = _with_ends(steps, encoding)
        self.entries = np.diagonal(model.edges_[size:, :size]).copy() if encoding.with_links else np.zeros(size)

    def page_scores(self, bags: Sequence[Bag]) -> Floats:
        scores: Floats = self.encoding.vocabulary.matrix(bags) @ self._page_weights
        return scores

    def leave(self, memory: Floats, bags: Sequence[Bag]) -> tuple[Floats, Floats]:
        """alpha and delta of every link of a page."""
        alpha, delta = np.split(memory, 2)
        rows = self.encoding.vocabulary.matrix(bags)
        if self._link_weights is None:
            own = rows @ self.model.weights_.conditioned.reshape(rows.shape[1], -1)
            steps = own.reshape(-1, *self.steps.shape) * np.isfinite(self.steps) + self.steps
            return logsumexp((alpha[:, None] + steps).swapaxes(1, 2)), (delta[:, None] + steps).max(axis=1)
        scores = rows @ self._link_weights
        return logsumexp((alpha[:, None] + self.steps).T) + scores, (delta[:, None] + self.steps).max(axis=0) + scores

    def arrive(self, memory: Floats, scores: Floats) -> tuple[Floats, Floats]:
        """alpha and delta of the page that a link led to: a link-state leads to the page-state of its label only."""
        alpha, delta = np.split(memory, 2)
        return alpha + self.entries + scores, delta + self.entries + scores


def _with_ends(steps: Floats, encoding: Encoding) -> Floats:
    """Steps from goal and fail, which trails never show: the mean of the other labels' steps; fail mostly leads to fail."""
    goal, fail = encoding.space.index[GOAL], encoding.space.index[FAIL]
    others = [row for row in range(encoding.space.size) if row not in (goal, fail)]
    walking = steps.copy()
    shares = np.exp(steps[others] - logsumexp(steps[others])[:, None]) if others else np.ones((1, encoding.space.size))
    mean = shares.mean(axis=0) / shares.mean(axis=0).sum()
    off = np.full(encoding.space.size, 0.0)
    off[fail] = 1.0
    scale = float(np.mean(logsumexp(steps[others]))) if others else 0.0
    with np.errstate(divide="ignore"):
        walking[goal] = np.log(mean) + scale
        walking[fail] = np.log((1 - STAYS_OFF) * mean + STAYS_OFF * off) + scale
    return walking


def _from_zero(logs: Floats) -> Floats:
    """Logarithms shifted so that the largest is 0: nothing drifts on long paths."""
    top = logs.max(axis=-1, keepdims=True)
    shifted: Floats = logs - np.where(np.isfinite(top), top, 0.0)
    return shifted
