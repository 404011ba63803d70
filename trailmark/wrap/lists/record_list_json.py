"""Rules of a list as JSON, with an XPath and a sentence beside, for people; those are not read again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from trailmark.wrap.lists.entry_heading import HeadingRule
from trailmark.wrap.lists.entry_rule import EntryRule, PathStep
from trailmark.wrap.lists.record_list import ListRules
from trailmark.wrap.rules.range_pruner import Pruner, check_part


def list_to_json(rules: ListRules) -> dict[str, Any]:
    entry = rules.entry
    return {
        "xpath": entry.xpath,
        "says": rules.sentence,
        "steps": [[step.tag, dict(step.attributes)] for step in entry.steps],
        "rooted": entry.rooted,
        "opens": entry.opens,
        "parted": entry.parted,
        "goes_on": list(entry.goes_on),
        "shapes": [sorted(shape) for shape in entry.shapes],
        "least": entry.least,
        "never": list(entry.never),
        "whole": list(rules.whole),
        "expected": list(rules.expected),
        "headings": [
            {
                "field": heading.name,
                "says": heading.sentence,
                "element": heading.element,
                "part": asdict(heading.pruner),
            }
            for heading in rules.headings
        ],
    }


def list_from_json(data: dict[str, Any]) -> ListRules:
    entry = EntryRule(
        tuple(
            PathStep(str(tag), tuple((str(key), str(value)) for key, value in attributes.items()))
            for tag, attributes in data["steps"]
        ),
        bool(data["rooted"]),
        str(data["opens"]),
        str(data["parted"]),
        tuple(map(str, data["goes_on"])),
        tuple(frozenset(map(str, shape)) for shape in data["shapes"]),
        float(data["least"]),
        tuple(map(str, data["never"])),
    )
    if not entry.steps:
        raise ValueError("a list without a way to it")
    headings = tuple(
        HeadingRule(str(heading["field"]), str(heading["element"]), _part(heading["part"]))
        for heading in data["headings"]
    )
    return ListRules(entry, tuple(map(str, data["whole"])), headings, tuple(map(str, data["expected"])))


def _part(data: dict[str, Any]) -> Pruner:
    pruner = Pruner(**data)
    check_part(pruner)
    return pruner
