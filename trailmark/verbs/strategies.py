"""Strategies by name, taught with trails and the pages they lead over: what `learn` knows, as `forage` asks it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from trailmark.datatypes import Page, Trail
from trailmark.errors import InputError
from trailmark.forage.breadth import Breadth
from trailmark.forage.learning_walk import PART, LearningWalk
from trailmark.forage.own_strategy import HOW_TO, is_own, own_strategy, problem_of
from trailmark.learn.clicks import fit_clicks
from trailmark.learn.context import make_context
from trailmark.learn.example import Example
from trailmark.learn.focused import make_focused
from trailmark.learn.future import make_future
from trailmark.learn.label_space import GOAL
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator import Navigator
from trailmark.learn.nesting import part_log_odds
from trailmark.learn.path import PathGuide
from trailmark.learn.recipe import Recipe
from trailmark.learn.taught_graph import taught_graph
from trailmark.strategy import Strategy
from trailmark.verbs.learn import example_source, page_reader
from trailmark.workspace import Workspace

STRATEGIES = ("path", "path-plain", "focused", "future", "context", "breadth")
"""Every strategy that goes by a name, each with runs of its own; `path-plain` is `path` without learning on the way."""


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
    return LearningWalk(guide, name="path", part=PART if part is None else part)


def workspace_strategy(workspace: Workspace, name: str | Strategy) -> tuple[Strategy, str]:
    """A strategy by its name with what the workspace learnt, or one of the caller's own as it is, and a digest of what was learnt."""
    file = workspace.navigator_file
    learnt = file.exists()
    digest = hashlib.blake2b(file.read_bytes(), digest_size=8).hexdigest() if learnt else ""
    if not isinstance(name, str) or is_own(name):
        return _own_strategy(workspace, name), digest
    if name == "breadth":
        return Breadth(workspace.navigator() if learnt else None), digest
    navigator = workspace.navigator()
    trails = list(workspace.database.trails(None if navigator.goal_name == GOAL else navigator.goal_name))
    with workspace.replay() as replay:
        strategy = make_strategy(
            name,
            trails,
            page_reader(workspace, replay),
            lambda: example_source(workspace, trails, replay)(navigator.recipe.page_tokens, navigator.recipe.window),
            final_url=lambda url: replay.fetch(url).url if url in replay else url,
            goal=navigator.goal_name,
            recipe=navigator.recipe,
            navigator=navigator,
        )
    return strategy, digest


def _own_strategy(workspace: Workspace, given: str | Strategy) -> Strategy:
    strategy = own_strategy(given, workspace.navigator) if isinstance(given, str) else given
    problem = problem_of(strategy)
    if not problem and strategy.name in STRATEGIES:
        problem = f"its name '{strategy.name}' is that of another strategy, so their runs would be taken for each other"
    if problem:
        raise InputError(f"{given!r} can't be a strategy: {problem}; {HOW_TO}.")
    return strategy
