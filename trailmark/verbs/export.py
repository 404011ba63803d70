"""`export`: records, or the rules that made them, from the workspace to a file.

1. The form is chosen by the file's suffix. 2. One walk over the records finds the fields, a second writes them: a table needs its columns
before its first row, and not all records fit in memory. 3. The file is put in place when it is whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.export import form_of
from trailmark.quoting import json_text
from trailmark.report import Report
from trailmark.store.json_lines import written_whole
from trailmark.verbs.record_output import write_output
from trailmark.workspace import Workspace
from trailmark.wrap import RuleSet, rules_to_json
from trailmark.wrap.writing.plain_lists import can_leave
from trailmark.wrap.writing.rules_program import rules_to_program
from trailmark.wrap.writing.rules_stylesheet import rules_to_stylesheet


@dataclass(frozen=True, slots=True)
class ExportReport(Report):
    """What `export --json` prints."""

    file: Path
    records: int
    fields: Mapping[str, int]
    """How many records have each field that was written."""


@dataclass(frozen=True, slots=True)
class RulesExportReport(Report):
    """What `export --rules --json` prints."""

    file: Path
    clusters: tuple[str, ...]
    left_out: tuple[str, ...]
    """Clusters whose rules the file's form can't hold."""


def export(
    workspace: Workspace,
    file: str | Path,
    *,
    kind: str | None = None,
    fields: Sequence[str] = (),
    sources: bool = False,
) -> ExportReport:
    """The workspace's records, or those of a kind, -> a file, with all their fields or those named."""
    file = Path(file)
    form = form_of(file.name)
    counts = Counter(name for record in workspace.database.records(kind) for name in record.fields)
    if not counts:
        raise InputError(_no_records(workspace, kind))
    missing = [name for name in fields if name not in counts]
    if missing:
        raise InputError(f"No record has a field '{missing[0]}'; there are: {', '.join(counts)}.")
    columns = list(fields) or list(counts)
    written: Counter[str] = Counter()
    with written_whole(file) as opened:
        records = _counted(_chosen(workspace.database.records(kind), fields), written)
        borrowed = any(record.borrowed for record in workspace.database.records(kind))
        write_output(records, opened, form, columns, workspace.settings.export, sources=sources, borrowed=borrowed)
    return ExportReport(file, written["records"], {name: counts[name] for name in columns})


def _no_records(workspace: Workspace, kind: str | None) -> str:
    kinds = sorted({record.kind for record in workspace.database.records()})
    if kinds:
        return f"There are no records of kind '{kind}'; there are: {', '.join(kinds)}."
    return f"There are no records in {workspace.folder}; make some first: trailmark extract"


def _chosen(records: Iterator[Record], fields: Sequence[str]) -> Iterator[Record]:
    """The records with the fields that are wanted; one that has none of them is left out."""
    for record in records:
        if not fields:
            yield record
            continue
        values = {name: record.fields[name] for name in fields if name in record.fields}
        places = {name: record.sources[name] for name in values if name in record.sources}
        if values:
            unsure = tuple(name for name in record.unsure if name in values)
            yield replace(record, fields=values, sources=places, unsure=unsure)


def _counted(records: Iterator[Record], counts: Counter[str]) -> Iterator[Record]:
    for record in records:
        counts["records"] += 1
        yield record


def export_rules(workspace: Workspace, file: str | Path, *, cluster: str | None = None) -> RulesExportReport:
    """The rules of all clusters, or of one, -> a file: XSLT, a Python program on parsel, or JSON with all there is."""
    file = Path(file)
    write = _RULE_FORMATS.get(file.suffix.lower())
    if write is None:
        raise InputError(
            f"{file}: rules can't be written as '{file.suffix}'; name a file that ends in .xslt, .py or .json."
        )
    rules = workspace.rules()
    if cluster is not None and cluster not in rules:
        raise InputError(f"There are no rules for a cluster '{cluster}'; there are: {', '.join(rules)}.")
    sets = [rules[cluster]] if cluster is not None else list(rules.values())
    lists = [rule_set.id for rule_set in sets if write is not _to_json and not can_leave(rule_set)]
    chosen = [rule_set for rule_set in sets if rule_set.id not in lists]
    if not chosen:
        raise InputError(
            f"No XPath can say where the entries of {lists[0]} stand; its rules can be written as .json only."
        )
    with written_whole(file) as opened:
        opened.write(write(chosen).encode())
    return RulesExportReport(file, tuple(rule_set.id for rule_set in chosen), tuple(lists))


def _to_json(sets: Sequence[RuleSet]) -> str:
    return json_text({"rules": [rules_to_json(rule_set) for rule_set in sets]}, indent=1) + "\n"


_RULE_FORMATS: dict[str, Callable[[Sequence[RuleSet]], str]] = {
    ".xslt": rules_to_stylesheet,
    ".xsl": rules_to_stylesheet,
    ".py": rules_to_program,
    ".json": _to_json,
}
