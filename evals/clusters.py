"""`evaluate cluster`: purity, coverage and number of clusters, on pages of known kinds (Vertex, section III-A).

A folder holds `NAME.warc.xz` (or another packing) with `NAME.labels.csv` (`url,label`); where there are no labels, all pages
of an archive are of one kind, its name, and what counts is that mixed archives come apart. URLs serve for looking labels up
and for nothing else: the clusters are made of signatures alone.

Coverage with clusters of one page would be full for the asking, so the share of pages in clusters of two and more stands
beside it, with the best that the labels allow; and inverse purity tells how far labels are torn into several clusters.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from trailmark.cluster import Signature, group_pages, sign_page
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.read import parse_html
from trailmark.settings import ClusterSettings
from trailmark.store.archive import SUFFIXES, archives_in, read_archive

Labelled = tuple[str, Signature]


def evaluate_clusters(
    folder: Path,
    *,
    settings: ClusterSettings = ClusterSettings(),  # noqa: B008 - frozen
    progress: Progress = silent,
) -> dict[str, Any]:
    """Scores of each site, their mean, and of the pages of all sites thrown together."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: give one with archives and their labels.")
    sites: dict[str, list[Labelled]] = {}
    for archive in archives_in(folder):
        name = _plain_name(archive)
        sites[name] = list(_labelled(archive, name, progress))
    if not any(sites.values()):
        raise InputError(f"{folder} holds no archive with labelled pages: give a folder of archives and their labels.")
    scores = {name: cluster_scores(pages, settings) for name, pages in sites.items() if pages}
    mixed = cluster_scores([page for pages in sites.values() for page in pages], settings)
    return {"task": "cluster", "sites": scores, "mean": _mean(list(scores.values())), "mixed": mixed}


def cluster_scores(pages: Sequence[Labelled], settings: ClusterSettings) -> dict[str, float]:
    """Cluster labelled pages and compare."""
    groups = group_pages([signature for _, signature in pages], settings)
    labels = [label for label, _ in pages]
    clusters = [Counter(labels[page] for page in members) for members in groups.pages]
    kinds = Counter(labels)
    largest = {kind: max((cluster[kind] for cluster in clusters), default=0) for kind in kinds}
    large = [cluster for cluster in clusters if cluster.total() > 1]
    return {
        "pages": len(pages),
        "labels": len(kinds),
        "purity": _purity(clusters),
        "coverage": sum(cluster.total() for cluster in clusters) / len(pages),
        "clusters": len(clusters),
        "purity_of_two_and_more": _purity(large),
        "coverage_of_two_and_more": sum(cluster.total() for cluster in large) / len(pages),
        "best_coverage_of_two_and_more": sum(count for count in kinds.values() if count > 1) / len(pages),
        "clusters_of_two_and_more": len(large),
        "inverse_purity": sum(largest.values()) / len(pages),
        "clusters_per_label": len(clusters) / len(kinds),
    }


def _purity(clusters: Sequence[Counter[str]]) -> float:
    """Share of clustered pages that have their cluster's most frequent label; 0 where nothing is clustered."""
    pages = sum(cluster.total() for cluster in clusters)
    return sum(max(cluster.values()) for cluster in clusters) / pages if pages else 0.0


def _mean(scores: Sequence[dict[str, float]]) -> dict[str, float]:
    """Over sites, each counting once."""
    return {name: sum(score[name] for score in scores) / len(scores) for name in scores[0]}


def _labelled(archive: Path, name: str, progress: Progress) -> Iterator[Labelled]:
    labels = _labels(archive.with_name(f"{name}.labels.csv"))
    for response in progress(read_archive(archive), name):
        label = name if labels is None else labels.get(response.url)
        if response.status != 200 or label is None:
            continue
        root, _, _ = parse_html(response.body, response.header("content-type"))
        if root is not None:
            yield label, sign_page(root)


def _labels(path: Path) -> dict[str, str] | None:
    """URL -> label, or None where there is no such file."""
    if not path.exists():
        return None
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            if not {"url", "label"} <= set(rows.fieldnames or ()):
                raise InputError(f"{path}:1: the header must name 'url' and 'label'.")
            return {row["url"]: row["label"] for row in rows}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} can't be read as labels ({error}): give a UTF-8 file.") from error


def _plain_name(archive: Path) -> str:
    """The file's name without its packing."""
    return next(archive.name.removesuffix(suffix) for suffix in SUFFIXES[::-1] if archive.name.endswith(suffix))
