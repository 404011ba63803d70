"""The table of a page's texts: against XPath, against itself, and on hostile pages."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.wrap.wrap_pages import page_html, table_of
from trailmark.datatypes import Annotation
from trailmark.read import parse_html
from trailmark.wrap import AnnotatedPage, Feature, NodeTable, learn_rules
from trailmark.wrap.page.node_columns import LEVEL_KINDS, MOST_LEVELS, TEXT_KINDS, code, column, path_of, value
from trailmark.wrap.page.node_layer import LAYERS, layer_of

TAGS = st.sampled_from(
    ["p", "b", "div", "table", "tr", "td", "li", "script", "style", "!--", "br", "h1", "title", "svg:a"]
)
PIECES = st.one_of(
    TAGS.map(lambda tag: f"<{tag} class='x  y' id=z>"),
    TAGS.map(lambda tag: f"</{tag}>"),
    st.just("<!-- c -->"),
    st.text(max_size=12),
    st.sampled_from(["Price:", "$3.00", "a b", "&amp;", "&nbsp;", "\x00", "<![CDATA[x]]>", "<?x y?>", "…"]),
)
PAGES = st.lists(PIECES, max_size=30).map("".join)
DAMAGED = st.one_of(PAGES, PAGES.map("<html></html>".__add__))
"""Some of them behind the end of another page, where they are read as a browser does."""


def places() -> list[tuple[str, int]]:
    return [(kind, 0) for kind in TEXT_KINDS] + [(kind, level) for kind in LEVEL_KINDS for level in range(MOST_LEVELS)]


def test_texts_are_those_of_the_page_in_order() -> None:
    table = table_of(page_html(4))
    wanted = table.elements[0].xpath("//text()[not(parent::script or parent::style)]")
    assert table.texts == [" ".join(each.split()) for each in wanted if each.strip()]
    assert len(table) == len(table.owner) == len(table.behind)


def test_columns_and_values_tell_the_same() -> None:
    table = table_of(page_html(4))
    for row in range(len(table)):
        for kind, level in places():
            said = value(table, kind, level, row)
            assert int(column(table, kind, level)[row]) == (code(kind, said) if said else 0), (kind, level, said)


def test_a_path_is_found_by_going_down_it() -> None:
    table = table_of(page_html(4))
    for row in range(len(table)):
        for kind in ("path", "tags", "after", "nth"):
            feature = Feature(kind, 0, (value(table, kind, 0, row),))
            assert feature.mask(table).tolist() == (column(table, kind) == feature.codes[0]).tolist()
    assert not Feature("path", 0, ("/html[1]/nav[7]",)).mask(table).any()
    assert not Feature("tags", 0, ("body/p",)).mask(table).any()


def test_features_say_what_the_paper_means() -> None:
    table = table_of(
        "<body><div id='top'><p class='a'>one</p><p class='b'>Our <i>Price:</i> <b>$5</b> only</p></div></body>"
    )
    row = table.texts.index("$5")
    said = {place: value(table, *place, row) for place in places()}
    assert said["tag", 0] == "b"
    assert said["class", 1] == "b"
    assert said["id", 2] == "top"
    assert said["before-class", 1] == "a"
    assert said["before-tag", 0] == "i"
    assert said["left", 0] == "Price:"
    assert said["left-2", 0] == "Our"
    assert said["right", 0] == "only"
    assert said["left-of", 1] == "one"
    assert said["opens", 1] == "Our"
    assert said["index", 1] == "p[2]"
    assert said["after", 0] == "^"
    assert said["path", 0] == "/html[1]/body[1]/div[1]/p[2]/b[1]"
    assert path_of(table, int(table.owner[row])) == said["path", 0]


def test_a_text_is_no_label_of_itself() -> None:
    table = table_of("<body><p>alone</p></body>")
    assert value(table, "opens", 0, 0) == ""
    assert column(table, "opens", 0)[0] == 0


def test_deep_and_long_pages_are_bounded() -> None:
    deep = table_of("<div>" * 5000 + "x" + "</div>" * 5000)
    assert deep.texts in (["x"], [])
    for kind, level in places():
        assert len(column(deep, kind, level)) == len(deep)
    wide = NodeTable(parse_html(b"<p>a</p>" * 3000)[0], most=1000)
    assert len(wide.elements) == 1000
    assert len(wide) <= 1000


def test_an_empty_page_has_no_texts() -> None:
    for table in (NodeTable(None), table_of("<br>")):
        assert len(table) == 0
        assert all(len(column(table, kind, level)) == 0 for kind, level in places())


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(DAMAGED, min_size=1, max_size=4), st.data())
def test_no_page_and_no_annotation_breaks_learning_or_makes_values_up(htmls: list[str], data: st.DataObject) -> None:
    tables = [table_of(html) for html in htmls]
    known = [text for table in tables for text in table.texts]
    values = st.one_of(st.none(), st.text(max_size=10), *([st.sampled_from(known)] if known else []))
    pages = [
        AnnotatedPage(
            table,
            tuple(
                Annotation(
                    "u", field, data.draw(values), data.draw(st.sampled_from([None, "//p", "//b/text()", "//@id"]))
                )
                for field in data.draw(st.lists(st.sampled_from(["price", "x"]), max_size=3))
            ),
        )
        for table in tables
    ]
    rules = learn_rules("a/1", pages)
    for table in tables:
        for found in rules.record("u", table).fields.values():
            assert found
            said = [text for layer in LAYERS for text in layer_of(table, layer).texts]
            assert all(any(each in text for text in said) for each in found)
