"""`cluster`: archives in, clusters kept in the workspace.

1. Pages of the archives, site by site, join the clusters that are there or form new ones. 2. All are kept, with the pages worth annotating.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from trailmark.cluster import KnownCluster, find_clusters, site_of
from trailmark.datatypes import Cluster, Response
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.settings import Settings
from trailmark.store.archive import archives_in, packing_of, read_archive
from trailmark.store.cluster_table import replace_clusters
from trailmark.store.database import Database
from trailmark.workspace import Workspace

_log = logging.getLogger(__name__)
MOST_TOLD = 20
"""Names in one line of the log."""


def cluster(
    workspace: Workspace | None, archives: Sequence[Path] = (), *, again: bool = False, progress: Progress = silent
) -> dict[str, Any]:
    """Cluster the pages of the archives, else of the workspace's own; pages that it knows stay where they are, unless `again`.

    Without a workspace nothing is kept.
    """
    if workspace is None:
        return _cluster(archives, Settings(), None, [], again=True, progress=progress)
    workspace.remember_archives(archives)  # rules are learnt from these pages later
    sources = archives or archives_in(workspace.archive_folder)
    stored = workspace.clusters()
    return _cluster(sources, workspace.settings, workspace.database, stored, again=again, progress=progress)


def _cluster(
    archives: Sequence[Path],
    settings: Settings,
    database: Database | None,
    stored: Sequence[KnownCluster],
    *,
    again: bool,
    progress: Progress,
) -> dict[str, Any]:
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

    known = [] if again else stored
    found, unclustered = find_clusters(walk, known, settings.cluster)
    _tell(stored, found, unclustered, sites, again=again)
    if database is not None:
        # Clustering again is about the pages at hand: clusters of other sites stay.
        elsewhere = [each for each in stored if again and each.cluster.site not in sites]
        with database.transaction() as connection:
            kept = [(each.cluster, each.template.to_json()) for each in [*found, *elsewhere]]
            replace_clusters(connection, kept, unclustered)
    return cluster_report([each.cluster for each in found if each.cluster.site in sites], unclustered)


def _tell(
    stored: Sequence[KnownCluster],
    found: Sequence[KnownCluster],
    unclustered: Sequence[str],
    sites: set[str],
    *,
    again: bool,
) -> None:
    """For the log: what came, what went, and which pages found no cluster."""
    before, now = {each.cluster.id for each in stored}, {each.cluster.id for each in found}
    _log.info("%d clusters on %d sites, %d of them new", len(now), len(sites), len(now - before))
    gone = [each.cluster.id for each in stored if again and each.cluster.site in sites and each.cluster.id not in now]
    if gone:
        _log.info("%d clusters are no more, clustering again found others: %s", len(gone), ", ".join(gone[:MOST_TOLD]))
    if unclustered:
        shown = ", ".join(unclustered[:MOST_TOLD])
        _log.info("%d pages are like too few others to be a cluster: %s", len(unclustered), shown)


def cluster_report(clusters: Sequence[Cluster], unclustered: Sequence[str]) -> dict[str, Any]:
    """What `cluster --json` prints."""
    rows = [
        {
            "id": cluster.id,
            "site": cluster.site,
            "signature": cluster.signature,
            "size": len(cluster.pages),
            "url_pattern": cluster.url_pattern,
            "pages": list(cluster.pages),
            "sample": list(cluster.sample),
        }
        for cluster in clusters
    ]
    return {"clusters": rows, "unclustered": list(unclustered)}
