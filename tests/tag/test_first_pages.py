"""First pages of papers: titles, names and marks as they are printed, not only as they are worded."""

from __future__ import annotations

import pytest

from tests.read.made_pdf import Piece, made_pdf
from trailmark.demo.pdf_writer import DrawnLine, Run, pdf_bytes
from trailmark.errors import DocumentError
from trailmark.read.accents import with_accents
from trailmark.read.pdf_document import read_pdf
from trailmark.tag.header_layout import settled
from trailmark.tag.normal_forms import names_in
from trailmark.tag.page_lines import page_lines
from trailmark.tag.references import Reference, without_mark
from trailmark.tag.tagged_values import one_title, values_of
from trailmark.tag.words import Tag

BODY = [Piece(72, 300 + 14 * n, f"Running text of the body in its line {n}") for n in range(10)]


def titled(pieces: list[Piece], labels: list[str]) -> dict[str, list[str]]:
    """Lines of a first page and the label that a tagger gives to each -> values after layout has had its say."""
    lines = page_lines(read_pdf(made_pdf([[*pieces, *BODY]])))[: len(labels)]
    tags = [[Tag(label, 0.6) for _ in line.line.words] for line, label in zip(lines, labels, strict=True)]
    found: dict[str, list[str]] = {}
    for value in one_title(values_of(lines, settled(lines, tags, 10.0))):
        found.setdefault(value.field, []).append(value.text)
    return found


def test_a_title_is_the_block_of_large_letters_whatever_stands_above_it() -> None:
    pieces = [
        Piece(72, 60, "Technical Report of the House"),
        Piece(150, 90, "Walks of", 18),
        Piece(150, 110, "Many Sites", 18),
    ]
    found = titled([*pieces, Piece(200, 140, "Ada Lovelace", 12)], ["title", "title", "title", "author"])
    assert found["title"] == ["Walks of Many Sites"]
    assert found["author"] == ["Ada Lovelace"]


def test_names_side_by_side_are_several_and_a_wide_name_is_one() -> None:
    beside = [Piece(100, 140, "Ada Lovelace", 12), Piece(320, 140, "Alan Turing", 12)]
    assert titled([Piece(150, 90, "Walks", 18), *beside], ["title", "author"])["author"] == [
        "Ada Lovelace",
        "Alan Turing",
    ]
    wide = [Piece(100, 140, "ADA", 12), Piece(142, 140, "LOVELACE", 12)]
    assert titled([Piece(150, 90, "Walks", 18), *wide], ["title", "author"])["author"] == ["ADA LOVELACE"]


def test_names_one_below_the_other_are_several() -> None:
    below = [Piece(200, 140, "Ada Lovelace", 12), Piece(200, 156, "Alan Turing", 12)]
    assert titled([Piece(150, 90, "Walks", 18), *below], ["title", "author", "author"])["author"] == [
        "Ada Lovelace",
        "Alan Turing",
    ]


def test_what_is_printed_smaller_than_the_authors_names_none() -> None:
    pieces = [Piece(150, 90, "Walks", 18), Piece(200, 140, "Ada Lovelace", 12), Piece(200, 156, "Engine House", 9)]
    found = titled(pieces, ["title", "author", "author"])
    assert (found["author"], found["affiliation"]) == (["Ada Lovelace"], ["Engine House"])


def test_editors_above_a_title_are_no_authors() -> None:
    pieces = [Piece(72, 60, "Grace Hopper", 12), Piece(150, 90, "Walks", 18), Piece(200, 140, "Ada Lovelace", 12)]
    assert titled(pieces, ["author", "title", "author"])["author"] == ["Ada Lovelace"]


def test_a_name_beside_a_title_is_unsure_where_no_author_was_found() -> None:
    pieces = [Piece(150, 90, "Walks", 18), Piece(200, 140, "Ada Lovelace", 12)]
    assert titled(pieces, ["title", "note"])["author"] == ["Ada Lovelace"]


def test_a_title_above_the_left_one_of_two_columns_is_no_stamp() -> None:
    pieces = [Piece(100, 60, "Ada Lovelace"), Piece(80, 76, "WALKS OF MANY"), Piece(90, 88, "SITES")]
    left = [Piece(72, 120 + 14 * n, f"Left text in its line {n}") for n in range(4)]
    right = [Piece(330, 60 + 14 * n, f"Right text in its line {n}") for n in range(9)]
    found = titled([*pieces, *left, *right], ["title"] * 3 + ["abstract"] * 13)
    assert (found["title"], found["author"]) == (["WALKS OF MANY SITES"], ["Ada Lovelace"])


def test_a_name_in_small_letters_close_to_a_title_in_capitals_is_no_part_of_it() -> None:
    pieces = [Piece(100, 60, "Ada Lovelace"), Piece(80, 74, "WALKS OF MANY"), Piece(90, 88, "SITES")]
    found = titled(pieces, ["title"] * 3)
    assert (found["title"], found["author"]) == (["WALKS OF MANY SITES"], ["Ada Lovelace"])


def test_raised_marks_are_words_of_their_own_and_no_part_of_a_name() -> None:
    runs = (
        Run("Ada Lovelace", size=12),
        Run("1", size=8, raised=True),
        Run(", Alan Turing", size=12),
        Run("2", size=8, raised=True),
    )
    words = [word for line in read_pdf(pdf_bytes([[DrawnLine(72, 100, runs)]])).pages[0].lines for word in line.words]
    assert "Lovelace" in [word.text for word in words]
    assert all(not word.text.startswith("Lovelace1") for word in words)


def test_accents_that_were_printed_over_a_letter_are_put_on_it() -> None:
    boxes = {
        0: (0, 10, 5, 0),
        1: (5, 10, 10, 0),
        2: (10, 10, 15, 0),
        3: (15, 10, 20, 0),
        4: (20, 0, 20, 0),
        5: (16, 10, 19, 0),
    }
    assert with_accents("Jose ´", boxes.__getitem__)[:4] == "José"
    assert with_accents("plain", boxes.__getitem__) == "plain"


def test_fonts_that_do_not_name_their_letters_are_told() -> None:
    noise = [Piece(72, 80 + 14 * n, "|]r ] }#T $z&(&')+*-,/.02 1#54 76:<;-&'=>% a#b$c d!e%f") for n in range(20)]
    with pytest.raises(DocumentError, match="text recognition"):
        read_pdf(made_pdf([noise]))


def test_letters_that_stand_for_others_are_told() -> None:
    noise = [Piece(72, 80 + 14 * n, "ÖÙÞÚ ÕÞÚÙÝ ÕàÓÑ ØÛýÕÑ òþÿÑ ÙÒÕÚ ÙÙÖÕÒ") for n in range(20)]
    with pytest.raises(DocumentError, match="text recognition"):
        read_pdf(made_pdf([noise]))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("By Ada Lovelace", ["Ada Lovelace"]),
        ("Prof. Ada Lovelace and Dr. Alan Turing", ["Ada Lovelace", "Alan Turing"]),
        ("Ada Lovelace, PhD, ada@example.org", ["Ada Lovelace"]),
        ("David Peleg t", ["David Peleg"]),
        ("Rafael Pérez y Pérez", ["Rafael Pérez y Pérez"]),
    ],
)
def test_what_is_no_part_of_a_name_is_taken_off(text: str, names: list[str]) -> None:
    assert names_in(text) == names


@pytest.mark.parametrize(("mark", "split"), [("[12] ", "bracket"), ("[ML99] ", "bracket"), ("7. ", "number")])
def test_the_mark_of_a_reference_belongs_to_no_field(mark: str, split: str) -> None:
    lines = page_lines(read_pdf(made_pdf([[Piece(72, 80, f"{mark}A. Turing. On walks. 1936.")]])))
    reference = Reference(tuple(lines), split)  # type: ignore[arg-type]
    assert without_mark(reference.lines, reference.split)[0].text == "A. Turing. On walks. 1936."
