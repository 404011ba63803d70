"""`path`: the navigator as a guide that tells goals from ways (PathLearner section 3), for a walk that learns as it goes.

Eq. 7 sums chance times reward over all labels. Here the goal's part and the others' part are kept apart, since a site
teaches different things about them: which links are goals, and which lead on.

Departure: a page of a kind that no taught page had (a PostScript file where only pages of text were taught) is unlikely to be
a goal or a way, which words never seen can't say; its log-odds are lowered by `STRANGE`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from trailmark.datatypes import Page
from trailmark.learn.bag import url_ending
from trailmark.learn.label_space import GOAL
from trailmark.learn.navigator import Navigator, Verdict
from trailmark.sequence import probabilities

Floats = npt.NDArray[np.float64]
STRANGE = 3.0
"""Log-odds against a kind of file that was never taught."""
ONWARD = 0.8


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

    def __init__(self, navigator: Navigator) -> None:
        self.navigator = navigator
        self._goal = navigator.encoding.space.index[GOAL]
        rewards = np.clip(navigator.rewards, 0.0, 1.0)
        rewards[self._goal] = 0.0
        self._rewards = rewards
        columns = navigator.encoding.vocabulary.columns
        self._pages, self._links = (frozenset(columns.get(group, ())) for group in ("ending", "to ending"))

    def judge(self, page: Page, /, *, site: str, memory: Floats | None = None) -> Verdict:
        verdict = self.navigator.judge(page, site=site, memory=memory)
        if url_ending(page.url) in self._pages:
            return verdict
        chance = float(lowered(np.array(verdict.goal_probability)))
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
        goal, onward = chances[:, self._goal], chances @ self._rewards
        return Outlook(
            np.where(strange, lowered(goal), goal), np.where(strange, lowered(onward), onward), memories, bags
        )

    def expected(self, memory: Floats, /) -> float:
        """The chance of a goal that a link with this memory promised."""
        alpha = np.split(memory, 2)[0]
        return float(probabilities(alpha)[self._goal])

    def score(self, page: Page, verdict: Verdict, /, *, site: str) -> tuple[Floats, Floats | None]:
        """Eq. 7, the goal's reward being 1 and the ways' bounded by `ONWARD`."""
        outlook = self.outlook(page, verdict, site=site)
        return outlook.goal + (1.0 - outlook.goal) * ONWARD * outlook.onward, outlook.memories


def lowered(chance: Floats) -> Floats:
    """A probability whose log-odds are `STRANGE` lower."""
    kept = np.clip(chance, 0.0, 1.0 - 1e-9)
    odds: Floats = np.exp(-STRANGE) * kept / (1.0 - kept)
    return odds / (1.0 + odds)
