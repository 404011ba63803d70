"""One run of extraction: pages -> their records, in order, kept while they go by.

A page is picked by its scope (`trailmark.extract.page_scope`), known or lifted by a crew of processes, counted, and kept with its records.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Protocol, Self

from trailmark.cluster import KnownCluster, site_of
from trailmark.datatypes import Record, Response
from trailmark.extract.crew import Crew, chunks
from trailmark.extract.lifter import LiftedPage, LiftingTask, field_names, make_lifter
from trailmark.extract.page_scope import PageScope
from trailmark.extract.tally import Tally
from trailmark.settings import Settings, WrapSettings
from trailmark.shape.time_limit import PatternChild, shaped_in_time
from trailmark.store.record_table import Extraction
from trailmark.verbs.reshaping import shaper_of, shown_now
from trailmark.workspace import Workspace
from trailmark.wrap import MAKER, RuleSet, rules_to_json

FORMAT = 4
"""Raised when pages must be extracted again because extraction itself changed."""
BATCH = 500
"""Pages that are kept in one go."""


class Lifters(Protocol):
    """Those who lift pages side by side, wherever they are; within a `with` block."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def answers(self, chunks: Iterable[Sequence[LiftingTask]]) -> Iterator[list[LiftedPage]]:
        """For each chunk its answers, in order."""
        ...


CrewMaker = Callable[..., Lifters]
"""(how each makes its work, what it needs for that, jobs, what stands for a page that killed its process) -> those who lift."""


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """A page of an archive, and what is known of it."""

    response: Response
    cluster: str | None
    rules: str
    """Version of the rules, and of what chooses among them."""
    asked: bool
    """Whether it is wanted whatever its cluster is."""
    done: Extraction | None
    """What became of the same content under the same rules."""


class PageRun:
    """A workspace, its rules, and which pages are wanted -> records; nothing is kept where it is `dry`."""

    def __init__(
        self,
        workspace: Workspace,
        rules: Mapping[str, RuleSet],
        scope: PageScope,
        settings: WrapSettings,
        *,
        again: bool,
        dry: bool,
        crew: CrewMaker = Crew,
    ) -> None:
        self._crew = crew
        self.workspace, self.database, self.scope, self.again, self.dry = (
            workspace,
            workspace.database,
            scope,
            again,
            dry,
        )
        self.jobs = settings.jobs
        clusters = workspace.clusters(with_pages=False)
        self.sites = {known.cluster.site for known in clusters if known.cluster.id in rules}
        self.version = _version(list(rules.values()), clusters, workspace.settings, settings, scope)
        self.recruit = (list(rules.values()), clusters, workspace.settings.cluster, settings, scope.groups)
        self.shaper = shaper_of(workspace)
        fields = {name: self.shaper.names(field_names(rule_set)) for name, rule_set in rules.items()}
        self.tally = Tally(fields)
        self.columns = list(dict.fromkeys(name for names in fields.values() for name in names))

    def wanted(self, url: str) -> bool:
        """Whether a page must be read: it is wanted, or its structure has to say so."""
        if self.scope.everything:
            return True
        asked = self.scope.is_asked(url)
        return asked if asked is not None else bool(self.scope.groups) and site_of(url) in self.sites

    def records(self, responses: Iterable[Response]) -> Generator[Record]:
        """Records in the order of the pages, kept while they go by."""
        batch: list[tuple[Extraction, Sequence[Record]]] = []
        crew = self._crew(
            make_lifter, self.recruit, jobs=self.jobs, lost=lambda _: LiftedPage("failed", note="its process died")
        )
        try:
            with crew, PatternChild() as child:
                for page, lifted in self._lifted(responses, crew):
                    if page.done is None:
                        wanted = self.database.wanted_records(lifted.records)
                        batch.append((_extraction(page, lifted), lifted.records))
                        (rows,) = shaped_in_time(self.shaper, [wanted], child)
                        lifted = replace(lifted, records=tuple(row.shown for row in rows))
                    self.tally.count(page.response.url, lifted, fresh=page.done is None)
                    if len(batch) >= BATCH:
                        self._keep(batch)
                    yield from lifted.records
        finally:  # Ctrl-C, or a full disk under the file that is written: what was done is kept
            self._keep(batch)

    def take_out(self, urls: Iterable[str]) -> int:
        """Pages at hand that nobody wants -> how many records of them were kept, and are no longer."""
        with_records = self.database.pages_with_records(maker=MAKER)
        gone = [url for url in urls if url in with_records]
        batch: list[tuple[Extraction, Sequence[Record]]] = [(Extraction(url, "", "", "unasked"), ()) for url in gone]
        self._keep(batch)
        return sum(with_records[url] for url in gone)

    def _lifted(self, responses: Iterable[Response], crew: Lifters) -> Iterator[tuple[ArchivedPage, LiftedPage]]:
        waiting: list[list[ArchivedPage]] = []

        def to_lift() -> Iterator[list[LiftingTask]]:
            for chunk in chunks(map(self._known, self._pages(responses)), lambda page: len(page.response.body)):
                waiting.append(chunk)
                yield [(page.response, page.cluster, page.asked) for page in chunk if page.done is None]

        for answers in crew.answers(to_lift()):
            fresh = iter(answers)
            for page in waiting.pop(0):
                yield page, next(fresh) if page.done is None else self._stored(page, page.done)

    def _pages(self, responses: Iterable[Response]) -> Iterator[Response]:
        """Pages of sites that have rules; the others need not be parsed (section IV-A)."""
        for response in responses:
            if response.status != 200:
                continue
            if site_of(response.url) in self.sites:
                yield response
            else:
                self.tally.pass_over(response.url)

    def _known(self, response: Response) -> ArchivedPage:
        done, cluster = self.database.extraction(response.url)
        asked = self.scope.is_asked(response.url) is True
        rules = f"{self.version}:{cluster or ''}" + ("" if asked else ":?")
        if self.again or done is None or (done.content_hash, done.rules) != (response.content_hash, rules):
            done = None
        return ArchivedPage(response, cluster, rules, asked, done)

    def _stored(self, page: ArchivedPage, done: Extraction) -> LiftedPage:
        records = tuple(self.database.records(url=page.response.url, maker=MAKER))
        made_by = records[0].made_by.removeprefix(MAKER) if records else page.cluster or ""
        return LiftedPage(done.outcome, records, made_by, done.note)  # type: ignore[arg-type]

    def _keep(self, batch: list[tuple[Extraction, Sequence[Record]]]) -> None:
        if batch and not self.dry:
            # A person may have changed something since the pages were lifted.
            with self.database.transaction(), shown_now(self.workspace) as shown:
                self.database.keep_extracted(batch, maker=MAKER, shown=shown)
        batch.clear()


def _extraction(page: ArchivedPage, lifted: LiftedPage) -> Extraction:
    # A page on which a process died may do better with more memory: it is tried again each time.
    rules = page.rules if lifted.outcome != "failed" else ""
    return Extraction(page.response.url, page.response.content_hash, rules, lifted.outcome, lifted.note)


def rules_version(workspace: Workspace) -> str:
    """A workspace -> a digest of all that decides now what a page gives, but the page and what was asked for."""
    return _rules_digest(list(workspace.rules().values()), workspace.clusters(with_pages=False), workspace.settings)


def _version(
    rules: Sequence[RuleSet],
    clusters: Sequence[KnownCluster],
    settings: Settings,
    wrap_settings: WrapSettings,
    scope: PageScope,
) -> str:
    """A digest of all that decides what a page gives, but the page; it begins with that of the rules."""
    asked = json.dumps([wrap_settings.borrow, sorted(scope.groups)])
    return _rules_digest(rules, clusters, settings) + hashlib.sha256(asked.encode()).hexdigest()[:8]


def _rules_digest(rules: Sequence[RuleSet], clusters: Sequence[KnownCluster], settings: Settings) -> str:
    """Importance grows with every page and settles ties only."""
    templates = [
        [known.cluster.id, known.cluster.url_pattern, {**known.template.to_json(), "importance": 0}]
        for known in clusters
    ]
    decisive = [
        FORMAT,
        [rules_to_json(rule_set) for rule_set in rules],
        sorted(templates, key=str),
        repr(settings.cluster),
        settings.wrap.kind,
    ]
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()[:16]
