"""Titles in BibTeX stand without the quotes that a style of references puts around them."""

from __future__ import annotations

import pytest

from trailmark.datatypes import Record
from trailmark.export.bibtex_file import bibtex_entries


@pytest.mark.parametrize(
    ("found", "written"),
    [
        ('"How to stamp a document,"', "How to stamp a document"),
        ("“How to stamp a document”,", "How to stamp a document"),
        ("''How to stamp,''", "How to stamp"),
        ("«Wie man stempelt»", "Wie man stempelt"),
        ('The "new" way', "The ''new'' way"),
        ("'Tis the season of C's", "'Tis the season of C's"),
        ("What is a page?", "What is a page?"),
    ],
)
def test_quotes_around_a_title_are_left_out(found: str, written: str) -> None:
    (entry,) = bibtex_entries([Record("http://a.example/", "reference", {"title": (found,)})])
    assert f"  title = {{{written}}},\n" in entry.decode()


def test_a_title_of_nothing_but_marks_is_none() -> None:
    assert list(bibtex_entries([Record("", "reference", {"title": ('",",',)})])) == []
