"""`learn`: trails -> navigator, and a report of how good it is.

1. The trails of the goal and their pages become examples. 2. How to learn is chosen by cross-validation, unless it is quick.
3. The navigator is learnt, and kept in models/ with a picture and a report; the report before it stays, to show what changed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from trailmark.datatypes import Page, Trail
from trailmark.errors import InputError
from trailmark.learn.choice import ExampleSource, choose
from trailmark.learn.example import Example, make_examples
from trailmark.learn.label_space import common_goal
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator_file import navigator_to_bytes
from trailmark.learn.picture import navigator_svg
from trailmark.learn.recipe import learn_recipe
from trailmark.learn.report import LearnReport, changed_words, learn_report, plain_words
from trailmark.learn.report_file import report_from_text
from trailmark.progress import Progress, silent
from trailmark.quoting import json_text
from trailmark.read import read_page
from trailmark.report import Json, Report
from trailmark.store.json_lines import written_whole
from trailmark.store.replay import Replay
from trailmark.teach import find_link
from trailmark.workspace import Workspace

_log = logging.getLogger(__name__)


def learn(
    workspace: Workspace, goal: str | None = None, *, choose_recipe: bool = True, progress: Progress = silent
) -> LearnReport:
    """The trails that were taught -> a navigator, kept in the workspace; the report says what was picked and why, and how good it is.

    With `goal` only trails that end in pages of that label count as goals. Comparing recipes takes most of the time: without
    `choose_recipe` the settings are taken as they are.
    """
    trails = list(workspace.database.trails(goal))
    if not trails:
        wanted = f" that end in '{goal}'" if goal else ""
        raise InputError(
            f"There are no trails{wanted} in {workspace.folder}; teach some first: trailmark teach TRAILS.jsonl"
        )
    with workspace.replay() as replay:
        source = example_source(workspace, trails, replay)
        recipe = learn_recipe(workspace.settings.learn)
        choice = choose(source, recipe, progress=progress) if choose_recipe and len(trails) > 3 else None
        recipe = choice.recipe if choice else recipe
        examples = source(recipe.page_tokens, recipe.window)
    navigator = make_navigator(examples, recipe, goal=goal or common_goal(trails))
    report = learn_report(navigator, examples, choice)
    _log.info("learnt the way to '%s' from %d trails: %s", report.goal, len(trails), "; ".join(report.reasons))
    file = workspace.navigator_file
    _write(file, navigator_to_bytes(navigator))
    _write(file.with_suffix(".svg"), navigator_svg(navigator).encode())
    _keep_report(workspace, report)
    return report


@dataclass(frozen=True)
class LearntReport(Report):
    """What was learnt last, in plain words too, and what changed since the time before."""

    report: LearnReport
    says: tuple[str, ...]
    changed: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """The report with two lists of sentences more."""
        return {**self.report.to_json(), "says": list(self.says), "changed": list(self.changed)}


def learnt(workspace: Workspace) -> LearntReport | None:
    """What `learn` reported last and what changed since the time before; None before the first."""
    now = _kept_report(_report_file(workspace))
    if now is None or not workspace.navigator_file.exists():
        return None
    before = _kept_report(_report_file(workspace).with_suffix(".before.json"))
    changed = changed_words(before, now) if before is not None and before.goal == now.goal else []
    return LearntReport(now, tuple(plain_words(now)), tuple(changed))


def _report_file(workspace: Workspace) -> Path:
    return workspace.navigator_file.with_suffix(".json")


def _keep_report(workspace: Workspace, report: LearnReport) -> None:
    """The report before it stays as well, so that what changed can be shown."""
    file = _report_file(workspace)
    if file.exists():
        file.replace(file.with_suffix(".before.json"))
    _write(file, json_text(report.to_json(), indent=1).encode())


def _kept_report(file: Path) -> LearnReport | None:
    try:
        return report_from_text(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None


def _write(path: Path, content: bytes) -> None:
    with written_whole(path) as file:
        file.write(content)


def page_reader(workspace: Workspace, replay: Replay) -> Callable[[str], Page]:
    """A page by its URL, each read once, with all its words: the recipe says how many count."""
    settings = replace(workspace.settings.read, page_tokens=-1)
    return cache(lambda url: read_page(replay.fetch(url), settings))


def example_source(workspace: Workspace, trails: list[Trail], replay: Replay) -> ExampleSource:
    """Examples of the trails, for any number of page tokens and any window."""
    page = page_reader(workspace, replay)

    @cache
    def examples(page_tokens: int, window: int) -> list[Example]:
        return make_examples(trails, page, find_link, page_tokens=page_tokens, window=window)

    return examples
