"""Keywords as a person writes them, and texts against them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.errors import InputError
from trailmark.learn.keyword_list import MOST_KEYWORDS, keyword_lines, keyword_words, parse_keywords
from trailmark.learn.keyword_match import KeywordMatcher
from trailmark.read import tokens

WORDS = st.text(st.characters(categories=("Lu", "Ll", "Lo", "Nd")), min_size=1, max_size=12)


def test_one_a_line_with_weights_remarks_and_doubles() -> None:
    found = parse_keywords(["# mine", "", "Graph  Theory\t2", "graph theory", "trees", "  #no "], "k.txt")
    assert [(each.text, each.words, each.weight) for each in found] == [
        ("Graph Theory", ("graph", "theory"), 2.0),
        ("trees", ("tree",), 1.0),
    ]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "k.txt has no keyword"),
        (["# only", "", "# remarks"], "k.txt has no keyword"),
        (["good", "!!!"], "k.txt, line 2: '!!!' has no word"),
        (["x" * 1_000_000], "k.txt, line 1: 'xxxx"),
        (["a\tmany"], "line 1: the weight 'many'"),
        (["a\t-1"], "line 1: the weight '-1'"),
        (["a\tnan"], "line 1: the weight 'nan'"),
        (["a\tinf"], "line 1: the weight 'inf'"),
        ([f"w{number}" for number in range(MOST_KEYWORDS + 1)], "at most 100,000"),
    ],
)
def test_what_can_be_no_list_is_said_in_one_short_sentence(lines: list[str], says: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_keywords(lines, "k.txt")
    assert says in str(refused.value)
    assert len(str(refused.value)) < 250


@given(st.lists(st.tuples(WORDS, st.floats(0.001, 1000.0)), min_size=1, max_size=20))
def test_written_and_read_again_a_list_is_the_same(pairs: list[tuple[str, float]]) -> None:
    try:
        found = parse_keywords([f"{word}\t{weight!r}" for word, weight in pairs], "x")
    except InputError:
        return  # some signs of scripts are no word of ours
    assert parse_keywords(keyword_lines(found).splitlines(), "y") == found


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("机器学习", "本课程讲授机器学习的基础"),
        ("機械学習", "これは機械学習の講義です"),
        ("猫", "我的猫在这里"),
        ("การเรียนรู้", "บทเรียนเกี่ยวกับการเรียนรู้ของเครื่อง"),
        ("машинное обучение", "Лекция: Машинное обучение"),
        ("मशीन लर्निंग", "पाठ: मशीन लर्निंग"),
        ("Algorithms", "An algorithm"),
        ("algorithm", "ALGORITHMS!"),
    ],
)
def test_a_keyword_is_found_in_every_script(keyword: str, text: str) -> None:
    matcher = KeywordMatcher(parse_keywords([keyword], "x"))
    words = matcher.words(tokens(text))
    assert matcher.whole(words)
    assert matcher.strength("head", words) > 0.5


def test_signs_of_a_word_that_stand_apart_are_not_the_word() -> None:
    matcher = KeywordMatcher(parse_keywords(["机器学习"], "x"))
    words = matcher.words(tokens("机 器 学 习 器机 习学"))
    assert not matcher.whole(words)
    assert matcher.strength("head", words) == 0.0


@given(st.lists(WORDS, min_size=1, max_size=8), st.lists(WORDS, max_size=30))
def test_strength_is_a_share_and_a_whole_keyword_is_counted(keywords: list[str], text: list[str]) -> None:
    try:
        matcher = KeywordMatcher(parse_keywords(keywords, "x"))
    except InputError:
        return
    words = matcher.words(tokens(" ".join((*text, keywords[0]))))
    assert 0.0 <= matcher.strength("body", words) <= 1.0
    first = keyword_words(keywords[0])
    number = next((n for n, each in enumerate(matcher.keywords) if each.words == first), None)
    assert number is None or len(first) == 0 or matcher.whole(words)[number] >= 1 or not all(w in words for w in first)


def test_what_stands_on_every_page_says_nothing() -> None:
    matcher = KeywordMatcher(parse_keywords(["course", "graph"], "x"))
    for _ in range(200):
        matcher.see("head", [["course", "home"]])
    assert matcher.strength("head", ["course"]) < 0.05
    assert matcher.strength("head", ["graph"]) > 0.7
    assert matcher.strength("link", ["course"]) > 0.7


def test_a_hundred_thousand_keywords_cost_bounded_work() -> None:
    lines = [f"introduction to subject{number} and practice" for number in range(MOST_KEYWORDS)]
    matcher = KeywordMatcher(parse_keywords(lines, "x"))
    words = ["introduction", "to", "subject7", "and", "practice"] * 200
    started = time.process_time()
    for _ in range(20):
        matcher.strength("body", words)
        assert matcher.whole(words)
    assert time.process_time() - started < 2.0
