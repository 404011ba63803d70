"""`wrap --propose`: clusters with rules teach, and the others get proposals that a person confirms.

1. Clusters whose rules share at least half of their fields are of one kind.
2. A cluster without rules is held against each kind, and the kind that finds most there speaks.
3. What it proposes is written as annotations, each with its confidence: `trailmark teach --annotations` takes them in, as they are or mended.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.cluster import KnownCluster
from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.propose.proposal import FieldProposal, propose_fields, proposed_values
from trailmark.propose.site_kind import SAMPLE, SiteView, view_site
from trailmark.read import tree_of
from trailmark.report import Json, Report
from trailmark.store.archive_names import path_named
from trailmark.store.json_lines import read_json_lines, write_json_lines
from trailmark.store.replay import Replay
from trailmark.workspace import Workspace
from trailmark.wrap import NodeTable, RuleSet

LEAST_PAGES = 3
"""Of a cluster: fewer do not show what changes from page to page."""
_LONGEST_NAME = 80
_USUAL_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[0-9]+")
"""A host and a number: those give a file name of their own as they are."""
SHOWN = 3
"""Values of a field that the report shows."""


@dataclass(frozen=True, slots=True)
class ProposedField:
    """A field of a new cluster, as known sites of its kind have it."""

    field: str
    confidence: float
    label: str
    """The words of the template before its values."""
    pages: int
    values: tuple[str, ...]
    """A few of them."""


@dataclass(frozen=True, slots=True)
class ProposedCluster:
    """A cluster without rules, and what was proposed for it."""

    id: str
    pages: int
    file: Path
    """Where the proposals were written."""
    fields: tuple[ProposedField, ...]


@dataclass(frozen=True, slots=True)
class ProposeReport(Report):
    """What `wrap --propose --json` prints."""

    seeds: tuple[str, ...]
    """Clusters that have rules, and taught."""
    clusters: tuple[ProposedCluster, ...]
    """Those for which anything was proposed."""


def propose(workspace: Workspace, archives: Sequence[str | Path] = (), *, progress: Progress = silent) -> ProposeReport:
    """Rules of some clusters -> proposals for each cluster without, written to `proposals/` in the workspace."""
    rules = workspace.rules()
    clusters = workspace.clusters()
    known = [seed for seed in clusters if seed.cluster.id in rules]
    without = [other for other in clusters if other.cluster.id not in rules]
    new = [other for other in without if len(other.cluster.pages) >= LEAST_PAGES]
    if not new:
        raise InputError(
            f"Every cluster with at least {LEAST_PAGES} pages has rules: cluster a new site first: trailmark cluster"
        )
    with workspace.replay([path_named(archive) for archive in archives], all_known=True) as replay:
        kinds = [
            [view_site(list(_tables(seed, replay).values()), rules[seed.cluster.id]) for seed in kind]
            for kind in _kinds(list(progress(known, "sites that are known")), rules)
        ]
        proposals = [_proposed(workspace, cluster, kinds, replay) for cluster in progress(new, "new sites")]
    seeds = tuple(seed.cluster.id for seed in known)
    return ProposeReport(seeds, tuple(proposal for proposal in proposals if proposal.fields))


@dataclass(frozen=True, slots=True)
class ProposedValue:
    """A value that waits for a person."""

    mark: Annotation
    confidence: float


def read_proposals(workspace: Workspace, cluster: str) -> list[ProposedValue]:
    """A cluster's id -> the values that were proposed for it and not put away; lines that are none are left out."""
    file = proposals_file(workspace, cluster)
    proposed = []
    for _, line in read_json_lines(file) if file.exists() else ():
        texts = [line.get(name) for name in ("url", "field", "value", "xpath")]
        sure = line.get("confidence")
        if all(isinstance(text, str) for text in texts) and isinstance(sure, int | float):
            proposed.append(ProposedValue(Annotation(*map(str, texts)), float(sure)))
    return proposed


def drop_proposals(workspace: Workspace, cluster: str) -> None:
    """Put the proposals of a cluster away."""
    proposals_file(workspace, cluster).unlink(missing_ok=True)


def proposals_file(workspace: Workspace, cluster: str) -> Path:
    """A cluster's id -> where its proposals are written: a file of its own for each, whatever its id is made of."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", cluster).strip(".-")[:_LONGEST_NAME] or "cluster"
    if not _USUAL_ID.fullmatch(cluster) or len(cluster) > _LONGEST_NAME:
        digest = hashlib.blake2b(cluster.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        name = f"{name}-{digest}"
    return workspace.folder / "proposals" / f"{name}.jsonl"


def _kinds(known: Sequence[KnownCluster], rules: Mapping[str, RuleSet]) -> list[list[KnownCluster]]:
    """Clusters in groups whose rules look for much the same."""
    kinds: list[tuple[set[str], list[KnownCluster]]] = []
    for cluster in known:
        fields = {field.name for field in rules[cluster.cluster.id].fields}
        kind = next((kind for kind in kinds if 2 * len(kind[0] & fields) >= len(fields) > 0), None)
        if kind is None:
            kinds.append((fields, [cluster]))
        else:
            kind[0].update(fields)
            kind[1].append(cluster)
    return [members for fields, members in kinds if fields]


def _tables(cluster: KnownCluster, replay: Replay) -> dict[str, NodeTable]:
    """Pages of the cluster by URL, evenly taken, and those that are best annotated first."""
    pages = cluster.cluster.pages
    urls = dict.fromkeys([*cluster.cluster.sample, *pages[:: max(len(pages) // SAMPLE, 1)]])
    tables: dict[str, NodeTable] = {}
    for url in list(urls)[:SAMPLE]:
        response = replay.fetch(url)
        table = NodeTable(tree_of(response) if response.status == 200 else None)
        if len(table):
            tables[url] = table
    return tables


def _proposed(
    workspace: Workspace, cluster: KnownCluster, kinds: Sequence[Sequence[SiteView]], replay: Replay
) -> ProposedCluster:
    """The best offer of any kind of site for a cluster, written to its file."""
    tables = _tables(cluster, replay)
    view = view_site(list(tables.values()))
    least = workspace.settings.wrap.least_confidence
    offers = [propose_fields(seeds, view, least=least) for seeds in kinds]
    best = max(offers, key=lambda offer: sum(proposal.confidence for proposal in offer), default=[])
    path = proposals_file(workspace, cluster.cluster.id)
    if best:
        path.parent.mkdir(exist_ok=True)
        write_json_lines(path, _lines(best, view, list(tables)))
    fields = tuple(_proposed_field(proposal, view) for proposal in best)
    return ProposedCluster(cluster.cluster.id, len(cluster.cluster.pages), path, fields)


def _lines(proposals: Sequence[FieldProposal], view: SiteView, urls: Sequence[str]) -> list[dict[str, Json]]:
    """Proposals as annotations with a confidence, as they are written."""
    return [
        {"url": mark.url, "field": mark.field, "value": mark.value, "xpath": mark.xpath, "confidence": confidence}
        for mark, confidence in proposed_values(proposals, view, urls)
    ]


def _proposed_field(proposal: FieldProposal, view: SiteView) -> ProposedField:
    texts = [view.texts.tables[number].texts[row] for number, row in proposal.slot.places]
    values = tuple(dict.fromkeys(texts))[:SHOWN]
    return ProposedField(proposal.field, proposal.confidence, proposal.slot.label, len(texts), values)
