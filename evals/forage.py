"""`evaluate forage`: how few fetches each strategy needs on sites it was not taught on (PathLearner 4.4, Cora 3.6), and how right it is
in what it says of the pages.

A walk may take four times the oracle's length. Two areas are told: `area` counts every fetch, those of pages that are not archived
too; `area_of_pages` counts pages only, which is what a site without an archive's gaps would show. Verdicts are those of `verdicts.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evals.forage_answers import answers_report
from evals.forage_cases import Case, Selection, Taught, cases_at_hand
from evals.forage_figures import REACH, walk_figures
from evals.forage_report import Walked, beside_goal_alone, forage_report
from evals.forage_single import single_goal_rows, single_goal_table
from evals.forage_strategies import ON_DEMAND, STRATEGIES, TaughtOnce
from evals.forage_walk import FetchOrder, WalkedSite, oracle, walk
from evals.processes import over_processes
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.strategy import Strategy
from trailmark.verbs.hands import Hands

MOST_FETCHES = 12
"""Fetches of a walk in lengths of the oracle's: those of missing pages come on top of its budget."""


@dataclass(frozen=True)
class CaseResult:
    """All walks of a case, and those of sites with one goal."""

    walks: list[Walked]
    single: list[dict[str, Any]]


def evaluate_forage(
    folder: Path | str,
    *,
    strategies: Sequence[str] = STRATEGIES,
    goals: Sequence[str] = (),
    train: Sequence[str] = (),
    test: Sequence[str] = (),
    taught: Taught = "goal",
    answers: bool = False,
    jobs: int = 1,
    hands: Hands | None = None,
    progress: Progress = silent,
) -> dict[str, Any]:
    """The report; every walk with its figures, and means by strategy over cases and over groups of webs.

    With `taught` "all" every case is walked twice, and `beside` has what teaching the goal alone gives. With `answers` a simulated
    teacher answers after each run.
    """
    check_strategies(strategies)
    folder, selection = Path(folder), Selection(tuple(goals), tuple(train), tuple(test), taught)
    results = case_results(folder, selection, strategies, jobs=jobs, progress=progress, hands=hands)
    report = whole_report(folder, results)
    if taught == "all":
        alone = case_results(
            folder, replace(selection, taught="goal"), strategies, jobs=jobs, progress=progress, hands=hands
        )
        report["beside"] = beside_goal_alone(walks_of(results), walks_of(alone))
    if answers:
        report["answers"] = answers_report(walks_of(results))
    return report


def check_strategies(strategies: Sequence[str]) -> None:
    """InputError names the first strategy that does not exist."""
    known = (*STRATEGIES, *ON_DEMAND)
    unknown = sorted(set(strategies) - set(known))
    if unknown:
        raise InputError(f"There is no strategy '{unknown[0]}'; choose from {', '.join(known)}.")


def whole_report(folder: Path, results: Iterable[CaseResult]) -> dict[str, Any]:
    """The results of all cases -> the report."""
    every = list(results)
    walks = walks_of(every)
    if not walks:
        raise InputError(f"No web in {folder} can be walked with what the others teach: name other webs or goals.")
    single = [row for result in every for row in result.single]
    return forage_report(walks) | {"reach": REACH, "single_goal": single_goal_table(single)}


def walks_of(results: Iterable[CaseResult]) -> list[Walked]:
    """All walks of all cases."""
    return [walked for result in results for walked in result.walks]


def case_results(
    folder: Path,
    selection: Selection,
    strategies: Sequence[str],
    *,
    jobs: int = 1,
    progress: Progress,
    hands: Hands | None = None,
) -> list[CaseResult]:
    """Every case walked, in the order of the cases, over so many processes."""
    numbers = range(len(cases_at_hand(folder, selection)))
    arguments = [(folder, selection, strategies, number) for number in numbers]
    return over_processes(case_result, arguments, jobs=jobs, progress=progress, label="walking", hands=hands)


def case_result(folder: Path, selection: Selection, strategies: Sequence[str], number: int) -> CaseResult:
    """One case by its number: what a process of its own is asked for."""
    case = cases_at_hand(folder, selection)[number]
    taught = TaughtOnce(case)
    return CaseResult(walk_case(case, strategies, taught), _single_rows(case, strategies, taught))


def walk_case(case: Case, strategies: Sequence[str], taught: TaughtOnce | None = None) -> list[Walked]:
    """Every site of a case that has the goal, walked with every strategy."""
    taught = taught or TaughtOnce(case)
    goals = case.goal_pages()
    best = {site.root: oracle(site, goals) for site in case.sites}
    rows = []
    for name in strategies:
        strategy = None if name == "oracle" else taught(name)
        for site in case.sites:
            if goals.isdisjoint(best[site.root].fetched):
                continue
            walked = _walked(site, strategy, best[site.root])
            figures = walk_figures(walked, best[site.root], goals, site_pages=site.size)
            rows.append(Walked(_about(case, site, name) | figures, walked.judged, goals))
    return rows


def _about(case: Case, site: WalkedSite, strategy: str) -> dict[str, Any]:
    return {
        "case": case.title,
        "group": case.group,
        "kind": case.kind,
        "web": case.web,
        "goal": case.goal,
        "site": site.root,
        "strategy": strategy,
    }


def _single_rows(case: Case, strategies: Sequence[str], taught: TaughtOnce) -> list[dict[str, Any]]:
    """Cora's table 1, of webs with several sites."""
    if len(case.sites[0].web.web.roots) == 1:
        return []
    sites = [(site, site.size) for site in case.sites]
    return single_goal_rows(case.group, sites, case.goal_pages(), strategies, taught)


def _walked(site: WalkedSite, strategy: Strategy | None, best: FetchOrder) -> FetchOrder:
    if strategy is None:
        return best
    budget = REACH * len(best.fetched)
    return walk(site, strategy, limit=max(200, MOST_FETCHES * len(best.fetched)), pages=budget)
