"""Strategies by name, taught with trails and the pages they lead over: wiring between `learn` and `forage`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trailmark.datatypes import Page, Trail
from trailmark.errors import InputError
from trailmark.forage.breadth import Breadth
from trailmark.forage.learning_walk import PART, LearningWalk
from trailmark.learn.clicks import fit_clicks
from trailmark.learn.context import make_context
from trailmark.learn.example import Example
from trailmark.learn.focused import make_focused
from trailmark.learn.future import make_future
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator import Navigator
from trailmark.learn.nesting import part_log_odds
from trailmark.learn.path import PathGuide
from trailmark.learn.recipe import Recipe
from trailmark.learn.taught_graph import taught_graph
from trailmark.strategy import Strategy

STRATEGIES = ("path", "path-plain", "focused", "future", "context", "breadth")
"""`path-plain` is `path` without learning on the way."""


def make_strategy(
    name: str,
    trails: Sequence[Trail],
    page_at: Callable[[str], Page],
    examples: Callable[[], Sequence[Example]],
    *,
    final_url: Callable[[str], str] = lambda url: url,
    goal: str = "goal",
    recipe: Recipe | None = None,
    navigator: Navigator | None = None,
    bins: int = 3,
) -> Strategy:
    """A strategy; `navigator` is used where it was learnt already, else it is learnt from the examples.

    `final_url` says where a URL redirects to, where that can be told cheaply; `bins` are those of `future`.
    """
    recipe = recipe or Recipe()
    if name not in STRATEGIES:
        raise InputError(f"There is no strategy '{name}'; choose from {', '.join(STRATEGIES)}.")
    if name == "breadth":
        return Breadth(navigator)
    if name == "focused":
        return make_focused(examples(), recipe, goal=goal)
    navigator = navigator or make_navigator(examples(), recipe, goal=goal)
    if name in ("future", "context"):
        graph = taught_graph(trails, page_at, final_url=final_url)
        return make_future(graph, navigator, bins=bins) if name == "future" else make_context(graph, navigator)
    guide = PathGuide(navigator, fit_clicks(trails, page_at, final_url=final_url, recipe=recipe))
    if name == "path-plain":
        return guide
    part = part_log_odds(trails, page_at)
    return LearningWalk(guide, part=PART if part is None else part)
