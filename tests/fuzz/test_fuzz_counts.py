"""The small version that runs every time: instructions are counted, so no load on the machine makes a difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fuzz.fuzz_counting import instructions
from tests.fuzz.fuzz_files import FILES
from tests.fuzz.fuzz_pages import PAGES
from tests.fuzz.fuzz_work import WORK
from trailmark.datatypes import Annotation
from trailmark.wrap import AnnotatedPage, NodeTable, learn_rules
from trailmark.wrap.lists.entry_heading import HeadingRule
from trailmark.wrap.rules.range_pruner import Pruner

MOST = 2.5
"""How often the work of the smaller size that of the doubled one may be."""


def times_more(work: Callable[[Any], object], make: Callable[[int], Any], size: int) -> float:
    work(make(size))  # what is made at the first call is no part of the work
    return instructions(work, make(2 * size)) / instructions(work, make(size))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("work", "family"),
    [
        ("read_page", "blocks"),
        ("sign_page", "class names"),
        ("xpath of each text", "siblings"),
        ("xpath of each text", "comments"),
        ("structured_items", "items"),
        ("structured_items", "deep items"),
        ("structured_items", "deep then wide"),
        ("node_columns", "tiny texts"),
    ],
)
def test_work_doubles_with_the_page(work: str, family: str) -> None:
    prepare, measured = WORK[work]
    assert times_more(measured, lambda size: prepare(PAGES[family](size)), 60) < MOST


@pytest.mark.parametrize("name", ["a recording that goes back", "a network log", "folded headers"])
def test_work_doubles_with_the_file(name: str) -> None:
    make, work = FILES[name]
    assert times_more(work, make, 80) < MOST


def list_page(size: int) -> bytes:
    rows = "".join(f"<h2>Group {n}</h2><ul><li><b>Name {n}</b><i>Room {n}</i></li></ul>" for n in range(size))
    return f"<html><body>{rows}</body></html>".encode()


@pytest.mark.slow
def test_headings_above_many_entries_are_looked_for_once() -> None:
    def lifted(nodes: NodeTable) -> None:
        rule = HeadingRule("group", "h2", Pruner())
        rules = learn_rules("a", [AnnotatedPage(nodes, MARKS)])
        assert rules.entries is not None
        entries = rules.entries.entry.entries(nodes)
        rows = rule.rows(nodes, entries)
        found = [rule.find(nodes, entry, rows) for entry in entries]
        assert [each.value for each in found if each] == [f"Group {n}" for n in range(len(entries))]

    prepare, _ = WORK["NodeTable"]
    assert times_more(lifted, lambda size: NodeTable(prepare(list_page(size))), 20) < MOST


MARKS = tuple(
    Annotation("https://a.example/", field, f"{word} {n}")
    for n in range(3)
    for field, word in (("name", "Name"), ("room", "Room"))
)
