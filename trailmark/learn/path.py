"""`path`: the navigator as a guide that tells goals from ways (PathLearner section 3), for a walk that learns as it goes.

Eq. 7 sums chance times reward over all labels. Here the goal's part and the others' part are kept apart, since a site
teaches different things about them: which links are goals, and which lead on.

Departure: a page of a kind that no taught page had (a PostScript file where only pages of text were taught) is unlikely to be
a goal or a way, which words never seen can't say; its log-odds are lowered by `STRANGE`. The chain's chances are sharpened, since
with few trails its L2 leaves them close to even, and what clicks tell (see `clicks`) is added where it is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from trailmark.datatypes import Page
from trailmark.learn.bag import url_ending
from trailmark.learn.clicks import Clicks
from trailmark.learn.label_space import GOAL
from trailmark.learn.navigator import Navigator, Verdict
from trailmark.sequence import probabilities

Floats = npt.NDArray[np.float64]
STRANGE = 3.0
"""Log-odds against a kind of file that was never taught."""
ONWARD = 0.8
SHARPEN = 2.0
"""How far the chain's log-odds are moved away from even chances."""
GOAL_CLICKS, WAY_CLICKS = 0.5, 1.0
"""Shares of the clicks' log-odds that are added for goals and for ways."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is expected of the links of a page."""

    goal: Floats
    onward: Floats
    memories: Floats | None
    bags: Sequence[Mapping[str, Sequence[str]]]


class Path:
    """A guide over a navigator; a plain strategy as well."""

    name = "path"

    def __init__(self, navigator: Navigator, clicks: Clicks | None = None) -> None:
        self.navigator, self.clicks, self.goal_name = navigator, clicks, navigator.goal_name
        self._goal = navigator.encoding.space.index[GOAL]
        rewards = np.clip(navigator.rewards, 0.0, 1.0)
        rewards[self._goal] = 0.0
        self._rewards = rewards
        others = np.delete(rewards, self._goal)
        self._even_goal = float(_log_odds(np.array(1.0 / rewards.size)))
        self._even_way = float(_log_odds(others.mean() if others.size else np.array(0.5)))
        columns = navigator.encoding.vocabulary.columns
        self._pages, self._links = (frozenset(columns.get(group, ())) for group in ("ending", "to ending"))

    def judge(self, page: Page, /, *, site: str, memory: Floats | None = None) -> Verdict:
        verdict = self.navigator.judge(page, site=site, memory=memory)
        if url_ending(page.url) in self._pages:
            return verdict
        chance = float(_chance(_log_odds(np.array(verdict.goal_probability)) - STRANGE))
        if not verdict.goal or chance >= 0.5:
            return replace(verdict, goal_probability=chance)
        return replace(verdict, goal=False, goal_probability=chance, label="")

    def outlook(self, page: Page, verdict: Verdict, /, *, site: str) -> Outlook:
        """Chances and worth of all links of a page."""
        _, memories = self.navigator.score(page, verdict, site=site)
        bags = self.navigator.link_bags(page, site=site)
        if not bags:
            return Outlook(np.zeros(0), np.zeros(0), memories, bags)
        chances = probabilities(memories[:, : len(self.navigator.labels)])
        strange = np.array([bag["to ending"][0] not in self._links for bag in bags])
        goal, onward = _log_odds(chances[:, self._goal]), _log_odds(chances @ self._rewards)
        goal = self._even_goal + SHARPEN * (goal - self._even_goal) - STRANGE * strange
        onward = self._even_way + SHARPEN * (onward - self._even_way) - STRANGE * strange
        if self.clicks is not None:
            last, before = self.clicks.log_odds(bags)
            goal, onward = goal + GOAL_CLICKS * last, onward + WAY_CLICKS * before
        return Outlook(_chance(goal), _chance(onward), memories, bags)

    def expected(self, memory: Floats, /) -> float:
        """The chance of a goal that a link with this memory promised."""
        alpha = np.split(memory, 2)[0]
        return float(probabilities(alpha)[self._goal])

    def score(self, page: Page, verdict: Verdict, /, *, site: str) -> tuple[Floats, Floats | None]:
        """Eq. 7, the goal's reward being 1 and the ways' bounded by `ONWARD`."""
        outlook = self.outlook(page, verdict, site=site)
        return outlook.goal + (1.0 - outlook.goal) * ONWARD * outlook.onward, outlook.memories


def _log_odds(chance: Floats) -> Floats:
    kept = np.clip(chance, 1e-6, 1.0 - 1e-6)
    odds: Floats = np.log(kept / (1.0 - kept))
    return odds


def _chance(odds: Floats) -> Floats:
    chance: Floats = 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
    return chance
