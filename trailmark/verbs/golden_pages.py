"""Golden extractions of a workspace: what the rules of each cluster lifted off a few pages while they were known to work.

`wrap` remembers them, `monitor` compares later pages with them.
"""

from __future__ import annotations

from collections.abc import Mapping

from trailmark.cluster import KnownCluster
from trailmark.datatypes import Annotation
from trailmark.monitor.bellwether import (
    Golden,
    choose_bellwethers,
    golden_from_json,
    golden_to_json,
    lift,
    rules_digest,
)
from trailmark.read import tree_of
from trailmark.store import monitor_table as table
from trailmark.store.moment import present
from trailmark.workspace import Workspace
from trailmark.wrap import NodeTable, RuleSet


def remember_goldens(workspace: Workspace) -> int:
    """Take golden extractions now, while the archived pages are those that the rules were learnt from -> how many pages."""
    at = present()
    return sum(map(len, take_goldens(workspace, workspace.rules(), at=at).values()))


def take_goldens(workspace: Workspace, rules: Mapping[str, RuleSet], *, at: str) -> dict[str, list[Golden]]:
    """Rules by cluster -> golden extractions by cluster; taken anew from archived pages where the rules are new."""
    goldens: dict[str, list[Golden]] = {}
    for known in workspace.clusters():
        name = known.cluster.id
        if name not in rules:
            continue
        with workspace.database.snapshot() as connection:
            digest, rows = table.read_bellwethers(connection, name)
        if rows and digest == rules_digest(rules[name]):
            goldens[name] = [golden_from_json(row, source=str(workspace.database.path)) for row in rows]
            continue
        goldens[name] = _new_goldens(workspace, known, rules[name])
        rows = [golden_to_json(golden) for golden in goldens[name]]
        with workspace.database.transaction() as connection:
            table.write_bellwethers(connection, name, rules=rules_digest(rules[name]), at=at, goldens=rows)
    return {name: of_cluster for name, of_cluster in goldens.items() if of_cluster}


def _new_goldens(workspace: Workspace, known: KnownCluster, rules: RuleSet) -> list[Golden]:
    """What the rules lift off archived pages of the cluster, annotated pages first."""
    marks = annotations_by_page(workspace)
    first = [url for url in known.cluster.pages if url in marks]
    urls = choose_bellwethers(known.cluster.pages, most=workspace.settings.monitor.pages, first=first)
    with workspace.replay(all_known=True) as replay:
        responses = {url: replay.fetch(url) for url in urls}
    trees = {url: tree_of(response) for url, response in responses.items() if response.status == 200}
    goldens = [lift(rules, url, NodeTable(root)) for url, root in trees.items() if root is not None]
    return [golden for golden in goldens if golden.records]


def annotations_by_page(workspace: Workspace) -> dict[str, tuple[Annotation, ...]]:
    """What a person marked, by page."""
    marks: dict[str, list[Annotation]] = {}
    for annotation in workspace.database.annotations():
        marks.setdefault(annotation.url, []).append(annotation)
    return {url: tuple(page_marks) for url, page_marks in marks.items()}
