"""Cora's table 1: how much of a site is fetched before the one goal it has is found (section 3.6.3).

Only sites with exactly one goal that can be reached count. A walk goes on until the goal is found or nothing waits, however long that
takes; fetches that brought no page are not counted, as the papers' webs had none. `future` is told with 3, 4 and 5 bins, as there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from evals.forage_walk import FetchOrder, WalkedSite, oracle, walk
from trailmark.strategy import Strategy

PAPER = {
    "oracle": 0.03, "future, 4 bins": 0.13, "future": 0.22, "future, 5 bins": 0.27, "focused": 0.27, "breadth": 0.38,
}  # fmt: skip
"""The paper's own figures, on 26 corporate sites."""
BINS = (4, 5)
"""Further numbers of bins of `future`, besides its usual three."""

Taught = Callable[[str, int], Strategy]
"""(Name of a strategy, bins of `future`) -> the strategy as a case teaches it."""


def single_goal_rows(
    name: str,
    sites: Iterable[tuple[WalkedSite, int]],
    goals: frozenset[str],
    strategies: Sequence[str],
    taught: Taught,
) -> list[dict[str, Any]]:
    """One row for each site of a case that has one goal, and each strategy; with each site comes the number of its pages."""
    single = []
    for site, pages in sites:
        best = oracle(site, goals)
        if len(goals.intersection(best.fetched)) == 1:
            single.append((site, pages, best))
    rows = []
    for label, strategy, bins in _walkers(strategies) if single else ():
        walker = None if strategy == "oracle" else taught(strategy, bins)
        for site, pages, best in single:
            found = best if walker is None else walk(site, walker, limit=20 * pages, pages=pages, until=goals)
            rows.append({"group": name, "site": site.root, "strategy": label} | _figures(found, goals, pages))
    return rows


def single_goal_table(rows: Iterable[dict[str, Any]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Group -> strategy -> mean share of the site's pages fetched until the goal; a goal never found counts as the whole site."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[row["group"]][row["strategy"]].append(row)
    return {
        group: {
            name: {
                "share": round(float(np.mean([each["share"] for each in walks])), 4),
                "sites": len(walks),
                "found": sum(each["found"] for each in walks),
                "paper": PAPER.get(name),
            }
            for name, walks in parts.items()
        }
        for group, parts in found.items()
    }


def _walkers(strategies: Sequence[str]) -> list[tuple[str, str, int]]:
    """Label, strategy and bins."""
    walkers = [(name, name, 3) for name in strategies]
    if "future" in strategies:
        walkers += [(f"future, {bins} bins", "future", bins) for bins in BINS]
    return walkers


def _figures(found: FetchOrder, goals: frozenset[str], pages: int) -> dict[str, Any]:
    fetched = [url for url in found.fetched if url is not None]
    place = next((number for number, url in enumerate(fetched, start=1) if url in goals), None)
    return {"found": place is not None, "share": 1.0 if place is None else min(1.0, place / max(1, pages))}
