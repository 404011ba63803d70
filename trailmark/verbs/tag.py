"""`tag`: documents in, records out: papers with their headers, references one by one; or a tagger of one's own from tagged text.

1. Taggers are read from the workspace's models; where headers or references are missing, those that come with Trailmark stand in.
2. Documents come from files, from archives, or from all that the workspace fetched; one that was tagged by the same models is not tagged again.
3. The others go to a crew of processes that may be killed; what became of each is kept with its records, some at a time.
   Articles of a wiki's dump are documents that say what they are: they are kept as they stand.
4. Records go to a file too where one is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self

from trailmark.datatypes import Record, Response
from trailmark.errors import InputError
from trailmark.export import Form, form_of
from trailmark.progress import Progress, silent
from trailmark.settings import ExportSettings
from trailmark.store.archive_names import archives_named
from trailmark.store.json_lines import written_whole
from trailmark.store.record_table import Extraction
from trailmark.store.tag_corrections import read_corrections
from trailmark.tag.document_tagger import MAKER, TaggedOutcome, make_tagger
from trailmark.tag.tag_report import TagProblem, TagReport
from trailmark.tag.timed_crew import TimedCrew
from trailmark.verbs.chosen_taggers import Chosen, chosen_taggers, given_by_url, models_version, version_with
from trailmark.verbs.citation_contexts import with_contexts
from trailmark.verbs.record_output import write_output
from trailmark.verbs.reshaping import shown_now
from trailmark.verbs.tag_sources import documents_of
from trailmark.verbs.wiki_articles import dumps_among, keep_articles
from trailmark.workspace import Workspace

BATCH = 20
"""Documents that are kept in one go."""
ONE_BY_ONE: tuple[Form, ...] = ("json lines", "json", "bibtex")
"""Forms without columns."""
NAMED = 20
"""Documents of each outcome that the report names."""


class Taggers(Protocol):
    """Those who tag documents side by side, wherever they are; within a `with` block."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def answers(self, items: Iterable[Response]) -> Iterator[tuple[Response, TaggedOutcome]]:
        """Each document with its answer, in order."""
        ...


def tag(
    workspace: Workspace,
    files: Sequence[str | Path] = (),
    archives: Sequence[str | Path] = (),
    *,
    model: str | None = None,
    out: str | Path | None = None,
    sources: bool = False,
    jobs: int | None = None,
    again: bool = False,
    progress: Progress = silent,
    crew: Callable[..., Taggers] = TimedCrew,
) -> TagReport:
    """Files and archives, else all documents that the workspace fetched -> their records, kept, and in a file where one is named."""
    form = form_of(Path(out).name) if out is not None else None
    named = archives_named(archives) if model is None else []
    dumps = dumps_among(named)
    if dumps and out is not None:
        raise InputError(
            f"{dumps[0]} is the dump of a wiki, whose articles are kept in the workspace: leave out --out, and write them with trailmark export."
        )
    articles = keep_articles(workspace, dumps, progress)
    archives = [archive for archive in named if archive not in dumps] if dumps else archives
    if dumps and not archives and not files:
        return TagReport(0, 0, 0, 0, 0, 0, 0, 0, 0, (), (), (), articles=articles.new, old_articles=articles.unchanged)
    taggers = chosen_taggers(workspace, model)
    run = _TagRun(workspace, taggers, model, again=again, jobs=jobs, crew=crew)
    documents = documents_of(workspace, files, archives, every_kind=model is not None)
    with closing(run.records(progress(documents, "documents"))) as records:
        if out is None or form is None:
            for _ in records:
                pass
        else:
            with written_whole(Path(out)) as opened:
                _write(records, run, opened, form, workspace.settings.export, sources=sources)
    return replace(run.report(), articles=articles.new, old_articles=articles.unchanged)


def _write(
    records: Iterable[Record], run: _TagRun, file: IO[bytes], form: Form, settings: ExportSettings, *, sources: bool
) -> None:
    """Records as they come; forms with columns are written from the workspace once all columns are known. Never all at once."""
    if form in ONE_BY_ONE:
        write_output(records, file, form, (), settings, sources=sources)
        return
    columns = dict.fromkeys(name for record in records for name in record.fields)
    write_output(run.kept(), file, form, list(columns), settings, sources=sources)


class _TagRun:
    """One run of tagging."""

    def __init__(
        self,
        workspace: Workspace,
        taggers: dict[str, Chosen],
        model: str | None,
        *,
        again: bool,
        jobs: int | None,
        crew: Callable[..., Taggers],
    ) -> None:
        self._crew = crew
        self.workspace, self.database = workspace, workspace.database
        self.settings, self.again = workspace.settings.tag, again
        self.jobs = self.settings.jobs if jobs is None else jobs
        self.maker = MAKER if model is None else MAKER + model
        self.given = given_by_url(read_corrections(self.database))
        self.recruit = ({name: each.tagger for name, each in taggers.items()}, model, self.settings, self.given)
        self.version = models_version({name: each.digest for name, each in taggers.items()}, model, self.settings)
        self.models = tuple(sorted(taggers))
        self.ready = tuple(sorted(name for name, each in taggers.items() if each.ready))
        self.urls: list[str] = []
        self.counts: Counter[str] = Counter()
        self.problems: list[TagProblem] = []

    def records(self, documents: Iterable[Response]) -> Generator[Record]:
        """Records in the order of the documents, kept while they go by."""
        batch: list[tuple[Extraction, Sequence[Record]]] = []
        bodies: dict[str, str] = {}
        crew = self._crew(
            make_tagger,
            self.recruit,
            lost=lambda _, reason: TaggedOutcome(
                "failed", note=f"{reason}; raise seconds or memory in [tag] to try it again."
            ),
            seconds=self.settings.seconds,
            memory=self.settings.memory,
            jobs=self.jobs,
        )
        try:
            with crew:
                for response, tagged in crew.answers(self._fresh(documents)):
                    self._count(response, tagged)
                    self.urls.append(response.url)
                    if tagged.outcome == "failed" and self._known(response):
                        yield from self.database.records(url=response.url, maker=self.maker)
                        continue  # what was found in the very same bytes still holds
                    version = self._version(response.url) if tagged.outcome != "failed" else ""
                    done = Extraction(response.url, response.content_hash, version, tagged.outcome, tagged.note)
                    records = with_contexts(tagged.records, tagged.body)
                    batch.append((done, records))
                    bodies[response.url] = tagged.body if tagged.records else ""
                    if len(batch) >= BATCH:
                        self._keep(batch, bodies)
                    yield from records
        finally:
            self._keep(batch, bodies)
        yield from self._unchanged()

    def _fresh(self, documents: Iterable[Response]) -> Iterator[Response]:
        """Documents that were not tagged by these models; the others are noted."""
        self._old: list[str] = []
        seen: set[tuple[str, str]] = set()
        for response in documents:
            key = (response.url, response.content_hash)
            if key in seen:
                continue
            seen.add(key)
            self.counts["documents"] += 1
            if not response.status:
                self._count(response, TaggedOutcome("failed", note=response.body.decode()))
                continue
            done = None if self.again else self.database.tagging(response.url)
            if done is not None and (done.content_hash, done.rules) == (
                response.content_hash,
                self._version(response.url),
            ):
                self.counts["unchanged"] += 1
                self._old.append(response.url)
            else:
                yield response

    def _known(self, response: Response) -> bool:
        """Whether the same bytes were tagged before."""
        done = self.database.tagging(response.url)
        return done is not None and done.content_hash == response.content_hash and done.outcome != "failed"

    def _version(self, url: str) -> str:
        return version_with(self.version, self.given.get(url, {}))

    def _unchanged(self) -> Iterator[Record]:
        """What is known of documents that were tagged before."""
        for url in self._old:
            self.urls.append(url)
            for record in self.database.records(url=url, maker=self.maker):
                self._count_record(record)
                yield record

    def kept(self) -> Iterator[Record]:
        """The records of this run's documents, from the workspace, in the order in which they came."""
        for url in self.urls:
            yield from self.database.records(url=url, maker=self.maker)

    def _count(self, response: Response, tagged: TaggedOutcome) -> None:
        self.counts[tagged.outcome] += 1
        self.counts["pages"] += tagged.pages
        for record in tagged.records:
            self._count_record(record)
        if tagged.outcome == "failed" and len(self.problems) < NAMED:
            self.problems.append(TagProblem(response.url, tagged.note))

    def _count_record(self, record: Record) -> None:
        self.counts["all records"] += 1
        self.counts[f"kind {record.kind}"] += 1
        self.counts["unsure"] += bool(record.unsure)

    def _keep(self, batch: list[tuple[Extraction, Sequence[Record]]], bodies: dict[str, str]) -> None:
        if batch:
            with self.database.transaction(), shown_now(self.workspace) as shown:
                self.database.keep_tagged(batch, maker=self.maker, bodies=bodies, shown=shown)
            batch.clear()
            bodies.clear()

    def report(self) -> TagReport:
        """The figures of the run."""
        counts = self.counts
        return TagReport(
            documents=counts["documents"],
            pages=counts["pages"],
            papers=counts["kind paper"],
            references=counts["kind reference"],
            records=counts["all records"],
            no_papers=counts["no paper"],
            failed=counts["failed"],
            unchanged=counts["unchanged"],
            unsure=counts["unsure"],
            models=self.models,
            ready=self.ready,
            problems=tuple(self.problems),
        )
