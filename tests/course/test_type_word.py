"""Words that name a kind of material."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.hostile_text import HOSTILE
from trailmark.course.type_word import TYPES, first_kind, kinds_in, order, parts


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Lecture 3: Graphs", "lecture"), ("hw3", "assignment"), ("HW3soln.ps", "solution"), ("Midterm 1 solutions", "solution"),
        ("final project", "assignment"), ("Final Exam", "exam"), ("office hours", "people"), ("Class mailing list", "discussion"),
        ("lectureNotes", "lecture"), ("Syllabus", "syllabus"), ("Lecture schedule", "syllabus"), ("reading assignments", "reading"),
        ("Ghostview", "other"), ("Panopto", "video"), ("gradebook", "grades"), ("xyzzy", None), ("", None), ("preliminaries", None),
    ],
)  # fmt: skip
def test_words_and_their_kinds(text: str, kind: str | None) -> None:
    assert first_kind(text) == kind


def test_letters_and_digits_are_apart() -> None:
    assert parts("HW3soln.ps") == ("hw", "3", "soln", "ps")


def test_the_file_names_every_type_once() -> None:
    assert sorted(order()) == sorted(TYPES)


def test_a_phrase_hides_the_words_in_it() -> None:
    assert [found.kind for found in kinds_in("problem sets")] == ["assignment"]
    assert {found.kind for found in kinds_in("mailing list")} == {"discussion"}


@given(HOSTILE)
def test_no_text_raises(text: str) -> None:
    assert all(found.kind in TYPES and found.start < found.end for found in kinds_in(text))
