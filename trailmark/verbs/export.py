"""The wiring of `trailmark export`: records, or the rules that made them, from the workspace to a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.export import form_of, write_records
from trailmark.quoting import json_text
from trailmark.store.json_lines import written_whole
from trailmark.workspace import Workspace
from trailmark.wrap import RuleSet, rules_to_json
from trailmark.wrap.writing.rules_program import rules_to_program
from trailmark.wrap.writing.rules_stylesheet import rules_to_stylesheet


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


def export_rules(workspace: Workspace, file: Path, *, cluster: str | None = None) -> dict[str, Any]:
    """Write the rules of all clusters, or of one: as XSLT, as a Python program on parsel, or as JSON with all there is."""
    write = _RULE_FORMATS.get(file.suffix.lower())
    if write is None:
        raise InputError(
            f"{file}: rules can't be written as '{file.suffix}'; name a file that ends in .xslt, .py or .json."
        )
    rules = workspace.rules()
    if cluster is not None and cluster not in rules:
        raise InputError(f"There are no rules for a cluster '{cluster}'; there are: {', '.join(rules)}.")
    sets = [rules[cluster]] if cluster is not None else list(rules.values())
    # How a page falls into entries is more than an XPath can say.
    lists = [each.id for each in sets if each.entries is not None and write is not _to_json]
    written = [each for each in sets if each.id not in lists]
    if not written:
        raise InputError(f"The rules of {lists[0]} are for lists of records; those can be written as .json only.")
    with written_whole(file) as opened:
        opened.write(write(written).encode())
    return {"file": str(file), "clusters": [each.id for each in written], "left_out": lists}


def _to_json(sets: Sequence[RuleSet]) -> str:
    return json_text({"rules": [rules_to_json(each) for each in sets]}, indent=1) + "\n"


_RULE_FORMATS: dict[str, Callable[[Sequence[RuleSet]], str]] = {
    ".xslt": rules_to_stylesheet,
    ".xsl": rules_to_stylesheet,
    ".py": rules_to_program,
    ".json": _to_json,
}


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
