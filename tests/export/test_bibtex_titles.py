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


@pytest.mark.parametrize(
    ("found", "written"),
    [
        ({"volume": ("21(8):613–641,",)}, ["volume = {21}", "number = {8}", "pages = {613-641}"]),
        ({"volume": ("1:9-36",), "pages": ("9-36",)}, ["volume = {1}", "pages = {9-36}"]),
        ({"pages": ("12(2):182–193",), "pages_normal": ("182-193",)}, ["volume = {12}", "number = {2}", "pages = {182-193}"]),
        ({"volume": ("LNCS 12:1",)}, ["volume = {LNCS 12:1}"]),
    ],
)  # fmt: skip
def test_volume_issue_and_pages_in_one_word_are_told_apart(
    found: dict[str, tuple[str, ...]], written: list[str]
) -> None:
    (entry,) = bibtex_entries([Record("", "reference", {"title": ("Pages",), **found})])
    told = [line.strip(" ,") for line in entry.decode().splitlines() if "=" in line and "title" not in line]
    assert sorted(told) == sorted(written)


def test_a_word_without_end_makes_no_key_without_end() -> None:
    (entry,) = bibtex_entries([Record("", "reference", {"title": ("x" * 5000,), "author": ("y" * 5000,)})])
    assert len(entry.partition(b",")[0]) < 100
