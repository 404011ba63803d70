"""Parts of a text are learnt from two examples, or the reason why not is said; the order of marks does not matter where places tell."""

from __future__ import annotations

import random
import re
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Annotation
from trailmark.read import parse_html
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules, rules_from_json, rules_to_json
from trailmark.wrap.rules.range_pruner import Pruner, check_part, learn_pruner
from trailmark.wrap.writing.plain_rules import part_pattern

PAPERS = [
    ("A. Lovelace and C. Babbage", "On analytical engines", "Journal of Computing", "1843"),
    ("G. Boole", "The laws of thought", "Walton", "1854"),
    ("A. M. Turing", "On computable numbers", "Proceedings of the LMS", "1936"),
    ("J. von Neumann and O. Morgenstern", "Theory of games", "Princeton Press", "1944"),
    ("C. E. Shannon", "A theory of communication", "Bell Journal", "1948"),
    ("G. Hopper", "The education of a computer", "ACM", "1952"),
]
URL = "http://lab.example/papers/0"


def entry(number: int, page: int = 0) -> str:
    author, title, journal, year = PAPERS[number]
    return f"{author}. {title} {page}. {journal}, {year}."


def table(page: int) -> NodeTable:
    items = "".join(f"<li>{entry(number, page)}</li>" for number in range(len(PAPERS)))
    return NodeTable(parse_html(f"<html><body><h1>Papers</h1><ul>{items}</ul></body></html>".encode())[0])


def mark(field: str, number: int, *, value: str = "", place: bool = True) -> Annotation:
    author, title, _, year = PAPERS[number]
    values = {"author": author, "title": f"{title} 0", "year": year, "paper": entry(number)}
    return Annotation(URL, field, value or values[field], f"/html/body/ul/li[{number + 1}]/text()" if place else None)


def learnt(*marks: Annotation) -> RuleSet:
    others = [AnnotatedPage(table(page), (), f"{URL}{page}") for page in (1, 2, 3)]
    return learn_rules("lab.example/1", [AnnotatedPage(table(0), marks, URL), *others])


def lifted(rules: RuleSet, page: int = 1) -> list[dict[str, str]]:
    records = rules.records(URL, table(page))
    return [{name: "; ".join(values) for name, values in record.fields.items()} for record in records]


# --- order -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("order", list(permutations(range(4)))[::3])
def test_the_order_of_marks_does_not_matter_where_places_tell(order: tuple[int, ...]) -> None:
    """Paper 1, year 2, year 1, paper 2 gave one record a page instead of one an entry."""
    marks = [mark("paper", 0), mark("year", 0), mark("paper", 1), mark("year", 1)]
    rules = learnt(*(marks[at] for at in order))
    assert [record["year"] for record in lifted(rules)] == [paper[3] for paper in PAPERS]
    assert [record["paper"] for record in lifted(rules)] == [entry(number, 1) for number in range(len(PAPERS))]


@pytest.mark.slow
def test_twelve_records_whatever_the_order() -> None:
    marks = [mark("author", 1), mark("title", 2), mark("year", 1), mark("author", 2), mark("title", 1), mark("year", 2)]
    wanted = lifted(learnt(*sorted(marks, key=lambda each: (each.xpath or "", each.field))))
    assert len(wanted) == 6
    for seed in range(4):
        random.Random(seed).shuffle(marks)
        rules = learnt(*marks)
        assert lifted(rules) == wanted
        assert len(lifted(rules, 1)) + len(lifted(rules, 2)) == 12


# --- parts -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("field", "column"), [("author", 0), ("title", 1)])
def test_a_part_of_a_citation_is_learnt_from_two_examples(field: str, column: int) -> None:
    rules = learnt(mark(field, 0), mark(field, 1))
    suffix = " 1" if field == "title" else ""
    assert [record[field] for record in lifted(rules)] == [f"{paper[column]}{suffix}" for paper in PAPERS]
    again = rules_from_json(rules_to_json(rules), source="a test")
    assert lifted(again) == lifted(rules)


@pytest.mark.slow
def test_all_parts_of_a_citation() -> None:
    marks = [mark(field, number) for number in (0, 1) for field in ("author", "title", "year")]
    records = lifted(learnt(*marks))
    assert records == [{"author": a, "title": f"{t} 1", "year": y} for a, t, _, y in PAPERS]


@pytest.mark.slow
def test_why_a_part_is_not_learnt_is_said() -> None:
    one = learnt(mark("title", 0), mark("year", 0))
    assert any("one example does not tell where it begins and ends" in note for note in one.notes), one.notes
    two_in_one = learnt(
        mark("author", 0, value="A. Lovelace"),
        mark("author", 0, value="C. Babbage"),
        mark("year", 0),
        mark("author", 1),
        mark("year", 1),
    )
    assert "author" in two_in_one.unlearnt
    assert any("only one a text" in note for note in two_in_one.notes)
    odd = learnt(
        mark("title", 0, value="analytical"), mark("year", 0), mark("title", 1, value="thought 0"), mark("year", 1)
    )
    assert "title" in odd.unlearnt
    assert any("what stands around it differs" in note for note in odd.notes), odd.notes
    nowhere = learnt(mark("title", 0, value="nowhere to be seen", place=False), mark("year", 0), mark("year", 1))
    assert any("does not stand in one text" in note for note in nowhere.notes), nowhere.notes


PARTS = [
    [("Ann Lee. One thing. X", "One thing"), ("B. Cy. Another longer thing. Y Z", "Another longer thing")],
    [("see “One thing” in X", "One thing"), ("also see “Another longer thing” of Y Z", "Another longer thing")],
    [("Lee, A: Title one (1998)", "Title one"), ("Cy, B and D: Other (1999)", "Other")],
    [("a | bb | ccc | last one", "last one"), ("x | last", "last")],
]


@pytest.mark.parametrize("pairs", PARTS)
def test_what_stands_around_tells(pairs: list[tuple[str, str]]) -> None:
    pruner = learn_pruner(pairs)
    assert pruner is not None
    assert pruner.how in ("part", "between")
    pattern = re.compile(part_pattern(pruner))
    for text, value in pairs:
        assert pruner.value(text) == value
        found = pattern.search(text)
        assert found is not None
        assert found[1] == value  # rules that leave as XPaths cut in the same way


def test_one_example_is_not_enough() -> None:
    pruner = learn_pruner([("see “One thing” in X", "One thing")])
    assert pruner is None or pruner.how not in ("part", "between")


@given(st.text(max_size=40), st.sampled_from(["part", "between"]), st.integers(-3, 3))
def test_what_comes_out_is_a_part_of_what_went_in(text: str, how: str, start: int) -> None:
    pruner = Pruner(how, start=start, left="sentence" if how == "part" else "“", right="”")  # type: ignore[arg-type]
    assert pruner.value(text) in text


@pytest.mark.parametrize("pruner", [Pruner("part", left="nothing"), Pruner("between"), Pruner("type"), Pruner("odd")])  # type: ignore[arg-type]
def test_a_part_that_nobody_could_learn_is_refused(pruner: Pruner) -> None:
    with pytest.raises(ValueError, match="unknown part"):
        check_part(pruner)


@pytest.mark.slow
@pytest.mark.parametrize("entries", [(0,), (0, 3)])
@pytest.mark.parametrize("titles", [False, True])
def test_two_authors_marked_in_one_text_are_no_rule_in_silence(entries: tuple[int, ...], titles: bool) -> None:
    """They gave authors such as "J. von", or one record a page, without a word."""
    marks = [mark("author", at, value=name) for at in entries for name in PAPERS[at][0].split(" and ")]
    rules = learnt(*marks, *(mark("title", at) for at in (0, 3) if titles))
    assert rules.unlearnt == ("author",)
    assert any("several of its values were marked inside one text" in note for note in rules.notes)
    assert not any("author" in record for record in lifted(rules))
    if titles:
        assert [record["title"] for record in lifted(rules)] == [f"{paper[1]} 1" for paper in PAPERS]
