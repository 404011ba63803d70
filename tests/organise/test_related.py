"""Related items, and why they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trailmark.organise.related as related
from trailmark.organise.item import Item
from trailmark.organise.related import LEAST, Related, related_items

PARSER = Item("parser", "Parsing grammars", "a chart parser of grammars", cites=["g1", "g2", "tokens"])
TOKENS = Item("tokens", "Tokens", "a lexer of letters", cites=["g1"])
CHART = Item("chart", "Charts", "a table of grammars by a parser", cites=["g1", "g2"])
SURVEY = Item("survey", "All of it", "overview", cites=["parser", "chart", "sea"])
SEA = Item("sea", "The sea", "waves and rooms")
ITEMS = [PARSER, TOKENS, CHART, SURVEY, SEA]


def found(items: list[Item], id_: str, **options: object) -> dict[str, Related]:
    rows = {row.id: row.related for row in related_items(items, **options)}  # type: ignore[arg-type]
    return {each.id: each for each in rows[id_]}


def test_what_cites_the_same_is_related_and_the_number_is_told() -> None:
    near = found(ITEMS, "parser", by="citations")
    assert next(iter(near)) == "chart"
    assert near["chart"].reason == "cites 2 of the same papers; cited together by 1 paper"
    assert near["sea"].reason == "cited together by 1 paper"
    assert near["tokens"].reason == "cites 1 of the same paper"


def test_words_that_are_shared_are_told_rarest_first() -> None:
    near = found(ITEMS, "parser", by="text")
    assert near["chart"].reason == "shares the words grammars, parser"
    assert "survey" not in near


def test_both_together_put_first_what_is_near_in_both() -> None:
    near = found(ITEMS, "parser")
    assert next(iter(near)) == "chart"
    assert "cites 2" in near["chart"].reason
    assert "shares the words" in near["chart"].reason


def test_only_those_asked_for_are_answered_and_no_more_than_wanted() -> None:
    rows = list(related_items(ITEMS, only=["parser", "never there"], most=1))
    assert [(row.id, [each.id for each in row.related]) for row in rows] == [("parser", ["chart"])]


def test_nothing_is_related_to_nothing() -> None:
    assert list(related_items([])) == []
    assert [row.related for row in related_items([Item("a", "", ""), Item("b", "", "")])] == [(), ()]


def test_what_everybody_cites_makes_nobody_related(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(related, "LARGEST", 5)
    items = [Item(f"i{n}", "", "", cites=["all"]) for n in range(6)]
    assert all(not row.related for row in related_items(items, by="citations"))


@given(st.lists(st.lists(st.integers(0, 5), max_size=4), min_size=1, max_size=7), st.integers(1, 3))
def test_coupling_is_the_cosine_of_what_is_cited_however_many_go_at_once(lists: list[list[int]], at_once: int) -> None:
    items = [Item(f"i{n}", "", "", cites=[f"x{each}" for each in cited]) for n, cited in enumerate(lists)]
    table = np.array([[float(each in cited) for each in range(6)] for cited in lists])
    table *= np.log1p(len(items) / np.maximum(table.sum(axis=0), 1))
    unit = table / np.maximum(np.linalg.norm(table, axis=1), 1e-12)[:, None]
    usual = related.AT_ONCE
    related.AT_ONCE = at_once
    try:
        rows = list(related_items(items, by="citations", most=10))
    finally:
        related.AT_ONCE = usual
    for place, row in enumerate(rows):
        mine = {each.id: each.score for each in row.related}
        for other, score in enumerate(unit @ unit[place]):
            if other != place and score > LEAST + 1e-3:
                assert mine[f"i{other}"] == pytest.approx(score, abs=2e-4)
        assert f"i{place}" not in mine
        assert [each.score for each in row.related] == sorted((each.score for each in row.related), reverse=True)
