"""Nothing that a page or an annotation says breaks the room, makes it run away, or lets it say what no page holds."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lxml import etree

from tests.wrap.test_wrap_nodes import DAMAGED
from tests.wrap.wrap_pages import page_html, sample, table_of
from trailmark.wrap import FieldRules, RuleSet, learn_rules, rule_sentence, rule_xpath
from trailmark.wrap.page.inner_text import inner_text
from trailmark.wrap.page.node_layer import LAYERS, layer_of
from trailmark.wrap.page.node_table import ELEMENT, NodeTable
from trailmark.wrap.rules.annotation_match import Mark, MarkedPage, readings_of
from trailmark.wrap.rules.field_learning import learn_field

pytestmark = pytest.mark.slow

READABLE = "[normalize-space() and not(parent::script or parent::style)]"
"""Scripts are no texts; written out only where rules leave the house."""

HOSTILE = {
    "one value a thousand times": "<p>7</p>" * 1000,
    "deep": "<div>" * 3000 + "7" + "</div>" * 3000,
    "one long word": f"<p>{'7' * 100_000}</p>",
    "long attributes": f"<p title='{'x ' * 50_000}7'>7</p>",
    "a thousand attributes": "<p " + " ".join(f"a{n}='7'" for n in range(1000)) + ">7</p>",
    "odd tags": '<o:p>7</o:p><a"b>7</a"b><7>7</7>',
    "only blanks": "<p> \u00a0\u200b </p>",
    "nothing": "",
    "broken": "<table><td>7<tr><p><li>7</b></i><!--",
    "quotes": '<p class=\'"\' id="\'">7 \' "</p><b>it\'s "so"</b>',
    "controls": "<p>7\x01\x02\x7f\ud7ff</p>",
}
BEHIND = "<html></html>"
"""What stands behind it is read as a browser does."""
HOSTILE |= {f"{name}, behind the end": BEHIND + html for name, html in HOSTILE.items()}


def said_anywhere(table: NodeTable, value: str) -> bool:
    return any(value in text for layer in LAYERS for text in layer_of(table, layer).texts)


def check(rules: FieldRules | None, tables: list[NodeTable]) -> None:
    for table in tables:
        for found in rules.found(table) if rules else ():
            assert found.value
            assert found.value in table.text(found.node)
            assert 0 < found.share <= 1
            assert len(table.elements[0].xpath(table.xpath(found.node))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("xpath", [None, "//p", "//@title", "//p/text()", "//*", "count(//p)"])
def test_hostile_pages_teach_nothing_wrong(name: str, xpath: str | None) -> None:
    tables = [table_of(HOSTILE[name]), table_of(page_html(1)), table_of("<p>7</p><b>8</b>")]
    marked = [MarkedPage(tables[0], (Mark("7", xpath),)), MarkedPage(tables[1]), MarkedPage(tables[2], (Mark("7"),))]
    assert len(readings_of(marked)) <= 8
    check(learn_field("x", marked), tables)


@pytest.mark.parametrize("value", ["", " ", "\x00", "<b>", "&amp;", "'", '"', "a" * 10_000, "\u200b", "7" * 500])
def test_hostile_values_teach_nothing_wrong(value: str) -> None:
    tables = [table_of(page_html(number)) for number in range(6)]
    rules = learn_field("x", [MarkedPage(tables[0], (Mark(value),)), *map(MarkedPage, tables[1:])])
    check(rules, tables)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(DAMAGED, min_size=2, max_size=4),
    st.sampled_from([None, "//p", "//@title", "//b"]),
    st.lists(
        st.one_of(st.text(min_size=1, max_size=6), st.sampled_from(["Price:", "$3.00", "a b", "x y", "z"])),
        min_size=4,
        max_size=4,
    ),
)
def test_what_is_found_stands_where_it_is_said_to_stand(htmls: list[str], xpath: str | None, values: list[str]) -> None:
    tables = [table_of(html) for html in htmls]
    pages = [MarkedPage(table, (Mark(value, xpath),)) for table, value in zip(tables, values, strict=False)]
    check(learn_field("x", [*pages[:-1], MarkedPage(tables[-1])]), tables)


def is_plain(table: NodeTable) -> bool:
    """Whether XPath can name the page's tags, and means the same by a blank."""
    said = "".join(etree.tostring(table.elements[0], encoding="unicode"))
    odd = any(sign.isspace() and sign not in " \t\r\n" for sign in said)
    return not odd and not any(":" in tag or not tag.isascii() for tag in table.tags)


class _Row:
    """Draws what it was made with: for examples that are written out."""

    def __init__(self, row: int) -> None:
        self.row = row

    def draw(self, strategy: st.SearchStrategy[int]) -> int:
        return self.row


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DAMAGED, st.sampled_from(LAYERS), st.data())
@example("\x1f<!-- c -->0", "text", _Row(0))
@example("\x1b<!-- c -->0", "text", _Row(0))
@example("&#31;<!-- c -->0", "text", _Row(0))
@example("<p>&#x1B</p><p>&#27;x</p>", "text", _Row(0))
@example("<p title='\x1b7' \x1f='8'>7\x0c8</p>", "@title", _Row(0))
@example("0<title class='x  y' id=z><p class='x  y' id=z>0", "text", _Row(1))
def test_xpaths_select_what_rules_select_on_any_page(html: str, layer: str, data: st.DataObject) -> None:
    table = layer_of(table_of(html), layer)
    if not len(table):
        return
    row = data.draw(st.integers(0, len(table) - 1))
    rules = learn_field(
        "x", [MarkedPage(table_of(html), (Mark(table.texts[row], table.xpath(row) if layer == "text" else None),))]
    )
    for rule in rules.rules if rules else ():
        view = layer_of(table_of(html), rules.layer if rules else layer)
        xpath = rule_xpath(rule, view.layer)
        assert "preceding::" not in xpath
        assert rule_sentence(rule, view.layer)
        if view.layer == ELEMENT or not is_plain(view):
            continue
        found = view.elements[0].xpath(xpath.replace("[normalize-space()]", READABLE))
        texts = [" ".join((each if isinstance(each, str) else inner_text(each)).split()) for each in found]
        assert texts == [view.texts[at] for at in rule.rows(view)], xpath


def test_learning_is_bounded_on_very_long_annotated_pages() -> None:
    long = table_of("<html><body>" + "<p>x <b>7</b></p>" * 4000 + "<i>goal</i></body></html>")
    rules = learn_field("x", [MarkedPage(long, (Mark("goal"),)), MarkedPage(long, (Mark("7"),))])
    check(rules, [long])
    rules_of_shop = learn_rules("shop.example/1", sample((0,)))
    assert isinstance(rules_of_shop, RuleSet)
    assert rules_of_shop.record("u", long).fields.get("title") is None
