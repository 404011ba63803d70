"""Repeated structure (first shape)."""

from __future__ import annotations

from trailmark.datatypes import Repetition
from trailmark.read.walk import Notes


def find_repetition(notes: Notes) -> tuple[Repetition, list[int]]:
    """(the page's repeated blocks, the block number of each raw link)."""
    return Repetition(), [-1] * len(notes.links)
