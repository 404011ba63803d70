"""Rules as XSLT and as a Python program: they run without us, and find what our rules find."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from parsel import Selector

from tests.wrap.wrap_pages import facts_of, page_html, sample, table_of
from trailmark.wrap import RuleSet, learn_rules
from trailmark.wrap.rules.range_pruner import Pruner
from trailmark.wrap.writing.plain_rules import part_pattern
from trailmark.wrap.writing.rules_program import rules_to_program
from trailmark.wrap.writing.rules_stylesheet import rules_to_stylesheet

PAGES = range(30, 50)


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    return learn_rules('it\'s "shop"/1', sample((0, 1, 3)))


def by_stylesheet(rules: RuleSet, html: str, **parameters: Any) -> dict[str, list[str]]:
    transform = etree.XSLT(etree.fromstring(rules_to_stylesheet([rules]).encode()))
    record = transform(etree.HTML(html), **parameters).getroot()
    return {field.get("name", ""): [value.text or "" for value in field] for field in record}


def by_program(rules: RuleSet, html: str) -> dict[str, list[str]]:
    text = rules_to_program([rules])
    assert "trailmark" not in text.replace("Trailmark", "")
    names: dict[str, Any] = {}
    exec(text, names)
    found: dict[str, list[str]] = names["extract"](Selector(text=html), rules.id)
    return found


@pytest.mark.slow
def test_both_find_what_the_rules_find(rules: RuleSet) -> None:
    for number in PAGES:
        html = page_html(number)
        fields = rules.record("http://shop.example/", table_of(html)).fields
        wanted = {name: list(values) for name, values in fields.items()}
        assert wanted == {name: values for name, values in facts_of(number).items() if values}
        assert by_stylesheet(rules, html) == wanted
        assert by_program(rules, html) == wanted


@pytest.mark.slow
def test_scripts_and_hard_blanks_are_no_texts(rules: RuleSet) -> None:
    html = page_html(31).replace("<td>", "<td>\u00a0<script>var x = 'Maker';</script>")
    wanted = {name: values for name, values in facts_of(31).items() if values}
    assert by_program(rules, html)["title"] == wanted["title"]
    assert by_stylesheet(rules, html)["title"] == wanted["title"]
    found = [*by_program(rules, html).values(), *by_stylesheet(rules, html).values()]
    assert not any("var x" in value for values in found for value in values)


def test_a_cluster_that_is_not_there_gives_nothing(rules: RuleSet) -> None:
    assert by_stylesheet(rules, page_html(31), cluster="'other'") == {}


def test_a_fallback_speaks_where_the_first_rule_is_silent(rules: RuleSet) -> None:
    """A redesign that breaks some rules: values are still found, and never another field's."""
    html = page_html(32).replace("id='item'", "id='thing'")
    assert by_program(rules, html)["price"] == by_stylesheet(rules, html)["price"] == facts_of(32)["price"]


WORDS = st.lists(st.sampled_from(["a", "bb", "$5", "19.99", "c"]), min_size=1, max_size=8)


@pytest.mark.slow
@settings(deadline=None)
@given(WORDS, st.integers(-5, 5), st.integers(-5, 5))
def test_a_slice_of_words_as_a_regular_expression(words: list[str], start: int, end: int) -> None:
    import re

    if (start < 0 < end) or (start < 0 and end <= start) or (0 < end <= start):
        return  # never learnt
    if start >= 0 >= end and start + -end >= len(words):
        return  # nothing is left: both find nothing, or a word too many is not there
    text = " ".join(words)
    found = re.search(part_pattern(Pruner("words", "", start, end)), text)
    assert (found.group(1) if found else "") == Pruner("words", "", start, end).value(text)
