"""Lists whose entries were left open: found all the same, whether a browser closes them or nests them too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lxml import etree

from tests.wrap.test_wrap_lists import Paper, marks, papers, shown, wanted
from tests.wrap.wrap_pages import WORDS, table_of
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules
from trailmark.wrap.lists.entry_items import EntryItem, copy_of, items_of

Shape = Callable[[list[Paper]], str]


def said(paper: Paper) -> str:
    authors = ", ".join(f"<i>{name}</i>" for name in paper["author"])
    return f"<a href='/p'>{paper['title'][0]}</a> by {authors}" + "".join(f" <b>{year}</b>" for year in paper["year"])


def items(made: list[Paper]) -> str:
    return "<ul>" + "".join(f"<li>{said(each)}" for each in made) + "</ul>"


def items_with_open_blocks(made: list[Paper]) -> str:
    return "<ul>" + "".join(f"<li><div class='entry'>{said(each)}" for each in made) + "</ul>"


def items_with_open_spans(made: list[Paper]) -> str:
    return "<ul>" + "".join(f"<li><span class='entry'>{said(each)}" for each in made) + "</ul>"


def paragraphs(made: list[Paper]) -> str:
    return "<div class='all'>" + "".join(f"<p class='entry'>{said(each)}" for each in made) + "</div>"


def paragraphs_with_open_spans(made: list[Paper]) -> str:
    return "<div class='all'>" + "".join(f"<p class='entry'><span>{said(each)}" for each in made) + "</div>"


def blocks(made: list[Paper]) -> str:
    return "<div class='all'>" + "".join(f"<div class='entry'>{said(each)}" for each in made) + "</div>"


def blocks_that_nothing_ends(made: list[Paper]) -> str:
    return "".join(f"<div class='entry'>{said(each)}" for each in made)


def blocks_without_a_class(made: list[Paper]) -> str:
    return "<section>" + "".join(f"<div>{said(each)}" for each in made) + "</section>"


def blocks_of_parts(made: list[Paper]) -> str:
    return "<div class='all'>" + "".join(
        f"<div class='entry'><h3>{each['title'][0]}</h3><p>{' '.join(f'<i>{name}</i>' for name in each['author'])}</p>"
        + "".join(f"<p class='when'>{year}</p>" for year in each["year"])
        for each in made
    )


def rows(made: list[Paper]) -> str:
    return "<table>" + "".join(
        f"<tr><td><a href='/p'>{each['title'][0]}</a><td>{'; '.join(f'<i>{name}</i>' for name in each['author'])}"
        f"<td>{''.join(each['year'])}"
        for each in made
    ) + "</table>"  # fmt: skip


def rows_with_open_blocks(made: list[Paper]) -> str:
    return "<table>" + "".join(
        f"<tr><td><div><a href='/p'>{each['title'][0]}</a><td>{'; '.join(f'<i>{name}</i>' for name in each['author'])}"
        f"<td>{''.join(each['year'])}"
        for each in made
    ) + "</table>"  # fmt: skip


def terms(made: list[Paper]) -> str:
    return "<dl>" + "".join(
        f"<dt><span><a href='/p'>{each['title'][0]}</a><dd>{', '.join(f'<i>{name}</i>' for name in each['author'])}"
        + "".join(f" <u>{year}</u>" for year in each["year"])
        for each in made
    ) + "</dl>"  # fmt: skip


SHAPES = (
    items, items_with_open_blocks, items_with_open_spans, paragraphs, paragraphs_with_open_spans, blocks, blocks_that_nothing_ends,
    blocks_without_a_class, blocks_of_parts, rows, rows_with_open_blocks, terms,
)  # fmt: skip


def page(number: int, shape: Shape) -> NodeTable:
    menu = "".join(f"<li><a href='/{word}'>{word}</a></li>" for word in WORDS[:5])
    return table_of(
        f"<html><head><title>Papers {number}</title></head><body><ul class='menu'>{menu}</ul><h1>Papers</h1>"
        f"<p>All that group {number} wrote.</p>{shape(papers(number))}</body></html>"
    )


def learnt(shape: Shape, count: int) -> RuleSet:
    marked = AnnotatedPage(page(1, shape), marks(papers(1)[1 : 1 + count]))
    return learn_rules("lists.example/1", [marked, *(AnnotatedPage(page(number, shape)) for number in range(2, 5))])


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("shape", SHAPES)
def test_entries_left_open_are_found_as_if_they_were_closed(shape: Shape, count: int) -> None:
    rules = learnt(shape, count)
    for number in (1, 2, 9):
        assert shown(rules, page(number, shape)) == wanted(number)


def kinds(html: str) -> list[str]:
    table = table_of(f"<html><body>{html}</body></html>")
    return [item.symbol for item in items_of(table, table.tags.index("body"))]


def test_entries_in_one_another_stand_side_by_side() -> None:
    assert kinds("<div class=e>one<div class=e>two<div class=e>three") == ["div.e"] * 3
    assert kinds("<p>before</p><div>one<div>two<div>three<div>four") == ["p", *["div"] * 4]


@pytest.mark.parametrize(
    "html",
    [
        "<div class=e>one<div class=e>two</div></div>",  # two are no list
        "<div><div><div>one</div></div></div>",  # boxes around a text
        "<div class=a>one<div class=b>two<div class=c>three",  # of different kinds
        "<div class=e>one<table><tr><td><div class=e>two<div class=e>three</table>",  # a list of its own within an entry
    ],
)
def test_what_merely_stands_in_one_another_is_left_there(html: str) -> None:
    assert len(kinds(html)) == 1


def test_the_ends_of_what_is_around_a_list_close_some_of_its_entries() -> None:
    """The second `</div>` was meant for the box; a footer then stands in the first entry, and is none."""
    assert kinds("<div class=e>one<div class=e>two<div class=e>three</div></div><div>footer</div>") == ["div.e"] * 3


def test_an_entry_left_open_is_copied_as_far_as_the_next() -> None:
    table = table_of("<html><body><div class=e><b>one</b> and<p>more <span>so<div class=e>two<div class=e>three")
    first, second, third = items_of(table, table.tags.index("body"))
    assert written(first) == '<div class="e"><b>one</b> and<p>more <span>so</span></p></div>'
    assert written(second) == '<div class="e">two</div>'
    assert written(third) == '<div class="e">three</div>'
    assert [table.texts[item.first : item.end] for item in (first, second, third)] == [
        ["one", "and", "more", "so"],
        ["two"],
        ["three"],
    ]


def written(item: EntryItem) -> str:
    return etree.tostring(copy_of(item), encoding="unicode")


def test_a_thousand_entries_left_open() -> None:
    table = table_of("<html><body>" + "".join(f"<div class=e>entry {number}" for number in range(1000)))
    items = items_of(table, table.tags.index("body"))
    assert len(items) > 250  # browsers nest no deeper than 512
    assert all(written(item).startswith('<div class="e">entry ') for item in items[:3])
