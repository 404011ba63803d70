"""`evaluate forage`: how few fetches each strategy needs on sites it was not taught on (PathLearner 4.4, Cora 3.6).

Webs with one root are taught and tested across each other, goal by goal; of a web with several roots, sites are left out fold by fold. A
walk may take four times the oracle's length. Two areas are told: `area` counts every fetch, those of pages that are not archived
too; `area_of_pages` counts pages only, which is what a site without an archive's gaps would show.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.forage_figures import REACH, mean_figures, walk_figures
from evals.forage_single import single_goal_rows, single_goal_table
from evals.forage_walk import FetchOrder, WalkedSite, oracle, walk, walked_site
from evals.taught_web import TaughtWeb
from trailmark.datatypes import Trail
from trailmark.errors import InputError
from trailmark.store.benchmark_web import BenchmarkWeb, read_webs
from trailmark.strategy import Strategy
from trailmark.verbs.strategies import STRATEGIES as TAUGHT
from trailmark.verbs.strategies import make_strategy

STRATEGIES = (*TAUGHT, "oracle")
FOLDS = 5
MOST_FETCHES = 12
"""Fetches of a walk in lengths of the oracle's: those of missing pages come on top of its budget."""


@dataclass(frozen=True)
class Case:
    """What is taught, and the sites that are then walked."""

    name: str
    group: str
    goal: str
    taught: tuple[tuple[TaughtWeb, tuple[Trail, ...]], ...]
    sites: tuple[WalkedSite, ...]


CaseProgress = Callable[[Iterable[Case], str], Iterable[Case]]


def evaluate_forage(
    folder: Path | str,
    *,
    strategies: Sequence[str] = STRATEGIES,
    goals: Sequence[str] = (),
    train: Sequence[str] = (),
    test: Sequence[str] = (),
    progress: CaseProgress = lambda cases, _: cases,
) -> dict[str, Any]:
    """The report; every walk with its figures, and means by strategy over cases and over groups of webs."""
    unknown = sorted(set(strategies) - set(STRATEGIES))
    if unknown:
        raise InputError(f"There is no strategy '{unknown[0]}'; choose from {', '.join(STRATEGIES)}.")
    rows: list[dict[str, Any]] = []
    single: list[dict[str, Any]] = []
    for case in progress(list(make_cases(Path(folder), goals=goals, train=train, test=test)), "walking"):
        rows += _case_rows(case, strategies)
        single += _single_rows(case, strategies)
    if not rows:
        raise InputError(f"No web in {folder} can be walked with what the others teach: name other webs or goals.")
    return _report(rows) | {"single_goal": single_goal_table(single)}


def evaluate_case(
    case: Case, strategies: Sequence[str], *, progress: Callable[[Iterable[str], str], Iterable[str]]
) -> dict[str, Any]:
    """The report of one case."""
    return _report([row for name in progress(strategies, "walking") for row in _case_rows(case, (name,))])


def site_case(web: BenchmarkWeb, goal: str, *, taught: Sequence[str]) -> Case:
    """Taught on some sites of a web, walked on the others."""
    opened = TaughtWeb.open(web)
    trails = tuple(trail for trail in web.trails(goal) if trail.site in taught)
    sites = tuple(walked_site(opened, root) for root in web.roots if root not in taught)
    return Case(web.name, web.name, goal, ((opened, trails),), sites)


def _report(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {"walks": list(rows), "cases": _means(rows, "case"), "groups": _means(rows, "group"), "reach": REACH}


def make_cases(
    folder: Path, *, goals: Sequence[str] = (), train: Sequence[str] = (), test: Sequence[str] = ()
) -> Iterator[Case]:
    """All cases of a folder; where webs are named, those in `train` teach for those in `test`."""
    webs = {web.name: TaughtWeb.open(web) for web in read_webs(folder) if web.goals}
    for name in (*train, *test):
        if name not in webs:
            raise InputError(f"There is no web '{name}' with trails in {folder}; choose from {', '.join(webs)}.")
    for name, web in webs.items():
        if test and name not in test:
            continue
        for goal in web.web.goals:
            if not goals or goal in goals:
                yield from _cases_of(webs, web, goal, train)


def taught_strategy(name: str, case: Case, *, bins: int = 3) -> Strategy:
    """A strategy taught with a case's trails; `bins` are those of `future`."""
    owner = {step.url: web for web, trails in case.taught for trail in trails for step in trail.steps}
    webs = [web for web, _ in case.taught]

    def final_url(url: str) -> str:
        return next((web.replay.fetch(url).url for web in webs if url in web.replay), url)

    return make_strategy(
        name,
        [trail for _, trails in case.taught for trail in trails],
        lambda url: owner[url].page(url),
        lambda: [each for web, trails in case.taught for each in web.examples_of(trails)],
        final_url=final_url,
        goal=case.goal,
        bins=bins,
    )


def _cases_of(webs: dict[str, TaughtWeb], web: TaughtWeb, goal: str, train: Sequence[str]) -> Iterator[Case]:
    name, alone = web.web.name, len(web.web.roots) == 1
    others = [
        other
        for other in webs.values()
        if other is not web
        and goal in other.web.goals
        and (other.web.name in train if train else alone and len(other.web.roots) == 1)
    ]
    if others:
        taught = tuple((other, other.web.trails(goal)) for other in others)
        sites = tuple(walked_site(web, root) for root in web.web.roots)
        group = "webs of one site" if alone else name
        yield Case(f"{'+'.join(other.web.name for other in others)} -> {name}", group, goal, taught, sites)
    elif not alone and not train:
        yield from _folds(web, goal)


def _folds(web: TaughtWeb, goal: str) -> Iterator[Case]:
    roots = web.web.roots
    count = min(FOLDS, len(roots))
    trails = web.web.trails(goal)
    for fold in range(count):
        held = frozenset(roots[fold::count])
        taught = tuple(trail for trail in trails if trail.site not in held)
        if any(trail.outcome == "goal" for trail in taught):
            sites = tuple(walked_site(web, root) for root in roots[fold::count])
            name = f"{web.web.name}, fold {fold + 1} of {count}"
            yield Case(name, web.web.name, goal, ((web, taught),), sites)


def _case_rows(case: Case, strategies: Sequence[str]) -> list[dict[str, Any]]:
    labels = case.sites[0].web.web.labels()
    goals = frozenset(url for url, label in labels.items() if label == case.goal)
    best = {site.root: oracle(site, goals) for site in case.sites}
    rows = []
    for name in strategies:
        strategy = None if name == "oracle" else taught_strategy(name, case)
        for site in case.sites:
            if goals.isdisjoint(best[site.root].fetched):
                continue
            walked = _walked(site, strategy, best[site.root])
            figures = walk_figures(walked, best[site.root], goals, site_pages=_size(site))
            rows.append(
                {"case": f"{case.name}: {case.goal}", "group": case.group, "goal": case.goal, "site": site.root}
                | {"strategy": name}
                | figures
            )
    return rows


def _single_rows(case: Case, strategies: Sequence[str]) -> list[dict[str, Any]]:
    """Cora's table 1, of webs with several sites."""
    if len(case.sites[0].web.web.roots) == 1:
        return []
    goals = frozenset(url for url, label in case.sites[0].web.web.labels().items() if label == case.goal)
    sites = [(site, _size(site)) for site in case.sites]
    taught = lambda name, bins: taught_strategy(name, case, bins=bins)  # noqa: E731
    return single_goal_rows(case.group, sites, goals, strategies, taught)


def _walked(site: WalkedSite, strategy: Strategy | None, best: FetchOrder) -> FetchOrder:
    if strategy is None:
        return best
    budget = REACH * len(best.fetched)
    return walk(site, strategy, limit=max(200, MOST_FETCHES * len(best.fetched)), pages=budget)


def _size(site: WalkedSite) -> int:
    """Pages of a site that can be reached at all."""
    start = site.final(site.root)
    seen = {start: None} if start is not None else {}
    for url in (queue := list(seen)):
        for target in site.onward(url):
            if target not in seen:
                seen[target] = None
                queue.append(target)
    return len(seen)


def _means(rows: Sequence[dict[str, Any]], key: str) -> dict[str, dict[str, Any]]:
    """Group -> strategy -> means. Cases count alike within a group of webs, sites within a web."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[row[key]][row["strategy"]].append(row)
    return {name: {each: mean_figures(walks) for each, walks in parts.items()} for name, parts in found.items()}
