"""`trailmark status --runs`, and the app's pages about runs: runs of the forager as they stand, also while they run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from trailmark.errors import InputError
from trailmark.report import Json, Report
from trailmark.store.run_table import RunTable
from trailmark.store.run_view import RunSums, RunView
from trailmark.workspace import Workspace

MOST_SEEDS = 20
"""Seeds of a run that its report names."""
REASONS = {
    "": "under way",
    "empty": "nothing left to fetch",
    "unreachable": "no page of it could be read",
    "same": "the same as another site of the run",
    "budget": "its budget is used up",
    "score": "no link left that promises enough",
    "goal": "the goal is found, and nothing promises more",
    "dry": "no goal for long",
}
"""Why a site ended, for a person; reasons that are not named here speak for themselves."""


@dataclass(frozen=True)
class RunReport(RunSums, Report):
    """A run in a line, with its rates."""

    harvest_rate: float
    pages_per_second: float

    def to_json(self) -> dict[str, Json]:
        """Without the names of goals where they are not known."""
        return {name: value for name, value in super().to_json().items() if name != "goal_names" or value}


@dataclass(frozen=True)
class RunsReport(Report):
    """Runs, the latest first."""

    runs: tuple[RunReport, ...]


@dataclass(frozen=True)
class GoalTrail(Report):
    """A goal page of a run with the trail that led to it."""

    n: int
    """Number of its fetch."""
    url: str
    label: str
    goal_probability: float
    depth: int
    site: int
    """Number of its site."""
    trail: tuple[str, ...]
    goal_name: str = ""
    """Which goal; empty where that is not known."""

    def to_json(self) -> dict[str, Json]:
        """Without the name of the goal where it is not known."""
        return {name: value for name, value in super().to_json().items() if name != "goal_name" or value}


def runs(workspace: Workspace, most: int = 100) -> RunsReport:
    """A workspace -> its runs, the latest first."""
    return RunsReport(tuple(run_report(run) for run in all_runs(workspace, most)))


def run_report(run: RunSums) -> RunReport:
    """The sums of a run -> the run with its rates."""
    sums = {item.name: getattr(run, item.name) for item in fields(run)}
    return RunReport(
        **{**sums, "seeds": run.seeds[:MOST_SEEDS]},
        harvest_rate=run.goals / run.pages if run.pages else 0.0,
        pages_per_second=run.pages / run.seconds if run.seconds else 0.0,
    )


def all_runs(workspace: Workspace, most: int = 100) -> list[RunSums]:
    """A workspace -> the sums of its runs with all their seeds, the latest first."""
    return RunView(workspace.database).runs(most)


def find_run(workspace: Workspace, number: int) -> RunSums:
    """The number of a run -> its sums; InputError where there is no such run."""
    run = RunView(workspace.database).run(number)
    if run is None:
        raise InputError(f"There is no run {number} in {workspace.folder}.")
    return run


def goal_trails(
    workspace: Workspace, run: int, *, site: int | None = None, most: int = 50, skip: int = 0
) -> Iterator[GoalTrail]:
    """A run -> its goal pages with the trail that led to each, the latest first."""
    table = RunTable(workspace.database)
    for goal in RunView(workspace.database).goals(run, site=site, most=most, skip=skip):
        trail = tuple(table.trail(run, goal.n))
        facts = (goal.n, goal.url, goal.label, goal.goal_probability, goal.depth, goal.site)
        yield GoalTrail(*facts, trail, goal.goal_name)


def in_words(reason: str) -> str:
    """Why a site ended -> the same for a person."""
    return REASONS.get(reason, reason)
