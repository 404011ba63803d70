"""`focused`: the Accelerated Focused Crawler as PathLearner approximates it (section 4.4.2).

Maximum entropy over the labels, on the features of the chain model but without its transitions: each page and each link is
classified alone, and the link that is most probably a goal is followed first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from trailmark.datatypes import Page
from trailmark.learn.bag import host_words, link_bag, page_bag
from trailmark.learn.encoding import Encoding
from trailmark.learn.example import Example
from trailmark.learn.label_space import GOAL
from trailmark.learn.learner import feature_scale, make_encoding
from trailmark.learn.recipe import Recipe
from trailmark.sequence import MaxEnt, probabilities
from trailmark.strategy import FollowedLink, Judgement, Visit

Floats = npt.NDArray[np.float64]


class Focused:
    """Every page and every link on its own."""

    name, judges, learns = "focused", True, False

    def __init__(self, encoding: Encoding, weights: Floats, recipe: Recipe, goal: str = GOAL) -> None:
        self._encoding, self._recipe, self._goal_name = encoding, recipe, goal
        size = encoding.space.size
        self._pages, self._links = weights[:, :size], weights[:, size:]
        self._goal = encoding.space.index[GOAL]

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """A page and the link that led to it -> what the page is, and the probability of each link to be a goal."""
        return Visit(self._judgement(page, link.site), self._chances(page, link.site))

    def _judgement(self, page: Page, site: str) -> Judgement:
        bag = page_bag(page, site=site, page_tokens=self._recipe.page_tokens)
        chances = probabilities(self._encoding.vocabulary.matrix([bag]) @ self._pages)[0]
        best = int(np.argmax(chances))
        label = self._goal_name if best == self._goal else self._encoding.space.labels[best]
        return Judgement(label, best == self._goal, float(chances[self._goal]))

    def _chances(self, page: Page, site: str) -> Floats:
        if not page.links:
            return np.zeros(0)
        own = host_words(site)
        bags = [link_bag(link, source=page.url, own=own, window=self._recipe.window) for link in page.links]
        chances = probabilities(self._encoding.vocabulary.matrix(bags) @ self._links)
        goal: Floats = chances[:, self._goal]
        return goal


def make_focused(examples: Sequence[Example], recipe: Recipe | None = None, *, goal: str = GOAL) -> Focused:
    """Learn from examples; the recipe's L2 are those of the chain model."""
    recipe = recipe or Recipe()
    encoding = make_encoding(examples, recipe)
    model = MaxEnt(
        n_states=encoding.n_states,
        l2_state=recipe.l2_state,
        feature_scale=feature_scale(encoding.vocabulary, recipe),
        max_iterations=recipe.max_iterations,
        tolerance=1e-5,
    )
    model.fit(encoding.sequences(examples))
    return Focused(encoding, model.crf_.state_weights_, recipe, goal)
