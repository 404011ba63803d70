"""Walks -> the report of `evaluate forage`: every walk, and means over cases, groups of webs and kinds of webs.

Areas are told by walk, and their mean over a case or a group of webs is over its walks. Verdicts are counted over pages: those of all sites of a
case are pooled. The folds of one web and goal are one question cut in parts, so for a group they are pooled too; then the goals of each
web count alike. Kinds of webs take both in that way, and `modern` is the mean over the kinds of modern sites.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evals.forage_figures import mean_figures, mean_of_means
from evals.verdicts import FIGURES, JudgedFetch, PageVerdict, page_verdicts, verdict_figures
from evals.web_kinds import MODERN, MODERN_KINDS


@dataclass(frozen=True, slots=True)
class Walked:
    """One walk: its row in the report, and the pages as they were judged."""

    row: dict[str, Any]
    judged: tuple[JudgedFetch, ...]
    goals: frozenset[str]

    def verdicts(self) -> list[PageVerdict]:
        return page_verdicts(self.judged, self.goals)


Means = dict[str, dict[str, Any]]
"""Strategy -> figures, for each case, group or kind."""


def forage_report(walks: Sequence[Walked]) -> dict[str, Any]:
    """All walks with their figures, and the means."""
    verdicts = {number: walked.verdicts() for number, walked in enumerate(walks)}
    rows = [walked.row | verdict_figures(verdicts[number]) for number, walked in enumerate(walks)]
    pages = list(verdicts.values())
    cases = {
        name: {each: _pooled(rows, pages, places) for each, places in parts.items()}
        for name, parts in _places(rows, "case").items()
    }
    groups = {
        name: {each: _group(rows, pages, places) for each, places in parts.items()}
        for name, parts in _places(rows, "group").items()
    }
    kinds = {
        name: {each: _kind(rows, pages, places) for each, places in parts.items()}
        for name, parts in _places(rows, "kind").items()
    }
    return {"walks": rows, "cases": cases, "groups": groups | kinds | _modern(kinds)}


def _places(rows: Sequence[dict[str, Any]], key: str) -> dict[str, dict[str, list[int]]]:
    """Case, group or kind -> strategy -> places of its walks."""
    found: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, row in enumerate(rows):
        found[row[key]][row["strategy"]].append(place)
    return found


def _pooled(
    rows: Sequence[dict[str, Any]], pages: Sequence[list[PageVerdict]], places: Iterable[int]
) -> dict[str, Any]:
    """The mean over walks, with the verdicts on all their pages."""
    every = list(places)
    figures = verdict_figures(page for place in every for page in pages[place])
    return mean_figures(rows[place] for place in every) | figures


def _units(rows: Sequence[dict[str, Any]], places: Iterable[int]) -> list[list[int]]:
    """The walks of one web and goal together, whatever their fold."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place in places:
        found[rows[place]["web"], rows[place]["goal"]].append(place)
    return list(found.values())


def _kind(rows: Sequence[dict[str, Any]], pages: Sequence[list[PageVerdict]], places: list[int]) -> dict[str, Any]:
    return mean_of_means([_pooled(rows, pages, unit) for unit in _units(rows, places)])


def _group(rows: Sequence[dict[str, Any]], pages: Sequence[list[PageVerdict]], places: list[int]) -> dict[str, Any]:
    verdicts = _kind(rows, pages, places)
    return mean_figures(rows[place] for place in places) | {name: verdicts[name] for name in FIGURES}


def _modern(kinds: dict[str, Means]) -> dict[str, Means]:
    """`modern` -> strategy -> the mean over kinds of modern sites."""
    modern = [kinds[name] for name in MODERN_KINDS if name in kinds]
    if not modern:
        return {}
    return {MODERN: {each: mean_of_means([kind[each] for kind in modern]) for each in modern[0]}}
