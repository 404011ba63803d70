"""Rules of a list as JSON, with an XPath and a sentence beside, for people; those are not read again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from trailmark.wrap.lists.entry_heading import HeadingRule
from trailmark.wrap.lists.entry_rule import EntryRule, PathStep
from trailmark.wrap.lists.record_list import ListRules
from trailmark.wrap.rules.range_pruner import Pruner
from trailmark.wrap.rules.value_type import PATTERNS


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


def list_from_json(kept: dict[str, Any]) -> ListRules:
    entry = EntryRule(
        tuple(
            PathStep(str(tag), tuple((str(key), str(value)) for key, value in said.items()))
            for tag, said in kept["steps"]
        ),
        bool(kept["rooted"]),
        str(kept["opens"]),
        str(kept["parted"]),
        tuple(map(str, kept["goes_on"])),
        tuple(frozenset(map(str, shape)) for shape in kept["shapes"]),
        float(kept["least"]),
        tuple(map(str, kept["never"])),
    )
    if not entry.steps:
        raise ValueError("a list without a way to it")
    headings = tuple(
        HeadingRule(str(each["field"]), str(each["element"]), _part(each["part"])) for each in kept["headings"]
    )
    return ListRules(entry, tuple(map(str, kept["whole"])), headings, tuple(map(str, kept["expected"])))


def _part(kept: dict[str, Any]) -> Pruner:
    pruner = Pruner(**kept)
    if pruner.how == "type" and pruner.type not in PATTERNS:
        raise ValueError(f"unknown part {kept}")
    return pruner
