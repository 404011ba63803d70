"""Values: their types, their part of a text, their place on the page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wrap.wrap_pages import page_html, table_of
from trailmark.datatypes import Annotation
from trailmark.wrap import AnnotatedPage, learn_rules
from trailmark.wrap.rules.annotation_match import Mark, MarkedPage, readings_of
from trailmark.wrap.rules.range_pruner import Pruner, learn_pruner
from trailmark.wrap.rules.value_type import PATTERNS, fits, types_of


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("$25.99", "price"),
        ("€ 1,299.00", "price"),
        ("(607) 729-8915", "phone"),
        ("July 02, 2010", "date"),
        ("2 July 2010", "date"),
        ("2010-07-02", "date"),
        ("ada@example.org", "e-mail"),
        ("978-0-306-40615-7", "isbn"),
        ("0306406152", "isbn"),
        ("SW1A 1AA", "postcode"),
        ("NY 10001", "postcode"),
        ("EUR", "currency"),
        ("US$", "currency"),
        ("1984", "year"),
        ("1,234", "number"),
        ("http://a.example/x", "url"),
    ],
)
def test_types_are_known(text: str, name: str) -> None:
    assert types_of(text)[0] == name


@pytest.mark.parametrize("text", ["", "Canon", "978-0-306-40615-8x", "a" * 500, "%", "@", "cad x"])
def test_other_texts_have_no_type(text: str) -> None:
    assert types_of(text) == []


@given(st.text(max_size=80))
def test_types_never_fail(text: str) -> None:
    assert all(fits(name, text) for name in types_of(text))


def test_patterns_are_quick_on_long_runs() -> None:
    for pattern in PATTERNS.values():
        for text in ("1" * 3000, "1 " * 1500, "a@" * 1500, "1-" * 1500):
            found = pattern.search(text)
            assert found is None or found.group() in text


@pytest.mark.parametrize(
    ("pairs", "text", "value"),
    [
        ([("Our Price: $25.99", "$25.99")], "Was $3.00", "$3.00"),
        ([("by Ada Lovelace", "Ada Lovelace")], "by Charles", "Charles"),
        ([("by Ada (1843)", "Ada"), ("by Mary Ann (1850)", "Mary Ann")], "by Jo Li Xu (2)", "Jo Li Xu"),
        ([("one two three", "two"), ("x y z a b", "y")], "p q r s", "q"),
        ([("a b c", "b"), ("p q r s", "r")], "1 2 3 4 5", "4"),
    ],
)
def test_ranges_are_learnt(pairs: list[tuple[str, str]], text: str, value: str) -> None:
    pruner = learn_pruner(pairs)
    assert pruner is not None
    assert pruner.value(text) == value


def test_a_range_that_is_not_consistent_is_not_learnt() -> None:
    assert learn_pruner([("a b c d", "b"), ("a b c d", "c")]) is None
    assert learn_pruner([("abc", "b")]) is None


@pytest.mark.slow
@given(st.text(max_size=60), st.sampled_from(["", *PATTERNS]), st.integers(-5, 5), st.integers(-5, 5))
def test_what_comes_out_was_in_the_text(text: str, name: str, start: int, end: int) -> None:
    plain = " ".join(text.split())
    for pruner in (Pruner("whole", name), Pruner("words", start=start, end=end)):
        assert pruner.value(plain) in plain
    if name:
        assert Pruner("type", name).value(plain) in plain


def test_a_value_inside_a_text_is_cut_out() -> None:
    htmls = [f"<html><body><p>Price: ${n}.50 each</p><p>stock {n}</p></body></html>" for n in range(8)]
    pages = [
        AnnotatedPage(table_of(html), (Annotation("u", "price", "$0.50"),) if n == 0 else ())
        for n, html in enumerate(htmls)
    ]
    rules = learn_rules("a/1", pages)
    assert [rules.record("u", page.table).fields["price"] for page in pages] == [(f"${n}.50",) for n in range(8)]


def test_an_xpath_settles_the_place() -> None:
    table = table_of("<body><p>x</p><p>same</p><div><b>same</b></div></body>")
    free = readings_of([MarkedPage(table, (Mark("same"),))])
    told = readings_of([MarkedPage(table, (Mark("same", "/html/body/div"),))])
    assert [each.examples[0].target for each in free] == [1, 2]
    assert [each.examples[0].target for each in told] == [2]
    text = readings_of([MarkedPage(table, (Mark("same", "//p[2]/text()"),))])
    assert [each.examples[0].target for each in text] == [1]


@pytest.mark.parametrize("xpath", ["count(", "1 + 1", "//nothing", "//@class", "//comment()", "/"])
def test_an_xpath_that_leads_nowhere_leaves_the_value(xpath: str) -> None:
    table = table_of("<body><!-- c --><p class='a'>same</p></body>")
    assert readings_of([MarkedPage(table, (Mark("same", xpath),))])[0].examples[0].target == 0


def test_a_value_that_is_not_there_gives_no_rule() -> None:
    rules = learn_rules("a/1", [AnnotatedPage(table_of(page_html(1)), (Annotation("u", "price", "never seen"),))])
    assert rules.fields == ()
    assert rules.unlearnt == ("price",)


def test_entities_in_annotations_are_understood() -> None:
    table = table_of("<body><p>Smith &amp; Co</p></body>")
    assert readings_of([MarkedPage(table, (Mark("Smith &amp; Co"),))])[0].pairs == (("Smith & Co", "Smith & Co"),)


def test_a_slip_among_the_annotations_does_not_undo_the_others() -> None:
    htmls = [f"<html><body><p>Rating</p><b>PG{n}</b><p>stock {n}</p></body></html>" for n in range(10)]
    said = {0: "PG0", 1: "P", 2: "PG2"}
    pages = [
        AnnotatedPage(table_of(html), (Annotation("u", "rating", said[n]),) if n in said else ())
        for n, html in enumerate(htmls)
    ]
    rules = learn_rules("a/1", pages)
    assert [rules.record("u", page.table).fields["rating"] for page in pages] == [(f"PG{n}",) for n in range(10)]
