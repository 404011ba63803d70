"""The figures of a walk: goals found against pages fetched, next to the oracle's (PathLearner 4.4, Cora 3.6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evals.forage_walk import FetchOrder

Floats = npt.NDArray[np.float64]
REACH = 4
"""Budget of a walk in lengths of the oracle's."""
WANTED = 0.75
POINTS = 100
"""Points of a curve in the report."""


def found_shares(fetched: Sequence[str | None], goals: frozenset[str], length: int) -> Floats:
    """Share of the goals found after 1, 2 ... `length` fetches; a walk that ended stays where it was."""
    hits = np.array([url in goals for url in fetched[:length]], dtype=np.float64)
    shares = np.cumsum(hits) / len(goals)
    rest = np.full(length - shares.size, shares[-1] if shares.size else 0.0)
    return np.concatenate([shares, rest])


def walk_figures(walk: FetchOrder, best: FetchOrder, goals: frozenset[str], *, site_pages: int) -> dict[str, Any]:
    """All figures of one walk. `area` counts every fetch; `area_of_pages` only those that brought a page."""
    goals = goals & frozenset(best.fetched)  # those that can be reached at all
    length = REACH * len(best.fetched)
    pages = tuple(url for url in walk.fetched if url is not None)
    ideal = found_shares(best.fetched, goals, length)
    shares, of_pages = found_shares(walk.fetched, goals, length), found_shares(pages, goals, length)
    quarter, needed = fetches_to(walk.fetched, goals), fetches_to(pages, goals)
    ideally = fetches_to(best.fetched, goals) or 1
    return {
        "goals": len(goals),
        "oracle_length": len(best.fetched),
        "area": _ratio(shares.mean(), ideal.mean()),
        "area_of_pages": _ratio(of_pages.mean(), ideal.mean()),
        "found": {
            f"{part}%": round(float(of_pages[max(0, length * part // 100 - 1)]), 4) for part in (25, 50, 75, 100)
        },
        "found_of_fetches": {
            f"{part}%": round(float(shares[max(0, length * part // 100 - 1)]), 4) for part in (25, 50, 75, 100)
        },
        "fetches_to_75%": quarter,
        "pages_to_75%": needed,
        "pages_to_75%_by_oracle": None if needed is None else round(needed / ideally, 3),
        "site_share_to_75%": None if needed is None else round(needed / max(1, site_pages), 4),
        "curve": _thinned(of_pages),
        "harvest": _thinned(of_pages * len(goals) / np.arange(1, length + 1)),
        "seconds_per_page": round(walk.seconds / max(1, len(pages)), 5),
    }


def fetches_to(fetched: Sequence[str | None], goals: frozenset[str], share: float = WANTED) -> int | None:
    """How many fetches it takes until a share of the goals is found; None where the walk ends before."""
    wanted, found = share * len(goals), 0
    for number, url in enumerate(fetched, start=1):
        found += url in goals
        if found >= wanted:
            return number
    return None


def mean_figures(figures: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Means over walks; a walk that never found 75 % is told by the share that did."""
    every = list(figures)
    reached = [each["pages_to_75%_by_oracle"] for each in every if each["pages_to_75%_by_oracle"] is not None]
    names = ("area", "area_of_pages", "seconds_per_page")
    means: dict[str, Any] = {name: round(float(np.mean([each[name] for each in every])), 4) for name in names}
    means["worst_area"] = round(min(each["area"] for each in every), 4)
    means["worst_area_of_pages"] = round(min(each["area_of_pages"] for each in every), 4)
    means["reached_75%"] = round(len(reached) / len(every), 4)
    means["pages_to_75%_by_oracle"] = round(float(np.median(reached)), 3) if reached else None
    means["found"] = {
        part: round(float(np.mean([each["found"][part] for each in every])), 4) for part in every[0]["found"]
    }
    means["site_share_to_75%"] = round(float(np.mean([each["site_share_to_75%"] or 1.0 for each in every])), 4)
    return means


def mean_of_means(means: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Means of cases -> their mean, each counting alike; the worst is the worst of all, and what a case does not have is left out."""
    found: dict[str, Any] = {}
    for name, first in means[0].items():
        values = [each[name] for each in means if each[name] is not None]
        if isinstance(first, dict):
            found[name] = mean_of_means(values)
        elif not values:
            found[name] = None
        else:
            found[name] = min(values) if name.startswith("worst") else round(float(np.mean(values)), 4)
    return found


def _ratio(value: float, ideal: float) -> float:
    return round(float(value / ideal), 4) if ideal else 0.0


def _thinned(values: Floats) -> list[float]:
    """At most `POINTS` values, evenly spread, the last one among them."""
    picked = np.unique(np.linspace(0, values.size - 1, min(POINTS, values.size)).round().astype(int))
    return [round(float(value), 4) for value in values[picked]]
