"""The wiring of watching: runs of the forager as they stand, for `trailmark status --runs` and the app."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from trailmark.errors import InputError
from trailmark.store.run_table import RunTable
from trailmark.store.run_view import RunSums, RunView
from trailmark.workspace import Workspace

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


def run_report(run: RunSums) -> dict[str, Any]:
    """A run in a line, with its rates."""
    return {
        **asdict(run),
        "seeds": list(run.seeds[:20]),
        "harvest_rate": run.goals / run.pages if run.pages else 0.0,
        "pages_per_second": run.pages / run.seconds if run.seconds else 0.0,
    }


def all_runs(workspace: Workspace, most: int = 100) -> list[RunSums]:
    """Runs, the latest first."""
    return RunView(workspace.database).runs(most)


def find_run(workspace: Workspace, number: int) -> RunSums:
    """One run."""
    found = RunView(workspace.database).run(number)
    if found is None:
        raise InputError(f"There is no run {number} in {workspace.folder}.")
    return found


def goal_trails(workspace: Workspace, run: int, *, site: int | None = None, most: int = 50, skip: int = 0) -> list[Any]:
    """Goal pages with the trail that led to each, the latest first."""
    table = RunTable(workspace.database)
    goals = RunView(workspace.database).goals(run, site=site, most=most, skip=skip)
    return [{**goal, "trail": table.trail(run, goal["n"])} for goal in goals]


def in_words(reason: str) -> str:
    """Why a site ended."""
    return REASONS.get(reason, reason)
