"""Records of a document -> the same, each reference with the sentences in which the document cites it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trailmark.datatypes import Record
from trailmark.organise.citation_context import citation_contexts, cited_reference
from trailmark.organise.thing import REFERENCE

CONTEXT = "context"
"""The field that they stand in."""


def with_contexts(records: Sequence[Record], body: str) -> tuple[Record, ...]:
    """The records of a document and its running text -> records with contexts; those that are never cited stay as they are."""
    references = [record for record in records if record.kind == REFERENCE]
    if not body or not references:
        return tuple(records)
    called = [cited_reference(" ".join(record.fields.get("text", ())), record.fields) for record in references]
    contexts = dict(zip(map(id, references), citation_contexts(body, called), strict=True))
    return tuple(
        replace(record, fields={**record.fields, CONTEXT: sentences})
        if (sentences := contexts.get(id(record)))
        else record
        for record in records
    )
