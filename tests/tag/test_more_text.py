"""Tagged text that is added to what people tagged: references written out from bibliographies, worn copies, and mixed ones."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from trailmark.tag.bibtex import bib_entries
from trailmark.tag.crf_tagger import CrfRecipe
from trailmark.tag.line_features import paragraphs
from trailmark.tag.mixed_text import mixed
from trailmark.tag.recipes import with_more
from trailmark.tag.tagged_text import TaggedDocument, parse_tagged
from trailmark.tag.words import Word
from trailmark.tag.worn_text import worn
from trailmark.tag.written_references import written_references

WORKS = """
@article{a, author = {Lovelace, Ada and Turing, Alan}, title = {On Engines}, journal = {Journal of Notes}, volume = 3, number = 2,
  pages = {1--9}, year = 1990}
@inproceedings{b, author = {Ada Lovelace}, title = {Looms}, booktitle = {Proceedings of Weaving}, editor = {Noether, Emmy}, year = 1991}
@phdthesis{c, author = {Alan Turing}, title = {Machines}, school = {Princeton University}, year = 1938}
@book{d, author = {Grace Hopper}, title = {Compilers}, publisher = {Harbour Press, New York}, year = 1952}
@book{e, title = {Without an author}, publisher = {Nobody}, year = 1952}
"""
LABELS = {
    "author",
    "title",
    "journal",
    "volume",
    "pages",
    "booktitle",
    "editor",
    "tech",
    "institution",
    "publisher",
    "location",
    "date",
}


def _written(seed: int) -> list[TaggedDocument]:
    return written_references(list(bib_entries([WORKS])), 20, seed=seed)


def _words(document: TaggedDocument, label: str) -> str:
    return " ".join(
        word.text for word, name in zip(document.lines[0], document.labels[0], strict=True) if name == label
    )


def test_every_word_of_a_written_reference_has_the_label_of_its_field() -> None:
    documents = [document for seed in range(20) for document in _written(seed)]
    assert {label for document in documents for label in document.labels[0]} == LABELS
    for document in documents:
        assert "Without" not in _words(document, "title")
        assert _words(document, "title").strip('".,').lower() in {"on engines", "looms", "machines", "compilers"}
        assert any(name in _words(document, "author") for name in ("Lovelace", "Turing", "Hopper"))
        assert document.lines[0][-1].text.endswith((".", ".)"))


def test_styles_differ_and_the_same_seed_writes_the_same() -> None:
    assert _written(3) == _written(3)
    orders = {tuple(dict.fromkeys(document.labels[0])) for seed in range(20) for document in _written(seed)}
    assert ("author", "date", "title", "journal", "volume", "pages") in orders
    assert ("author", "title", "journal", "volume", "pages", "date") in orders


def test_worn_copies_keep_a_label_a_word_and_leave_documents_of_lines_alone() -> None:
    line = '{"tokens": ["A.", "Lovelace,", "Engines."], "labels": ["author", "author", "title"]}'
    lines = '{"lines": [[["A.", "author"]], [["Engines", "title"]]]}'
    documents, _ = parse_tagged([line] * 60 + [lines] * 60, "x")
    copies = worn(documents)
    assert 20 < len(copies) < 60
    assert worn(documents) == copies
    assert all(len(copy.lines) == 1 and len(copy.lines[0]) == len(copy.labels[0]) for copy in copies)
    assert any(copy.lines[0][1].text == "Lovelace" for copy in copies)


ADDRESSES = [
    {"tokens": ["12", "Mill", "Road,", "Leeds", "UK"], "labels": ["number", "street", "street", "town", "O"]},
    {"tokens": ["7", "Kiln Lane", "York"], "labels": ["number", "street", "town"]},
]


def _mixed(copies: int, *, restyled: bool = False) -> list[TaggedDocument]:
    documents, _ = parse_tagged(map(json.dumps, ADDRESSES), "x")
    return mixed(documents, copies, restyled=restyled)


def test_mixed_documents_have_the_fields_of_one_filled_from_another() -> None:
    copies = _mixed(40)
    assert len(copies) == 80
    first = copies[::2]
    assert all(" ".join(dict.fromkeys(copy.labels[0])) == "number street town O" for copy in first)
    assert {_words(copy, "number") for copy in first} == {"12", "7"}
    assert {_words(copy, "street") for copy in first} == {"Mill Road,", "Kiln Lane,"}, "the comma stays where it stood"
    assert {_words(copy, "town") for copy in first} == {"Leeds", "York"}
    assert {_words(copy, "O") for copy in first} == {"UK"}, "what is no field is left alone"
    assert any(_words(copy, "street") == "Kiln Lane," and _words(copy, "town") == "Leeds" for copy in first)


def test_restyled_documents_differ_in_capitals_and_commas() -> None:
    streets = {_words(copy, "street") for copy in _mixed(80, restyled=True)[::2]}
    assert streets >= {"Mill Road,", "Mill Road", "mill road,", "mill road", "MILL ROAD,", "MILL ROAD"}


@given(
    st.lists(st.lists(st.lists(st.tuples(st.text(min_size=1), st.sampled_from("abO")), min_size=1)), max_size=4),
    st.booleans(),
)
def test_mixed_documents_have_a_label_a_word(rows: list[list[list[tuple[str, str]]]], restyled: bool) -> None:
    documents = [
        TaggedDocument(
            tuple(tuple(Word(text) for text, _ in line) for line in lines),
            tuple(tuple(label for _, label in line) for line in lines),
        )
        for lines in rows
    ]
    copies = mixed(documents, 2, restyled=restyled)
    assert copies == mixed(documents, 2, restyled=restyled)
    assert len(copies) == 2 * len(documents)
    for copy, document in zip(copies, documents * 2, strict=True):
        assert [len(line) for line in copy.lines] == [len(line) for line in copy.labels]
        assert [set(line) for line in copy.labels] == [set(line) for line in document.labels]
        assert all(word.text for line in copy.lines for word in line)


def test_a_recipe_says_what_is_added() -> None:
    document, _ = parse_tagged(['{"tokens": ["A."], "labels": ["author"]}'] * 9, "x")
    entries = list(bib_entries([WORKS]))
    assert with_more(document, CrfRecipe(), entries) == document
    assert len(with_more(document, CrfRecipe(written=20), entries)) == 9 + 4
    assert len(with_more(document, CrfRecipe(mixed=2), entries)) == 9 + 18


def test_a_paragraph_ends_with_a_short_line_or_before_a_line_is_full() -> None:
    text = """Abstract
    The first paragraph has a line that is quite full here
    and ends before the line does.
    Supported by a grant of somebody who has some money left
    and by nobody else at all, so we thank them for it here.
    Ada Lovelace"""
    lines = [line.split() for line in text.splitlines()]
    assert [len(group) for group in paragraphs(lines)] == [1, 2, 2, 1]
    assert list(paragraphs([])) == []
