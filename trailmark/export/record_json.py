"""A record as the JSON object that others rely on."""

from __future__ import annotations

from typing import Any

from trailmark.datatypes import Record


def record_to_json(record: Record, *, sources: bool = False) -> dict[str, Any]:
    """The record as the interface writes it; where each value stood is added only on request.

    Fields whose values are worth a look are named under `unsure`, where there are any; a record that rules of another template made says
    `"borrowed": true`.
    """
    fields = {name: list(values) for name, values in record.fields.items()}
    entry: dict[str, Any] = {"url": record.url, "kind": record.kind, "fields": fields, "made_by": record.made_by}
    if record.unsure:
        entry["unsure"] = list(record.unsure)
    if record.borrowed:
        entry["borrowed"] = True
    if record.probabilities:
        entry["probabilities"] = {name: list(values) for name, values in record.probabilities.items()}
    if sources:
        entry["sources"] = {name: list(paths) for name, paths in record.sources.items()}
    return entry
