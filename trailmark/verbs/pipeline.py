"""The pipeline from clicks to data: seven stages, how far each has come, and which one is next.

Words of the app and of the docs: Teach, Model, Check, Crawl, Fields, Data, Watch. Nothing is written down about the way itself: it is read off
what the workspace holds, so that it is right after a restart, and whoever did the work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from trailmark.datatypes import Trail
from trailmark.forage.check_report import CheckReport, in_parts
from trailmark.forage.precision import FEWEST
from trailmark.learn.taught_goals import goal_of, taught_goals
from trailmark.report import Report
from trailmark.store.run_view import RunView
from trailmark.verbs.check import check_report
from trailmark.verbs.monitor import monitor_history
from trailmark.verbs.runs import RunReport, runs
from trailmark.workspace import Workspace

StageName = Literal["teach", "model", "check", "crawl", "fields", "data", "watch"]
StageState = Literal["done", "next", "later"]
STAGES: tuple[StageName, ...] = ("teach", "model", "check", "crawl", "fields", "data", "watch")
"""The stages as they are shown."""
WORK: tuple[StageName, ...] = ("teach", "model", "crawl", "check", "fields", "data", "watch")
"""The stages in the order in which a first walk through them is done: what a crawl found is there to be checked."""
UNWELL = ("broken", "unreachable")
"""How a group of pages stands where something has to be done about it."""


@dataclass(frozen=True, slots=True)
class Stage(Report):
    """One stage, and what is known of it."""

    name: StageName
    state: StageState
    says: str
    """How it stands, in a sentence."""


@dataclass(frozen=True, slots=True)
class GoalRow(Report):
    """A goal beside the others."""

    goal: str
    trails: int
    learnt: bool
    found: int | None
    """Pages that runs called this goal; None where they did not say which goal."""


@dataclass(frozen=True)
class PipelineReport(Report):
    """How far a workspace has come."""

    stages: tuple[Stage, ...]
    goals: tuple[GoalRow, ...]

    @property
    def next(self) -> Stage | None:
        """The stage to go to; None where all have been gone through."""
        return next((stage for stage in self.stages if stage.state == "next"), None)


def pipeline(workspace: Workspace) -> PipelineReport:
    """A workspace -> its seven stages with what is done and what is next, and its goals side by side."""
    counts, trails = workspace.database.counts(), list(workspace.database.trails())
    past = runs(workspace)
    last = past.runs[0] if past.runs else None
    check = check_report(workspace, last.id) if last is not None else None
    told = {
        "teach": _teach(trails),
        "model": _model(workspace, taught_goals(trails)),
        "crawl": _crawl(past.runs),
        "check": _check(check),
        "fields": _fields(workspace, counts["annotations"]),
        "data": (counts["records"] > 0, _many(counts["records"], "record") if counts["records"] else "No records yet."),
        "watch": _watch(workspace),
    }
    first = next((name for name in WORK if not told[name][0]), None)
    stages = [Stage(name, "done" if told[name][0] else "later", told[name][1]) for name in STAGES]
    marked = (replace(stage, state="next") if stage.name == first else stage for stage in stages)
    return PipelineReport(tuple(marked), _goals(workspace, trails))


Told = tuple[bool, str]
"""Whether a stage is done, and what is said of it."""


def _teach(trails: Sequence[Trail]) -> Told:
    if not trails:
        return False, "It was not shown a way yet."
    sites = len({trail.site for trail in trails})
    return True, f"It knows {_many(len(trails), 'trail')} on {_many(sites, 'site')}."


def _model(workspace: Workspace, taught: Sequence[str]) -> Told:
    learnt = workspace.goals()
    missing = [goal for goal in taught if goal not in learnt]
    if not learnt:
        return False, "Nothing is learnt yet."
    if missing:
        return (
            False,
            f"{_many(len(missing), 'goal')} of {len(taught)} {'is' if len(missing) == 1 else 'are'} not learnt yet.",
        )
    return True, f"It has learnt the way to {_many(len(learnt), 'goal')}."


def _crawl(past: Sequence[RunReport]) -> Told:
    if not past:
        return False, "No site was walked yet."
    last = past[0]
    return (
        True,
        f"{_many(len(past), 'run')}; the last one called {last.goals} of {_many(last.pages, 'page')} what you want.",
    )


def _check(check: CheckReport | None) -> Told:
    if check is None or not check.pages:
        return False, "Nothing was found yet that could be checked."
    if check.pages == 1:
        return bool(check.answers), check.summary.partition(":")[0] + "." if not check.answers else check.summary
    if check.share is None or check.low is None or check.high is None:
        return False, _unmeasured(check)
    now = f" With your answers it calls {check.goals} goals now." if check.goals != check.pages else ""
    bounds = f"between {100 * check.low:.0f} and {100 * check.high:.0f} %"
    return (
        True,
        f"Of the {check.pages} pages found, {in_parts(check.share)} are right ({bounds}), from {check.answers} answers.{now}",
    )


def _unmeasured(check: CheckReport) -> str:
    """What is said before there are answers enough; the pages are counted under Crawl, and answers change their number."""
    if not check.answers:
        return "How many of the pages found are right is not measured yet."
    return f"{_many(check.answers, 'answer')} so far: {FEWEST} are needed to say how many of the pages found are right."


def _fields(workspace: Workspace, marks: int) -> Told:
    if workspace.has_rules():
        return True, f"{_many(marks, 'value')} marked, rules for {_many(len(workspace.rules()), 'group')} of pages."
    return False, f"{_many(marks, 'value')} marked, no rules yet." if marks else "No value is marked yet."


def _watch(workspace: Workspace) -> Told:
    visits = monitor_history(workspace).visits
    if not visits:
        return False, "Nothing was visited again yet."
    last = visits[-1].run
    broken = [visit for visit in visits if visit.run == last and visit.status in UNWELL]
    when = visits[-1].at[:16].replace("T", " ")
    how = (
        f"{_many(len(broken), 'group')} of pages {'needs' if len(broken) == 1 else 'need'} a look"
        if broken
        else "all well"
    )
    return True, f"Visited {when}: {how}."


def _goals(workspace: Workspace, trails: Sequence[Trail]) -> tuple[GoalRow, ...]:
    counts = Counter(goal for trail in trails if (goal := goal_of(trail)) is not None)
    learnt, found = workspace.goals(), RunView(workspace.database).found_by_goal()
    names = list(dict.fromkeys([*counts, *learnt]))
    alone = found.get("") if len(names) == 1 else None
    return tuple(GoalRow(name, counts[name], name in learnt, found.get(name, alone)) for name in names)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
