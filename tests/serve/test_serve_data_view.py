"""JSON, XML and plain text in the app: values can be clicked, and nothing in them is markup."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from lxml import etree

from tests.hostile_text import HOSTILE
from trailmark.datatypes import Response
from trailmark.read import tree_of
from trailmark.read.view.data_view import MOST_SHOWN, data_view
from trailmark.read.view.page_view import page_view
from trailmark.wrap.page.picked_value import picked_value


def answer(body: bytes, content_type: str) -> Response:
    return Response("http://a.example/", 200, (("Content-Type", content_type),), body)


@pytest.mark.parametrize(
    ("body", "content_type", "value", "xpath"),
    [
        (b'{"a": [{"b": "one"}, {"b": "two"}]}', "application/json", "two", "/json/a/item[2]/b/text()[1]"),
        (b"<rss><item><t>one</t></item><item><t>two</t></item></rss>", "text/xml", "two", "/rss/item[2]/t/text()[1]"),
        (b"one\n\ntwo", "text/plain", "two", "/text/line[3]/text()[1]"),
    ],
)
def test_a_value_that_is_clicked_is_found(body: bytes, content_type: str, value: str, xpath: str) -> None:
    response = answer(body, content_type)
    view = page_view(response, link_href=lambda _n, _l: None, asset_href=lambda _u: None, number_nodes=True)
    clicked = next(element for element in etree.HTML(view.html).iter("div") if element.text == value)
    assert picked_value(tree_of(response), int(clicked.get("data-trailmark-node") or -1), value) == (value, xpath)


@settings(deadline=None)
@given(HOSTILE, HOSTILE)
def test_nothing_in_it_is_markup(name: str, value: str) -> None:
    root = etree.Element("json")
    try:
        etree.SubElement(root, "key", {"class": name}).text = value
    except ValueError:  # no tree holds such a text
        return
    shown = etree.HTML(data_view(root, number_nodes=True))
    assert [element.tag for element in shown.iter("*")] == ["html", "head", "meta", "style", "body", "div", "div"]


def test_too_long_an_answer_is_shown_in_part() -> None:
    root = etree.Element("text")
    for _ in range(MOST_SHOWN + 5):
        etree.SubElement(root, "line").text = "x"
    shown = etree.HTML(data_view(root, number_nodes=True))
    assert len(list(shown.iter("div"))) == MOST_SHOWN
    assert shown.findtext(".//p") == "The rest is not shown."
