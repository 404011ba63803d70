"""Strategies as a case teaches them: those of the product, and a few that are only measured."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evals.forage_cases import Case
from evals.keyword_names import goal_names, goal_word
from trailmark.datatypes import Page
from trailmark.forage.keyword_walk import KeywordWalk
from trailmark.forage.queued_link import QueuedLink
from trailmark.learn.keyword_guide import KeywordGuide
from trailmark.learn.keyword_list import Keyword
from trailmark.learn.recipe import Recipe
from trailmark.strategy import FollowedLink, Strategy, Visit, WaitingLink
from trailmark.verbs.strategies import STRATEGIES as TAUGHT
from trailmark.verbs.strategies import make_strategy

STRATEGIES = (*TAUGHT, "distance", "oracle")
"""A row in every table: `distance` is `path` with states by distance to the goal (partially supervised), `oracle` knows the web by heart."""
KEYWORDS = {"keywords": goal_names, "keyword": goal_word}
"""Strategies without trails: by the names of goal pages of other sites, and by the word that the goal is called by."""
ON_DEMAND = ("path-plain-best", *KEYWORDS)
"""Measured where they are named: `path-plain` where a link found on several pages has the best of its scores, not their sum (eq. 7); walks by keywords."""
RECIPES = {"distance": Recipe(scheme="distance")}
NAMES = {"distance": "path", "path-plain-best": "path-plain"}
"""Strategies of the product that those measured here are made of."""


def taught_strategy(name: str, case: Case, *, bins: int = 3) -> Strategy:
    """A strategy taught with a case's trails; `bins` are those of `future`."""
    if name in KEYWORDS:
        return keyword_strategy(KEYWORDS[name](case))
    everything = (*case.taught, *case.contrast)
    owner = {step.url: web for web, trails in everything for trail in trails for step in trail.steps}
    webs = [web for web, _ in case.taught]

    def final_url(url: str) -> str:
        return next((web.answer(url)[0] for web in webs if url in web.replay), url)

    strategy = make_strategy(
        NAMES.get(name, name),
        [trail for _, trails in case.taught for trail in trails],
        lambda url: owner[url].page(url),
        lambda: [each for web, trails in case.taught for each in web.examples_of(trails)],
        final_url=final_url,
        goal=case.goal,
        recipe=RECIPES.get(name),
        bins=bins,
        **_contrast(case),
    )
    return BestPath(strategy) if name == "path-plain-best" else strategy


def keyword_strategy(keywords: Sequence[Keyword]) -> Strategy:
    """A walk by keywords; what it takes pages for is measured here, though it calls none a goal."""
    strategy = KeywordWalk(KeywordGuide(keywords))
    strategy.judges = True
    return strategy


class BestPath:
    """A strategy that does not learn on the way, with links in the order of their best single score."""

    learns = False

    def __init__(self, strategy: Strategy) -> None:
        self._strategy, self.name, self.judges = strategy, f"{strategy.name}-best", strategy.judges

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        return replace(self._strategy.visit(page, link), rescore=_best)


def _best(link: WaitingLink) -> float:
    assert isinstance(link, QueuedLink)
    return link.best


class TaughtOnce:
    """The strategies of a case, each taught once; every walk gets one that has not walked yet."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._taught: dict[tuple[str, int], Strategy] = {}

    def __call__(self, name: str, bins: int = 3) -> Strategy:
        if (name, bins) not in self._taught:
            self._taught[name, bins] = taught_strategy(name, self._case, bins=bins)
        return copy.deepcopy(self._taught[name, bins])


def _contrast(case: Case) -> dict[str, Any]:
    """Examples of other goals as `make_strategy` takes them."""
    return {"contrast": lambda: [each for web, trails in case.contrast for each in web.examples_of(trails)]}
