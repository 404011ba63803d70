"""Silence where a value looks odd and the rules do not quite agree; and what a field has on every page."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wrap.wrap_pages import page_html, sample, table_of
from trailmark.wrap import Feature, FieldRules, Rule, RuleSet, learn_rules, rules_from_json, rules_to_json
from trailmark.wrap.rules.value_doubt import DIGIT, SEPARATORS, Doubt, learn_doubt, looks_like


def two_minds(doubt: Doubt | None = None) -> FieldRules:
    return FieldRules("x", tuple(Rule((Feature("class", 0, (name,)),)) for name in "aab"), doubt=doubt)


@pytest.mark.parametrize(
    ("doubt", "said"),
    [
        (None, ["(Paperback)"]),
        (Doubt(), ["(Paperback)"]),
        (Doubt(DIGIT, 0.9), []),
        (Doubt("date", 0.9), []),
        (Doubt(DIGIT, 0.5), ["(Paperback)"]),
        (Doubt("", 0.9, frozenset(("(Paperback)",))), []),
        (Doubt("", 0.9, frozenset(("Hardback",))), ["(Paperback)"]),
    ],
)
def test_an_odd_value_needs_more_rules(doubt: Doubt | None, said: list[str]) -> None:
    table = table_of("<p class='a'>(Paperback)</p><p class='b'>two</p>")
    assert two_minds(doubt).values(table) == said


def test_separators_are_no_values_but_dashes_are() -> None:
    table = table_of("<p class='a'>.,</p>")
    assert two_minds().values(table) == [".,"]
    assert two_minds(Doubt()).values(table) == []
    assert two_minds(Doubt()).values(table_of("<p class='a'>-</p>")) == ["-"]


def test_invisible_signs_are_no_part_of_a_value() -> None:
    assert two_minds().values(table_of("<p class='a'>Ada Corp.\u200b</p>")) == ["Ada Corp."]


def test_what_is_usual_is_learnt_from_the_sample() -> None:
    tables = [table_of(f"<p>Title {n}</p><i>(Paperback)</i><b>{n} May 2010</b>") for n in range(1, 9)]
    found = [(table, 2, table.texts[2], 1.0) for table in tables]
    doubt = learn_doubt(["3 June 2009"], found)
    assert doubt == Doubt("date", 1.0, frozenset(("(Paperback)",)))
    assert learn_doubt(["3 June 2009"], found[:4]) is None
    assert learn_doubt(["/"], found) is None
    titles = learn_doubt(["Title 9"], [(table, 0, table.texts[0], 0.5) for table in tables])
    assert titles is not None
    assert (titles.looks, titles.usual) == (DIGIT, 0.5)


@pytest.mark.slow
def test_fields_of_every_page_are_mandatory() -> None:
    rules = learn_rules("shop.example/1", sample((0, 3)))
    assert {each.name: each.mandatory for each in rules.fields} == {
        "title": True, "price": True, "maker": True, "year": False,
    }  # fmt: skip
    assert rules_from_json(json.loads(json.dumps(rules_to_json(rules))), source="x") == rules


def test_a_doubt_that_is_damaged_is_refused() -> None:
    kept = rules_to_json(RuleSet("a/1", (two_minds(Doubt()),)))
    kept["fields"][0]["doubt"]["looks"] = "purple"
    with pytest.raises(Exception, match="purple"):
        rules_from_json(kept, source="x")


@pytest.mark.slow
@given(st.text(max_size=30), st.floats(0, 1))
def test_doubt_only_takes_away(value: str, share: float) -> None:
    assert looks_like("", value)
    doubts = Doubt(DIGIT, 0.9).refuses(value, share)
    assert doubts == (not value.strip(SEPARATORS) or (share < 0.9 and not any(sign.isdigit() for sign in value)))


@pytest.mark.slow
def test_doubt_leaves_the_other_pages_alone() -> None:
    rules = learn_rules("shop.example/1", sample((0, 1)))
    for number in range(30, 40):
        table = table_of(page_html(number))
        for field in rules.fields:
            freely = replace(field, doubt=None).values(table)
            assert field.values(table) == [each for each in freely if each != ","]
