"""One taught site left out, as a task that may be done anywhere: what was taught is read from the workspace where it is done."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from trailmark.learn.promise import LeftOutSite
from trailmark.learn.recipe import Recipe
from trailmark.learn.taught_goals import taught_for
from trailmark.verbs.contradictions import counting_trails
from trailmark.verbs.hands import must_see
from trailmark.verbs.left_out_sites import lesson_of, sites_of
from trailmark.verbs.taught_examples import example_source, page_reader
from trailmark.workspace import Workspace


@dataclass(frozen=True)
class LeftOutTask:
    """Which site of which goal, and how."""

    workspace: Path
    goal: str
    recipe: Recipe
    own_pages: bool
    """Whether only pages of the workspace itself are walked."""
    site: str = ""
    sites: int = 1
    """How many are left out in all, each in turn."""


def left_out_row(task: LeftOutTask) -> LeftOutSite:
    """A task -> what a walk over the site makes of its pages, taught with the trails of all others."""
    must_see(task.workspace)
    with ExitStack() as stack:
        workspace = stack.enter_context(Workspace.open(task.workspace))
        page = page_reader(workspace, stack.enter_context(workspace.replay()))
        more = () if task.own_pages else workspace.taught_archives()
        at_hand = stack.enter_context(workspace.replay(more, all_known=not task.own_pages))
        taught = taught_for(counting_trails(workspace), task.goal)
        examples = example_source(page, taught.trails)(task.recipe.page_tokens, task.recipe.window)
        lesson = lesson_of(taught, examples, page, at_hand, workspace.settings, task.recipe, task.sites)
        return lesson.leave_out(sites_of(taught.trails, workspace.settings.forage.scope)[task.site])
