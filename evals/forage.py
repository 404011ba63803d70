"""`evaluate forage`: how few fetches each strategy needs on sites it was not taught on (PathLearner 4.4, Cora 3.6), and how right it is
in what it says of the pages.

A walk may take four times the oracle's length. Two areas are told: `area` counts every fetch, those of pages that are not archived
too; `area_of_pages` counts pages only, which is what a site without an archive's gaps would show. Verdicts are those of `verdicts.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from evals.forage_answers import answers_report
from evals.forage_cases import Case, Selection, Taught, make_cases
from evals.forage_figures import REACH, walk_figures
from evals.forage_report import Walked, beside_goal_alone, forage_report
from evals.forage_single import single_goal_rows, single_goal_table
from evals.forage_strategies import STRATEGIES, TaughtOnce
from evals.forage_walk import FetchOrder, WalkedSite, oracle, walk
from trailmark.errors import InputError
from trailmark.strategy import Strategy

MOST_FETCHES = 12
"""Fetches of a walk in lengths of the oracle's: those of missing pages come on top of its budget."""

Progress = Callable[[Iterable[Any], str], Iterable[Any]]


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
    progress: Progress = lambda cases, _: cases,
) -> dict[str, Any]:
    """The report; every walk with its figures, and means by strategy over cases and over groups of webs.

    With `taught` "all" every case is walked twice, and `beside` has what teaching the goal alone gives. With `answers` a simulated
    teacher answers after each run.
    """
    check_strategies(strategies)
    folder, selection = Path(folder), Selection(tuple(goals), tuple(train), tuple(test), taught)
    results = case_results(folder, selection, strategies, jobs=jobs, progress=progress)
    report = whole_report(folder, results)
    if taught == "all":
        alone = case_results(folder, replace(selection, taught="goal"), strategies, jobs=jobs, progress=progress)
        report["beside"] = beside_goal_alone(walks_of(results), walks_of(alone))
    if answers:
        report["answers"] = answers_report(walks_of(results))
    return report


def check_strategies(strategies: Sequence[str]) -> None:
    """InputError names the first strategy that does not exist."""
    unknown = sorted(set(strategies) - set(STRATEGIES))
    if unknown:
        raise InputError(f"There is no strategy '{unknown[0]}'; choose from {', '.join(STRATEGIES)}.")


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
    folder: Path, selection: Selection, strategies: Sequence[str], *, jobs: int = 1, progress: Progress
) -> list[CaseResult]:
    """Every case walked, in the order of the cases, over so many processes."""
    count = len(_cases(folder, selection))
    if jobs == 1:
        return [case_result(folder, selection, strategies, number) for number in progress(range(count), "walking")]
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        runs = [pool.submit(case_result, folder, selection, strategies, number) for number in range(count)]
        return [run.result() for run in progress(runs, "walking")]


def case_result(folder: Path, selection: Selection, strategies: Sequence[str], number: int) -> CaseResult:
    """One case by its number: what a process of its own is asked for."""
    case = _cases(folder, selection)[number]
    taught = TaughtOnce(case)
    return CaseResult(walk_case(case, strategies, taught), _single_rows(case, strategies, taught))


@lru_cache(maxsize=2)
def _cases(folder: Path, selection: Selection) -> tuple[Case, ...]:
    """The cases share their webs, so that each page is read once in a process."""
    return tuple(make_cases(folder, selection))


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
