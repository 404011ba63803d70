"""Strategies by name, taught with trails and the pages they lead over: what `learn` knows, as `forage` asks it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from trailmark.datatypes import Page, Trail
from trailmark.errors import InputError
from trailmark.forage.breadth import Breadth
from trailmark.forage.keyword_walk import KeywordWalk
from trailmark.forage.learning_walk import PART, LearningWalk
from trailmark.forage.own_strategy import HOW_TO, is_own, own_strategy, problem_of
from trailmark.forage.several_goals import several_goals
from trailmark.learn.clicks import fit_clicks
from trailmark.learn.context import make_context
from trailmark.learn.example import Example
from trailmark.learn.focused import make_focused
from trailmark.learn.future import make_future
from trailmark.learn.keyword_guide import BODY, KeywordGuide
from trailmark.learn.keyword_guide import NAME as KEYWORDS
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator import Navigator
from trailmark.learn.nesting import part_log_odds
from trailmark.learn.page_evidence import fit_page_evidence
from trailmark.learn.path import PathGuide
from trailmark.learn.recipe import Recipe
from trailmark.learn.taught_goals import TaughtFor, taught_for
from trailmark.learn.taught_graph import taught_graph
from trailmark.settings import Settings
from trailmark.strategy import Strategy
from trailmark.verbs.contradictions import counting_trails
from trailmark.verbs.keyword_lists import is_keyword_strategy, kept_keywords
from trailmark.verbs.taught_examples import example_source, page_reader
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
    contrast: Callable[[], Sequence[Example]] = tuple,
    bins: int = 3,
) -> Strategy:
    """A strategy; `navigator` is used where it was learnt already, else it is learnt from the examples.

    `final_url` says where a URL redirects to, where that can be told cheaply; `contrast` are examples of other goals, `bins` those of `future`.
    """
    recipe = recipe or Recipe()
    if name not in STRATEGIES:
        raise InputError(f"There is no strategy '{name}'; choose from {', '.join(STRATEGIES)}.")
    if name == "breadth":
        return Breadth(navigator)
    if name == "focused":
        return make_focused(examples(), recipe, goal=goal)
    shown = cache(examples)
    navigator = navigator or make_navigator(shown(), recipe, goal=goal)
    if name in ("future", "context"):
        graph = taught_graph(trails, page_at, final_url=final_url)
        return make_future(graph, navigator, bins=bins) if name == "future" else make_context(graph, navigator)
    clicks = fit_clicks(trails, page_at, final_url=final_url, recipe=recipe)
    guide = PathGuide(navigator, clicks, fit_page_evidence(shown(), contrast()))
    if name == "path-plain":
        return guide
    part = part_log_odds(trails, page_at)
    return LearningWalk(guide, name="path", part=PART if part is None else part)


def workspace_strategy(
    workspace: Workspace, name: str | Strategy, goals: Sequence[str] = ()
) -> tuple[Strategy, str, tuple[str, ...]]:
    """A strategy by its name with what the workspace learnt, or one of the caller's own as it is.

    With it come a digest of what was learnt and the names of the goals that it looks for. Without `goals` it looks for all that
    were learnt; a strategy of the caller's own that wants a navigator wants one.
    """
    if isinstance(name, str) and is_keyword_strategy(name):
        return KeywordWalk(KeywordGuide(kept_keywords(workspace, name)), name), "", (KEYWORDS,)
    named = [workspace.only_goal(goal) for goal in dict.fromkeys(goals)] or workspace.goals()
    if not isinstance(name, str) or is_own(name):
        own = _own_strategy(workspace, name, named[0] if goals and len(named) == 1 else None)
        return own, _digest(workspace, named), tuple(named)
    if name == "breadth":
        judges = [workspace.navigator(goal) for goal in named]
        return Breadth(several_goals(judges, named) if judges else None), _digest(workspace, named), tuple(named)
    if not named:
        workspace.only_goal()  # says that nothing was learnt yet
    trails = counting_trails(workspace)
    with workspace.replay() as replay:
        page_at = page_reader(workspace, replay)
        final_url = lambda url: replay.fetch(url).url if url in replay else url  # noqa: E731
        parts = [_taught_strategy(workspace, name, taught_for(trails, goal), page_at, final_url) for goal in named]
    return several_goals(parts, named), _digest(workspace, named), tuple(named)


def reading_settings(settings: Settings, strategy: str | Strategy) -> Settings:
    """Settings -> the same with as much of a page's text read as this strategy looks at."""
    if not isinstance(strategy, str) or not is_keyword_strategy(strategy) or settings.read.page_tokens < 0:
        return settings
    return replace(settings, read=replace(settings.read, page_tokens=max(BODY, settings.read.page_tokens)))


def _taught_strategy(
    workspace: Workspace,
    name: str,
    taught: TaughtFor,
    page_at: Callable[[str], Page],
    final_url: Callable[[str], str],
) -> Strategy:
    navigator = workspace.navigator(taught.goal)
    recipe = navigator.recipe
    return make_strategy(
        name,
        taught.trails,
        page_at,
        lambda: example_source(page_at, taught.trails)(recipe.page_tokens, recipe.window),
        final_url=final_url,
        goal=navigator.goal_name,
        recipe=recipe,
        navigator=navigator,
        contrast=lambda: example_source(page_at, taught.contrast)(recipe.page_tokens, recipe.window),
    )


def _digest(workspace: Workspace, goals: Sequence[str]) -> str:
    """A digest of what was learnt of these goals; empty where there are none."""
    contents = [workspace.goal_files.file(goal).read_bytes() for goal in goals]
    if len(contents) > 1:
        contents = [hashlib.blake2b(content).digest() for content in contents]
    return hashlib.blake2b(b"".join(contents), digest_size=8).hexdigest() if contents else ""


def _own_strategy(workspace: Workspace, given: str | Strategy, goal: str | None) -> Strategy:
    strategy = own_strategy(given, lambda: workspace.navigator(goal)) if isinstance(given, str) else given
    problem = problem_of(strategy)
    if not problem and (strategy.name in STRATEGIES or is_keyword_strategy(strategy.name)):
        problem = f"its name '{strategy.name}' is that of another strategy, so their runs would be taken for each other"
    if problem:
        raise InputError(f"{given!r} can't be a strategy: {problem}; {HOW_TO}.")
    return strategy
