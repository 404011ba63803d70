"""What other courses have on the same, with the reason; and abstracts out of an item's own sentences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.course.map_world import AUTOMATON, GRAMMAR, LIFE, PUSHDOWN, TURING, course
from tests.hostile_text import HOSTILE
from trailmark.course.knowledge.abstract import LONGEST, SHORTEST, abstract
from trailmark.course.knowledge.material import CourseTexts, Material, Passage
from trailmark.course.knowledge.recommendation import likeness, recommendations, shelf

COURSES = (
    course("a", ("Grammars", (GRAMMAR,) * 4), ("Machines", (TURING,) * 4)),
    course("b", ("Turing", (TURING, TURING, PUSHDOWN, LIFE)), ("Grammar", (GRAMMAR, GRAMMAR, AUTOMATON, LIFE))),
    course("c", ("Soup", ("The onion soup is hot, and the pot of soup is on the stove." * 4,) * 3)),
)


def test_what_speaks_of_the_same_comes_first_with_the_reason() -> None:
    shelved = shelf(COURSES)
    found = recommendations(shelved[0], shelved, 5)
    assert found[0].url == "http://b.example/l2.html"
    assert "regular grammar" in found[0].shared
    assert all(each.course != "a" for each in found), "one's own course is at hand anyway"
    assert "http://c.example/l1.html" not in [each.url for each in found], "what shares nothing is not recommended"


def test_likeness_is_between_nothing_and_one_and_the_same_both_ways() -> None:
    shelved = shelf(COURSES)
    for one in shelved:
        for other in shelved:
            assert -1e-9 <= likeness(one, other) <= 1 + 1e-9
            assert abs(likeness(one, other) - likeness(other, one)) < 1e-9


def test_a_short_text_is_not_recommended() -> None:
    assert shelf([course("x", ("Short", ("A few words.",)))]) == []


def test_an_abstract_is_made_of_the_items_own_sentences_in_order() -> None:
    item = shelf(COURSES)[2]
    told = abstract(item.material, item.weights, 2)
    text = " ".join(passage.text for passage in item.material.passages)
    assert 1 <= len(told) <= 2
    assert all(sentence in text for sentence in told)
    assert [text.index(sentence) for sentence in told] == sorted(text.index(sentence) for sentence in told)


def test_no_sentence_is_chosen_that_says_nothing_new() -> None:
    item = shelf(COURSES)[1]
    assert len(abstract(item.material, item.weights, 10)) <= 2, "the same four paragraphs"
    assert abstract(item.material, item.weights, 0) == ()


@given(st.lists(HOSTILE, max_size=5), st.integers(0, 4))
def test_any_text_has_an_abstract_or_none(texts: list[str], length: int) -> None:
    material = Material("u", "t", "lecture", 1, tuple(Passage(text) for text in texts))
    weights = {key: 1.0 for item in shelf([CourseTexts("x", "x", (material,))]) for key in item.counts}
    told = abstract(material, weights, length)
    assert len(told) <= length
    assert all(SHORTEST <= len(text.split()) <= LONGEST for text in told)
