"""The wiring of `trailmark export`: records, or the rules that made them, from the workspace to a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.export import form_of, write_records
from trailmark.store.json_lines import written_whole
from trailmark.workspace import Workspace


def export_records(
    workspace: Workspace, file: Path, *, kind: str | None = None, fields: Sequence[str] = (), sources: bool = False
) -> dict[str, Any]:
    """Write the workspace's records, or those of a kind, with all their fields or those named."""
    form = form_of(file.name)
    # Two walks over the records instead of all of them in memory: a table needs its columns before its first row.
    found = Counter(name for record in workspace.database.records(kind) for name in record.fields)
    missing = [name for name in fields if name not in found]
    if not found:
        kinds = sorted({record.kind for record in workspace.database.records()})
        raise InputError(
            f"There are no records of kind '{kind}'; there are: {', '.join(kinds)}."
            if kinds
            else f"There are no records in {workspace.folder}; make some first: trailmark extract"
        )
    if missing:
        raise InputError(f"No record has a field '{missing[0]}'; there are: {', '.join(found)}.")
    columns = list(fields) or list(found)
    with written_whole(file) as opened:
        records = _chosen(workspace.database.records(kind), fields)
        counted = Counter[str]()
        write_records(_counted(records, counted), opened, form, columns, workspace.settings.export, sources=sources)
    return {"file": str(file), "records": counted["records"], "fields": {name: found[name] for name in columns}}


def _chosen(records: Iterator[Record], fields: Sequence[str]) -> Iterator[Record]:
    """The records with the fields that are wanted; one that has none of them is left out."""
    for record in records:
        if not fields:
            yield record
            continue
        kept = {name: record.fields[name] for name in fields if name in record.fields}
        places = {name: record.sources[name] for name in kept if name in record.sources}
        if kept:
            yield Record(record.url, record.kind, kept, record.made_by, places)


def _counted(records: Iterator[Record], counts: Counter[str]) -> Iterator[Record]:
    for record in records:
        counts["records"] += 1
        yield record
