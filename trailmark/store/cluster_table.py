"""Clusters of pages as rows, with what a template needs to know its pages again (which this room does not look into)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from trailmark.datatypes import Cluster

_PAGES = "SELECT cluster_id, url, sample_rank FROM cluster_pages WHERE cluster_id IS NOT NULL ORDER BY url"


def replace_clusters(
    connection: sqlite3.Connection, clusters: Iterable[tuple[Cluster, dict[str, Any]]], unclustered: Iterable[str]
) -> None:
    """Put these clusters and pages without one in place of all that were there."""
    connection.execute("DELETE FROM clusters")
    connection.execute("DELETE FROM cluster_pages")
    for cluster, template in clusters:
        connection.execute(
            "INSERT INTO clusters (id, site, signature, url_pattern, template) VALUES (?, ?, ?, ?, ?)",
            (cluster.id, cluster.site, cluster.signature, cluster.url_pattern, json.dumps(template)),
        )
        rank = {url: place for place, url in enumerate(cluster.sample)}
        connection.executemany(
            "INSERT OR REPLACE INTO cluster_pages (url, cluster_id, sample_rank) VALUES (?, ?, ?)",
            [(url, cluster.id, rank.get(url)) for url in cluster.pages],
        )
    connection.executemany(
        "INSERT OR IGNORE INTO cluster_pages (url, cluster_id, sample_rank) VALUES (?, NULL, NULL)",
        [(url,) for url in unclustered],
    )


def read_clusters(
    connection: sqlite3.Connection, *, with_pages: bool = True
) -> Iterator[tuple[Cluster, dict[str, Any]]]:
    """Each cluster with its template, by site, largest first; without its pages where they are not wanted."""
    pages: dict[str, list[tuple[str, int | None]]] = {}
    for name, url, rank in connection.execute(_PAGES if with_pages else f"{_PAGES} LIMIT 0"):
        pages.setdefault(name, []).append((url, rank))
    sizes = dict(connection.execute("SELECT cluster_id, count(*) FROM cluster_pages GROUP BY cluster_id").fetchall())
    rows = connection.execute("SELECT id, site, signature, url_pattern, template FROM clusters").fetchall()
    rows.sort(key=lambda row: (row[1], -sizes.get(row[0], 0), row[0]))
    for name, site, signature, pattern, template in rows:
        urls = pages.get(name, [])
        sample = sorted((rank, url) for url, rank in urls if rank is not None)
        cluster = Cluster(
            name, site, signature, tuple(url for url, _ in urls), pattern, tuple(url for _, url in sample)
        )
        yield cluster, json.loads(template)


def cluster_of_page(connection: sqlite3.Connection, url: str) -> str | None:
    """The cluster that a page was put in, if it was."""
    row = connection.execute("SELECT cluster_id FROM cluster_pages WHERE url = ?", (url,)).fetchone()
    return None if row is None else row[0]
