"""Walks -> the report of `evaluate forage`: every walk, and means over cases, groups of webs and kinds of webs.

Areas are told by walk, and their mean over a case or a group of webs is over its walks. Verdicts are counted over pages: those of all sites of a
case are pooled. The folds of one web and goal are one question cut in parts, so for a group they are pooled too; then the goals of each
web count alike. Kinds of webs take both in that way, and `modern` is the mean over the kinds of modern sites.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from evals.forage_figures import mean_figures, mean_of_means
from evals.verdicts import FIGURES, JudgedFetch, PageVerdict, page_verdicts, reliability, verdict_figures
from evals.web_kinds import MODERN, MODERN_KINDS


@dataclass(frozen=True, slots=True)
class Walked:
    """One walk: its row in the report, and the pages as they were judged."""

    row: dict[str, Any]
    judged: tuple[JudgedFetch, ...]
    goals: frozenset[str]
    """All pages of the web that are goals."""


COMPARED = ("area_of_pages", "area", "f1", "precision", "recall")
"""Figures that teaching everything is held against teaching the goal alone by."""

Verdicts = list[list[PageVerdict]]
"""Of each walk, in the order of the walks."""
Figures = dict[str, dict[str, dict[str, Any]]]
"""Case, group or kind -> strategy -> figures."""


def forage_report(walks: Sequence[Walked]) -> dict[str, Any]:
    """All walks with their figures, and the means."""
    pages = walk_verdicts(walks)
    rows = [walked.row | verdict_figures(verdicts) for walked, verdicts in zip(walks, pages, strict=True)]

    def means(places: Sequence[int]) -> dict[str, Any]:
        return mean_figures([rows[place] for place in places]) | _pooled(pages, places)

    def units(places: Sequence[int]) -> dict[str, Any]:
        return mean_of_means([means(unit) for unit in _units(rows, places)])

    def group(places: Sequence[int]) -> dict[str, Any]:
        verdicts = units(places)
        return mean_figures([rows[place] for place in places]) | {name: verdicts[name] for name in FIGURES}

    groups = _by(rows, "group", group) | with_modern(_by(rows, "kind", units))
    return {
        "walks": rows,
        "cases": _by(rows, "case", means),
        "groups": groups,
        "reliability": _reliability(rows, pages),
    }


def verdict_report(rows: Sequence[dict[str, Any]], pages: Verdicts) -> dict[str, Figures]:
    """The verdicts alone, in the same means."""

    def units(places: Sequence[int]) -> dict[str, Any]:
        return mean_of_means([_pooled(pages, unit) for unit in _units(rows, places)])

    kinds = with_modern(_by(rows, "kind", units))
    return {"cases": _by(rows, "case", lambda places: _pooled(pages, places)), "groups": kinds}


def beside_goal_alone(everything: Sequence[Walked], alone: Sequence[Walked]) -> list[dict[str, Any]]:
    """Walks taught with all trails of the webs, and with those of the goal alone -> area and F1 of each web and goal, side by side."""

    def measured(walks: Sequence[Walked]) -> dict[tuple[str, str, str], dict[str, Any]]:
        pages = walk_verdicts(walks)
        rows = [walked.row for walked in walks]
        named = [row | {"unit": (row["web"], row["goal"])} for row in rows]
        means = _by(named, "unit", lambda places: mean_figures([rows[n] for n in places]) | _pooled(pages, places))
        return {(*unit, each): figures for unit, parts in means.items() for each, figures in parts.items()}

    both, single = measured(everything), measured(alone)
    return [
        {"web": web, "goal": goal, "strategy": strategy}
        | {
            f"{name}_{way}": table[web, goal, strategy][name]
            for name in COMPARED
            for way, table in (("all", both), ("goal", single))
        }
        for web, goal, strategy in both
    ]


def walk_verdicts(walks: Sequence[Walked]) -> Verdicts:
    """Verdicts of each walk; the walks of one case and strategy are one run over several sites, and settled together."""
    return [verdicts for run in runs_of(walks) for verdicts in split(run, run_verdicts(run))]


def runs_of(walks: Sequence[Walked]) -> list[list[Walked]]:
    """Walks of one case and strategy together; they stand side by side."""
    found: dict[tuple[str, str], list[Walked]] = defaultdict(list)
    for walked in walks:
        found[walked.row["case"], walked.row["strategy"]].append(walked)
    return list(found.values())


def run_verdicts(run: Sequence[Walked], answers: Mapping[str, bool] | None = None) -> list[PageVerdict]:
    """The verdicts of a run, with what a person said of some pages."""
    return page_verdicts([fetch for walked in run for fetch in walked.judged], run[0].goals, answers)


def split(run: Sequence[Walked], verdicts: Sequence[PageVerdict]) -> Verdicts:
    """The verdicts of a run, walk by walk."""
    left = iter(verdicts)
    return [list(islice(left, len(walked.judged))) for walked in run]


def _reliability(rows: Sequence[dict[str, Any]], pages: Verdicts) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Kind of webs -> strategy that judges -> what was promised against what came, over all pages of the kind."""
    found: dict[str, dict[str, list[PageVerdict]]] = defaultdict(lambda: defaultdict(list))
    for row, verdicts in zip(rows, pages, strict=True):
        if verdicts:
            found[row["kind"]][row["strategy"]] += verdicts
    return {
        kind: {
            strategy: reliability(
                np.array([page.goal_probability for page in verdicts]), np.array([page.truth for page in verdicts])
            )
            for strategy, verdicts in strategies.items()
        }
        for kind, strategies in found.items()
    }


def with_modern(kinds: Figures) -> Figures:
    """Kinds of webs, and `modern`: the mean over the kinds of modern sites among them."""
    modern = [kinds[name] for name in MODERN_KINDS if name in kinds]
    if not modern:
        return kinds
    return kinds | {MODERN: {each: mean_of_means([kind[each] for kind in modern]) for each in modern[0]}}


def _by(
    rows: Sequence[dict[str, Any]], key: str, figures: Callable[[Sequence[int]], dict[str, Any]]
) -> dict[Any, dict[str, dict[str, Any]]]:
    """Case, group or kind -> strategy -> figures of its walks, which are named by their places."""
    found: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, row in enumerate(rows):
        found[row[key]][row["strategy"]].append(place)
    return {name: {each: figures(places) for each, places in parts.items()} for name, parts in found.items()}


def _pooled(pages: Verdicts, places: Sequence[int]) -> dict[str, Any]:
    """The verdicts on the pages of several walks together."""
    return verdict_figures(page for place in places for page in pages[place])


def _units(rows: Sequence[dict[str, Any]], places: Iterable[int]) -> list[list[int]]:
    """The walks of one web and goal together, whatever their fold."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place in places:
        found[rows[place]["web"], rows[place]["goal"]].append(place)
    return list(found.values())
