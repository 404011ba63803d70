"""`wrap`: annotations and clusters in, rules kept.

1. Annotated pages are looked up in the archives and put to their clusters; one that has no place is a problem in the report.
2. For each cluster with annotated pages rules are learnt from these and from further pages of it.
3. Clusters that nobody annotated get rules from their pages' own structured data, if that says anything.
4. The rules are kept in place of the cluster's old ones; rules of clusters that are no more are dropped. Rules that `trailmark monitor`
   repaired stay as long as nothing else was marked since they were learnt: the annotations tell of pages as they were.
5. What the rules lift off a few archived pages is remembered, so that `trailmark monitor` can tell later when they break.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from trailmark.cluster import KnownCluster, Matcher
from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.read import tree_of
from trailmark.store.archive_names import path_named
from trailmark.store.content_digest import content_digest
from trailmark.store.replay import Replay
from trailmark.verbs.golden_pages import remember_goldens
from trailmark.verbs.staleness import note_wrapped
from trailmark.verbs.wrap_report import (
    AskedField,
    KeptRepair,
    LearntCluster,
    LearntEntries,
    LearntField,
    LearntStructured,
    WrapReport,
)
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
from trailmark.wrap.rules.field_fill import SampleFill, sample_fill
from trailmark.wrap.rules.field_question import FieldQuestion
from trailmark.wrap.rules.rule import FieldRules

_log = logging.getLogger(__name__)
_NOTHING = "There are no annotations: teach some first: trailmark teach --annotations ANN.jsonl"
LEAST_FREE = 3
"""Pages of a cluster that must be there before its structured data is believed."""

PageMarks = dict[str, list[Annotation]]
"""URL -> what was marked on the page."""
Fills = dict[str, Mapping[str, SampleFill]]
"""Cluster -> how full each field is on its sample."""


def wrap(
    workspace: Workspace, archives: Sequence[str | Path] = (), *, again: bool = False, progress: Progress = silent
) -> WrapReport:
    """Annotations of the workspace -> rules for each cluster that has annotated pages; rules of the other clusters stay.

    So do those that were repaired, unless pages of their cluster were marked since or `again` says so.
    """
    annotations = list(workspace.database.annotations())
    clusters = workspace.clusters()
    structured = workspace.settings.wrap.structured
    if not annotations and not (clusters and structured):
        raise InputError(_NOTHING)
    if not clusters:
        raise InputError("There are no clusters yet: make them first: trailmark cluster")
    old = workspace.rules() if workspace.has_rules() else {}
    with workspace.replay([path_named(archive) for archive in archives], all_known=True) as replay:
        marks, problems = _by_cluster(annotations, clusters, replay, workspace)
        most = workspace.settings.wrap.sample
        kept = [] if again else [name for name, of_cluster in marks.items() if _is_repaired(old.get(name), of_cluster)]
        fresh = {name: of_cluster for name, of_cluster in marks.items() if name not in kept}
        fills: Fills = {}
        new = {
            name: _after_repair(rule_set, old.get(name))
            for name, rule_set in _from_marks(clusters, fresh, replay, most, progress, fills).items()
        }
        if structured:
            rest = [known for known in clusters if known.cluster.id not in marks and _is_free(known, old)]
            new |= _from_structured_data(rest, replay, most, progress, fills)
    if not annotations and not new and not kept:
        raise InputError(_NOTHING)
    names = {known.cluster.id for known in clusters}
    rules = {**old, **new}
    _log_learnt(new, [name for name in rules if name not in names])
    workspace.keep_rules([rule_set for name, rule_set in rules.items() if name in names])
    note_wrapped(workspace, annotations)
    remember_goldens(workspace)
    learnt = tuple(_learnt_cluster(rule_set, marks.get(name, {}), fills[name]) for name, rule_set in new.items())
    return WrapReport(learnt, tuple(KeptRepair(name, old[name].repaired) for name in kept), tuple(problems))


def _marks_digest(marks: PageMarks) -> str:
    return content_digest(
        sorted([mark.url, mark.field, mark.value or "", mark.xpath or ""] for page in marks.values() for mark in page)
    )


def _is_repaired(rules: RuleSet | None, marks: PageMarks) -> bool:
    """Whether rules were repaired and nothing was marked or taken back since they were learnt."""
    return rules is not None and bool(rules.repaired) and rules.learnt_from in ("", _marks_digest(marks))


def _after_repair(rules: RuleSet, old: RuleSet | None) -> RuleSet:
    """New rules, which say so where repaired ones give way to them."""
    if old is None or not old.repaired:
        return rules
    note = f"The rules that trailmark monitor repaired ({old.repaired}) gave way to these."
    return replace(rules, notes=(*rules.notes, note))


def _log_learnt(learnt: Mapping[str, RuleSet], dropped: Sequence[str]) -> None:
    """What was learnt for each cluster, what could not be, and whose rules were dropped."""
    for name, rules in learnt.items():
        _log.info("%s: rules for %s", name, ", ".join(field.name for field in rules.fields) or "no field")
        for remark in (*(f"no rule for {field}" for field in rules.unlearnt), *rules.notes):
            _log.info("%s: %s", name, remark)
    for name in dropped:
        _log.info("%s: its rules are dropped, since the cluster is no more", name)


def _by_cluster(
    annotations: Iterable[Annotation], clusters: Sequence[KnownCluster], replay: Replay, workspace: Workspace
) -> tuple[dict[str, PageMarks], list[str]]:
    """Annotations -> cluster -> page -> its annotations, and a sentence for each page that has no place."""
    pages: PageMarks = {}
    for annotation in annotations:
        pages.setdefault(annotation.url, []).append(annotation)
    matcher = Matcher(clusters, workspace.settings.cluster)
    marks: dict[str, PageMarks] = {}
    problems: list[str] = []
    for url, page_marks in pages.items():
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
            marks.setdefault(name, {})[url] = page_marks
    return marks, problems


def _from_marks(
    clusters: Sequence[KnownCluster],
    marks: Mapping[str, PageMarks],
    replay: Replay,
    most: int,
    progress: Progress,
    fills: Fills,
) -> dict[str, RuleSet]:
    """Cluster -> rules learnt from its annotated pages and its sample; how full fields are there goes to `fills`."""
    learnt: dict[str, RuleSet] = {}
    for known in progress([known for known in clusters if known.cluster.id in marks], "learning rules"):
        name = known.cluster.id
        pages = _sample(known, marks[name], replay, most)
        learnt[name] = replace(learn_rules(name, pages), learnt_from=_marks_digest(marks[name]))
        fills[name] = _fill(learnt[name], pages)
    return learnt


def _fill(rules: RuleSet, pages: Sequence[AnnotatedPage]) -> Mapping[str, SampleFill]:
    return sample_fill((rules.records(page.url, page.table) for page in pages), (each.name for each in rules.fields))


def _sample(known: KnownCluster, marks: PageMarks, replay: Replay, most: int) -> list[AnnotatedPage]:
    """The annotated pages, then the sample and further pages of the cluster, evenly taken."""
    rest = [url for url in known.cluster.pages if url not in marks]
    step = max(len(rest) // most, 1)
    urls = [url for url in dict.fromkeys([*known.cluster.sample, *rest[::step], *rest]) if url not in marks]
    pages = [AnnotatedPage(NodeTable(tree_of(replay.fetch(url))), tuple(marked), url) for url, marked in marks.items()]
    for url in urls[: max(most - len(pages), 0)]:
        response = replay.fetch(url)
        if response.status == 200:
            pages.append(AnnotatedPage(NodeTable(tree_of(response)), url=url))
    return pages


def _is_free(known: KnownCluster, old: Mapping[str, RuleSet]) -> bool:
    """Whether rules from structured data may be put in place: there are none, or none that anybody confirmed."""
    rules = old.get(known.cluster.id)
    free = rules is None or (UNCONFIRMED in rules.notes and not rules.repaired)
    return len(known.cluster.pages) >= LEAST_FREE and free


def _from_structured_data(
    clusters: Sequence[KnownCluster], replay: Replay, most: int, progress: Progress, fills: Fills
) -> dict[str, RuleSet]:
    """Cluster -> rules from what its pages say of themselves; clusters whose pages say nothing are left out."""
    learnt: dict[str, RuleSet] = {}
    for known in progress(clusters, "reading structured data"):
        urls = list(dict.fromkeys([*known.cluster.sample, *known.cluster.pages]))[:most]
        responses = [response for url in urls if (response := replay.fetch(url)).status == 200]
        pages = [(response.url, tree_of(response)) for response in responses]
        marks: PageMarks = {}
        for annotation in free_annotations(pages):
            marks.setdefault(annotation.url, []).append(annotation)
        if marks:
            annotated = [AnnotatedPage(NodeTable(root), tuple(marks.get(url, ()))) for url, root in pages]
            rules = learn_rules(known.cluster.id, annotated)
            if rules.fields or rules.structured:
                learnt[known.cluster.id] = replace(rules, notes=(*rules.notes, UNCONFIRMED))
                fills[known.cluster.id] = _fill(rules, annotated)
    return learnt


def _learnt_cluster(rules: RuleSet, marks: PageMarks, fill: Mapping[str, SampleFill]) -> LearntCluster:
    entries = rules.entries
    return LearntCluster(
        rules.id,
        tuple(marks),
        tuple(_learnt_field(each, fill[each.name]) for each in rules.fields),
        LearntEntries(entries.entry.xpath, entries.sentence) if entries else None,
        tuple(LearntStructured(rule.field, rule.sentence) for rule in rules.structured),
        rules.unlearnt,
        tuple(map(_asked_field, rules.questions)),
        rules.notes,
    )


def _asked_field(question: FieldQuestion) -> AskedField:
    candidates = (question.value, question.rival) if question.value else ()
    return AskedField(question.field, question.url, candidates, question.sentence)


def _learnt_field(field: FieldRules, fill: SampleFill) -> LearntField:
    first = field.rules[0]
    return LearntField(
        field.name,
        len(field.rules),
        field.several,
        field.pruner.type,
        rule_xpath(first, field.layer),
        rule_sentence(first, field.layer),
        first.support,
        fill.filled,
        fill.records,
    )
