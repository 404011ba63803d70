"""Records as JSON Lines, or as one JSON array: with memory for one record at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trailmark.datatypes import Record
from trailmark.export.record_json import record_to_json
from trailmark.quoting import json_text


def json_lines(records: Iterable[Record], *, sources: bool = False) -> Iterator[bytes]:
    """One object a line."""
    for record in records:
        yield _object(record, sources) + b"\n"


def json_array(records: Iterable[Record], *, sources: bool = False) -> Iterator[bytes]:
    """One array, an object on each line of it."""
    before = b"[\n"
    for record in records:
        yield before + _object(record, sources)
        before = b",\n"
    yield b"[]\n" if before == b"[\n" else b"\n]\n"


def _object(record: Record, sources: bool) -> bytes:
    return json_text(record_to_json(record, sources=sources)).encode()
