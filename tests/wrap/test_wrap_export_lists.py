"""Rules of lists as XSLT and as a Python program: they run without us, and give the records that extraction gives."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeGuard

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lxml import etree
from parsel import Selector

from tests.hostile_text import HOSTILE
from tests.wrap.test_wrap_export_hostile import ENDS_THE_DOCSTRING, READS_A_FILE, in_xml
from tests.wrap.test_wrap_lists import SHAPES, SOUP, URL, Paper, as_blocks, learnt, marks, page, papers, shown
from tests.wrap.test_wrap_lists_left_open import SHAPES as OPEN_SHAPES
from tests.wrap.test_wrap_lists_left_open import learnt as learnt_open
from tests.wrap.test_wrap_lists_left_open import page as page_open
from tests.wrap.wrap_pages import WORDS, table_of
from trailmark.datatypes import Annotation
from trailmark.wrap import AnnotatedPage, Feature, FieldRules, NodeTable, Rule, RuleSet, learn_rules
from trailmark.wrap.lists.entry_heading import HeadingRule
from trailmark.wrap.lists.entry_rule import EntryRule, PathStep
from trailmark.wrap.lists.record_list import ListRules
from trailmark.wrap.writing.plain_lists import plain_list
from trailmark.wrap.writing.program_lists import list_entries
from trailmark.wrap.writing.rules_program import rules_to_program
from trailmark.wrap.writing.rules_stylesheet import rules_to_stylesheet

Shape = Callable[[list[Paper]], str]


def by_program(rules: RuleSet, table: NodeTable) -> list[Paper]:
    """The program is read as bytes, as Python reads a file, and run."""
    names: dict[str, Any] = {}
    exec(compile(rules_to_program([rules]).encode(), "rules.py", "exec"), names)
    page = Selector(root=table.elements[0], type="html")
    records: list[Paper] = names["records"](page, rules.id)
    assert names["extract"](page, rules.id) == (records[0] if records else {})
    return records


def by_stylesheet(rules: RuleSet, table: NodeTable) -> list[Paper]:
    transform = etree.XSLT(etree.fromstring(rules_to_stylesheet([rules]).encode()))
    records = transform(table.elements[0]).getroot()
    return [{field.get("name", ""): [value.text or "" for value in field] for field in record} for record in records]


def same(rules: RuleSet, table: NodeTable) -> list[Paper]:
    """What all three give."""
    wanted = shown(rules, table)
    assert by_program(rules, table) == wanted
    assert by_stylesheet(rules, table) == wanted
    return wanted


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_both_give_the_records_of_a_list(shape: Shape) -> None:
    rules = learnt(shape, 2)
    assert rules.entries is not None
    for number in (1, 2, 9):
        assert len(same(rules, page(number, shape))) == len(papers(number))


@pytest.mark.slow
@pytest.mark.parametrize("shape", OPEN_SHAPES)
def test_a_program_gives_entries_left_open(shape: Shape) -> None:
    rules = learnt_open(shape, 2)
    for number in (2, 9):
        table = page_open(number, shape)
        assert by_program(rules, table) == shown(rules, table) != []


@pytest.mark.parametrize("shape", OPEN_SHAPES)
def test_a_stylesheet_gives_entries_left_open_or_names_the_list_that_it_can_not_give(shape: Shape) -> None:
    rules = learnt_open(shape, 2)
    transform = etree.XSLT(etree.fromstring(rules_to_stylesheet([rules]).encode()))
    table = page_open(9, shape)
    records = transform(table.elements[0]).getroot()
    messages = [entry.message for entry in transform.error_log]
    if len(records) != len(shown(rules, table)):
        (message,) = messages
        assert message.startswith(f"Entries of the list {rules.id} stand in one another")


def test_a_stylesheet_says_nothing_of_entries_that_were_closed() -> None:
    rules = learnt(SHAPES[0], 2)
    transform = etree.XSLT(etree.fromstring(rules_to_stylesheet([rules]).encode()))
    transform(page(9, SHAPES[0]).elements[0])
    assert not list(transform.error_log)


def test_years_above_groups_of_entries() -> None:
    """Years in rows of their own: such a row stands where entries stand, and is none."""

    def grouped(number: int) -> str:
        rows = "".join(
            f"<tr><th>{1990 + at + number}</th></tr>"
            + "".join(f"<tr><td><a>{word} {number}{at}</a></td><td>{word}s</td></tr>" for word in WORDS[:4])
            for at in range(3)
        )
        return f"<html><body><h1>Papers</h1><table>{rows}</table></body></html>"

    said = tuple(
        Annotation(URL, field, value)
        for at, word in ((0, "birch"), (1, "amber"))
        for field, value in (("year", str(1990 + at + 1)), ("title", f"{word} 1{at}"), ("journal", f"{word}s"))
    )
    tables = [table_of(grouped(number)) for number in (1, 2, 3)]
    rules = learn_rules("x", [AnnotatedPage(tables[0], said), AnnotatedPage(tables[1])])
    assert rules.entries is not None
    assert rules.entries.headings
    records = same(rules, tables[2])
    assert [record["year"] for record in records] == [[str(1993 + at)] for at in range(3) for _ in range(4)]


def test_whose_list_it_is_and_what_is_all_of_an_entry() -> None:
    def page_of(number: int) -> NodeTable:
        return table_of(f"<html><body><h1>{WORDS[number].title()}</h1>{as_blocks(papers(number))}</body></html>")

    said = (Annotation(URL, "owner", WORDS[1].title()), *marks(papers(1)[:2]))
    rules = learn_rules("x", [AnnotatedPage(page_of(1), said), AnnotatedPage(page_of(2))])
    assert rules.entries is not None
    whole = replace(rules, entries=replace(rules.entries, whole=("all",)))
    assert {"owner", "title", "all"} <= set(same(whole, page_of(3))[0])


def test_headings_between_entries_that_have_no_element() -> None:
    """A heading that ends a run is above the next one; what an entry says is never above another."""
    entry = EntryRule(
        (PathStep("div"),), rooted=False, parted="br", shapes=(frozenset(("", "i", "b")),), never=("no more",)
    )
    title = FieldRules("title", (Rule((Feature("tag", 0, ("i",)),)),))
    rules = RuleSet("x", (title,), entries=ListRules(entry, headings=(HeadingRule("year", "h2"),), expected=("title",)))
    table = table_of(
        "<html><body><h2>1989</h2><div>by <i>A</i><br><b>no more</b><br>by <i>B</i><h2>1990</h2>by <i>C</i><br>by <i>D</i>"
        "<br><b>only</b></div></body></html>"
    )
    wanted = [
        {"title": [title], "year": [year]}
        for title, year in (("A", "1989"), ("B", "1989"), ("C", "1990"), ("D", "1990"))
    ]
    assert same(rules, table) == wanted


def test_pages_of_one_record_and_lists_in_one_file() -> None:
    one = RuleSet("one", (FieldRules("x", (Rule((Feature("tag", 0, ("h1",)),)),)),))
    many = learnt(SHAPES[0], 2)
    names: dict[str, Any] = {}
    exec(rules_to_program([one, many]), names)
    table = page(2, SHAPES[0])
    selector = Selector(root=table.elements[0], type="html")
    assert names["records"](selector, "one") == [{"x": ["Papers"]}]
    assert names["records"](selector, many.id) == shown(many, table)
    transform = etree.XSLT(etree.fromstring(rules_to_stylesheet([one, many]).encode()))
    assert transform(table.elements[0]).getroot().tag == "record"
    chosen = transform(table.elements[0], cluster=etree.XSLT.strparam(many.id)).getroot()
    assert (chosen.tag, len(chosen)) == ("records", 8)


LIST = table_of("<html><body><h2>up</h2><ul><li>a <b>one</b></li><li>b <b>two</b></li></ul></body></html>")


def hostile_rules(cluster: str, field: str, text: str) -> RuleSet:
    """Rules that find two entries, with a hostile name or text wherever a page or a person may put one."""
    entry = EntryRule(
        (PathStep("li"),), False, goes_on=(text,), shapes=(frozenset(("", "b")), frozenset((text, "b"))), never=(text,)
    )
    headings = (HeadingRule(f"{field}-above", "h2"), HeadingRule("none", f"h2.{text}"))
    fields = (FieldRules(field, (Rule((Feature("tag", 0, ("b",)),)),)),)
    return RuleSet(cluster, fields, entries=ListRules(entry, (f"{field}-whole",), headings, (field,)))


@pytest.mark.slow
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(HOSTILE, HOSTILE, HOSTILE)
@example(ENDS_THE_DOCSTRING, READS_A_FILE, "{STREAM}")
@example("\x1f", "\ud800", "{document('file:///etc/hostname')}")
@example("c", "f", "'\"&symbol;<")
def test_names_and_texts_are_strings_whatever_they_hold(cluster: str, field: str, text: str) -> None:
    rules = hostile_rules(cluster, field, text)
    wanted = [
        {field: [value], f"{field}-whole": [f"{letter} {value}"], f"{field}-above": ["up"]}
        for letter, value in (("a", "one"), ("b", "two"))
    ]
    assert shown(rules, LIST) == by_program(rules, LIST) == wanted
    written = [{in_xml(name): values for name, values in record.items()} for record in wanted]
    assert by_stylesheet(rules, LIST) == written


@pytest.mark.slow
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(HOSTILE)
def test_what_opens_and_parts_entries_is_a_string_too(text: str) -> None:
    entry = EntryRule((PathStep("ul"),), False, opens="li", parted=text, shapes=(frozenset(("li", "li/b")),))
    rules = RuleSet("c", (FieldRules("x", (Rule((Feature("tag", 0, ("b",)),)),)),), entries=ListRules(entry))
    assert same(rules, LIST) == [{"x": ["one"]}, {"x": ["two"]}]


def test_a_way_that_no_xpath_can_say_is_none() -> None:
    entry = EntryRule((PathStep("li", (("class", "\x01"),)),), False)
    assert plain_list(RuleSet("c", (), entries=ListRules(entry))) is None


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    SOUP,
    st.sampled_from([("", ""), ("dt", ""), ("h3", ""), ("", "br"), ("", "br br"), ("p", "hr")]),
    st.sampled_from(["li", "p", "tr", "td", "ul", "dl", "body"]),
)
def test_a_program_finds_the_same_entries_on_any_page(
    soup: list[tuple[str, str, bool]], parts: tuple[str, str], tag: str
) -> None:
    html = "".join(f"<{tag}>{text}" + (f"</{tag}>" if closed else "") for tag, text, closed in soup)
    table = table_of(f"<html><body>{html}</body></html>")
    shapes = (frozenset(("",)), frozenset(("b", "")), frozenset(("dt", "dd")), frozenset(("td",)))
    entry = EntryRule((PathStep(tag),), False, *parts, shapes=shapes, least=0.2)
    rule = plain_list(RuleSet("x", (), entries=ListRules(entry)))
    assert rule is not None
    given = {name: getattr(rule, name) for name in rule.__slots__}
    wanted = [(entry.first, entry.end, entry.table.page_texts) for entry in entry.entries(table)]
    found = [(first, end, NodeTable(made).page_texts) for made, first, end in list_entries(table.elements[0], given)]
    assert found == wanted


def test_no_part_of_a_program_takes_a_name_of_another() -> None:
    tree = ast.parse(rules_to_program([hostile_rules("c", "f", "t")]))
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    stored = [
        part.id for node in tree.body if isinstance(node, ast.Assign) for part in ast.walk(node) if _is_stored(part)
    ]
    assert len(names + stored) == len({*names, *stored}) > 40


def _is_stored(part: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
