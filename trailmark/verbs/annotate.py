"""Annotating: what was marked on the pages of a template, and at once what the rules would find on the others.

A preview learns rules from the annotations so far and applies them to the pages worth annotating, without putting them to use; it rests in
`models/previews/`, so that a page that shows it need not learn again. `trailmark wrap --preview` prints the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.datatypes import Annotation, Cluster
from trailmark.errors import InputError
from trailmark.quoting import json_text
from trailmark.read import tree_of
from trailmark.report import Json, Report, as_json
from trailmark.store.archive_names import path_named
from trailmark.store.content_digest import content_digest
from trailmark.store.json_lines import written_whole
from trailmark.store.replay import Replay
from trailmark.store.run_view import RunView
from trailmark.workspace import Workspace
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules, rules_from_json, rules_to_json

SHOWN = 12
"""Pages of the sample that are shown side by side."""
LEARNT_FROM = 20
SOURCE = "marked in the app"
LONGEST_ACT = 200
"""Letters of what the journal says of an act."""


def find_cluster(workspace: Workspace, identity: str) -> Cluster:
    """A cluster's id -> the cluster."""
    cluster = next((known.cluster for known in workspace.clusters() if known.cluster.id == identity), None)
    if cluster is None:
        raise InputError(f"There is no cluster '{identity}' in {workspace.folder}; make clusters: trailmark cluster")
    return cluster


def sample_of(cluster: Cluster, marked: Sequence[str] = (), wanted: frozenset[str] = frozenset()) -> list[str]:
    """Pages to annotate in the order that helps most: those marked already, those that a run was after, then the others."""
    pages = set(cluster.pages)
    order = dict.fromkeys([*cluster.sample, *cluster.pages])
    goals = [url for url in order if url in wanted]
    return list(dict.fromkeys([*(url for url in marked if url in pages), *goals, *order]))[:SHOWN]


def mark(workspace: Workspace, annotations: Sequence[Annotation]) -> int:
    """Keep marked values; a value on a page takes back that the page lacks the field, and the other way round."""
    what = f"Marked {', '.join(f'{each.field}: {each.value}' for each in annotations)}"[:LONGEST_ACT]
    with workspace.acts.act("mark", what).part():
        for mark in annotations:
            others = [known for known in workspace.database.annotations(mark.url) if known.field == mark.field]
            opposite = [known for known in others if (known.value is None) != (mark.value is None)]
            workspace.database.forget_annotations(opposite)
        return workspace.database.add_annotations(annotations, SOURCE)


def unmark(workspace: Workspace, url: str, field: str, value: str | None) -> int:
    """Take a mark back."""
    marks = [mark for mark in workspace.database.annotations(url) if (mark.field, mark.value) == (field, value)]
    with workspace.acts.act("unmark", f"Took back the mark {field}: {value}"[:LONGEST_ACT]).part():
        return workspace.database.forget_annotations(marks)


@dataclass(frozen=True, slots=True)
class PreviewMark:
    """What was marked on a page: a value, or that the page lacks the field."""

    field: str
    value: str | None
    xpath: str | None


@dataclass(frozen=True, slots=True)
class PreviewRecord:
    """What the rules find on a page, and where."""

    fields: Mapping[str, tuple[str, ...]]
    sources: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class PreviewPage:
    """A page of the sample."""

    url: str
    marks: tuple[PreviewMark, ...] = ()
    records: tuple[PreviewRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class PreviewReport(Report):
    """What rules learnt from the annotations so far find on the pages worth annotating."""

    id: str
    digest: str
    """Of the annotations; other annotations, another preview."""
    fields: tuple[str, ...]
    rules: RuleSet
    pages: tuple[PreviewPage, ...]

    def to_json(self) -> dict[str, Json]:
        """What `wrap --preview --json` prints."""
        return {
            "id": self.id,
            "digest": self.digest,
            "fields": list(self.fields),
            "rules": rules_to_json(self.rules),
            "pages": as_json(self.pages),
        }

    def page(self, url: str) -> PreviewPage | None:
        """A page of the sample."""
        return next((page for page in self.pages if page.url == url), None)


def preview(workspace: Workspace, template: str | Cluster, archives: Sequence[str | Path] = ()) -> PreviewReport:
    """A cluster, or its name -> what rules learnt from the annotations so far would find on the pages worth annotating.

    It is kept for `kept_preview`.
    """
    cluster = template if isinstance(template, Cluster) else find_cluster(workspace, template)
    identity = cluster.id
    marks = _annotations(workspace, cluster)
    with workspace.replay([path_named(archive) for archive in archives], all_known=True) as replay:
        sample = sample_of(cluster, list(marks), goal_urls(workspace))
        tables = _tables(replay, sample, cluster, most=LEARNT_FROM)
    pages = [AnnotatedPage(table, tuple(marks.get(url, ())), url) for url, table in tables.items()]
    rules = learn_rules(identity, pages) if marks else RuleSet(identity, ())
    report = PreviewReport(
        identity,
        _digest(marks),
        tuple(dict.fromkeys(annotation.field for page_marks in marks.values() for annotation in page_marks)),
        rules,
        tuple(_page(url, tables[url], rules, marks.get(url, [])) for url in sample if url in tables),
    )
    with written_whole(_file(workspace, identity)) as file:
        file.write(json_text(report.to_json()).encode())
    return report


def kept_preview(workspace: Workspace, template: str | Cluster, archives: Sequence[str | Path] = ()) -> PreviewReport:
    """A cluster, or its name -> the preview as it was made last; made anew where annotations have come since."""
    cluster = template if isinstance(template, Cluster) else find_cluster(workspace, template)
    file = _file(workspace, cluster.id)
    try:
        report = _preview_from_json(json.loads(file.read_text(encoding="utf-8")), source=str(file))
        if report.digest == _digest(_annotations(workspace, cluster)):
            return report
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, InputError):
        pass  # it is made anew, and that says what is wrong if it is the cluster
    return preview(workspace, cluster, archives)


def _preview_from_json(stored: Any, *, source: str) -> PreviewReport:
    """The inverse of `to_json`; an error where it is something else."""
    pages = (
        PreviewPage(
            page["url"],
            tuple(PreviewMark(mark["field"], mark["value"], mark["xpath"]) for mark in page["marks"]),
            tuple(PreviewRecord(_tuples(row["fields"]), _tuples(row["sources"])) for row in page["records"]),
        )
        for page in stored["pages"]
    )
    rules = rules_from_json(stored["rules"], source=source)
    return PreviewReport(stored["id"], stored["digest"], tuple(stored["fields"]), rules, tuple(pages))


def _tuples(values: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(texts) for name, texts in values.items()}


def _annotations(workspace: Workspace, cluster: Cluster) -> dict[str, list[Annotation]]:
    """Page -> what was marked on it, for the pages of a cluster."""
    urls = set(cluster.pages)
    marks: dict[str, list[Annotation]] = {}
    for annotation in workspace.database.annotations():
        if annotation.url in urls:
            marks.setdefault(annotation.url, []).append(annotation)
    return marks


def _digest(marks: Mapping[str, Sequence[Annotation]]) -> str:
    return content_digest([[mark.url, mark.field, mark.value, mark.xpath] for page in marks.values() for mark in page])


def _tables(replay: Replay, first: Sequence[str], cluster: Cluster, *, most: int) -> dict[str, NodeTable]:
    tables: dict[str, NodeTable] = {}
    for url in dict.fromkeys([*first, *cluster.pages]):
        if len(tables) >= max(most, len(first)):
            break
        response = replay.fetch(url)
        root = tree_of(response) if response.status == 200 else None
        if root is not None:
            tables[url] = NodeTable(root)
    return tables


def _page(url: str, table: NodeTable, rules: RuleSet, marks: Sequence[Annotation]) -> PreviewPage:
    records = (PreviewRecord(_tuples(record.fields), _tuples(record.sources)) for record in rules.records(url, table))
    return PreviewPage(url, tuple(PreviewMark(mark.field, mark.value, mark.xpath) for mark in marks), tuple(records))


def _file(workspace: Workspace, identity: str) -> Path:
    folder = workspace.folder / "models" / "previews"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{content_digest(identity)[:16]}.json"


def goal_urls(workspace: Workspace) -> frozenset[str]:
    """Pages that a run took for goals: those whose records are wanted first."""
    return RunView(workspace.database).goal_urls()
