"""`path`: the navigator as a guide that tells goals from ways (PathLearner section 3), for a walk that learns as it goes.

Eq. 7 sums chance times reward over all labels. Here the goal's part and the others' part are kept apart, since a site
teaches different things about them: which links are goals, and which lead on.

Departure: a page of a kind that no taught page had (a PostScript file where only pages of text were taught) is unlikely to be
a goal or a way, which words never seen can't say; its log-odds are lowered by `STRANGE`. The chain's chances are sharpened, since
with few trails its L2 leaves them close to even, and what clicks tell (see `clicks`) is added where it is known. What a page
says by itself (see `page_evidence`) is handed on beside the chain's verdict.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from trailmark.datatypes import Page
from trailmark.learn.bag import url_ending
from trailmark.learn.clicks import Clicks
from trailmark.learn.label_space import GOAL
from trailmark.learn.navigator import Navigator, Verdict
from trailmark.learn.page_evidence import PageEvidence
from trailmark.sequence import chance_of, log_odds, probabilities
from trailmark.strategy import FollowedLink, Judgement, Outlook, Visit

Floats = npt.NDArray[np.float64]
STRANGE = 3.0
"""Log-odds against a kind of file that was never taught."""
ONWARD = 0.8
SHARPEN = 2.0
"""How far the chain's log-odds are moved away from even chances."""
GOAL_CLICKS, WAY_CLICKS = 0.5, 1.0
"""Shares of the clicks' log-odds that are added for goals and for ways."""


class PathGuide:
    """A guide over a navigator; a strategy as well, that does not learn on the way."""

    name, judges, learns = "path-plain", True, False

    def __init__(
        self, navigator: Navigator, clicks: Clicks | None = None, evidence: PageEvidence | None = None
    ) -> None:
        self.navigator, self.clicks, self.evidence = navigator, clicks, evidence
        self.goal_name = navigator.goal_name
        self._goal = navigator.encoding.space.index[GOAL]
        rewards = np.clip(navigator.rewards, 0.0, 1.0)
        rewards[self._goal] = 0.0
        self._rewards = rewards
        others = np.delete(rewards, self._goal)
        self._even_goal = float(log_odds(np.array(1.0 / rewards.size)))
        self._even_way = float(log_odds(others.mean() if others.size else np.array(0.5)))
        columns = navigator.encoding.vocabulary.columns
        self._pages, self._links = (frozenset(columns.get(group, ())) for group in ("ending", "to ending"))

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """A page and the link that led to it -> eq. 7, the goal's reward being 1 and the ways' bounded by `ONWARD`."""
        outlook = self.outlook(page, link)
        scores = outlook.goal + (1.0 - outlook.goal) * ONWARD * outlook.onward
        return Visit(self._with_evidence(outlook), scores, outlook.memories)

    def outlook(self, page: Page, link: FollowedLink, /) -> Outlook:
        """A page and the link that led to it -> what the page is; chances and worth of all its links."""
        words = self.navigator.page_words(page, site=link.site)
        verdict = self.navigator.judge_words(words, link.memory)
        judgement = self._judgement(page, verdict)
        alone = 0.0 if self.evidence is None else self.evidence.log_odds(words)
        bags = self.navigator.link_bags(page, site=link.site)
        _, memories = self.navigator.score(verdict, bags)
        if not bags:
            return Outlook(judgement, np.zeros(0), np.zeros(0), memories, bags, alone)
        chances = probabilities(memories[:, : len(self.navigator.labels)])
        strange = np.array([bag["to ending"][0] not in self._links for bag in bags])
        goal, onward = log_odds(chances[:, self._goal]), log_odds(chances @ self._rewards)
        goal = self._even_goal + SHARPEN * (goal - self._even_goal) - STRANGE * strange
        onward = self._even_way + SHARPEN * (onward - self._even_way) - STRANGE * strange
        if self.clicks is not None:
            last, before = self.clicks.log_odds(bags)
            goal, onward = goal + GOAL_CLICKS * last, onward + WAY_CLICKS * before
        return Outlook(judgement, chance_of(goal), chance_of(onward), memories, bags, alone)

    def expected(self, memory: Floats, /) -> float:
        """The chance of a goal that a link with this memory promised."""
        alpha = np.split(memory, 2)[0]
        return float(probabilities(alpha)[self._goal])

    def _judgement(self, page: Page, verdict: Verdict) -> Judgement:
        """The verdict on a page, lowered where its kind of file was never taught."""
        common = 0.0 if self.evidence is None else self.evidence.commonness
        if url_ending(page.url) in self._pages:
            return replace(verdict.judgement, commonness=common)
        chance = float(chance_of(log_odds(np.array(verdict.goal_probability)) - STRANGE))
        if not verdict.goal or chance >= 0.5:
            return Judgement(verdict.label, verdict.goal, chance, commonness=common)
        return Judgement("", False, chance, commonness=common)

    def _with_evidence(self, outlook: Outlook) -> Judgement:
        """The chain's judgement and what the page says by itself, together."""
        judgement = outlook.judgement
        if self.evidence is None:
            return judgement
        evidence = float(log_odds(np.array(judgement.goal_probability))) + outlook.alone
        return judgement.decided(evidence, float(chance_of(np.array(evidence))), self.goal_name)
