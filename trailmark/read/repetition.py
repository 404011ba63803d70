"""Repeated structure (first shape)."""

from __future__ import annotations

from trailmark.datatypes import Link, Repetition
from trailmark.read.notes import Notes


def with_blocks(notes: Notes, links: list[Link], kept: list[int]) -> tuple[Repetition, list[Link]]:
    """(the page's repeated blocks, the links with the numbers of their blocks)."""
    return Repetition(), links
