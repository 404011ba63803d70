"""`cluster`: archives in, clusters kept in the workspace.

1. Pages of the archives, site by site, join the clusters that are there or form new ones.
2. All are kept, with the pages worth annotating; clusters of sites that are not in the archives stay.
3. What came and what went is logged; the report lists the clusters of the sites at hand.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.cluster import EachPage, KnownCluster, find_clusters, site_of
from trailmark.datatypes import Cluster, Response
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.report import Json, Report, as_json
from trailmark.settings import Settings
from trailmark.store.archive import archives_in, packing_of, read_archive
from trailmark.store.archive_names import archives_named, path_named
from trailmark.store.cluster_table import replace_clusters
from trailmark.workspace import Workspace

_log = logging.getLogger(__name__)
MOST_NAMED = 20
"""Names in one line of the log."""


@dataclass(frozen=True, slots=True)
class ClusterReport(Report):
    """The clusters of the sites that were looked at."""

    clusters: tuple[Cluster, ...]
    """By site, the largest first."""
    unclustered: tuple[str, ...]
    """Pages that are like too few others."""

    def to_json(self) -> dict[str, Json]:
        """What `cluster --json` prints."""
        rows: list[Json] = [_row(cluster) for cluster in self.clusters]
        return {"clusters": rows, "unclustered": list(self.unclustered)}


def _row(cluster: Cluster) -> dict[str, Json]:
    return {
        "id": cluster.id,
        "site": cluster.site,
        "signature": cluster.signature,
        "size": len(cluster.pages),
        "url_pattern": cluster.url_pattern,
        "pages": as_json(cluster.pages),
        "sample": as_json(cluster.sample),
    }


def cluster(
    workspace: Workspace | None,
    archives: Sequence[str | Path] = (),
    *,
    again: bool = False,
    progress: Progress = silent,
    each: EachPage = map,
) -> ClusterReport:
    """Archives, else the workspace's own -> clusters of their pages; pages that it knows stay where they are, unless `again`.

    Without a workspace nothing is kept. `each` says who reads the pages.
    """
    paths = [path_named(archive) for archive in archives]
    if workspace is None:
        clusters, unclustered, sites = _grouped(archives_named(paths), Settings(), [], progress, each)
        _log_changes([], clusters, unclustered, sites, again=True)
    else:
        workspace.remember_archives(paths)  # rules are learnt from these pages later
        stored = workspace.clusters()
        sources = archives_named(paths) or archives_in(workspace.archive_folder)
        clusters, unclustered, sites = _grouped(sources, workspace.settings, [] if again else stored, progress, each)
        _log_changes(stored, clusters, unclustered, sites, again=again)
        # Clustering again is about the pages at hand: clusters of other sites stay.
        elsewhere = [known for known in stored if again and known.cluster.site not in sites]
        rows = [(known.cluster, known.template.to_json()) for known in [*clusters, *elsewhere]]
        with workspace.database.transaction() as connection:
            replace_clusters(connection, rows, unclustered)
    at_hand = tuple(known.cluster for known in clusters if known.cluster.site in sites)
    return ClusterReport(at_hand, tuple(unclustered))


def _grouped(
    archives: Sequence[Path], settings: Settings, known: Sequence[KnownCluster], progress: Progress, each: EachPage
) -> tuple[list[KnownCluster], list[str], set[str]]:
    """Archives and the clusters that pages may join -> all clusters, pages in none, and the sites of the archives."""
    if not archives:
        raise InputError(
            "There is no archive to cluster: name one with --archive, or fetch pages with trailmark forage."
        )
    for archive in archives:
        packing_of(archive)
    sites: set[str] = set()

    def walk(purpose: str) -> Iterator[Response]:
        for archive in archives:
            for response in progress(read_archive(archive, settings=settings.store), f"{archive.name}: {purpose}"):
                sites.add(site_of(response.url))
                yield response

    clusters, unclustered = find_clusters(walk, known, settings.cluster, each)
    return clusters, unclustered, sites


def _log_changes(
    stored: Sequence[KnownCluster],
    clusters: Sequence[KnownCluster],
    unclustered: Sequence[str],
    sites: set[str],
    *,
    again: bool,
) -> None:
    """What came, what went, and which pages have no cluster."""
    before, now = {known.cluster.id for known in stored}, {known.cluster.id for known in clusters}
    _log.info("%d clusters on %d sites, %d of them new", len(now), len(sites), len(now - before))
    mine = [known.cluster.id for known in stored if again and known.cluster.site in sites]
    gone = [name for name in mine if name not in now]
    if gone:
        _log.info("%d clusters are no more, clustering again found others: %s", len(gone), ", ".join(gone[:MOST_NAMED]))
    if unclustered:
        names = ", ".join(unclustered[:MOST_NAMED])
        _log.info("%d pages are like too few others to be a cluster: %s", len(unclustered), names)
