"""Structured data of pages: read whatever they put there, a source of fields, and annotations for free."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from tests.wrap.wrap_pages import facts_of, table_of
from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.read import parse_html
from trailmark.wrap import AnnotatedPage, NodeTable, learn_rules, rules_from_json, rules_to_json
from trailmark.wrap.structured.structured_data import MOST_PROPERTIES, structured_items
from trailmark.wrap.structured.structured_data_json import json_items
from trailmark.wrap.structured.structured_data_rule import StructuredRule, free_annotations

URL = "http://shop.example/{}"


def root_of(html: str) -> etree._Element:
    root = parse_html(html.encode(), "text/html; charset=utf-8")[0]
    assert root is not None
    return root


def script(data: object) -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    return f"<script type='application/ld+json'>{text}</script>"


def shop_html(number: int, *, said: bool = True) -> str:
    """An item whose price is seen nowhere but in its structured data; the breadcrumbs are described too."""
    facts = facts_of(number)
    data = {
        "@context": "https://schema.org",
        "@graph": [
            {"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "name": "Home"}]},
            {
                "@type": ["Product"],
                "name": facts["title"][0],
                "image": "http://shop.example/i.png",
                "offers": {"@type": "Offer", "price": facts["price"][0], "priceCurrency": "USD"},
                "brand": [{"name": each} for each in facts["maker"]],
            },
        ],
    }
    return (
        f"<html><head><title>Shop</title>{script(data) if said else ''}</head><body><h1>{facts['title'][0]}</h1>"
        f"<p>by <b>{facts['maker'][0]}</b></p></body></html>"
    )


def flat(html: str) -> list[tuple[str, str, dict[str, list[str]]]]:
    found = []
    for item in structured_items(root_of(html)):
        said: dict[str, list[str]] = {}
        for each in item.properties:
            said.setdefault(each.path, []).append(each.value)
        found.append((item.syntax, item.type, said))
    return found


def test_json_ld_is_flattened() -> None:
    items = flat(shop_html(1))
    assert [each[:2] for each in items] == [("json-ld", "BreadcrumbList"), ("json-ld", "Product")]
    facts = facts_of(1)
    assert items[1][2] == {
        "name": facts["title"],
        "image": ["http://shop.example/i.png"],
        "offers.price": facts["price"],
        "offers.priceCurrency": ["USD"],
        "brand.name": facts["maker"],
    }


def test_microdata_and_rdfa_are_read() -> None:
    html = """<div itemscope itemtype="https://schema.org/Book"><span itemprop="name alternateName"> A  Book </span>
      <meta itemprop="isbn" content="123"><a itemprop="url" href="/b">here</a>
      <div itemprop="author" itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ada</b></div></div>
      <p vocab="https://schema.org/" typeof="schema:Person"><i property="schema:name">Bob &amp; Co</i></p>
      <span itemprop="lost">outside</span>"""
    assert flat(html) == [
        (
            "microdata",
            "Book",
            {"name": ["A Book"], "alternateName": ["A Book"], "isbn": ["123"], "url": ["/b"], "author.name": ["Ada"]},
        ),
        ("rdfa", "Person", {"name": ["Bob & Co"]}),
    ]


def test_meta_elements_are_one_item() -> None:
    html = "<meta property='OG:Title' content='T'><meta name=citation_author content='A'><meta name=citation_author content='B'><meta charset=x>"
    assert flat(html) == [("meta", "", {"og:title": ["T"], "citation_author": ["A", "B"]})]


@pytest.mark.parametrize(
    "text",
    [
        '<!-- {"@type":"A","b":"c"} -->',
        '//<![CDATA[\n{"@type":"A","b":"c"}\n//]]>',
        '{"@type":"A","b":"c",}',
        '[{"@type":"A","b":"c",},]',
        '{"@type":"A","b":"c"};',
    ],
)
def test_small_slips_are_forgiven(text: str) -> None:
    assert list(json_items(text)) == [("A", [("b", "c")])]


@pytest.mark.parametrize(
    "text", ["", "{", "null", "3", '"x"', "[" * 100_000, '{"a":' * 50_000, "{'a': 1}", "[1,2,[[[]]]]", '{"@graph": 3}']
)
def test_broken_json_says_nothing(text: str) -> None:
    assert list(json_items(text)) == []


def test_hostile_pages_are_bounded() -> None:
    wide = script([{"@type": "A", "b": [str(n) for n in range(5000)]} for _ in range(50)])
    nested = "<div itemscope>" * 300 + "<b itemprop=x>y</b>" * 5000
    items = structured_items(root_of(f"<html><body>{wide}{nested}</body></html>"))
    assert 0 < sum(len(item.properties) for item in items) <= MOST_PROPERTIES
    deep: dict[str, object] = {"x": "y"}
    for _ in range(500):
        deep = {"a": deep}
    assert flat(script(deep)) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["@type", "@graph", "@value", "a", "b", ""]), inner, max_size=4)
    ),
    max_leaves=30,
)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(JSON, st.text(max_size=20))
def test_no_data_breaks_it(data: object, noise: str) -> None:
    """What comes out are strings that went in."""
    for text in (json.dumps(data), json.dumps(data) + noise):
        for said, pairs in json_items(text):
            assert isinstance(said, str)
            assert all(isinstance(path, str) and isinstance(value, str) for path, value in pairs)
    structured_items(root_of(f"<html><body>{script(json.dumps(data))}{noise}</body></html>"))


def test_halves_of_pairs_are_no_text() -> None:
    """No file, no database and no answer could take them; a pair is one letter."""
    said = '{"@type": "A\\ud800", "\\udfff": "x\\ud83d\\ude00\\ud83d"}'
    assert list(json_items(said)) == [("A\ufffd", [("\ufffd", "x😀\ufffd")])]


def tables(count: int, *, said: bool = True) -> list[NodeTable]:
    return [table_of(shop_html(number, said=said)) for number in range(count)]


def test_a_field_from_the_pages_own_data() -> None:
    """The price stands nowhere else; the title does, and is taken from the data because both agree."""
    made = tables(8)
    said = tuple(Annotation(URL.format(0), field, facts_of(0)[field][0]) for field in ("price", "title"))
    rules = learn_rules("shop", [AnnotatedPage(made[0], said), *map(AnnotatedPage, made[1:])])
    assert rules.structured == (
        StructuredRule("price", "json-ld", "Product", "offers.price"),
        StructuredRule("title", "json-ld", "Product", "name"),
    )
    assert rules.unlearnt == ()
    record = rules.record(URL.format(5), made[5])
    assert dict(record.fields) == {"title": tuple(facts_of(5)["title"]), "price": tuple(facts_of(5)["price"])}
    assert record.sources["price"] == ("/html[1]/head[1]/script[1]",)


def test_pages_without_data_fall_back() -> None:
    made = tables(8)
    said = (Annotation(URL.format(0), "title", facts_of(0)["title"][0]),)
    rules = learn_rules("shop", [AnnotatedPage(made[0], said), *map(AnnotatedPage, made[1:])])
    bare = table_of(shop_html(5, said=False))
    assert rules.record("", bare).fields["title"] == tuple(facts_of(5)["title"])


def test_data_that_contradicts_the_page_is_not_used() -> None:
    """The same on the annotated page, another thing on all others."""
    made = tables(1) + [
        table_of(
            shop_html(number, said=False).replace("<body>", f"<body>{script({'@type': 'Product', 'name': 'Shop'})}")
        )
        for number in range(1, 8)
    ]
    said = (Annotation(URL.format(0), "title", facts_of(0)["title"][0]),)
    rules = learn_rules("shop", [AnnotatedPage(made[0], said), *map(AnnotatedPage, made[1:])])
    assert rules.structured == ()
    assert rules.record("", made[3]).fields["title"] == tuple(facts_of(3)["title"])


def test_rules_of_structured_data_are_kept_and_read() -> None:
    made = tables(6)
    said = (Annotation(URL.format(0), "price", facts_of(0)["price"][0]),)
    rules = learn_rules("shop", [AnnotatedPage(made[0], said), *map(AnnotatedPage, made[1:])])
    kept = json.loads(json.dumps(rules_to_json(rules)))
    assert "offers.price" in kept["structured"][0]["says"]
    assert rules_from_json(kept, source="rules.json").structured == rules.structured
    kept["structured"][0]["syntax"] = "tea leaves"
    with pytest.raises(InputError, match=r"rules\.json"):
        rules_from_json(kept, source="rules.json")


def test_pages_annotate_themselves() -> None:
    pages = [(URL.format(number), root_of(shop_html(number))) for number in range(6)]
    made = free_annotations(pages, most=2)
    assert {each.url for each in made} == {URL.format(0), URL.format(1)}
    first = [(each.field, each.value) for each in made if each.url == URL.format(0)]
    # The currency is the same everywhere and the image an address: neither is a field.
    facts = facts_of(0)
    wanted = {
        ("name", facts["title"][0]),
        ("price", facts["price"][0]),
        *(("brand_name", each) for each in facts["maker"]),
    }
    assert set(first) == wanted


def test_what_pages_annotate_can_be_learnt() -> None:
    pages = [(URL.format(number), root_of(shop_html(number))) for number in range(6)]
    made = free_annotations(pages, most=2)
    learnt = learn_rules(
        "shop", [AnnotatedPage(NodeTable(root), tuple(a for a in made if a.url == url)) for url, root in pages]
    )
    record = learnt.record(URL.format(4), table_of(shop_html(4)))
    assert record.fields["price"] == tuple(facts_of(4)["price"])
    assert record.fields["name"] == tuple(facts_of(4)["title"])


def test_pages_that_say_nothing_of_themselves() -> None:
    pages = [(URL.format(number), root_of(shop_html(number, said=False))) for number in range(6)]
    assert free_annotations(pages) == []
    assert free_annotations([]) == []
    assert structured_items(None) == ()
