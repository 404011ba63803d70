"""`extract`: pages in, page after page to its records, which are kept and written out.

1. Rules and clusters are read. Pages are those that were found or chosen, in their latest version; all of an archive where one is named.
2. A page that changed no more than its rules did is not extracted again: what became of it is kept with a digest of both.
3. The others go to a crew of processes, which find the page's cluster, apply its rules and give its records, in order.
4. State and records are written together, some hundred pages at a time, so a run that is killed loses at most those.
5. Records go to a file too where one is named; the report counts what was found and names pages worth a look.

A dry run does all of it and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from trailmark.datatypes import Record, Response
from trailmark.errors import InputError
from trailmark.export import form_of
from trailmark.extract.crew import Crew
from trailmark.extract.extract_report import ExtractReport, KeptRecords
from trailmark.extract.page_scope import PageScope
from trailmark.progress import Progress, silent
from trailmark.settings import Settings, WrapSettings
from trailmark.store.archive import packing_of, read_archive
from trailmark.store.archive_names import archives_named
from trailmark.store.database import Database
from trailmark.store.json_lines import written_whole
from trailmark.store.run_table import RunTable
from trailmark.store.wanted_pages import clusters_of_pages, pages_to_lift
from trailmark.verbs.page_run import CrewMaker, PageRun
from trailmark.verbs.record_output import write_output
from trailmark.workspace import Workspace
from trailmark.wrap import RuleSet


def extract(
    workspace: Workspace,
    archives: Sequence[str | Path] = (),
    *,
    everything: bool = False,
    borrow: bool | None = None,
    dry_run: bool = False,
    out: str | Path | None = None,
    sources: bool = False,
    jobs: int | None = None,
    again: bool = False,
    progress: Progress = silent,
    crew: CrewMaker = Crew,
) -> ExtractReport:
    """Archives, else what the workspace knows -> records of the pages that have rules, kept, and in a file where one is named.

    Without archives pages are those that a run found and those of groups with a marked page, unless `everything` is asked for. Rules are
    borrowed of other templates where `borrow` says so; where it says nothing, only for archives that were named, as the settings have it.
    A dry run keeps nothing. `crew` says where pages are lifted: by processes of this machine, or elsewhere.
    """
    rules = workspace.rules()
    file = Path(out) if out is not None else None
    form = form_of(file.name) if file else None
    named = archives_named(archives)
    for archive in named:
        packing_of(archive)
    if not named and not workspace.archives():
        raise InputError("There is no archive to extract from: name one with --archive.")
    scope = PageScope() if named or everything else wanted_pages(workspace, rules)
    settings = _settings(workspace.settings.wrap, named=bool(named), borrow=borrow, jobs=jobs)
    run = PageRun(workspace, rules, scope, settings, again=again, dry=dry_run, crew=crew)
    taken_out = 0
    with ExitStack() as stack:
        pages = stack.enter_context(_Pages(workspace, named, run, progress))
        # Closed here whatever happens, while the workspace is open: what was done is kept.
        records = stack.enter_context(closing(run.records(pages.responses())))
        if file is None or form is None:
            for _ in records:
                pass
        else:
            opened = stack.enter_context(written_whole(file))
            write_output(
                records, opened, form, run.columns, workspace.settings.export, sources=sources, borrowed=settings.borrow
            )
        taken_out = run.take_out(pages.unasked())
    report = run.tally.report(_kept_records(workspace))
    return replace(report, taken_out=taken_out, dry_run=dry_run)


def wanted_pages(workspace: Workspace, rules: Mapping[str, RuleSet]) -> PageScope:
    """The pages that were found by a run or checked right, those that were marked, and the groups that rules were learnt for by marking.

    All pages, where nobody walked or marked anything yet.
    """
    cluster_of = clusters_of_pages(workspace.database)
    marked = frozenset(mark.url for mark in workspace.database.annotations())
    groups = {name for url in marked if (name := cluster_of.get(url)) is not None}
    groups |= {name for name, rule_set in rules.items() if rule_set.learnt_from}
    if not groups and not marked and RunTable(workspace.database).last() is None:
        return PageScope()  # nothing says what is wanted: pages that describe themselves were grouped, and no more
    found = pages_to_lift(workspace.database)
    return PageScope(False, found.addresses, marked, found.refused, frozenset(groups), cluster_of)


def _settings(settings: WrapSettings, *, named: bool, borrow: bool | None, jobs: int | None) -> WrapSettings:
    borrowing = borrow if borrow is not None else named and settings.borrow
    return replace(settings, borrow=borrowing, jobs=settings.jobs if jobs is None else jobs)


class _Pages:
    """Where pages are read: archives that were named, one after the other; else the latest version of each page of the workspace."""

    def __init__(self, workspace: Workspace, named: Sequence[Path], run: PageRun, progress: Progress) -> None:
        self.named, self.run, self.progress = named, run, progress
        self.settings: Settings = workspace.settings
        self.replay = None if named else workspace.replay(all_known=True)

    def __enter__(self) -> _Pages:
        return self

    def __exit__(self, *_: object) -> None:
        if self.replay is not None:
            self.replay.close()

    def responses(self) -> Iterator[Response]:
        for archive in self.named:
            yield from self.progress(read_archive(archive, settings=self.settings.store), archive.name)
        if self.replay is not None:
            places = list(self.replay.index.latest(self.run.wanted))
            for place in self.progress(places, "pages"):
                yield self.replay.index.read(place)

    def unasked(self) -> Iterator[str]:
        """Pages at hand that nobody wants."""
        if self.replay is not None:
            yield from (url for url in self.replay.index.urls() if not self.run.wanted(url))


def _kept_records(workspace: Workspace) -> KeptRecords:
    """All records of a workspace, which may be closed by the time they are asked for."""
    path, timeout = workspace.database.path, workspace.settings.store.busy_timeout

    def read() -> Iterator[Record]:
        with Database.open(path, timeout=timeout) as database:
            yield from database.records()

    return KeptRecords(read, workspace.settings.export.separator)
