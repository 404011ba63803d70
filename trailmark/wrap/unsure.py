"""What a person should be asked about: fields of a page on which rules do not agree, or that every page should have."""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.rule_set import RuleSet

SURE = 0.9
"""Share of the rules that must be for a value."""


def unsure_fields(rules: RuleSet, table: NodeTable, *, sure: float = SURE) -> dict[str, float]:
    """Field -> how many of the rules are for its value, where these are few; 0 where a field is missing that should not."""
    unsure: dict[str, float] = {}
    for each in rules.fields:
        found = each.found(table)
        share = found[0].share if found else 1.0 - each.mandatory
        if share < sure:
            unsure[each.name] = share
    return unsure


def least_sure(rules: RuleSet, tables: Sequence[NodeTable]) -> list[int]:
    """Numbers of the pages in the order in which an answer helps most: those with the most doubt first."""
    doubt = [sum(1.0 - share for share in unsure_fields(rules, table).values()) for table in tables]
    return sorted(range(len(tables)), key=lambda number: (-doubt[number], number))
