"""A recipe: every choice that learning makes. `choice` picks one by cross-validation; the defaults held up best on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trailmark.settings import LearnSettings

Scheme = Literal["page-and-link", "page", "distance"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to learn. Every field is written into the navigator's file."""

    scheme: Scheme = "page-and-link"
    """Two states a label, one state a label, or states by distance to the goal (outcomes only)."""
    page_tokens: int = 100
    window: int = 10
    l2_state: float = 0.3
    l2_edge: float = 0.3
    l2_conditioned: float = 30.0
    """Of the words of links as features of transitions: there are many and each is rare, so a weak one over-fits."""
    l2_habits: float = 10.0
    """How much stronger the L2 of features is that tell a site's habits (layout, endings) and not what a page is about."""
    edge_trust: float = 0.5
    """Learnt transitions are multiplied by this: the order of pages varies from site to site more than their words."""
    min_count: int = 1
    max_features: int = 50_000
    marginalise: bool = False
    """Unlabelled steps: summed over all milestones instead of put into a prefix state."""
    mask_training: bool = False
    gamma: float = 0.9
    """Discount of rewards (eq. 4)."""
    max_iterations: int = 150


def learn_recipe(settings: LearnSettings) -> Recipe:
    """The recipe that `[learn]` in trailmark.toml asks to start with."""
    return Recipe(
        scheme=settings.scheme,  # type: ignore[arg-type]  # the settings allow the schemes only
        page_tokens=settings.page_tokens,
        window=settings.window,
        gamma=settings.gamma,
        max_features=settings.max_features,
        min_count=settings.min_count,
    )
