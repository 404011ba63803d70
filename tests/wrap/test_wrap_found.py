"""What was found can be found again: every value has a node, and every node an XPath that selects it alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.wrap.test_wrap_nodes import PAGES
from tests.wrap.wrap_pages import page_html, sample, table_of
from trailmark.wrap import FieldRules, Rule, learn_rules
from trailmark.wrap.rules.rule import Feature


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(PAGES)
def test_an_xpath_selects_its_node_and_no_other(html: str) -> None:
    table = table_of(html)
    seen = set()
    for node in range(len(table)):
        found = table.elements[0].xpath(table.xpath(node))
        assert [squeezed(each) for each in found] == [table.text(node)]
        seen.add(table.xpath(node))
    assert len(seen) == len(table)


@pytest.mark.slow
def test_what_is_found_carries_its_node_and_how_sure_it_is() -> None:
    rules = learn_rules("shop.example/1", sample((0, 1)))
    table = table_of(page_html(41))
    for field in rules.fields:
        found = field.found(table)
        assert [each.value for each in found] == field.values(table) != []
        for each in found:
            assert each.value in table.text(each.node)
            assert 0 < each.share <= 1


def test_the_share_tells_how_far_rules_agree() -> None:
    table = table_of("<p class='a'>one</p><p class='b'>two</p>")
    rules = FieldRules("x", tuple(Rule((Feature("class", 0, (name,)),)) for name in "aab"))
    (found,) = rules.found(table)
    assert (found.value, found.share) == ("one", 0.6667)
