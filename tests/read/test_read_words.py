"""Tokens."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from trailmark.read import tokens


def test_words_and_numbers_without_punctuation() -> None:
    assert tokens("Publications: 3.14 (don't), AT&T; e-mail") == ["publications", "3.14", "don't", "at&t", "e", "mail"]


def test_an_address_is_one_token() -> None:
    assert tokens("Write to <Ada@CS.example.edu>.") == ["write", "to", "ada@cs.example.edu"]


def test_unicode_lower_case_and_composed_accents() -> None:
    assert tokens("ÉCOLE Straße ΟΔΟΣ") == ["école", "straße", "οδος"]
    assert tokens(unicodedata.normalize("NFD", "École")) == ["école"]


def test_words_with_combining_marks_stay_whole() -> None:
    assert tokens("हिन्दी") == ["हिन्दी"]


def test_text_without_blanks_is_cut_to_bounded_tokens() -> None:
    found = tokens("語" * 1000)
    assert "".join(found) == "語" * 1000
    assert max(map(len, found)) <= 40


def test_underscores_and_blanks_of_all_kinds_part_words() -> None:
    assert tokens("office_hours\u00a0daily\u2003now") == ["office", "hours", "daily", "now"]


def test_signs_of_the_walk_are_no_tokens() -> None:
    assert tokens("a \x01 b \x02 c") == ["a", "b", "c"]


@given(st.text(max_size=300))
def test_tokens_are_lower_case_short_and_stable(text: str) -> None:
    found = tokens(text)
    assert tokens(text) == found
    for token in found:
        assert 0 < len(token) <= 245
        assert not any(sign.isspace() for sign in token)
        assert token == unicodedata.normalize("NFC", token) or not token.isascii()


@given(st.text(max_size=100), st.text(max_size=100))
def test_tokens_of_two_texts_are_the_tokens_of_both(one: str, other: str) -> None:
    assert tokens(f"{one} {other}") == tokens(one) + tokens(other)
