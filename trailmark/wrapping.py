"""The wiring of `trailmark wrap` and `trailmark extract`: annotations and clusters in, rules kept, records out."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from trailmark.cluster import KnownCluster, Template, assign, sign_page, site_of
from trailmark.datatypes import Annotation, Record, Response
from trailmark.errors import InputError
from trailmark.read import parse_html
from trailmark.settings import WrapSettings
from trailmark.store.archive import archives_in, packing_of, read_archive
from trailmark.store.cluster_table import read_clusters
from trailmark.store.json_lines import record_to_json, written_whole
from trailmark.store.replay import Replay
from trailmark.workspace import ARCHIVES_KEY, Workspace, silent
from trailmark.wrap import (
    AnnotatedPage,
    NodeTable,
    RuleSet,
    learn_rules,
    rule_sentence,
    rule_xpath,
    rules_from_json,
    rules_to_json,
)

Progress = Callable[[Iterable[Any], str], Iterator[Any]]

BATCH = 500
"""Records that are kept in one go."""
MAKER = "rule:"


def rules_file(workspace: Workspace) -> Path:
    """Where the rules are kept."""
    return workspace.folder / "models" / "rules.json"


# --- learning ----------------------------------------------------------------------------------------------------


def wrap_clusters(
    workspace: Workspace, archives: Sequence[Path] = (), *, progress: Progress = silent
) -> dict[str, Any]:
    """Learn rules for each cluster that has annotated pages; rules of the other clusters stay."""
    annotations = list(workspace.database.annotations())
    if not annotations:
        raise InputError("There are no annotations: teach some first: trailmark teach --annotations ANN.jsonl")
    clusters = _clusters(workspace)
    if not clusters:
        raise InputError("There are no clusters yet: make them first: trailmark cluster")
    with _pages(workspace, archives) as replay:
        marked, problems = _by_cluster(annotations, clusters, replay, workspace)
        learnt = {}
        for cluster in progress([each for each in clusters if each.cluster.id in marked], "learning rules"):
            pages = _sample(cluster, marked[cluster.cluster.id], replay, workspace.settings.wrap.sample)
            learnt[cluster.cluster.id] = learn_rules(cluster.cluster.id, pages)
    kept = {**(read_rules(workspace) if rules_file(workspace).exists() else {}), **learnt}
    known = {each.cluster.id for each in clusters}
    _keep(rules_file(workspace), [rules for name, rules in kept.items() if name in known])
    return {"clusters": [_report(rules, marked[name]) for name, rules in learnt.items()], "problems": problems}


def read_rules(workspace: Workspace) -> dict[str, RuleSet]:
    """The rules that were learnt, by cluster."""
    path = rules_file(workspace)
    if not path.exists():
        raise InputError(f"No rules were learnt yet in {workspace.folder}; learn some first: trailmark wrap")
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        entries = list(kept["rules"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path} can't be read as rules ({error}): learn again: trailmark wrap") from error
    found = [rules_from_json(entry, source=str(path)) for entry in entries]
    return {rules.id: rules for rules in found}


def _keep(path: Path, rules: Sequence[RuleSet]) -> None:
    with written_whole(path) as file:
        text = json.dumps({"format": 1, "rules": [rules_to_json(each) for each in rules]}, ensure_ascii=False, indent=1)
        file.write(text.encode("utf-8", "backslashreplace"))


def _clusters(workspace: Workspace) -> list[KnownCluster]:
    with workspace.database.transaction() as connection:
        return [KnownCluster(cluster, Template.from_json(kept)) for cluster, kept in read_clusters(connection)]


def _pages(workspace: Workspace, archives: Sequence[Path]) -> Replay:
    """Pages of the workspace's archives, of those that were clustered, and of those given."""
    remembered = [Path(each) for each in json.loads(workspace.database.meta(ARCHIVES_KEY) or "[]")]
    return workspace.replay([*(path for path in remembered if path.exists()), *archives])


Marked = dict[str, dict[str, list[Annotation]]]


def _by_cluster(
    annotations: Sequence[Annotation], clusters: Sequence[KnownCluster], replay: Replay, workspace: Workspace
) -> tuple[Marked, list[str]]:
    """Cluster -> page -> annotations, and a sentence for each page that has no place."""
    pages: dict[str, list[Annotation]] = {}
    for each in annotations:
        pages.setdefault(each.url, []).append(each)
    matcher = Matcher(clusters, workspace)
    marked: Marked = {}
    problems: list[str] = []
    for url, said in pages.items():
        response = replay.fetch(url)
        root = _root(response) if response.status == 200 else None
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
    pages = [AnnotatedPage(NodeTable(_root(replay.fetch(url))), tuple(said)) for url, said in marked.items()]
    for url in urls[: max(most - len(pages), 0)]:
        response = replay.fetch(url)
        if response.status == 200:
            pages.append(AnnotatedPage(NodeTable(_root(response))))
    return pages


def _root(response: Response) -> Any:
    return parse_html(response.body, response.header("content-type"))[0]


def _report(rules: RuleSet, marked: dict[str, list[Annotation]]) -> dict[str, Any]:
    fields = [
        {
            "field": each.name,
            "rules": len(each.rules),
            "several": each.several,
            "type": each.pruner.type,
            "xpath": rule_xpath(each.rules[0]),
            "says": rule_sentence(each.rules[0]),
            "support": each.rules[0].support,
        }
        for each in rules.fields
    ]
    return {
        "id": rules.id,
        "annotated": list(marked),
        "fields": fields,
        "unlearnt": list(rules.unlearnt),
        "notes": list(rules.notes),
    }


# --- extraction --------------------------------------------------------------------------------------------------


class Matcher:
    """Which cluster a page belongs to: by its URL where that is known, else by URL pattern, then template (IV-A)."""

    def __init__(self, clusters: Sequence[KnownCluster], workspace: Workspace) -> None:
        self.settings = workspace.settings.cluster
        self.by_url = {url: each.cluster.id for each in clusters for url in each.cluster.pages}
        self.by_site: dict[str, list[KnownCluster]] = {}
        for each in clusters:
            self.by_site.setdefault(each.cluster.site, []).append(each)

    def of_site(self, url: str, rules: dict[str, RuleSet]) -> list[RuleSet]:
        """Rules of the clusters of the page's site, those of the largest first."""
        return [rules[each.cluster.id] for each in self.by_site.get(site_of(url), ()) if each.cluster.id in rules]

    def cluster_of(self, url: str, root: Any) -> str | None:
        if url in self.by_url:
            return self.by_url[url]
        site = self.by_site.get(site_of(url), [])
        matching = [each for each in site if each.cluster.url_pattern and _matches(each.cluster.url_pattern, url)]
        candidates = matching or site
        if not candidates:
            return None
        found = assign(sign_page(root), [each.template for each in candidates], self.settings)
        return None if found is None else candidates[found].cluster.id


def _matches(pattern: str, url: str) -> bool:
    try:
        return re.fullmatch(pattern, url) is not None
    except re.error:
        return False


def extract_records(
    workspace: Workspace, archives: Sequence[Path] = (), *, out: Path | None = None, progress: Progress = silent
) -> dict[str, Any]:
    """Records of all pages that have rules: into the workspace, and as JSON Lines where a file is named."""
    rules = read_rules(workspace)
    sources = archives or [*archives_in(workspace.archive_folder), *_remembered(workspace)]
    if not sources:
        raise InputError("There is no archive to extract from: name one with --archive.")
    for archive in sources:
        packing_of(archive)
    matcher = Matcher(_clusters(workspace), workspace)
    counts: Counter[str] = Counter()
    fields: Counter[str] = Counter()
    with ExitStack() as stack:
        file = stack.enter_context(written_whole(out)) if out else None
        batch: list[Record] = []
        for archive in sources:
            responses = progress(read_archive(archive, settings=workspace.settings.store), archive.name)
            for record in _records(responses, rules, matcher, workspace.settings.wrap, counts):
                fields.update(record.fields.keys())
                batch.append(record)
                if len(batch) >= BATCH:
                    _flush(batch, file, workspace)
        _flush(batch, file, workspace)
    return {
        "records": counts["records"],
        "pages": counts["pages"],
        "empty": counts["empty"],
        "borrowed": counts["borrowed"],
        "fields": dict(fields),
    }


def _remembered(workspace: Workspace) -> list[Path]:
    paths = [Path(each) for each in json.loads(workspace.database.meta(ARCHIVES_KEY) or "[]")]
    return [path for path in paths if path.exists()]


def _records(
    responses: Iterable[Response],
    rules: dict[str, RuleSet],
    matcher: Matcher,
    settings: WrapSettings,
    counts: Counter[str],
) -> Iterator[Record]:
    for response in responses:
        nearby = matcher.of_site(response.url, rules) if response.status == 200 else []
        root = _root(response) if nearby else None
        if root is None:
            continue
        name = matcher.cluster_of(response.url, root)
        if name in rules:
            record = rules[name].record(response.url, NodeTable(root), kind=settings.kind)
            counts["pages"] += 1
            counts["records" if record.fields else "empty"] += 1
        else:
            record = _borrowed(response.url, root, nearby if settings.borrow else [], settings.kind)
            counts["borrowed"] += bool(record.fields)
        if record.fields:
            yield record


def _borrowed(url: str, root: Any, nearby: Sequence[RuleSet], kind: str) -> Record:
    """What the rules of another template of the site find, if that is half of what they look for; else an empty record."""
    table = NodeTable(root)
    for rules in nearby:
        record = rules.record(url, table, kind=kind)
        if len(record.fields) * 2 >= len(rules.fields) > 0:
            return record
    return Record(url, kind, {})


def _flush(batch: list[Record], file: IO[bytes] | None, workspace: Workspace) -> None:
    """Write and forget, so that memory stays flat."""
    if file is not None:
        for record in batch:
            file.write(
                json.dumps(record_to_json(record), ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
            )
    workspace.database.replace_records(batch, maker=MAKER)
    batch.clear()
