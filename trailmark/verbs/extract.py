"""`extract`: archives in, page after page to its records, which are kept and written out.

1. Rules and clusters are read; pages of sites that have no rules are passed over without being parsed.
2. A page that changed no more than its rules did is not extracted again: what became of it is kept with a digest of both.
3. The others go to a crew of processes, which find the page's cluster, apply its rules and give its records, in order.
4. State and records are written together, some hundred pages at a time, so a run that is killed loses at most those.
5. Records go to a file too where one is named; the report counts what was found and names pages worth a look.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from trailmark.cluster import KnownCluster, site_of
from trailmark.datatypes import Record, Response
from trailmark.errors import InputError
from trailmark.export import form_of, write_records
from trailmark.extract.crew import Crew
from trailmark.extract.extract_report import ExtractReport, KeptRecords
from trailmark.extract.lifter import LiftedPage, field_names, make_lifter
from trailmark.extract.tally import Tally
from trailmark.progress import Progress, silent
from trailmark.settings import Settings
from trailmark.store.archive import packing_of, read_archive
from trailmark.store.database import Database
from trailmark.store.json_lines import written_whole
from trailmark.store.record_table import Extraction
from trailmark.workspace import Workspace
from trailmark.wrap import MAKER, RuleSet, rules_to_json

FORMAT = 3
"""Raised when pages must be extracted again because extraction itself changed."""
LiftingTask = tuple[Response, str | None]
"""A page, and the cluster it is known to be of."""
CHUNK, CHUNK_BYTES = 32, 4_000_000
"""Pages, and about so many bytes, that are handed over in one go."""
BATCH = 500
"""Pages that are kept in one go."""


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """A page of an archive, and what is known of it."""

    response: Response
    cluster: str | None
    rules: str
    """Version of the rules, and of what chooses among them."""
    done: Extraction | None
    """What became of the same content under the same rules."""


def extract(
    workspace: Workspace,
    archives: Sequence[str | Path] = (),
    *,
    out: str | Path | None = None,
    sources: bool = False,
    jobs: int | None = None,
    again: bool = False,
    progress: Progress = silent,
) -> ExtractReport:
    """Archives, else all that the workspace knows -> records of the pages that have rules, kept, and in a file where one is named."""
    rules = workspace.rules()
    file = Path(out) if out is not None else None
    form = form_of(file.name) if file else None
    chosen = [Path(archive) for archive in archives] or workspace.archives()
    if not chosen:
        raise InputError("There is no archive to extract from: name one with --archive.")
    for archive in chosen:
        packing_of(archive)
    run = _PageRun(workspace, rules, again=again, jobs=workspace.settings.wrap.jobs if jobs is None else jobs)
    fields = list(dict.fromkeys(name for rule_set in rules.values() for name in field_names(rule_set)))
    with ExitStack() as stack:
        # Closed here whatever happens, while the workspace is open: what was done is kept.
        records = stack.enter_context(closing(run.records(_responses(chosen, workspace.settings, progress))))
        if file is None or form is None:
            for _ in records:
                pass
        else:
            opened = stack.enter_context(written_whole(file))
            write_records(records, opened, form, fields, workspace.settings.export, sources=sources)
    return run.tally.report(_kept_records(workspace))


def _kept_records(workspace: Workspace) -> KeptRecords:
    """All records of a workspace, which may be closed by the time they are asked for."""
    path, timeout = workspace.database.path, workspace.settings.store.busy_timeout

    def read() -> Iterator[Record]:
        with Database.open(path, timeout=timeout) as database:
            yield from database.records()

    return KeptRecords(read, workspace.settings.export.separator)


def _responses(archives: Sequence[Path], settings: Settings, progress: Progress) -> Iterator[Response]:
    for archive in archives:
        yield from progress(read_archive(archive, settings=settings.store), archive.name)


class _PageRun:
    """One run of extraction."""

    def __init__(self, workspace: Workspace, rules: Mapping[str, RuleSet], *, again: bool, jobs: int) -> None:
        self.database, self.again, self.jobs = workspace.database, again, jobs
        clusters = workspace.clusters(with_pages=False)
        self.sites = {known.cluster.site for known in clusters if known.cluster.id in rules}
        self.version = _version(list(rules.values()), clusters, workspace.settings)
        self.recruit = (list(rules.values()), clusters, workspace.settings.cluster, workspace.settings.wrap)
        self.tally = Tally({name: field_names(rule_set) for name, rule_set in rules.items()})

    def records(self, responses: Iterable[Response]) -> Generator[Record]:
        """Records in the order of the pages, kept while they go by."""
        batch: list[tuple[Extraction, Sequence[Record]]] = []
        crew: Crew[LiftingTask, LiftedPage] = Crew(
            make_lifter, self.recruit, jobs=self.jobs, lost=lambda _: LiftedPage("failed", note="its process died")
        )
        try:
            with crew:
                for page, lifted in self._lifted(responses, crew):
                    self.tally.count(page.response.url, lifted, fresh=page.done is None)
                    if page.done is None:
                        batch.append((_extraction(page, lifted), lifted.records))
                    if len(batch) >= BATCH:
                        self._keep(batch)
                    yield from self.database.wanted_records(lifted.records)
        finally:  # Ctrl-C, or a full disk under the file that is written: what was done is kept
            self._keep(batch)

    def _lifted(
        self, responses: Iterable[Response], crew: Crew[LiftingTask, LiftedPage]
    ) -> Iterator[tuple[ArchivedPage, LiftedPage]]:
        waiting: list[list[ArchivedPage]] = []

        def chunks() -> Iterator[list[LiftingTask]]:
            for chunk in _chunks(map(self._known, self._pages(responses))):
                waiting.append(chunk)
                yield [(page.response, page.cluster) for page in chunk if page.done is None]

        for answers in crew.answers(chunks()):
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
        rules = f"{self.version}:{cluster or ''}"
        if self.again or done is None or (done.content_hash, done.rules) != (response.content_hash, rules):
            done = None
        return ArchivedPage(response, cluster, rules, done)

    def _stored(self, page: ArchivedPage, done: Extraction) -> LiftedPage:
        records = tuple(self.database.records(url=page.response.url, maker=MAKER))
        made_by = records[0].made_by.removeprefix(MAKER) if records else page.cluster or ""
        return LiftedPage(done.outcome, records, made_by, done.note)  # type: ignore[arg-type]

    def _keep(self, batch: list[tuple[Extraction, Sequence[Record]]]) -> None:
        if batch:
            self.database.keep_extracted(batch, maker=MAKER)
            batch.clear()


def _extraction(page: ArchivedPage, lifted: LiftedPage) -> Extraction:
    # A page on which a process died may do better with more memory: it is tried again each time.
    rules = page.rules if lifted.outcome != "failed" else ""
    return Extraction(page.response.url, page.response.content_hash, rules, lifted.outcome, lifted.note)


def _chunks(pages: Iterable[ArchivedPage]) -> Iterator[list[ArchivedPage]]:
    chunk: list[ArchivedPage] = []
    size = 0
    for page in pages:
        chunk.append(page)
        size += len(page.response.body)
        if len(chunk) >= CHUNK or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def rules_version(workspace: Workspace) -> str:
    """A workspace -> a digest of all that decides now what a page gives."""
    return _version(list(workspace.rules().values()), workspace.clusters(with_pages=False), workspace.settings)


def _version(rules: Sequence[RuleSet], clusters: Sequence[KnownCluster], settings: Settings) -> str:
    """A digest of all that decides what a page gives, but the page. Importance grows with every page and settles ties only."""
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
        settings.wrap.borrow,
    ]
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()[:16]
