"""`learn`: trails -> a navigator for each goal, and a report of how good it is.

1. The trails of a goal and their pages become examples. 2. How to learn is chosen by cross-validation, unless it is quick.
3. The navigator is learnt. 4. What may be promised of another site is measured on taught ones left out in turn, unless it is quick.
5. All is kept in models/ with a picture and a report; the report before it stays, to show what changed.
6. Where all goals are learnt, what was learnt of goals that are taught no more is removed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from trailmark.datatypes import Page, Trail
from trailmark.errors import ArchiveError, InputError
from trailmark.learn.choice import choose
from trailmark.learn.example import Example
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator_file import navigator_to_bytes
from trailmark.learn.picture import navigator_svg
from trailmark.learn.promise import LeftOutSite, Promise
from trailmark.learn.recipe import Recipe, learn_recipe
from trailmark.learn.report import LearnReport, changed_words, learn_report, plain_words
from trailmark.learn.report_file import report_from_text
from trailmark.learn.taught_goals import TaughtFor, taught_for, taught_goals
from trailmark.progress import Progress, silent
from trailmark.quoting import json_text
from trailmark.report import Json, Report
from trailmark.store.goal_files import PICTURE, REPORT, REPORT_BEFORE
from trailmark.store.json_lines import written_whole
from trailmark.store.replay import Replay
from trailmark.verbs.contradictions import Contradiction, contradictions, counting_trails
from trailmark.verbs.hands import Hands, in_order
from trailmark.verbs.left_out_sites import promise_of
from trailmark.verbs.left_out_task import LeftOutTask, left_out_row
from trailmark.verbs.staleness import note_learnt
from trailmark.verbs.taught_examples import example_source, page_reader
from trailmark.workspace import Workspace, names_of

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GoalsReport(Report):
    """What was learnt of each goal."""

    goals: tuple[LearnReport, ...]
    contradictions: tuple[Contradiction, ...] = ()
    """Pages that are both wanted and not wanted."""

    def __getitem__(self, goal: str) -> LearnReport:
        return next(report for report in self.goals if report.goal == goal)

    def to_json(self) -> dict[str, Json]:
        """The reports of all goals; where there is one, its own figures stand beside them."""
        alone = self.goals[0].to_json() if len(self.goals) == 1 else {}
        return {
            **alone,
            "goals": [report.to_json() for report in self.goals],
            "contradictions": [each.to_json() for each in self.contradictions],
        }


def learn(
    workspace: Workspace,
    goal: str | Sequence[str] = (),
    *,
    choose_recipe: bool = True,
    progress: Progress = silent,
    hands: Hands | None = None,
) -> GoalsReport:
    """The trails that were taught -> a navigator for each goal, kept in the workspace; the report says how good each is, and why.

    With `goal`, the name of one or several, only these are learnt. Comparing recipes takes most of the time: without
    `choose_recipe` the settings are taken as they are. `hands` compare them and walk the sites left out, where this process does not.
    """
    trails = counting_trails(workspace)
    named = [goal] if isinstance(goal, str) else list(dict.fromkeys(goal))
    taught = _taught(workspace, trails, named)
    workspace.goal_files.take_over()
    with workspace.replay() as replay:
        page = page_reader(workspace, replay)
        reports = [_learn_one(workspace, each, page, hands, choose_recipe, progress) for each in taught]
    for earlier in workspace.goals() if not named else ():
        if all(each.goal != earlier for each in taught):
            workspace.goal_files.forget(earlier)
    return GoalsReport(tuple(reports), tuple(contradictions(workspace)))


def _taught(workspace: Workspace, trails: Sequence[Trail], named: Sequence[str]) -> list[TaughtFor]:
    """What was taught of the goals that were named, or of all; raises InputError where that is nothing."""
    goals = taught_goals(trails)
    if not goals and (both := contradictions(workspace)):
        raise InputError(f"No trail to a goal counts in {workspace.folder}: {both[0]}")
    if not goals:
        raise InputError(
            f"There are no trails to a goal in {workspace.folder}; teach some first: trailmark teach TRAILS.jsonl"
        )
    for goal in named:
        if goal not in goals:
            raise InputError(
                f"There are no trails that end in {names_of([goal])} in {workspace.folder}, but in {names_of(goals)}; "
                "teach some first: trailmark teach TRAILS.jsonl"
            )
    return [taught_for(trails, goal) for goal in named or goals]


def _learn_one(
    workspace: Workspace,
    taught: TaughtFor,
    page: Callable[[str], Page],
    hands: Hands | None,
    choose_recipe: bool,
    progress: Progress,
) -> LearnReport:
    source = example_source(page, taught.trails)
    recipe = learn_recipe(workspace.settings.learn)
    over = map if hands is None else partial(in_order, hands)
    choice = choose(source, recipe, progress=progress, over=over) if choose_recipe and len(taught.trails) > 3 else None
    recipe = choice.recipe if choice else recipe
    examples = source(recipe.page_tokens, recipe.window)
    navigator = make_navigator(examples, recipe, goal=taught.goal)
    promise = _promise(workspace, taught, examples, page, recipe, progress, hands) if choose_recipe else None
    report = learn_report(navigator, examples, choice, promise)
    _log.info("learnt the way to '%s' from %d trails: %s", report.goal, len(examples), "; ".join(report.reasons))
    files = workspace.goal_files
    _write(files.file(taught.goal), navigator_to_bytes(navigator))
    _write(files.file(taught.goal, PICTURE), navigator_svg(navigator).encode())
    _keep_report(workspace, report)
    note_learnt(workspace, taught)
    return report


def _promise(
    workspace: Workspace,
    taught: TaughtFor,
    examples: Sequence[Example],
    page: Callable[[str], Page],
    recipe: Recipe,
    progress: Progress,
    hands: Hands | None,
) -> Promise:
    """What was counted on sites left out, over every page at hand; over the workspace's own where another archive can't be read."""
    settings = workspace.settings

    def promised(at_hand: Replay, *, own_pages: bool) -> Promise:
        task = LeftOutTask(workspace.folder.absolute(), taught.goal, recipe, own_pages)
        away = None if hands is None else partial(_left_out, hands, task)
        return promise_of(taught, examples, page, at_hand, settings, recipe, progress=progress, elsewhere=away)

    try:
        with workspace.replay(workspace.taught_archives(), all_known=True) as at_hand:
            return promised(at_hand, own_pages=False)
    except ArchiveError as error:
        _log.warning("only pages of the workspace itself are walked: %s", error)
    with workspace.replay() as at_hand:
        return promised(at_hand, own_pages=True)


def _left_out(hands: Hands, task: LeftOutTask, names: Sequence[str]) -> Iterator[LeftOutSite]:
    """Names of sites -> what others make of each, left out in turn."""
    tasks = [replace(task, site=name, sites=len(names)) for name in names]
    return in_order(hands, left_out_row, tasks)


@dataclass(frozen=True)
class LearntReport(Report):
    """What was learnt last of a goal, in plain words too, and what changed since the time before."""

    report: LearnReport
    says: tuple[str, ...]
    changed: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """The report with two lists of sentences more."""
        return {**self.report.to_json(), "says": list(self.says), "changed": list(self.changed)}


def learnt(workspace: Workspace) -> list[LearntReport]:
    """What `learn` reported last of each goal and what changed since the time before; those without a report are left out."""
    reports = [(goal, _kept_report(workspace.goal_files.file(goal, REPORT))) for goal in workspace.goals()]
    return [_learnt(workspace, goal, report) for goal, report in reports if report is not None]


def _learnt(workspace: Workspace, goal: str, now: LearnReport) -> LearntReport:
    before = _kept_report(workspace.goal_files.file(goal, REPORT_BEFORE))
    changed = changed_words(before, now) if before is not None and before.goal == now.goal else []
    return LearntReport(now, tuple(plain_words(now)), tuple(changed))


def _keep_report(workspace: Workspace, report: LearnReport) -> None:
    """The report before it stays as well, so that what changed can be shown."""
    file = workspace.goal_files.file(report.goal, REPORT)
    if file.exists():
        file.replace(workspace.goal_files.file(report.goal, REPORT_BEFORE))
    _write(file, json_text(report.to_json(), indent=1).encode())


def _kept_report(file: Path) -> LearnReport | None:
    try:
        return report_from_text(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None


def _write(path: Path, content: bytes) -> None:
    with written_whole(path) as file:
        file.write(content)
