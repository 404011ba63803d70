"""`update`: all that is due in a workspace, in one go: sites walked again, records lifted, documents tagged, courses read, things organised, the portal published.

1. One update at a time: the workspace's lock is held, and goes with the process.
2. What the public suggested and the owner accepted is walked. Sites are walked again where it pays by their earlier walks; a walk of an update that was killed is taken up first.
3. `extract`, `tag`, `course` and `organise` do what is due of theirs; each knows by itself what it did before.
4. What goes wrong in one part is said, and the parts after it go on with what there is. Every update is kept with its report.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from trailmark.errors import TrailmarkError
from trailmark.forage.forage_report import ForageReport
from trailmark.forage.forage_run import Watch
from trailmark.forage.scope import Seed
from trailmark.progress import Progress, silent
from trailmark.quoting import count_of
from trailmark.store.archive_names import path_named
from trailmark.store.moment import present
from trailmark.store.suggestion_box import Suggestion
from trailmark.store.update_table import StoredUpdate, begin_update, end_update, one_update, read_updates
from trailmark.verbs.course import course
from trailmark.verbs.course_homes import has_courses
from trailmark.verbs.extract import extract
from trailmark.verbs.forage import forage
from trailmark.verbs.organise import organise
from trailmark.verbs.revisit import Revisit, broken_off, due_revisits, revisited, walk_again
from trailmark.verbs.suggestions import decide, suggestions
from trailmark.verbs.tag import tag
from trailmark.verbs.update_report import PartName, PastUpdate, RevisitedSite, UpdatePart, UpdateReport, UpdatesReport
from trailmark.workspace import Workspace

MOST_SUGGESTED = 50
"""Suggestions that one update walks; the others wait for the next."""
_log = logging.getLogger(__name__)
_RUN = "run of an update"
"""Where the number of the run is remembered that an update began last."""
Work = Callable[[], str]
"""A part of an update -> what it did, in a sentence; empty where nothing was due."""


def update(
    workspace: Workspace,
    *,
    archives: Sequence[str | Path] = (),
    budget: int | None = None,
    everything: bool = False,
    progress: Progress = silent,
    watch: Watch | None = None,
    publish: Work | None = None,
) -> UpdateReport:
    """A workspace -> everything that is due in it, done; the report has a line for each part.

    With `everything` all sites are walked that were walked before, due or not. Pages come from `archives` where any are named.
    `publish` is the last part, where there is one: whoever draws pages says what came of it.
    """
    paths = [path_named(archive) for archive in archives]
    with one_update(workspace.folder):
        return _Update(workspace, paths, budget, progress, watch, publish).run(everything=everything)


def past_updates(workspace: Workspace) -> UpdatesReport:
    """A workspace -> its updates, the latest first."""
    return UpdatesReport(tuple(map(_past, read_updates(workspace.database))))


def _past(stored: StoredUpdate) -> PastUpdate:
    parts = [part for part in stored.report.get("parts", ()) if part["state"] != "nothing due"]
    says = " ".join(f"{part['part']}: {part['says']}" for part in parts)
    failed = any(part["state"] == "failed" for part in parts)
    if not says:
        says = "Nothing was due." if stored.finished_at else "It is under way, or was killed."
    return PastUpdate(stored.id, stored.started_at, stored.finished_at, failed, says)


class _Update:
    """One update."""

    def __init__(
        self,
        workspace: Workspace,
        archives: Sequence[Path],
        budget: int | None,
        progress: Progress,
        watch: Watch | None,
        publish: Work | None,
    ) -> None:
        self.workspace, self.archives, self.budget = workspace, archives, budget
        self.progress, self.watch, self.publish = progress, watch, publish
        self.sites: list[RevisitedSite] = []
        self.parts: list[UpdatePart] = []
        self.waiting = 0

    def run(self, *, everything: bool) -> UpdateReport:
        """Part after part; what was done is kept also where it is stopped."""
        self.started = present()
        self.number = begin_update(self.workspace.database, self.started)
        try:
            self._part("suggestions", self._suggested)
            self._part("forage", lambda: self._forage(everything=everything))
            self._part("extract", self._extract)
            self._part("tag", self._tag)
            self._part("course", self._course)
            self._part("organise", self._organise)
            if self.publish is not None:
                self._part("publish", self.publish)
        finally:
            report = self.report()
            end_update(self.workspace.database, self.number, present(), report.to_json())
        return report

    def report(self) -> UpdateReport:
        return UpdateReport(self.number, self.started, tuple(self.parts), tuple(self.sites), self.waiting)

    def _part(self, name: PartName, work: Work) -> None:
        begun = time.monotonic()
        try:
            says = work()
            part = UpdatePart(name, "done" if says else "nothing due", says, round(time.monotonic() - begun, 3))
        except TrailmarkError as error:
            _log.warning("update %d: %s failed: %s", self.number, name, error)
            part = UpdatePart(name, "failed", str(error), round(time.monotonic() - begun, 3))
        except KeyboardInterrupt:
            self.parts.append(UpdatePart(name, "failed", "It was stopped.", round(time.monotonic() - begun, 3)))
            raise
        self.parts.append(part)

    def _suggested(self) -> str:
        """Walk what the public suggested and the owner accepted; each says what came of it."""
        accepted = [each for each in suggestions(self.workspace, "accepted", MOST_SUGGESTED) if each.kind != "mistake"]
        for each in reversed(accepted):
            try:
                report = self._walk_suggested(each)
                outcome = f"{count_of(report.pages, 'page')} fetched, {count_of(report.goals_found, 'goal')} found."
            except TrailmarkError as error:
                outcome = f"It could not be walked: {error}"
            decide(self.workspace, each.id, "done", outcome)
        return f"{count_of(len(accepted), 'suggestion')} walked." if accepted else ""

    def _walk_suggested(self, suggestion: Suggestion) -> ForageReport:
        if suggestion.kind == "document":  # it alone, whatever stands beside it
            return forage(
                self.workspace,
                [Seed(suggestion.url, "prefix")],
                archives=self.archives,
                strategy="breadth",
                site_budget=1,
                watch=self.watch,
            )
        return forage(
            self.workspace,
            [suggestion.url],
            archives=self.archives,
            budget=self.budget,
            documents=True,
            watch=self.watch,
        )

    def _forage(self, *, everything: bool) -> str:
        pages = 0
        left = broken_off(self.workspace, int(self.workspace.database.meta(_RUN) or 0))
        for revisit in left:
            pages += self._walk(revisit, unfinished=True)
        due = due_revisits(self.workspace, everything=everything, archived=bool(self.archives))
        self.waiting = due.waiting
        for revisit in due.revisits:
            pages += self._walk(revisit, unfinished=False)
        if not left and not due.revisits:
            return ""
        news = sum(site.news or 0 for site in self.sites)
        return f"{count_of(len(self.sites), 'site')} walked again, {count_of(pages, 'page')}: {count_of(news, 'goal')} new or changed."

    def _walk(self, revisit: Revisit, *, unfinished: bool) -> int:
        report = walk_again(
            self.workspace,
            revisit,
            archives=self.archives,
            budget=self.budget,
            unfinished=unfinished,
            watch=self.watch,
            begun=lambda run: self.workspace.database.set_meta(_RUN, str(run)),
        )
        self.sites += revisited(self.workspace, revisit, report.run)
        return report.pages

    def _extract(self) -> str:
        if not self.workspace.has_rules() or not self.workspace.archives():
            return ""
        report = extract(self.workspace, progress=self.progress)
        if not (report.extracted or report.taken_out):
            return ""
        return f"{count_of(report.extracted, 'page')} read that {'was' if report.extracted == 1 else 'were'} new or had changed; there are {count_of(report.rows, 'record')} of pages now."

    def _tag(self) -> str:
        if not self.workspace.archives():
            return ""
        report = tag(self.workspace, progress=self.progress)
        new = report.documents - report.unchanged
        return (
            f"{count_of(new, 'document')} tagged: {count_of(report.papers, 'paper')}, {report.failed} could not be read."
            if new
            else ""
        )

    def _course(self) -> str:
        if not has_courses(self.workspace):
            return ""
        report = course(self.workspace, progress=self.progress)
        return (
            f"{count_of(report.read, 'course')} read; there are {count_of(report.items, 'item')} in all."
            if report.read
            else ""
        )

    def _organise(self) -> str:
        if not self.workspace.database.counts()["records"]:
            return ""
        report = organise(self.workspace, progress=self.progress)
        if not (report.new or report.changed or report.gone):
            return ""
        return f"{count_of(report.items, 'thing')}: {report.new} new, {report.changed} changed, {report.gone} gone."
