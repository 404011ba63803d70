"""Values that are no texts of their page: in attributes, split over nodes, between other signs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.wrap.test_wrap_nodes import PAGES
from tests.wrap.wrap_pages import WORDS, table_of
from trailmark.datatypes import Annotation
from trailmark.wrap import (
    AnnotatedPage,
    RuleSet,
    learn_rules,
    rule_sentence,
    rule_xpath,
    rules_from_json,
    rules_to_json,
)
from trailmark.wrap.page.inner_text import inner_text
from trailmark.wrap.page.node_layer import LAYERS, layer_of, node_of
from trailmark.wrap.page.node_table import ELEMENT, NodeTable


def page(number: int) -> NodeTable:
    one, other = WORDS[number], WORDS[-number]
    title = f"The <em>{one}</em> {other}" if number % 3 else f"The {one} {other}"
    return table_of(
        f"<html><head><meta property='og:title' content='Of {one}'><meta name='date' content='2010-01-{number + 10}'></head>"
        f"<body><h1>{title}</h1><div class=p><img src='/i/{one}.jpg' alt='{other} shown'><a href='http://x.example/{number}'>"
        f"site</a></div><img src='/logo.gif'><p>by <b>{one}</b> {other} (18{number})</p></body></html>"
    )


def learnt(value: str, xpath: str | None = None) -> tuple[RuleSet, list[NodeTable]]:
    tables = [page(number) for number in range(10)]
    marks = (Annotation("u", "x", value, xpath),)
    return learn_rules("a/1", [AnnotatedPage(each, marks if n == 1 else ()) for n, each in enumerate(tables)]), tables


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "xpath", "layer", "second"),
    [
        ("The birch juniper", None, "element", "The cedar islet"),
        ("The birch juniper", "//h1", "element", "The cedar islet"),
        ("birch juniper", "//p", "element", "cedar islet"),
        ("/i/birch.jpg", None, "@src", "/i/cedar.jpg"),
        ("/i/birch.jpg", "//div/img/@src", "@src", "/i/cedar.jpg"),
        ("birch", "//div/img/@src", "@src", "cedar"),
        ("Of birch", None, "@content", "Of cedar"),
        ("2010-01-11", None, "@content", "2010-01-12"),
        ("juniper shown", None, "@alt", "islet shown"),
        ("http://x.example/1", None, "@href", "http://x.example/2"),
        ("birch", "//h1/em", "text", "cedar"),
    ],
)
def test_values_are_found_where_they_stand(value: str, xpath: str | None, layer: str, second: str) -> None:
    rules, tables = learnt(value, xpath)
    (field,) = rules.fields
    assert field.layer == layer
    assert field.values(tables[1]) == [value]
    assert field.values(tables[2]) == [second]
    (found,) = field.found(tables[2])
    (node,) = tables[2].elements[0].xpath(tables[2].xpath(found.node))
    text = node if isinstance(node, str) else inner_text(node)
    assert second in " ".join(text.split()) == tables[2].text(found.node)
    assert rules_from_json(json.loads(json.dumps(rules_to_json(rules))), source="x") == rules


def test_an_element_is_found_whether_its_text_is_split_or_not() -> None:
    rules, tables = learnt("The birch juniper")
    assert rules.fields[0].values(tables[3]) == ["The delta heath"]


@pytest.mark.slow
@pytest.mark.parametrize("value", ["The birch juniper", "/i/birch.jpg", "2010-01-11", "juniper shown"])
def test_xpaths_select_the_nodes_of_the_rules(value: str) -> None:
    rules, tables = learnt(value)
    (field,) = rules.fields
    compared = 0
    for table in tables[1:4]:
        view = layer_of(table, field.layer)
        for rule in field.rules:
            xpath = rule_xpath(rule, field.layer)
            found = [each if isinstance(each, str) else inner_text(each) for each in table.elements[0].xpath(xpath)]
            assert found == [view.texts[row] for row in rule.rows(view)], xpath
            assert rule_sentence(rule, field.layer).endswith(".")
            compared += bool(found)
    assert compared > 20


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("A <em>B</em> C", "A B C"),
        ("$<b>25</b><sup>99</sup>", "$2599"),
        ("one<br>two", "one two"),
        ("<div>a</div><div>b</div>c", "a b c"),
        ("a<script>x</script>b<!-- c -->d<?p q?>e", "a bde"),
    ],
)
def test_inner_text_is_what_a_reader_sees(html: str, text: str) -> None:
    (cell,) = table_of(f"<table><tr><td>{html}</td></tr></table>").elements[0].xpath("//td")
    assert inner_text(cell) == text


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(PAGES, st.sampled_from(LAYERS))
def test_nodes_of_every_layer_can_be_named(html: str, layer: str) -> None:
    table = table_of(html)
    view = layer_of(table, layer)
    for row in range(len(view)):
        node = node_of(view, row)
        assert table.text(node) == view.texts[row] != ""
        assert len(table.elements[0].xpath(table.xpath(node))) == 1


def test_long_elements_are_no_values() -> None:
    table = table_of(f"<body><div>{'<p>x</p>' * 50}</div><p>{'y' * 3000}</p><p>a <b>b</b></p></body>")
    assert list(layer_of(table, ELEMENT).texts)[-2:] == ["a b", "b"]
    assert not any(len(text) > 100 for text in layer_of(table, ELEMENT).texts)
