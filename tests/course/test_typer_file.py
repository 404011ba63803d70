"""A typer that is kept comes back the same, and what is none is refused in one sentence."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.course.test_item_typer import course
from trailmark.course.item_typer import learnt_typer
from trailmark.course.typer_file import typer_from_bytes, typer_to_bytes
from trailmark.errors import InputError

TYPER = learnt_typer([course("a.example"), course("b.example", names=("Exams", "Homework"))])
CONTENT = typer_to_bytes(TYPER)


def test_a_typer_comes_back() -> None:
    again = typer_from_bytes(CONTENT)
    pages = course("c.example").pages
    assert [item.kind for item in again.typed(pages)[0]] == [item.kind for item in TYPER.typed(pages)[0]]
    assert typer_to_bytes(again) == CONTENT


@pytest.mark.parametrize("content", [b"", b"PK", b"x" * 100, CONTENT[:-40], CONTENT[40:]])
def test_what_is_no_typer_is_refused(content: bytes) -> None:
    with pytest.raises(InputError, match="my typer is"):
        typer_from_bytes(content, source="my typer")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(CONTENT) - 1), st.integers(0, 255))
def test_a_byte_that_changed_raises_nothing_else(place: int, byte: int) -> None:
    changed = CONTENT[:place] + bytes([byte]) + CONTENT[place + 1 :]
    with suppress(InputError):
        assert typer_from_bytes(changed).typed(course("c.example").pages)
