"""The wiring of `trailmark wrap --propose`: clusters with rules teach, and the others get proposals that a person confirms.

Clusters whose rules share at least half of their fields are of one kind. A cluster without rules is held against each kind, and
the kind that finds most there speaks. What it proposes is written as annotations, each with its confidence: `trailmark teach
--annotations` takes them in, as they are or mended.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trailmark.cluster import KnownCluster, Template
from trailmark.errors import InputError
from trailmark.extract.lifter import tree_of
from trailmark.progress import Progress, silent
from trailmark.propose.proposal import FieldProposal, propose_fields, proposed_values
from trailmark.propose.site_kind import SAMPLE, SiteView, view_site
from trailmark.store.cluster_table import read_clusters
from trailmark.store.json_lines import write_json_lines
from trailmark.store.replay import Replay
from trailmark.workspace import Workspace
from trailmark.wrap import NodeTable, RuleSet

Tables = dict[str, NodeTable]

LEAST_PAGES = 3
"""Of a cluster: fewer do not show what changes from page to page."""
_LONGEST_NAME = 80
_USUAL_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[0-9]+")
"""A host and a number: those give a file name of their own as they are."""
SHOWN = 3
"""Values of a field that the report shows."""


def propose(workspace: Workspace, archives: Sequence[Path] = (), *, progress: Progress = silent) -> dict[str, Any]:
    """Proposals for each cluster without rules, written to `proposals/` in the workspace, and a report of them."""
    rules = workspace.rules()
    with workspace.database.transaction() as connection:
        clusters = [KnownCluster(cluster, Template.from_json(kept)) for cluster, kept in read_clusters(connection)]
    known = [each for each in clusters if each.cluster.id in rules]
    new = [each for each in clusters if each.cluster.id not in rules and len(each.cluster.pages) >= LEAST_PAGES]
    if not new:
        raise InputError(
            f"Every cluster with at least {LEAST_PAGES} pages has rules: cluster a new site first: trailmark cluster"
        )
    with workspace.replay(archives, all_known=True) as replay:
        kinds = [
            [view_site(list(_tables(each, replay).values()), rules[each.cluster.id]) for each in kind]
            for kind in _kinds(list(progress(known, "sites that are known")), rules)
        ]
        reports = [_proposed(workspace, each, kinds, replay) for each in progress(new, "new sites")]
    return {"seeds": [each.cluster.id for each in known], "clusters": [each for each in reports if each["fields"]]}


def proposals_file(workspace: Workspace, cluster: str) -> Path:
    """Where the proposals for a cluster are written: a file of its own for each, whatever its id is made of."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", cluster).strip(".-")[:_LONGEST_NAME] or "cluster"
    if not _USUAL_ID.fullmatch(cluster) or len(cluster) > _LONGEST_NAME:
        digest = hashlib.blake2b(cluster.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        name = f"{name}-{digest}"
    return workspace.folder / "proposals" / f"{name}.jsonl"


def _kinds(known: Sequence[KnownCluster], rules: dict[str, RuleSet]) -> list[list[KnownCluster]]:
    """Clusters whose rules look for much the same."""
    kinds: list[tuple[set[str], list[KnownCluster]]] = []
    for each in known:
        fields = {field.name for field in rules[each.cluster.id].fields}
        mine = next((kind for kind in kinds if 2 * len(kind[0] & fields) >= len(fields) > 0), None)
        if mine is None:
            kinds.append((fields, [each]))
        else:
            mine[0].update(fields)
            mine[1].append(each)
    return [members for fields, members in kinds if fields]


def _tables(cluster: KnownCluster, replay: Replay) -> Tables:
    """Pages of the cluster, evenly taken, and those that are best annotated first."""
    pages = cluster.cluster.pages
    urls = dict.fromkeys([*cluster.cluster.sample, *pages[:: max(len(pages) // SAMPLE, 1)]])
    found: Tables = {}
    for url in list(urls)[:SAMPLE]:
        response = replay.fetch(url)
        table = NodeTable(tree_of(response) if response.status == 200 else None)
        if len(table):
            found[url] = table
    return found


def _proposed(
    workspace: Workspace, cluster: KnownCluster, kinds: Sequence[Sequence[SiteView]], replay: Replay
) -> dict[str, Any]:
    tables = _tables(cluster, replay)
    view = view_site(list(tables.values()))
    least = workspace.settings.wrap.least_confidence
    offers = [propose_fields(seeds, view, least=least) for seeds in kinds]
    best = max(offers, key=lambda offer: sum(each.confidence for each in offer), default=[])
    path = proposals_file(workspace, cluster.cluster.id)
    if best:
        path.parent.mkdir(exist_ok=True)
        write_json_lines(path, _lines(best, view, list(tables)))
    fields = [_field_report(each, view) for each in best]
    return {"id": cluster.cluster.id, "pages": len(cluster.cluster.pages), "file": str(path), "fields": fields}


def _lines(proposals: Sequence[FieldProposal], view: SiteView, urls: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"url": said.url, "field": said.field, "value": said.value, "xpath": said.xpath, "confidence": confidence}
        for said, confidence in proposed_values(proposals, view, urls)
    ]


def _field_report(proposal: FieldProposal, view: SiteView) -> dict[str, Any]:
    texts = [view.texts.tables[number].texts[row] for number, row in proposal.slot.places]
    return {
        "field": proposal.field,
        "confidence": proposal.confidence,
        "label": proposal.slot.label,
        "pages": len(texts),
        "values": list(dict.fromkeys(texts))[:SHOWN],
    }
