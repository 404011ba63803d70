"""Repeated blocks: tandem repeats against brute force, and pages as they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Page, Response
from trailmark.read import read_page
from trailmark.read.tandem import LONGEST_PATTERN, tandem_runs


def read(html: str) -> Page:
    return read_page(Response("http://www.example.edu/", 200, (("Content-Type", "text/html"),), html.encode()))


def brute_force(symbols: str, least_items: int) -> set[tuple[int, int, int]]:
    """All maximal runs, by trying every pattern length, without those inside one of a shorter pattern."""
    runs: list[tuple[int, int, int]] = []
    for period in range(1, LONGEST_PATTERN + 1):
        low = 0
        while low + period < len(symbols):
            high = low + period
            while high < len(symbols) and symbols[high] == symbols[high - period]:
                high += 1
            if high - low >= least_items * period and not any(a <= low and high <= b for a, b, _ in runs):
                runs.append((low, high, period))
            low = max(low + 1, high - period + 1)
    return set(runs)


def test_a_plain_run() -> None:
    assert tandem_runs("xabababy") == [(1, 7, 2)]
    assert tandem_runs("abcdef") == []
    assert tandem_runs("") == []


@given(
    st.text(alphabet="ab", max_size=40) | st.text(alphabet="abc", max_size=40), st.integers(min_value=3, max_value=4)
)
def test_runs_are_real_and_maximal(symbols: str, least_items: int) -> None:
    every = brute_force(symbols, least_items)
    for low, high, period in tandem_runs(symbols, least_items):
        assert (low, high, period) in every


@given(
    st.text(alphabet="abcdef", min_size=1, max_size=6),
    st.integers(min_value=3, max_value=30),
    st.text(alphabet="xyz", max_size=5),
)
def test_a_run_put_in_is_found(pattern: str, items: int, around: str) -> None:
    covered = [
        run
        for run in tandem_runs(around + pattern * items + around)
        if run[0] <= len(around) and run[1] >= len(around) + items * len(pattern)
    ]
    assert covered
    assert min(run[2] for run in covered) <= len(pattern)


LISTS = {
    "list": ("<ul>{}</ul>", "<li><a href=p{0}>Person {0}</a>, room {0}</li>"),
    "table": ("<table>{}</table>", "<tr><td><a href=p{0}>Person {0}</a><td>room<td>phone</tr>"),
    "breaks": ("<p>{}</p>", "<a href=p{0}>Person {0}</a><br>"),
    "definitions": ("<dl>{}</dl>", "<dt><a href=p{0}>Person {0}</a><dd>room {0}"),
    "divs": ("<div>{}</div>", "<div><h3><a href=p{0}>Person {0}</a></h3><p>room</p></div>"),
    "headings": ("<div>{}</div>", "<h3>{0}</h3><p><a href=p{0}>Person {0}</a></p>"),
}


@pytest.mark.parametrize("kind", LISTS)
@pytest.mark.parametrize("items", [3, 30, 200])
def test_a_list_of_people_is_one_block(kind: str, items: int) -> None:
    frame, item = LISTS[kind]
    page = read("<h1>People</h1><p>Our people.</p>" + frame.format("".join(item.format(n) for n in range(items))))
    block = page.repetition.blocks[0]
    assert page.repetition.items == items
    assert page.repetition.strength == block.coverage > 0.5
    assert [page.links[place].url.rsplit("/")[-1] for place in block.links] == [f"p{n}" for n in range(items)]
    assert all(link.repeated for link in page.links)


def test_items_may_differ_inside() -> None:
    items = "".join(
        f"<li>{'<img>' if n % 3 == 0 else ''}<a href=p{n}>P</a>{'<b>new</b>' if n % 4 == 0 else ''}</li>"
        for n in range(30)
    )
    assert read(f"<ul>{items}</ul>").repetition.items == 30


def test_definitions_with_more_than_one_text() -> None:
    items = "".join(f"<dt><a href=p{n}>P</a>" + "<dd>text" * (1 + n % 2) for n in range(12))
    assert read(f"<dl>{items}</dl>").repetition.items == 12


def test_blocks_nest_and_a_link_names_the_innermost() -> None:
    inner = "<ul>" + "<li><a href=x>paper</a></li>" * 4 + "</ul>"
    page = read("<ol>" + f"<li><h3>Person</h3>{inner}</li>" * 6 + "</ol>")
    assert page.repetition.blocks[0].items == 6
    assert len(page.repetition.blocks[0].links) == 24
    assert sorted(block.items for block in page.repetition.blocks) == [4] * 6 + [6]
    assert {page.repetition.blocks[link.block].items for link in page.links} == {4}


def test_links_left_out_do_not_shift_the_items() -> None:
    page = read("<a href='mailto:x'>m</a><ul>" + "<li><a href='mailto:y'>m</a> <a href=z>z</a></li>" * 5 + "</ul>")
    assert page.repetition.blocks[0].links == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>one",
        "<p>Prose.</p>" * 30,
        "<p>Prose<br>with<br>lines.<br></p>" * 10,
        "<p>Prose with <b>bold</b> and <i>slanted</i> words.</p>" * 10,
        "<p>Words with <a href=1>one</a>, <a href=2>two</a> and <a href=3>three</a> links.</p><p>More.</p>",
        "<div><h1>Title</h1></div><div><p>" + "text<br>" * 9 + "</p></div><div>foot</div>",
    ],
)
def test_prose_repeats_nothing(html: str) -> None:
    page = read(html)
    assert not page.repetition.found
    assert page.repetition.strength == 0.0


def test_coverage_is_a_share_of_the_tags() -> None:
    page = read("<html><body><p>x</p><p><b>y</b></p><ul>" + "<li><a href=x>x</a></li>" * 4 + "</ul></body></html>")
    (block,) = page.repetition.blocks
    assert block.pattern == ("li", "a")
    assert block.coverage == pytest.approx(8 / 14)


@pytest.mark.slow
@pytest.mark.parametrize(
    "html",
    [
        "<br>" * 100_000,
        "<li>" * 100_000,
        "<p><a href=x>x</a>" * 30_000,
        "<dt>a<dd>b" * 30_000,
        "<ul><li>" * 100 + "<li>" * 50_000,
        "".join(f"<{'abius'[n * n % 5]}>x</{'abius'[n * n % 5]}>" for n in range(50_000)),
    ],
)
def test_hostile_repetition_is_bounded(html: str) -> None:
    page = read(html)
    assert len(page.repetition.blocks) <= 50
