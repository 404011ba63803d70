"""What readers type is understood as they mean it, and never an error."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from trailmark.datatypes import Query, QueryTerm, YearSpan
from trailmark.organise.query import LONGEST, MOST_TERMS, query_text, read_query

SIGNS = st.sampled_from(
    ["+", "-", '"', ":", "*", "..", " ", "1995", "2000", "a", "author", "year", "é", "学", "\0", "“", "\ud800", "(", "NEAR", "ͺ"]
)  # fmt: skip
TYPED = st.one_of(st.text(), st.lists(SIGNS).map("".join))


def terms(text: str) -> tuple[QueryTerm, ...]:
    return read_query(text).query.terms


@given(TYPED)
@example('"')
@example('a"b "c')
@example("++-a")
@example("a:b:c")
@example("year:1999 1999 year:x")
@example("2000..1995 -..1990")
@example('author:"" x')
@example("http://x.org/")
@example('author:+"x"')
@example('a:"1999..2000" "1999..2000"')
def test_any_text_is_read_and_what_is_written_back_means_the_same(text: str) -> None:
    query = read_query(text).query
    assert read_query(query_text(query)).query == query


def test_words_signs_phrases_and_fields_are_told_apart() -> None:
    assert terms('+garbage collector -java "mark and sweep" author:Knuth -title:"art of"') == (
        QueryTerm("garbage", sign="+"),
        QueryTerm("collector"),
        QueryTerm("java", sign="-"),
        QueryTerm("mark and sweep", phrase=True),
        QueryTerm("Knuth", "author"),
        QueryTerm("art of", "title", "-", phrase=True),
    )


def test_a_star_lets_the_last_word_go_on() -> None:
    assert terms('neur* author:knu* "hidden mark"*') == (
        QueryTerm("neur", prefix=True),
        QueryTerm("knu", "author", prefix=True),
        QueryTerm("hidden mark", phrase=True, prefix=True),
    )


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("1995..2000", YearSpan(1995, 2000)),
        ("..1990", YearSpan(None, 1990)),
        ("2001..", YearSpan(2001, None)),
        ("2000..1995", YearSpan(1995, 2000)),
        ("-1995..2000", YearSpan(1995, 2000, "-")),
        ("year:1999", YearSpan(1999, 1999)),
        ("year:1995..", YearSpan(1995, None)),
    ],
)
def test_years_are_spans(text: str, years: YearSpan) -> None:
    assert read_query(text).query == Query(years=(years,))


@pytest.mark.parametrize("text", ["1999", "12..19", "1995...2000", "year:soon"])
def test_what_is_no_span_of_years_is_a_word(text: str) -> None:
    query = read_query(text).query
    assert not query.years
    assert query.terms


def test_other_names_of_a_field_mean_the_same() -> None:
    assert terms("by:knuth") == terms("Authors:knuth") == terms("author:knuth")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('garbage "collector', ["garbage", "collector"]),
        ("Lisp: a history", ["Lisp:", "a", "history"]),
        ("http://x.org/a", ["http://x.org/a"]),
        ("author: knuth", ["author:", "knuth"]),
        ("a + b - c", ["a", "b", "c"]),
        ("AND OR NOT NEAR(a b)", ["AND", "OR", "NOT", "NEAR(a", "b)"]),
    ],
)
def test_stray_signs_are_read_as_words(text: str, words: list[str]) -> None:
    found = terms(text)
    assert [term.words for term in found] == words
    assert not any(term.field or term.sign or term.phrase for term in found)


def test_how_it_was_understood_is_told() -> None:
    read = read_query('+ "open')
    assert read.query == Query((QueryTerm("open"),))
    assert read.remarks == (
        "A quote that is not closed was left out.",
        "'+' holds no letter and no digit, and was left out.",
    )
    assert read_query("garbage -java").remarks == ()


def test_a_query_is_bounded() -> None:
    long = read_query("a " * LONGEST * 2)
    assert long.query == Query((QueryTerm("a"),))
    assert long.remarks == (f"The first {LONGEST} characters were read.",)
    many = read_query(" ".join(f"w{n}" for n in range(100)))
    assert len(many.query.terms) == MOST_TERMS
    assert many.remarks == ("The first 32 of 100 terms were looked for.",)


def test_bent_quotes_are_quotes() -> None:
    assert terms("“mark and sweep”") == terms('"mark and sweep"') == terms("«mark and sweep»")
