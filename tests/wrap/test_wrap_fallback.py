"""Where no conjunction of features is exact: positions, and the vote on weak features."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.wrap.wrap_pages import table_of
from trailmark.wrap import FieldRules, NodeTable, RuleSet, rule_sentence, rule_xpath
from trailmark.wrap.rules.annotation_match import Mark, MarkedPage
from trailmark.wrap.rules.field_learning import learn_field
from trailmark.wrap.rules.rule_fallback import position_of
from trailmark.wrap.rules.rule_search import RuleExample
from trailmark.wrap.rules.rule_set import rules_from_json, rules_to_json
from trailmark.wrap.rules.weak_features import learn_weak_vote, weak_features

SIZES = (3, 5, 4, 6, 2, 7, 3, 5)


def last_of(number: int) -> NodeTable:
    """A trail of links of which the last is meant; what stands around is different on every page."""
    items = "".join(f"<li>step {number}.{at}</li>" for at in range(SIZES[number]))
    return table_of(f"<html><body><h1>page {number}</h1><ul>{items}</ul><p>{number * 7} times</p></body></html>")


def taught(tables: list[NodeTable], values: list[str]) -> FieldRules:
    marks = [(Mark(value),) for value in values]
    found = learn_field(
        "x", [MarkedPage(table, marks[n] if n < len(marks) else None) for n, table in enumerate(tables)]
    )
    assert found is not None
    rules = RuleSet("a/1", (found,))
    assert rules_from_json(json.loads(json.dumps(rules_to_json(rules))), source="x") == rules
    return found


def test_the_last_of_several_is_learnt() -> None:
    tables = [last_of(number) for number in range(len(SIZES))]
    field = taught(tables, [f"step {n}.{SIZES[n] - 1}" for n in range(4)])
    assert field.rules[0].position == -1
    assert [field.values(table) for table in tables] == [[f"step {n}.{size - 1}"] for n, size in enumerate(SIZES)]
    for rule in field.rules:
        found = tables[5].elements[0].xpath(rule_xpath(rule))
        assert found == [tables[5].texts[row] for row in rule.rows(tables[5])]
        assert rule_sentence(rule)


def test_positions_count_from_either_end() -> None:
    table = table_of("<p>a</p>" * 5)

    def position(*pages: tuple[list[int], int | None]) -> int:
        masks = [np.isin(np.arange(5), rows) for rows, _ in pages]
        return position_of(masks, [RuleExample(table, target, annotated=True) for _, target in pages])

    assert position(([0, 2, 4], 2), ([1, 2, 3, 4], 2)) == 2
    assert position(([0, 2, 4], 2), ([1, 2, 3, 4], 3)) == -2
    assert position(([0, 2, 4], 2), ([1, 2, 3, 4], 4)) == 0
    assert position(([0, 2, 4], 4), ([0, 1], None)) == 3
    assert position(([0, 2, 4], 0), ([0, 1], None)) == -3
    assert position(([0, 2], 4)) == 0


def marked_by_attribute(number: int) -> NodeTable:
    """Only an attribute that strong features don't look at tells which of the cells is meant."""
    chosen = (number * 5) % 4
    cells = "".join(
        f"<td align='{'right' if at == chosen else 'left'}'>{'n' if at == chosen else 'm'}{number}{at}</td>"
        for at in range(4)
    )
    return table_of(f"<html><body><p>{number}</p><table><tr>{cells}</tr></table><p>{number}!</p></body></html>")


@pytest.mark.slow
def test_weak_features_settle_what_strong_ones_can_not() -> None:
    tables = [marked_by_attribute(number) for number in range(12)]
    field = taught(tables, [f"n{n}{(n * 5) % 4}" for n in range(5)])
    assert field.weak is not None
    assert field.least == 0.5
    assert [field.values(table) for table in tables[5:]] == [[f"n{n}{(n * 5) % 4}"] for n in range(5, 12)]


def test_nothing_is_said_below_one_half() -> None:
    tables = [marked_by_attribute(number) for number in range(12)]
    field = taught(tables, [f"n{n}{(n * 5) % 4}" for n in range(5)])
    plain = table_of(
        "<html><body><p>1</p><table><tr><td align='left'>a</td><td align='left'>b</td></tr></table></body></html>"
    )
    assert field.values(plain) == []


def test_a_vote_needs_right_and_wrong_candidates() -> None:
    table = marked_by_attribute(1)
    features = [weak_features(table, row) for row in range(len(table))]
    assert learn_weak_vote(features, []) is None
    assert learn_weak_vote([], features) is None
    assert learn_weak_vote([features[1]], [features[1]]) is None
    assert learn_weak_vote([features[1]], features[2:]) is not None
