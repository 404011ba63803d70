"""The wiring of `trailmark wrap`: annotations and clusters in, rules kept."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trailmark.cluster import KnownCluster, Matcher
from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.read import tree_of
from trailmark.store.replay import Replay
from trailmark.workspace import Workspace
from trailmark.wrap import (
    UNCONFIRMED,
    AnnotatedPage,
    NodeTable,
    RuleSet,
    free_annotations,
    learn_rules,
    rule_sentence,
    rule_xpath,
)

_log = logging.getLogger(__name__)


def wrap(workspace: Workspace, archives: Sequence[Path] = (), *, progress: Progress = silent) -> dict[str, Any]:
    """Learn rules for each cluster that has annotated pages; rules of the other clusters stay."""
    annotations = list(workspace.database.annotations())
    clusters = workspace.clusters()
    if not annotations and not (clusters and workspace.settings.wrap.structured):
        raise InputError(_NOTHING)
    if not clusters:
        raise InputError("There are no clusters yet: make them first: trailmark cluster")
    kept = workspace.rules() if workspace.has_rules() else {}
    with workspace.replay(archives, all_known=True) as replay:
        marked, problems = _by_cluster(annotations, clusters, replay, workspace)
        learnt = {}
        for cluster in progress([each for each in clusters if each.cluster.id in marked], "learning rules"):
            pages = _sample(cluster, marked[cluster.cluster.id], replay, workspace.settings.wrap.sample)
            learnt[cluster.cluster.id] = learn_rules(cluster.cluster.id, pages)
        if workspace.settings.wrap.structured:
            rest = [each for each in clusters if each.cluster.id not in marked and _is_free(each, kept)]
            for cluster in progress(rest, "reading structured data"):
                found = _from_structured_data(cluster, replay, workspace.settings.wrap.sample)
                if found is not None:
                    learnt[cluster.cluster.id] = found
    if not annotations and not learnt:
        raise InputError(_NOTHING)
    kept = {**kept, **learnt}
    known = {each.cluster.id for each in clusters}
    _tell(learnt, [name for name in kept if name not in known])
    workspace.keep_rules([rules for name, rules in kept.items() if name in known])
    return {"clusters": [_report(rules, marked.get(name, {})) for name, rules in learnt.items()], "problems": problems}


def _tell(learnt: dict[str, RuleSet], dropped: Sequence[str]) -> None:
    """For the log: what was learnt for each cluster, what could not be, and whose rules were dropped."""
    for name, rules in learnt.items():
        _log.info("%s: rules for %s", name, ", ".join(each.name for each in rules.fields) or "no field")
        for remark in (*(f"no rule for {field}" for field in rules.unlearnt), *rules.notes):
            _log.info("%s: %s", name, remark)
    for name in dropped:
        _log.info("%s: its rules are dropped, since the cluster is no more", name)


_NOTHING = "There are no annotations: teach some first: trailmark teach --annotations ANN.jsonl"
LEAST_FREE = 3
"""Pages of a cluster that must be there before its structured data is believed."""


def _is_free(cluster: KnownCluster, kept: dict[str, RuleSet]) -> bool:
    """Whether rules from structured data may be put in place: there are none, or none that anybody confirmed."""
    rules = kept.get(cluster.cluster.id)
    return len(cluster.cluster.pages) >= LEAST_FREE and (rules is None or UNCONFIRMED in rules.notes)


def _from_structured_data(cluster: KnownCluster, replay: Replay, most: int) -> RuleSet | None:
    """Rules for a cluster that nobody annotated, from what its pages say of themselves; None where they say nothing."""
    urls = list(dict.fromkeys([*cluster.cluster.sample, *cluster.cluster.pages]))[:most]
    responses = [response for url in urls if (response := replay.fetch(url)).status == 200]
    pages = [(response.url, tree_of(response)) for response in responses]
    said: dict[str, list[Annotation]] = {}
    for each in free_annotations(pages):
        said.setdefault(each.url, []).append(each)
    if not said:
        return None
    rules = learn_rules(
        cluster.cluster.id, [AnnotatedPage(NodeTable(root), tuple(said.get(url, ()))) for url, root in pages]
    )
    return replace(rules, notes=(*rules.notes, UNCONFIRMED)) if rules.fields or rules.structured else None


Marked = dict[str, dict[str, list[Annotation]]]


def _by_cluster(
    annotations: Sequence[Annotation], clusters: Sequence[KnownCluster], replay: Replay, workspace: Workspace
) -> tuple[Marked, list[str]]:
    """Cluster -> page -> annotations, and a sentence for each page that has no place."""
    pages: dict[str, list[Annotation]] = {}
    for each in annotations:
        pages.setdefault(each.url, []).append(each)
    matcher = Matcher(clusters, workspace.settings.cluster)
    marked: Marked = {}
    problems: list[str] = []
    for url, said in pages.items():
        response = replay.fetch(url)
        root = tree_of(response) if response.status == 200 else None
        name = None if root is None else matcher.cluster_of(url, root) or matcher.cluster_of(response.url, root)
        if root is None:
            problems.append(f"The page {url} is annotated, but it is in no archive: name its archive with --archive.")
        elif name is None:
            problems.append(
                f"The page {url} is annotated, but it is in no cluster: run trailmark cluster with its archive."
            )
        else:
            marked.setdefault(name, {})[url] = said
    return marked, problems


def _sample(
    cluster: KnownCluster, marked: dict[str, list[Annotation]], replay: Replay, most: int
) -> list[AnnotatedPage]:
    """The annotated pages, then the sample and further pages of the cluster, evenly taken."""
    rest = [url for url in cluster.cluster.pages if url not in marked]
    step = max(len(rest) // most, 1)
    urls = [url for url in dict.fromkeys([*cluster.cluster.sample, *rest[::step], *rest]) if url not in marked]
    pages = [AnnotatedPage(NodeTable(tree_of(replay.fetch(url))), tuple(said)) for url, said in marked.items()]
    for url in urls[: max(most - len(pages), 0)]:
        response = replay.fetch(url)
        if response.status == 200:
            pages.append(AnnotatedPage(NodeTable(tree_of(response))))
    return pages


def _report(rules: RuleSet, marked: dict[str, list[Annotation]]) -> dict[str, Any]:
    fields = [
        {
            "field": each.name,
            "rules": len(each.rules),
            "several": each.several,
            "type": each.pruner.type,
            "xpath": rule_xpath(each.rules[0], each.layer),
            "says": rule_sentence(each.rules[0], each.layer),
            "support": each.rules[0].support,
        }
        for each in rules.fields
    ]
    return {
        "id": rules.id,
        "annotated": list(marked),
        "fields": fields,
        "entries": {"xpath": rules.entries.entry.xpath, "says": rules.entries.sentence} if rules.entries else None,
        "structured": [{"field": each.field, "says": each.sentence} for each in rules.structured],
        "unlearnt": list(rules.unlearnt),
        "notes": list(rules.notes),
    }
