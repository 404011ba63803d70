"""By what results can be narrowed: topic, year, site, kind, and the fields of a collection's own, each value with how many of the results have it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trailmark.datatypes import Query, QueryTerm, YearSpan
from trailmark.store.library import Library
from trailmark.store.search_match import Condition, Plan, with_condition, with_some
from trailmark.store.search_results import FACETS, Found, found_rows
from trailmark.verbs.portal_catalogue import Catalogue

MOST_VALUES = 40
"""Values of a facet that are shown."""
OWN = "f."
"""Stands before the name of a field of the collection's own, where values are chosen: `f.venue`."""
Chosen = Mapping[str, str]
"""Facet -> the value that was chosen."""


@dataclass(frozen=True, slots=True)
class FacetCount:
    """A value by which results can be narrowed."""

    value: str
    items: int
    chosen: bool


def picked(catalogue: Catalogue, chosen: Chosen | None) -> Chosen:
    """What a reader chose -> what of it can be meant."""
    known = {*FACETS, *(OWN + field for field in catalogue.facet_values)}
    return {
        name: value
        for name, value in (chosen or {}).items()
        if value and name in known and (name != "year" or _is_year(value))
    }


def narrowed(query: Query, chosen: Chosen) -> Query:
    """A query and the values that were chosen beside it -> a query for both; fields of the collection's own are no part of it."""
    terms = [QueryTerm(chosen[name], name, phrase=True) for name in FACETS if name in chosen and name != "year"]
    year = chosen.get("year", "")
    years = (YearSpan(int(year), int(year)),) if _is_year(year) else ()
    return replace(query, terms=(*query.terms, *terms), years=(*query.years, *years))


def plan_within(catalogue: Catalogue, library: Library, query: Query, chosen: Chosen) -> Plan:
    """A query and the values that were chosen beside it -> what is asked of the index; a value of a field of one's own is that very value."""
    plan = library.index.plan(narrowed(query, chosen))
    assert plan is not None, "no topic was named beside the query"
    for name, value in chosen.items():
        if name.startswith(OWN):
            rows = catalogue.facet_values[name.removeprefix(OWN)].having(value)
            plan = with_condition(plan, Condition("item IN (SELECT value FROM json_each(?))", (json.dumps(rows),)))
    return plan


def facet_counts(
    catalogue: Catalogue, library: Library, plan: Plan, found: Found, chosen: Chosen
) -> dict[str, tuple[FacetCount, ...]]:
    """What was found -> how it falls by each facet."""
    counts = found.facets or {}
    facets: dict[str, tuple[FacetCount, ...]] = {}
    for name in FACETS:
        values: Sequence[tuple[str, int]] = [(value, items) for value, items in counts.get(name, {}).items() if value]
        if name == "topic":
            values = _rolled_up(catalogue, values, chosen.get("topic", ""))
        if name == "year":
            values = sorted(values, key=lambda each: -int(each[0]))
        facets[name] = _shown(values[:MOST_VALUES], chosen.get(name))
    if catalogue.facet_values and found.total:
        rows = found_rows(library.connection, with_some(plan) if found.some_words else plan)
        for field, held in catalogue.facet_values.items():
            facets[OWN + field] = _shown(held.count(rows, MOST_VALUES), chosen.get(OWN + field))
    return facets


def _shown(values: Sequence[tuple[str, int]], chosen: str | None) -> tuple[FacetCount, ...]:
    return tuple(FacetCount(value, items, value == chosen) for value, items in values)


def _is_year(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) == 4


def _rolled_up(catalogue: Catalogue, values: Sequence[tuple[str, int]], chosen: str) -> list[tuple[str, int]]:
    """Leaves -> the topics one step below the one that is chosen, or the topmost: a reader goes down step by step."""
    node = catalogue.topics.by_id.get(chosen)
    steps = (node, *node.children) if node else catalogue.topics.top
    counted = [
        (step.id, sum(items for topic, items in values if topic == step.id or topic.startswith(f"{step.id}/")))
        for step in steps
    ]
    return sorted((each for each in counted if each[1]), key=lambda each: (each[0] != chosen, -each[1], each[0]))
