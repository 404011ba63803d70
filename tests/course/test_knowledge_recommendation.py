"""What other courses have on the same, with the reason; and abstracts out of an item's own sentences."""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.course.map_world import AUTOMATON, GRAMMAR, LIFE, PUSHDOWN, TURING, course
from tests.hostile_text import HOSTILE
from trailmark.course.knowledge.abstract import LONGEST, SHORTEST, _worth, abstract, sentences
from trailmark.course.knowledge.material import CourseTexts, Material, Passage
from trailmark.course.knowledge.phrase import Key, phrase_keys
from trailmark.course.knowledge.recommendation import advice, recommendations
from trailmark.course.knowledge.shelf import shelf

COURSES = (
    course("a", ("Grammars", (GRAMMAR,) * 4), ("Machines", (TURING,) * 4)),
    course("b", ("Turing", (TURING, TURING, PUSHDOWN, LIFE)), ("Grammar", (GRAMMAR, GRAMMAR, AUTOMATON, LIFE))),
    course("c", ("Soup", ("The onion soup is hot, and the pot of soup is on the stove." * 4,) * 3)),
)


def test_what_speaks_of_the_same_comes_first_with_the_reason() -> None:
    found = recommendations(shelf(COURSES), 0, 5)
    assert found[0].url == "http://b.example/l2.html"
    assert "regular grammar" in found[0].shared
    assert all(each.course != "a" for each in found), "one's own course is at hand anyway"
    assert "http://c.example/l1.html" not in [each.url for each in found], "what shares nothing is not recommended"


def test_a_course_in_another_term_is_no_other_course() -> None:
    runs = (replace(COURSES[0], family="one"), replace(COURSES[1], family="one"))
    assert recommendations(shelf(runs), 0, 5) == []


def test_one_text_at_two_addresses_is_recommended_once() -> None:
    again = replace(
        COURSES[1], materials=tuple(replace(each, url=f"{each.url}?again") for each in COURSES[1].materials)
    )
    twice = (COURSES[0], COURSES[1], replace(again, id="b2"))
    found = [each.url for each in recommendations(shelf(twice), 1, 5)]
    assert found[0] == "http://b.example/l1.html"
    assert not any(url.endswith("?again") for url in found)


def test_what_is_told_of_all_items_is_what_is_told_of_each() -> None:
    shelved = shelf(COURSES)
    told = {each.url: each for each in advice(shelved, 2, 2)}
    for number, item in enumerate(shelved.items):
        found = tuple(recommendations(shelved, number, 2))
        if found:
            assert told[item.url].recommended == found
            assert told[item.url].abstract == shelved.abstract(number, 2)


def test_what_a_sentence_adds_does_not_hang_on_the_order_of_its_phrases() -> None:
    keys: list[Key] = [(f"word{number}",) for number in range(40)]
    weights: dict[Key, float] = {key: 1 / (number + 3) for number, key in enumerate(keys)}
    for size in range(3, 40):
        fresh = set(keys[:size])
        assert _worth(fresh, "one", weights) == math.fsum(weights[key] for key in fresh)


def test_likeness_is_between_nothing_and_one_and_the_same_both_ways() -> None:
    shelved = shelf(COURSES)
    for one in range(len(shelved)):
        for other in range(len(shelved)):
            assert -1e-9 <= shelved.likeness(one, other) <= 1 + 1e-9
            assert abs(shelved.likeness(one, other) - shelved.likeness(other, one)) < 1e-9


def test_a_short_text_is_not_recommended() -> None:
    assert len(shelf([course("x", ("Short", ("A few words.",)))])) == 0
    assert list(advice(shelf([]), 3, 3)) == []


def test_an_abstract_is_made_of_the_items_own_sentences_in_order() -> None:
    told = shelf(COURSES).abstract(2, 2)
    text = " ".join(passage.text for passage in COURSES[1].materials[0].passages)
    assert 1 <= len(told) <= 2
    assert all(sentence in text for sentence in told)
    assert [text.index(sentence) for sentence in told] == sorted(text.index(sentence) for sentence in told)


def test_no_sentence_is_chosen_that_says_nothing_new() -> None:
    assert len(shelf(COURSES).abstract(1, 10)) <= 2, "the same four paragraphs"
    assert shelf(COURSES).abstract(1, 0) == ()


@given(st.lists(HOSTILE, max_size=5), st.integers(0, 4))
def test_any_text_has_an_abstract_or_none(texts: list[str], length: int) -> None:
    material = Material("u", "t", "lecture", 1, tuple(Passage(text) for text in texts))
    weights = {key: 1.0 for text in texts for key in phrase_keys(text)}
    told = abstract(sentences(material), weights, length)
    assert len(told) <= length
    assert all(SHORTEST <= len(text.split()) <= LONGEST for text in told)


@given(st.lists(st.lists(HOSTILE, min_size=1, max_size=4), max_size=4))
def test_any_texts_can_be_shelved_and_compared(courses: list[list[str]]) -> None:
    made = [
        CourseTexts(f"c{number}", "x", (Material(f"u{number}", texts[0], "lecture", 1, tuple(Passage(text * 20) for text in texts)),))
        for number, texts in enumerate(courses)
    ]  # fmt: skip
    for each in advice(shelf(made), 2, 2):
        assert all(0 < other.score <= 1.001 for other in each.recommended)
