"""Fields with many values a page, and values that are part of a text."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.monitor.value_place import common_places, places_of_value
from trailmark.read import parse_html
from trailmark.wrap import NodeTable
from trailmark.wrap.rules.annotation_match import Mark, MarkedPage
from trailmark.wrap.rules.field_learning import learn_field
from trailmark.wrap.rules.value_list import learn_value_list, list_f1, value_f1

WORDS = [a + b for a in ("ash", "birch", "cedar", "elm", "fir") for b in ("", "wood", "leaf", "bark", "root")]


def table_of(html: str) -> NodeTable:
    return NodeTable(parse_html(html.encode(), "text/html; charset=utf-8")[0])


def names_of(number: int) -> list[str]:
    return random.Random(number).sample(WORDS, 8)


def manual(number: int, *, module: bool = True) -> NodeTable:
    """Names in definitions, each once more in a list of links; the module's name stands in the heading alone."""
    names = names_of(number)
    links = "".join(f"<li><a>{name}</a></li><li><a>other {name}</a></li>" for name in names)
    body = "".join(
        f"<dl class='{'method' if at % 3 else 'function'}'><dt><code class='name'>{name}</code> <em>x</em></dt><dd><p>See "
        f"<code class='see'>{random.Random(at + number).choice(WORDS)}x</code></p></dd></dl>"
        for at, name in enumerate(names)
    )
    heading = f"<h1>Module <i>m{number}</i></h1>" if module else ""
    return table_of(f"<html><body><ul>{links}</ul>{heading}<div>{body}</div></body></html>")


def pages(numbers: range, taught: int, *, forgetful: bool = False) -> list[MarkedPage]:
    def marks(number: int) -> tuple[Mark, ...]:
        names = names_of(number)
        if forgetful:
            del names[2 + number % 5]
        return tuple(map(Mark, [*names, f"m{number}"]))

    return [MarkedPage(manual(n), marks(n) if at < taught else None) for at, n in enumerate(numbers)]


def test_many_values_with_slips() -> None:
    """One value of each page stands elsewhere, and one was forgotten: there is no rule without a fault."""
    rules = learn_field("names", pages(range(12), 3, forgetful=True))
    assert rules is not None
    assert rules.several
    for number in range(20, 30):
        found = set(rules.values(manual(number)))
        assert set(names_of(number)) <= found
        assert len(found - set(names_of(number))) <= 1


def test_a_second_place_adds_what_the_first_leaves_out() -> None:
    rules = learn_value_list("names", pages(range(12), 3))
    assert rules is not None
    assert list_f1(rules, pages(range(40, 46), 6)) > 0.9


def test_few_values_are_no_list() -> None:
    marked = [MarkedPage(manual(n), (Mark(f"m{n}"),)) for n in range(3)]
    assert learn_value_list("names", marked) is None
    assert learn_value_list("names", []) is None


def test_values_that_stand_nowhere_teach_nothing() -> None:
    marked = [MarkedPage(manual(n), tuple(Mark(f"nowhere {k}") for k in range(5))) for n in range(3)]
    assert learn_value_list("names", marked) is None


def test_f1_of_values() -> None:
    assert value_f1([["a", "b"]], [frozenset("ab")]) == 1.0
    assert value_f1([["a", "a", "c"]], [frozenset("ab")]) == 0.5
    assert value_f1([[]], [frozenset()]) == 0.0


@settings(deadline=None, max_examples=25)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=6), st.text(max_size=80))
def test_nothing_that_the_page_does_not_hold(values: list[str], html: str) -> None:
    table = table_of(html + "".join(f"<li>{value}</li>" for value in values if value.isalnum()))
    rules = learn_value_list("f", [MarkedPage(table, tuple(map(Mark, values)))])
    assert rules is None or set(rules.values(table)) <= set(table.texts)


def test_places_of_parts() -> None:
    made = [
        table_of(f"<html><head><title>{n} (Shop 2)</title></head><body><p>{n}s<b>{n if n == 'ash' else ''}</b>")
        for n in ("ash", "elm", "fir")
    ]
    found = common_places(list(zip(made, ("ash", "elm", "fir"), strict=True)))
    assert [set(each) for each in found] == [{0, 1, 2}]
    assert found[0][1] == "/html[1]/head[1]/title[1]/text()[1]"
    assert places_of_value(made[0], "") == {}
    assert common_places([]) == []
