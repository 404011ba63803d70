"""The wiring of `trailmark extract`: archives in, page after page to its records, which are kept and written out.

What became of a page is kept with a digest of its content and of the rules: a page that changed neither is not extracted
again. State and records are written together, some hundred pages at a time, so a run that is killed loses at most those.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.cluster import KnownCluster, site_of
from trailmark.datatypes import Record, Response
from trailmark.errors import InputError
from trailmark.export import form_of, write_records
from trailmark.extract.crew import Crew
from trailmark.extract.lifter import LiftedPage, field_names, make_lifter
from trailmark.extract.tally import Tally
from trailmark.progress import Progress, silent
from trailmark.settings import Settings
from trailmark.store.archive import packing_of, read_archive
from trailmark.store.json_lines import written_whole
from trailmark.store.record_table import Extraction
from trailmark.workspace import Workspace
from trailmark.wrap import MAKER, RuleSet, rules_to_json

FORMAT = 1
"""Raised when pages must be extracted again because extraction itself changed."""
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
    archives: Sequence[Path] = (),
    *,
    out: Path | None = None,
    sources: bool = False,
    jobs: int | None = None,
    again: bool = False,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Records of all pages that have rules: into the workspace, and to a file where one is named."""
    rules = workspace.rules()
    form = form_of(out.name) if out else None
    chosen = archives or workspace.archives()
    if not chosen:
        raise InputError("There is no archive to extract from: name one with --archive.")
    for archive in chosen:
        packing_of(archive)
    run = _PageRun(workspace, rules, again=again, jobs=workspace.settings.wrap.jobs if jobs is None else jobs)
    fields = list(dict.fromkeys(name for each in rules.values() for name in field_names(each)))
    with ExitStack() as stack:
        # Closed here whatever happens, while the workspace is open: what was done is kept.
        records = stack.enter_context(closing(run.records(_responses(chosen, workspace.settings, progress))))
        if out is None or form is None:
            for _ in records:
                pass
        else:
            file = stack.enter_context(written_whole(out))
            write_records(records, file, form, fields, workspace.settings.export, sources=sources)
    return run.tally.report()


def _responses(archives: Sequence[Path], settings: Settings, progress: Progress) -> Iterator[Response]:
    for archive in archives:
        yield from progress(read_archive(archive, settings=settings.store), archive.name)


class _PageRun:
    """One run of extraction."""

    def __init__(self, workspace: Workspace, rules: dict[str, RuleSet], *, again: bool, jobs: int) -> None:
        self.database, self.again, self.jobs = workspace.database, again, jobs
        clusters = workspace.clusters(with_pages=False)
        kept = [rules_to_json(each) for each in rules.values()]
        self.sites = {each.cluster.site for each in clusters if each.cluster.id in rules}
        self.version = _version(kept, clusters, workspace.settings)
        self.recruit = (list(rules.values()), clusters, workspace.settings.cluster, workspace.settings.wrap)
        self.tally = Tally({name: field_names(each) for name, each in rules.items()})

    def records(self, responses: Iterable[Response]) -> Generator[Record]:
        """Records in the order of the pages, kept while they go by."""
        batch: list[tuple[Extraction, Sequence[Record]]] = []
        crew: Crew[tuple[Response, str | None], LiftedPage] = Crew(
            make_lifter, self.recruit, jobs=self.jobs, lost=lambda _: LiftedPage("failed", note="its process died")
        )
        try:
            with crew:
                for visit, lifted in self._lifted(responses, crew):
                    self.tally.count(visit.response.url, lifted, fresh=visit.done is None)
                    if visit.done is None:
                        batch.append((_extraction(visit, lifted), lifted.records))
                    if len(batch) >= BATCH:
                        self._keep(batch)
                    yield from lifted.records
        finally:  # Ctrl-C, or a full disk under the file that is written: what was done is kept
            self._keep(batch)

    def _lifted(self, responses: Iterable[Response], crew: Any) -> Iterator[tuple[ArchivedPage, LiftedPage]]:
        waiting: list[list[ArchivedPage]] = []

        def chunks() -> Iterator[list[tuple[Response, str | None]]]:
            for chunk in _chunks(map(self._visit, self._pages(responses))):
                waiting.append(chunk)
                yield [(visit.response, visit.cluster) for visit in chunk if visit.done is None]

        for answers in crew.answers(chunks()):
            fresh = iter(answers)
            for visit in waiting.pop(0):
                yield visit, next(fresh) if visit.done is None else self._stored(visit, visit.done)

    def _pages(self, responses: Iterable[Response]) -> Iterator[Response]:
        """Pages of sites that have rules; the others need not be parsed (section IV-A)."""
        for response in responses:
            if response.status != 200:
                continue
            if site_of(response.url) in self.sites:
                yield response
            else:
                self.tally.pass_over(response.url)

    def _visit(self, response: Response) -> ArchivedPage:
        done, cluster = self.database.extraction(response.url)
        rules = f"{self.version}:{cluster or ''}"
        if self.again or done is None or (done.content_hash, done.rules) != (response.content_hash, rules):
            done = None
        return ArchivedPage(response, cluster, rules, done)

    def _stored(self, visit: ArchivedPage, done: Extraction) -> LiftedPage:
        records = tuple(self.database.records(url=visit.response.url, maker=MAKER))
        made_by = records[0].made_by.removeprefix(MAKER) if records else visit.cluster or ""
        return LiftedPage(done.outcome, records, made_by, done.note)  # type: ignore[arg-type]

    def _keep(self, batch: list[tuple[Extraction, Sequence[Record]]]) -> None:
        if batch:
            self.database.keep_extracted(batch, maker=MAKER)
            batch.clear()


def _extraction(visit: ArchivedPage, lifted: LiftedPage) -> Extraction:
    # A page on which a process died may do better with more memory: it is tried again each time.
    rules = visit.rules if lifted.outcome != "failed" else ""
    return Extraction(visit.response.url, visit.response.content_hash, rules, lifted.outcome, lifted.note)


def _chunks(visits: Iterable[ArchivedPage]) -> Iterator[list[ArchivedPage]]:
    chunk: list[ArchivedPage] = []
    size = 0
    for visit in visits:
        chunk.append(visit)
        size += len(visit.response.body)
        if len(chunk) >= CHUNK or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _version(rules: Sequence[Any], clusters: Sequence[KnownCluster], settings: Settings) -> str:
    """A digest of all that decides what a page gives, but the page. Importance grows with every page and settles ties only."""
    templates = [
        [each.cluster.id, each.cluster.url_pattern, {**each.template.to_json(), "importance": 0}] for each in clusters
    ]
    said = [FORMAT, rules, sorted(templates, key=str), repr(settings.cluster), settings.wrap.kind, settings.wrap.borrow]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]
