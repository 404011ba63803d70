"""Examples and a recipe -> a fitted chain: the CRF of PathLearner section 2, with what it needs to read a path.

Departures, each measured on webs whose sites were not taught: transitions are trusted by half, and features that tell a site's
habits rather than what a page is about have a stronger L2. With examples from one site both fit too well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from trailmark.errors import InputError
from trailmark.learn.bag import HABIT_GROUPS
from trailmark.learn.encoding import Encoding
from trailmark.learn.example import Example, different_bags
from trailmark.learn.label_space import GOAL, distance_space, label_space
from trailmark.learn.navigator import Navigator
from trailmark.learn.recipe import Recipe
from trailmark.learn.vocabulary import Vocabulary, column_groups, fit_vocabulary
from trailmark.sequence import CRF, HMM, MaxEnt, NaiveBayes, position_rewards

Floats = npt.NDArray[np.float64]


MAX_ENT_L2 = 0.1
"""Without transitions, layout must carry more: of the strengths tried, weak and equal for all features did best."""
HEAVIEST = 10.0
"""How often one goal may count where failures are many."""

Baseline = Literal["max-ent", "naive-bayes", "hmm"]


@dataclass(frozen=True, eq=False)
class Labeller:
    """A fitted model that labels the pages of a path."""

    encoding: Encoding
    model: CRF | MaxEnt | NaiveBayes | HMM

    def decode(self, examples: Sequence[Example]) -> list[list[str]]:
        """The most likely label of every page of every example."""
        paths = self.model.decode(self.encoding.sequences(examples))
        step = 2 if self.encoding.with_links else 1
        return [[self.encoding.space.labels[state] for state in path[::step]] for path in paths]


@dataclass(frozen=True, eq=False)
class Learnt(Labeller):
    """A fitted CRF with its rewards."""

    model: CRF
    recipe: Recipe
    rewards: Floats
    """R(y) of every state (eqs. 3-5)."""


def make_encoding(examples: Sequence[Example], recipe: Recipe) -> Encoding:
    """Labels and vocabulary of the examples."""
    trails = [example.trail for example in examples]
    if not any(trail.outcome == GOAL for trail in trails):
        raise InputError("There is no trail that ends in a goal: teach at least one.")
    space = distance_space(trails) if recipe.scheme == "distance" else label_space(trails)
    vocabulary = fit_vocabulary(different_bags(examples), min_count=recipe.min_count, max_features=recipe.max_features)
    return Encoding(space, vocabulary, recipe.scheme, marginalise=recipe.marginalise)


def fit(examples: Sequence[Example], recipe: Recipe) -> Learnt:
    """Learn from examples as the recipe says."""
    encoding = make_encoding(examples, recipe)
    model = CRF(
        n_states=encoding.n_states,
        l2_state=recipe.l2_state,
        l2_edge=recipe.l2_edge,
        l2_conditioned=recipe.l2_conditioned,
        feature_scale=feature_scale(encoding.vocabulary, recipe),
        sharing=encoding.sharing(),
        forbidden=encoding.forbidden(),
        mask_training=recipe.mask_training or recipe.scheme == "distance",
        max_iterations=recipe.max_iterations,
        tolerance=1e-5,
    )
    sequences = encoding.sequences(examples)
    model.fit(replace(sequences, weights=outcome_weights(examples)))
    # Rewards are taken before transitions are trusted less: they tell how the taught sites hang together.
    goal = encoding.space.index[GOAL]
    rewards = position_rewards(model, sequences, [goal], recipe.gamma, only_allowed=True)
    trust_edges(model, recipe.edge_trust)
    return Learnt(encoding, model, recipe, rewards)


def fit_baseline(examples: Sequence[Example], recipe: Recipe, kind: Baseline) -> Labeller:
    """The papers' baselines on the same observations: no transitions (max-ent, naive-bayes), or none that see them (hmm)."""
    encoding = make_encoding(examples, recipe)
    states = encoding.n_states
    model: MaxEnt | NaiveBayes | HMM
    if kind == "max-ent":
        model = MaxEnt(n_states=states, l2_state=MAX_ENT_L2)
    else:
        model = NaiveBayes(n_states=states) if kind == "naive-bayes" else HMM(n_states=states)
    model.fit(encoding.sequences(examples))
    return Labeller(encoding, model)


def make_navigator(examples: Sequence[Example], recipe: Recipe, *, goal: str = GOAL) -> Navigator:
    """Learn, and turn the labeller into a guide; `goal` is how its goal pages are called."""
    learnt = fit(examples, recipe)
    rewards = learnt.rewards[learnt.encoding.link_states()]
    return Navigator(recipe, learnt.encoding, learnt.model, rewards, goal)


def outcome_weights(examples: Sequence[Example]) -> Floats:
    """Goals count as much as failures where failures are many: else nothing on another site would look like a goal."""
    goals = np.array([example.trail.outcome == GOAL for example in examples])
    fails = goals.size - int(goals.sum())
    return np.where(goals, np.clip(fails / max(1, int(goals.sum())), 1.0, HEAVIEST), 1.0)


def feature_scale(vocabulary: Vocabulary, recipe: Recipe) -> Floats:
    """How much stronger than `l2_state` the L2 of each feature is."""
    habits = np.isin(column_groups(vocabulary), HABIT_GROUPS)
    return np.where(habits, recipe.l2_habits, 1.0)


def trust_edges(model: CRF, share: float) -> None:
    """Keep only a share of the learnt transition weights; what is forbidden stays forbidden."""
    model.edges_ = np.where(np.isfinite(model.edges_), model.edges_ * share, model.edges_)
