"""Key phrases: what is counted, what is passed over, and that the telling ones come first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.course.map_world import COURSES, LIFE, lesson
from tests.hostile_text import HOSTILE
from trailmark.course.knowledge.key_phrase import background, key_phrases
from trailmark.course.knowledge.material import CourseTexts, material, taught_items, text_material
from trailmark.course.knowledge.phrase import MOST_WORDS, counted_phrases, phrase_id, phrase_keys, runs, spelling
from trailmark.datatypes import Course, CourseItem, Response
from trailmark.read.singular import stem


def best(number: int, most: int = 5) -> list[str]:
    counted = [(each, counted_phrases(each.materials)) for each in COURSES]
    return [" ".join(each.key) for each in key_phrases(counted[number][1], background(counted), most)]


def test_phrases_are_runs_of_words_between_others() -> None:
    assert [run.words for run in runs("The finite automaton, of course, reads strings.")] == [
        ["finite", "automaton"], ["reads", "strings"]
    ]  # fmt: skip
    assert ("finite", "automaton") in phrase_keys("Finite Automatons")


@pytest.mark.parametrize(
    "text", ["ada@cs.example.edu", "http://www.example.edu/a/b", "~ada/lib/x.a", "CSE 322", "if (x == y) { return; }"]
)
def test_addresses_numbers_and_programs_have_no_phrases(text: str) -> None:
    assert list(runs(text)) == []


def test_words_of_course_life_are_no_phrases() -> None:
    counts = counted_phrases([lesson("x", 1, "Homework", *[LIFE] * 5)])
    known = background([(CourseTexts("x", "x", ()), counts)])
    assert key_phrases(counts, known, 10) == []


def test_a_course_is_told_by_its_own_phrases() -> None:
    assert "onion soup" in best(2)
    assert {"regular grammar", "turing machine"} <= set(best(0, 6))


def test_no_phrase_is_part_of_another() -> None:
    words = [set(phrase.split()) for phrase in best(0, 20)]
    assert all(not one <= other for one in words for other in words if one is not other)


@pytest.mark.parametrize(
    ("word", "root"), [("grammars", "grammar"), ("queries", "query"), ("classes", "class"), ("bus", "bus"), ("analysis", "analysis"), ("C++", "c++")]
)  # fmt: skip
def test_words_in_the_singular(word: str, root: str) -> None:
    assert stem(word) == root


def test_spelling_is_that_of_most_with_abbreviations_kept() -> None:
    counts = counted_phrases([lesson("x", 1, "SQL Queries", "SQL queries", "SQL queries")])
    assert spelling(counts["sql", "query"]) == "SQL queries"


@given(HOSTILE)
def test_any_text_has_phrases_that_can_be_told_apart(text: str) -> None:
    keys = phrase_keys(text)
    assert all(1 <= len(key) <= MOST_WORDS for key in keys)
    assert len({phrase_id(key) for key in keys}) == len(keys)


@given(st.binary(max_size=300), st.sampled_from(["text/html", "text/plain", "application/pdf", ""]))
def test_any_bytes_make_a_material_or_none(body: bytes, kind: str) -> None:
    made = material(Response("http://x.example/", 200, (("Content-Type", kind),), body), "t", "lecture")
    assert made is None or made.passages


def test_headings_are_told_apart() -> None:
    body = b"<h2>Grammars</h2><p>" + b"words of a text that is read " * 9 + b"</p>"
    made = material(Response("http://x.example/", 200, (("Content-Type", "text/html"),), body), "t", "lecture")
    assert made is not None
    assert [passage.is_heading for passage in made.passages] == [True, False]


def test_items_are_in_the_order_in_which_they_are_taught() -> None:
    items = tuple(CourseItem("lecture", f"L{n}", f"http://x.example/{n}", n, place=9 - n) for n in (3, 1, 2))
    course = Course("http://x.example/", "t", items=(*items, CourseItem("people", "Ada", "http://x.example/ada")))
    assert [(item.title, place) for item, place in taught_items(course)] == [("L1", 1), ("L2", 2), ("L3", 3)]


def test_a_text_without_layout_is_a_passage_a_line() -> None:
    made = text_material("one\n\n  two  three \n", "http://x.example/", "t", "lecture")
    assert made is not None
    assert [passage.text for passage in made.passages] == ["one", "two three"]
    assert text_material("\n", "u", "t", "lecture") is None
