"""BibTeX as people write it, and as nobody should; what words are used for in it."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from tests.hostile_text import HOSTILE
from trailmark.tag.bibtex import BibEntry, bib_entries
from trailmark.tag.lexicon import lexicon_of

SHORT = '@string{cup = "Cambridge Press"}\n@comment{ @x{ }'
WORKS = """@Article{a, title = {The {Art} of G{\\"o}del}, author = "Lovelace, Ada and Alan Turing", publisher = cup # { Ltd}, year = 1990}
@book{broken, title = {never closed
@book(b, title = {Next}, author = {Turing, Alan})"""


def test_entries_with_abbreviations_of_another_file() -> None:
    first, second = bib_entries([WORKS, SHORT])
    assert first == BibEntry(
        "article",
        (
            ("title", "The Art of Godel"),
            ("author", "Lovelace, Ada and Alan Turing"),
            ("publisher", "Cambridge Press Ltd"),
            ("year", "1990"),
        ),
    )
    assert second.fields == (("title", "Next"), ("author", "Turing, Alan"))


def test_an_abbreviation_keeps_the_blanks_at_its_ends() -> None:
    joined = '@string{and = " and "} @book{b, title = {T}, author = "Ada Lovelace" # and # "Alan Turing"}'
    (entry,) = bib_entries([joined])
    assert dict(entry.fields)["author"] == "Ada Lovelace and Alan Turing"


def test_names_are_told_apart() -> None:
    lexicon = lexicon_of(bib_entries([WORKS, SHORT]))
    assert lexicon.of("turing") == ("family:most",)
    assert lexicon.of("alan") == ("given:most",)
    assert lexicon.of("never") == ()


@given(st.lists(st.one_of(HOSTILE, st.sampled_from(["@a{b,", "c = {", "}", '"', "#", "@string{x=", ","])), max_size=12))
def test_any_text_is_read(parts: list[str]) -> None:
    for entry in bib_entries(["".join(parts)]):
        assert entry.kind.isascii()
        assert entry.fields


def test_values_that_never_close_take_no_long_time() -> None:
    start = time.process_time()
    assert list(bib_entries(["@a{b,c={" * 100_000])) == []
    assert time.process_time() - start < 10
