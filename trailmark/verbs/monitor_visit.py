"""Bellwethers of each cluster: golden extractions taken, and pages visited again. A part of the wiring of `trailmark monitor`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from trailmark.cluster import KnownCluster, Signature, assign, sign_page
from trailmark.datatypes import Annotation, Response
from trailmark.errors import FetchError
from trailmark.monitor.bellwether import (
    BellwetherVisit,
    Golden,
    choose_bellwethers,
    golden_from_json,
    golden_to_json,
    lift,
)
from trailmark.progress import Progress
from trailmark.read import parse_html
from trailmark.store import monitor_table as table
from trailmark.store.replay import Replay
from trailmark.workspace import Workspace
from trailmark.wrap import NodeTable, RuleSet, rules_to_json

Pages = Mapping[str, Response]


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """A cluster under watch: its rules, and its bellwethers as they are now."""

    known: KnownCluster
    rules: RuleSet
    visits: tuple[BellwetherVisit, ...]
    signatures: Mapping[str, Signature]
    unreachable: tuple[str, ...]

    @property
    def id(self) -> str:
        return self.known.cluster.id


def remember_goldens(workspace: Workspace) -> int:
    """Take golden extractions now, while the archived pages are those that the rules were learnt from; how many pages."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return sum(map(len, take_goldens(workspace, workspace.rules(), at=at).values()))


def take_goldens(workspace: Workspace, rules: Mapping[str, RuleSet], *, at: str) -> dict[str, list[Golden]]:
    """The golden extractions of each cluster with rules; taken anew from archived pages where the rules are new."""
    found: dict[str, list[Golden]] = {}
    for each in workspace.clusters():
        name = each.cluster.id
        if name not in rules:
            continue
        with workspace.database.plain_errors():
            digest, kept = table.read_bellwethers(workspace.database.connection, name)
        if kept and digest == digest_of(rules[name]):
            found[name] = [golden_from_json(one, source=str(workspace.database.path)) for one in kept]
            continue
        found[name] = _new_goldens(workspace, each, rules[name])
        made = [golden_to_json(golden) for golden in found[name]]
        with workspace.database.transaction() as connection:
            table.write_bellwethers(connection, name, rules=digest_of(rules[name]), at=at, goldens=made)
    return {name: each for name, each in found.items() if each}


def _new_goldens(workspace: Workspace, known: KnownCluster, rules: RuleSet) -> list[Golden]:
    """What the rules lift off archived pages of the cluster, annotated pages first."""
    told = annotations_by_page(workspace)
    first = [url for url in known.cluster.pages if url in told]
    urls = choose_bellwethers(known.cluster.pages, most=workspace.settings.monitor.pages, first=first)
    with workspace.replay(all_known=True) as replay:
        trees = {url: _root(replay.fetch(url)) for url in urls}
    made = [lift(rules, url, NodeTable(root)) for url, root in trees.items() if root is not None]
    return [golden for golden in made if golden.records]


def digest_of(rules: RuleSet) -> str:
    """Equal for equal rules."""
    return hashlib.sha256(json.dumps(rules_to_json(rules), sort_keys=True).encode()).hexdigest()[:16]


def visit_pages(workspace: Workspace, urls: Sequence[str], archives: Sequence[Path], progress: Progress) -> Pages:
    """The pages as they are now: from the archives given, and from nowhere else; without any from the network."""
    settings = workspace.settings
    if archives:
        with Replay(archives, max_redirects=settings.forage.max_redirects, settings=settings.store) as replay:
            return {url: replay.fetch(url) for url in progress(urls, "visiting bellwethers")}
    from trailmark.forage import fetch_pages

    got: dict[str, Response] = {}
    watched = progress(urls, "visiting bellwethers")
    next(watched, None)

    def keep(url: str, response: Response) -> None:
        got[url] = response
        next(watched, None)

    def miss(url: str, error: FetchError) -> None:
        del url, error
        next(watched, None)

    fetch_pages(urls, settings.forage, on_response=keep, on_failure=miss)
    return got


def _root(response: Response | None) -> Any:
    if response is None or response.status != 200:
        return None
    return parse_html(response.body, response.header("content-type"))[0]


def watch(
    known: KnownCluster,
    rules: RuleSet,
    goldens: Sequence[Golden],
    pages: Pages,
    told: Mapping[str, tuple[Annotation, ...]],
    workspace: Workspace,
) -> Watched:
    visits: list[BellwetherVisit] = []
    signatures: dict[str, Signature] = {}
    unreachable: list[str] = []
    for golden in goldens:
        root = _root(pages.get(golden.url))
        if root is None:
            unreachable.append(golden.url)
            continue
        signature = signatures[golden.url] = sign_page(root)
        matched = assign(signature, [known.template], workspace.settings.cluster) is not None
        visits.append(BellwetherVisit(golden, NodeTable(root), matched, told.get(golden.url, ())))
    return Watched(known, rules, tuple(visits), signatures, tuple(unreachable))


def annotations_by_page(workspace: Workspace) -> dict[str, tuple[Annotation, ...]]:
    """What a person marked, by page."""
    found: dict[str, list[Annotation]] = {}
    for each in workspace.database.annotations():
        found.setdefault(each.url, []).append(each)
    return {url: tuple(said) for url, said in found.items()}
