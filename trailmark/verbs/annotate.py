"""The wiring of annotating: what was marked on the pages of a template, and at once what the rules would find on the others.

A preview learns rules from the annotations so far and applies them to the pages worth annotating, without putting them to use; it rests in
`models/previews/`, so that a page that shows it need not learn again. `trailmark wrap --preview` prints the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trailmark.datatypes import Annotation, Cluster
from trailmark.errors import InputError
from trailmark.extract.lifter import tree_of
from trailmark.quoting import json_text
from trailmark.store.content_digest import content_digest
from trailmark.store.json_lines import written_whole
from trailmark.store.replay import Replay
from trailmark.store.run_view import RunView
from trailmark.workspace import Workspace
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules, rules_to_json

SHOWN = 12
"""Pages of the sample that are shown side by side."""
LEARNT_FROM = 20
SOURCE = "marked in the app"


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
    with workspace.database.transaction():
        for mark in annotations:
            others = [known for known in workspace.database.annotations(mark.url) if known.field == mark.field]
            opposite = [known for known in others if (known.value is None) != (mark.value is None)]
            workspace.database.forget_annotations(opposite)
        return workspace.database.add_annotations(annotations, SOURCE)


def unmark(workspace: Workspace, url: str, field: str, value: str | None) -> int:
    """Take a mark back."""
    marks = [mark for mark in workspace.database.annotations(url) if (mark.field, mark.value) == (field, value)]
    return workspace.database.forget_annotations(marks)


def preview(workspace: Workspace, template: str | Cluster, archives: Sequence[Path] = ()) -> dict[str, Any]:
    """What rules learnt from the annotations so far would find on the pages worth annotating; kept for `kept_preview`.

    The template is its cluster, or the cluster's name.
    """
    cluster = template if isinstance(template, Cluster) else find_cluster(workspace, template)
    identity = cluster.id
    said = _annotations(workspace, cluster)
    with workspace.replay(archives, all_known=True) as replay:
        sample = sample_of(cluster, list(said), goal_urls(workspace))
        tables = _tables(replay, sample, cluster, most=LEARNT_FROM)
    pages = [AnnotatedPage(table, tuple(said.get(url, ()))) for url, table in tables.items()]
    rules = learn_rules(identity, pages) if said else RuleSet(identity, ())
    made = {
        "id": identity,
        "digest": _digest(said),
        "fields": list(dict.fromkeys(each.field for marks in said.values() for each in marks)),
        "rules": rules_to_json(rules),
        "pages": [_page(url, tables[url], rules, said.get(url, [])) for url in sample if url in tables],
    }
    with written_whole(_file(workspace, identity)) as file:
        file.write(json_text(made).encode())
    return made


def kept_preview(workspace: Workspace, template: str | Cluster, archives: Sequence[Path] = ()) -> dict[str, Any]:
    """The preview as it was made last; made anew where annotations have come since."""
    cluster = template if isinstance(template, Cluster) else find_cluster(workspace, template)
    try:
        kept = json.loads(_file(workspace, cluster.id).read_text(encoding="utf-8"))
        if isinstance(kept, dict) and kept["digest"] == _digest(_annotations(workspace, cluster)):
            return kept
    except (OSError, ValueError, KeyError, RecursionError):
        pass
    return preview(workspace, cluster, archives)


def _annotations(workspace: Workspace, cluster: Cluster) -> dict[str, list[Annotation]]:
    known = set(cluster.pages)
    said: dict[str, list[Annotation]] = {}
    for each in workspace.database.annotations():
        if each.url in known:
            said.setdefault(each.url, []).append(each)
    return said


def _digest(said: dict[str, list[Annotation]]) -> str:
    return content_digest([[each.url, each.field, each.value, each.xpath] for marks in said.values() for each in marks])


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


def _page(url: str, table: NodeTable, rules: RuleSet, marks: Sequence[Annotation]) -> dict[str, Any]:
    return {
        "url": url,
        "marks": [{"field": each.field, "value": each.value, "xpath": each.xpath} for each in marks],
        "records": [
            {
                "fields": {k: list(v) for k, v in record.fields.items()},
                "sources": {k: list(v) for k, v in record.sources.items()},
            }
            for record in rules.records(url, table)
        ],
    }


def _file(workspace: Workspace, identity: str) -> Path:
    folder = workspace.folder / "models" / "previews"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{content_digest(identity)[:16]}.json"


def goal_urls(workspace: Workspace) -> frozenset[str]:
    """Pages that a run took for goals: those whose records are wanted first."""
    return RunView(workspace.database).goal_urls()
