"""Rules learnt from a few pages find the right values on the others, can be read, and survive being kept."""

from __future__ import annotations

import json

import numpy as np
import pytest
from lxml import etree

from tests.wrap.wrap_pages import facts_of, page_html, sample, table_of
from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.quoting import xpath_literal
from trailmark.wrap import (
    AnnotatedPage,
    Feature,
    FieldRules,
    Rule,
    RuleSet,
    learn_rules,
    rules_from_json,
    rules_to_json,
)
from trailmark.wrap.page.node_columns import LEVEL_KINDS, TEXT_KINDS
from trailmark.wrap.writing.rule_text import rule_sentence, rule_xpath


@pytest.fixture(scope="module")
def learnt() -> RuleSet:
    return learn_rules("shop.example/1", sample((0, 1)))


@pytest.mark.slow
@pytest.mark.parametrize("annotated", [(0,), (0, 1), (1, 2, 3)])
def test_fields_are_found_on_pages_that_were_never_seen(annotated: tuple[int, ...]) -> None:
    rules = learn_rules("shop.example/1", sample(annotated))
    for number in range(40, 60):
        found = rules.record("u", table_of(page_html(number))).fields
        facts = facts_of(number)
        assert found["title"][0] == facts["title"][0]
        assert found["price"] == tuple(facts["price"])
        assert found["maker"][0] == facts["maker"][0]


def test_several_values_are_given_where_several_were_marked(learnt: RuleSet) -> None:
    for number in range(40, 50):
        assert list(learnt.record("u", table_of(page_html(number))).fields["maker"]) == facts_of(number)["maker"]


def test_a_field_that_the_page_lacks_is_left_out() -> None:
    rules = learn_rules("shop.example/1", sample((0, 3)))
    for number in range(40, 60):
        found = rules.record("u", table_of(page_html(number))).fields
        assert list(found.get("year", ())) == facts_of(number)["year"]


def test_a_record_says_what_made_it(learnt: RuleSet) -> None:
    record = learnt.record("http://shop.example/7", table_of(page_html(7)), kind="thing")
    assert (record.url, record.kind, record.made_by) == ("http://shop.example/7", "thing", "rule:shop.example/1")


def test_rules_come_back_from_json_and_do_the_same(learnt: RuleSet) -> None:
    kept = json.loads(json.dumps(rules_to_json(learnt)))
    again = rules_from_json(kept, source="x")
    assert again == learnt
    table = table_of(page_html(33))
    assert again.record("u", table) == learnt.record("u", table)
    for field in kept["fields"]:
        for rule in field["rules"]:
            assert rule["says"].endswith(".")
            assert "preceding::" not in rule["xpath"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        lambda kept: kept.pop("fields"),
        lambda kept: kept["fields"][0].update(part={"how": "magic", "type": "", "start": 0, "end": 0}),
        lambda kept: kept["fields"][0]["rules"][0].update(features=[["colour", 0, ["red"]]]),
        lambda kept: kept["fields"][0]["rules"][0].update(features=[["nth", 0, ["first"]]]),
        lambda kept: kept["fields"][0].update(rules=7),
    ],
)
def test_damaged_rules_are_refused(learnt: RuleSet, damage: object) -> None:
    kept = json.loads(json.dumps(rules_to_json(learnt)))
    assert callable(damage)
    damage(kept)
    with pytest.raises(InputError, match=r"rules\.json .* trailmark wrap"):
        rules_from_json(kept, source="rules.json")


def test_xpaths_select_what_the_rules_select(learnt: RuleSet) -> None:
    compared = 0
    for number in (5, 6, 30, 31):
        table = table_of(page_html(number))
        for field in learnt.fields:
            for rule in field.rules:
                found = table.elements[0].xpath(rule_xpath(rule))
                texts = [" ".join(each.split()) for each in found]
                assert texts == [table.texts[row] for row in rule.rows(table)], rule_xpath(rule)
                compared += bool(texts)
    assert compared > 100


def test_every_kind_of_feature_has_a_valid_xpath_and_a_sentence() -> None:
    for kind in LEVEL_KINDS + TEXT_KINDS:
        value = {"index": "div[2]", "nth": "2", "path": "/html[1]/body[1]", "tags": "html/body"}.get(kind, "it's")
        if kind in ("tag", "before-tag", "after"):
            value = "b"
        rule = Rule((Feature(kind, 1, (value,)), Feature("tag", 0, ("b",))), position=-1)
        etree.XPath(rule_xpath(rule))
        assert rule_sentence(rule).startswith("The last text ")


@pytest.mark.parametrize("text", ["plain", "it's", 'say "so"', """both ' and " here"""])
def test_literals_hold_any_quotes(text: str) -> None:
    assert etree.Element("a").xpath(xpath_literal(text)) == text


def test_positions_choose_among_what_is_selected() -> None:
    table = table_of("<ul><li>a<li>b<li>c</ul>")
    items = Feature("tag", 0, ("li",))
    chosen = {at: [table.texts[row] for row in Rule((items,), position=at).rows(table)] for at in (0, 1, 3, 4, -1, -4)}
    assert chosen == {0: ["a", "b", "c"], 1: ["a"], 3: ["c"], 4: [], -1: ["c"], -4: []}


def test_rules_that_do_not_agree_say_nothing() -> None:
    table = table_of("<p class='a'>one</p><p class='b'>two</p><p class='c'>three</p>")
    apart = FieldRules("x", tuple(Rule((Feature("class", 0, (name,)),)) for name in "abc"))
    assert apart.values(table) == []
    most = FieldRules("x", tuple(Rule((Feature("class", 0, (name,)),)) for name in "aab"))
    assert most.values(table) == ["one"]
    shares, speaking = most.shares(table)
    assert np.allclose(shares, [2 / 3, 1 / 3, 0])
    assert speaking == 1.0


def test_a_label_is_never_a_value() -> None:
    rules = FieldRules("x", (Rule((Feature("left", 0, ("Maker:",)),)),))
    assert rules.values(table_of("<p>Maker:</p><p>Ada</p>")) == ["Ada"]
    assert rules.values(table_of("<p>Maker:</p><p>Maker:</p>")) == []


def test_the_place_is_settled_by_the_other_pages() -> None:
    """The marked year stands in the footer of every page too."""
    pages = []
    for number in range(8):
        html = f"<html><body><dl><dt>Made</dt><dd>{1999 + number}</dd></dl><div>since <i>1999</i></div></body></html>"
        marks = (Annotation("u", "year", "1999"),) if number == 0 else ()
        pages.append(AnnotatedPage(table_of(html), marks))
    rules = learn_rules("a/1", pages)
    assert [rules.record("u", page.table).fields["year"] for page in pages] == [(str(1999 + n),) for n in range(8)]


def test_a_second_layout_can_be_taught() -> None:
    one = "<html><body><p>Price: <b>{0}</b></p></body></html>"
    two = "<html><body><table><tr><td>cost</td><td>{0}</td></tr></table></body></html>"
    layouts = (one, two)
    pages = [
        AnnotatedPage(
            table_of(layouts[n % 2].format(f"${n}.50")), (Annotation("u", "price", f"${n}.50"),) if n < 2 else ()
        )
        for n in range(12)
    ]
    rules = learn_rules("a/1", pages)
    assert [rules.record("u", page.table).fields["price"] for page in pages] == [(f"${n}.50",) for n in range(12)]


@pytest.mark.slow
def test_learning_is_bounded_and_says_so() -> None:
    long = table_of("<html><body>" + "<p>x</p>" * 7000 + "</body></html>")
    rules = learn_rules("a/1", [*sample((0, 1)), AnnotatedPage(long)])
    assert rules.notes == ("1 page that was not annotated went unread in learning: too long, or too many.",)
    assert len(rules.fields) == 4
    assert learn_rules("a/1", sample((0,))).notes == ()


def test_two_spellings_of_a_value_are_not_several_values() -> None:
    pages = []
    for number in range(8):
        html = f"<body><p class='a'>Thing {number}</p><hr><div><h1>Thing {number} ({1990 + number})</h1></div></body>"
        marks = tuple(Annotation("u", "name", each) for each in ("Thing 0", "Thing 0 (1990)")) if number == 0 else ()
        pages.append(AnnotatedPage(table_of(html), marks))
    rules = learn_rules("a/1", pages)
    for number, page in enumerate(pages):
        assert rules.record("u", page.table).fields["name"][0] in (
            f"Thing {number}",
            f"Thing {number} ({1990 + number})",
        )
