"""Rules leave as programs and stylesheets that run, whatever clusters, fields and pages are called: nothing in them is taken for code."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lxml import etree
from parsel import Selector

from tests.hostile_text import HOSTILE
from tests.wrap.wrap_pages import table_of
from trailmark.quoting import is_xml, xml_text
from trailmark.wrap import Feature, FieldRules, Rule, RuleSet, rules_to_json
from trailmark.wrap.rules.annotation_match import Mark, MarkedPage
from trailmark.wrap.rules.field_learning import learn_field
from trailmark.wrap.writing.plain_rules import between_plain, plain_fields
from trailmark.wrap.writing.rules_program import rules_to_program
from trailmark.wrap.writing.rules_stylesheet import rules_to_stylesheet

pytestmark = pytest.mark.slow

PAGE = "<html><body><p class='x'>found</p></body></html>"
ENDS_THE_DOCSTRING = 'u"""\nimport os; os._exit(7)\n"""@shop.example/1'
READS_A_FILE = "{document('file:///etc/hostname')}"
KINDS = (
    "class",
    "id",
    "left",
    "left-2",
    "left-word",
    "left-of",
    "right",
    "right-word",
    "begins",
    "ends",
    "opens",
    "before-class",
)
TAG_KINDS = ("tag", "before-tag", "after")


def rule_set(cluster: str, field: str, *more: Rule) -> RuleSet:
    """Rules of which one finds the page's text."""
    return RuleSet(cluster, (FieldRules(field, (*more, Rule((Feature("class", 0, ("x",)),), weight=0.5))),))


def by_program(rules: RuleSet) -> dict[str, list[str]]:
    """The program is read as bytes, as Python reads a file, and run."""
    names: dict[str, Any] = {}
    exec(compile(rules_to_program([rules]).encode(), "rules.py", "exec"), names)
    assert list(names["RULES"]) == [rules.id]
    found: dict[str, list[str]] = names["extract"](Selector(text=PAGE), rules.id)
    return found


def by_stylesheet(rules: RuleSet) -> dict[str, list[str]]:
    transform = etree.XSLT(etree.fromstring(rules_to_stylesheet([rules]).encode()))
    record = transform(etree.HTML(PAGE)).getroot()
    return {field.get("name", ""): [value.text or "" for value in field] for field in record}


def in_xml(text: str) -> str:
    """The text as XML can hold it."""
    written: str = etree.fromstring(f"<a>{xml_text(text)}</a>".encode()).text or ""
    return written


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HOSTILE, HOSTILE)
@example(ENDS_THE_DOCSTRING, READS_A_FILE)
@example("\x1f", "\ud800")
def test_names_are_names_in_a_program_and_in_a_stylesheet(cluster: str, field: str) -> None:
    rules = rule_set(cluster, field)
    assert by_program(rules) == {field: ["found"]}
    assert by_stylesheet(rules) == {in_xml(field): ["found"]}


def test_a_program_holds_literals_and_nothing_else_of_a_page() -> None:
    """The same statements whatever the names are: only constants differ."""

    def statements(rules: RuleSet) -> str:
        tree = ast.parse(rules_to_program([rules]))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = ""
        return ast.dump(tree)

    assert statements(rule_set(ENDS_THE_DOCSTRING, READS_A_FILE)) == statements(rule_set("a", "b"))


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(KINDS), HOSTILE)
@example("left", "a[normalize-space()]b | document('file:///etc/hostname')")
@example("left", "\x1b")
@example("class", 'it\'s "so"[normalize-space()]')
def test_what_a_page_says_is_a_string_in_every_xpath(kind: str, value: str) -> None:
    rules = rule_set("c", "f", Rule((Feature(kind, 0, (value,)),)))
    assert by_program(rules) == by_stylesheet(rules) == {"f": ["found"]}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TAG_KINDS), HOSTILE.filter(lambda tag: tag not in ("^", "!")))
@example("tag", "x|document('x')")
@example("tag", "p]|document('x')|p[1")
@example("after", "o:p")
def test_what_a_page_calls_its_tags_is_a_string_too(kind: str, tag: str) -> None:
    rules = rule_set("c", "f", Rule((Feature(kind, 0, (tag,)), Feature("class", 0, ("x",)))))
    assert by_program(rules) == by_stylesheet(rules) == {"f": ["found"]}


@pytest.mark.parametrize("tag", ["o:p", "x|document('y')", "x[1]", 'a"b', "a'b", "xé"])
def test_rules_of_odd_tags_find_what_they_found(tag: str) -> None:
    """Tags that no XPath can name are compared with their names."""
    html = f"<html><body><b>no</b><{tag}>yes</{tag}><{tag}>also</{tag}></body></html>"
    table = table_of(html)
    rules = learn_field("x", [MarkedPage(table, (Mark("yes"),))])
    assert rules is not None
    sets = RuleSet("c", (rules,))
    assert rules_to_json(sets)
    names: dict[str, Any] = {}
    exec(rules_to_program([sets]), names)
    assert names["extract"](Selector(root=table.elements[0]), "c") == {"x": ["yes"]}
    for name in ("tags", "path"):
        value = {"tags": f"html/body/{tag}", "path": f"/html[1]/body[1]/{tag}[2]"}[name]
        rule = Rule((Feature(name, 0, (value,)),))
        found = table.elements[0].xpath(plain_fields(RuleSet("c", (FieldRules("x", (rule,)),)))[0].xpaths[0])
        assert [str(text) for text in found] == [table.texts[row] for row in rule.rows(table)] != []


def test_only_what_xpath_means_is_replaced() -> None:
    assert between_plain("//text()[normalize-space()][.='[normalize-space()]']") == [
        "//text()",
        "[.='[normalize-space()]']",
    ]
    assert between_plain("//p") == ["//p"]


def test_rules_that_no_xpath_can_say_are_left_out() -> None:
    sets = RuleSet("c", (FieldRules("x", (Rule((Feature("left", 0, ("\x01",)),)),)),))
    assert plain_fields(sets) == ()
    assert not is_xml("\x01")
