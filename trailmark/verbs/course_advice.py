"""A course -> what is told beside its items, as `organise` kept it: for the app's page of a course."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from trailmark.store.advice_table import StoredAdvice, read_advice
from trailmark.store.organised import Organised, plain_errors


def item_advice(folder: Path, course: str) -> Mapping[str, StoredAdvice] | None:
    """A workspace's folder and the id of a course -> what is told beside its items, by their addresses; None where nothing was organised."""
    organised = Organised.open_to_read(folder)
    if organised is None:
        return None
    with organised, plain_errors(organised.path):
        return read_advice(organised.connection, course)
