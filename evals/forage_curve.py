"""Learning curves of `evaluate forage --curve`: area and verdicts of `path` by how much was taught.

By number of trails: 1, 2, 4, 8, 16 to the goal, and of those that failed as many as their share is. By number of taught sites, where a case teaches
several: 1, 2, 4, 8, all their trails. What is taught at one point is taught at the next, too; where a case has less to teach, it
teaches what it has, so that every point is over the same walks. Of each web and goal a few folds are drawn, seeded by their names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evals.forage import walk_case
from evals.forage_cases import FOLDS, Case, Selection, WebTrails, cases_at_hand, drawn, sampled_cases
from evals.forage_report import Walked, forage_report
from evals.processes import over_processes
from evals.web_kinds import MODERN
from trailmark.datatypes import Trail
from trailmark.errors import InputError
from trailmark.progress import Progress
from trailmark.verbs.hands import Hands

COUNTS = {"trails": (1, 2, 4, 8, 16), "sites": (1, 2, 4, 8)}
STRATEGY = "path"
SAMPLE = 2
"""Folds of each web and goal, where nobody named webs or goals; else all."""
FIGURES = ("area_of_pages", "area", "precision", "recall", "f1", "average_precision")


def learning_curves(
    folder: Path, selection: Selection, *, jobs: int = 1, progress: Progress, hands: Hands | None = None
) -> dict[str, Any]:
    """The curves: trails or sites -> how many -> kind of webs -> figures."""
    cases = cases_at_hand(folder, selection)
    folds = FOLDS if selection.goals or selection.test else SAMPLE
    points = [
        (folder, selection, number, way, count)
        for number in sampled_cases(cases, folds)
        for way, counts in COUNTS.items()
        for count in counts
        if way == "trails" or len(taught_sites(cases[number])) > 1
    ]
    if not points:
        raise InputError(f"No web in {folder} can be walked with what the others teach: name other webs or goals.")
    results = over_processes(_point, points, jobs=jobs, progress=progress, label="teaching and walking", hands=hands)
    walks: dict[tuple[str, int], list[Walked]] = defaultdict(list)
    for (*_, way, count), walked in zip(points, results, strict=True):
        walks[way, count] += walked
    return {
        way: {str(count): _figures(walks[way, count]) for count in counts if walks[way, count]}
        for way, counts in COUNTS.items()
    }


def fewer_trails(case: Case, count: int) -> Case:
    """The case with so many trails to the goal, and failed ones in proportion, at least one."""
    every = [(web, trail) for web, trails in case.taught for trail in trails]
    goals = drawn([each for each in every if each[1].outcome == "goal"], case.title)
    fails = drawn([each for each in every if each[1].outcome != "goal"], case.title)
    share = min(1.0, count / len(goals))
    kept = {id(trail) for _, trail in (*goals[:count], *fails[: max(1, round(share * len(fails)))])}
    return replace(case, taught=_kept(case.taught, lambda trail: id(trail) in kept))


def fewer_sites(case: Case, count: int) -> Case:
    """The case with the trails of so many of its taught sites."""
    kept = set(drawn(taught_sites(case), case.title)[:count])
    return replace(case, taught=_kept(case.taught, lambda trail: trail.site in kept))


def taught_sites(case: Case) -> list[str]:
    """Sites with a trail to the goal."""
    return list(dict.fromkeys(t.site for _, trails in case.taught for t in trails if t.outcome == "goal"))


def _kept(taught: Sequence[WebTrails], wanted: Callable[[Trail], bool]) -> tuple[WebTrails, ...]:
    return tuple((web, tuple(trail for trail in trails if wanted(trail))) for web, trails in taught)


def _point(folder: Path, selection: Selection, number: int, way: str, count: int) -> list[Walked]:
    case = cases_at_hand(folder, selection)[number]
    less = fewer_trails(case, count) if way == "trails" else fewer_sites(case, count)
    return walk_case(less, (STRATEGY,))


def _figures(walks: Sequence[Walked]) -> dict[str, dict[str, Any]]:
    """Kind of webs -> figures."""
    groups = forage_report(walks)["groups"]
    kinds = [*dict.fromkeys(walked.row["kind"] for walked in walks), MODERN]
    return {name: {figure: groups[name][STRATEGY][figure] for figure in FIGURES} for name in kinds if name in groups}
