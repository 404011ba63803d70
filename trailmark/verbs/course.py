"""`course`: pages of courses in, courses out: title, number, term, teachers, and items with their types, as records too.

1. The typer is the workspace's own, else the one that comes with Trailmark; what people corrected since is learnt first.
2. Homes of courses are pages that were named, else what was found for a goal that is a course, and all courses that were read before.
3. A course's own pages come from archives; those that are missing are named or, where that is asked for, fetched by the forager's rules.
4. A course whose pages and typer are the same is not read again. Courses and their records are kept some at a time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from trailmark.course.address import place_of
from trailmark.course.course import make_course
from trailmark.course.course_pages import belongs, course_pages, owned_pages
from trailmark.course.course_report import (
    CourseProblem,
    CourseReport,
    CoursesReport,
    ShownCourse,
)
from trailmark.course.page_item import ItemPage, item_page
from trailmark.course.type_word import TYPES
from trailmark.datatypes import Course, course_id
from trailmark.progress import Progress, silent
from trailmark.store.archive import packing_of
from trailmark.store.archive_names import archives_named, path_named
from trailmark.store.course_table import StoredCourse, keep_courses, read_course, read_courses, read_stored_course
from trailmark.store.replay import Replay
from trailmark.verbs.chosen_typer import FORMAT, ChosenTyper, chosen_typer, page_of
from trailmark.verbs.correct_course import find_course, keep_records
from trailmark.verbs.course_homes import course_homes, highest_first
from trailmark.verbs.course_lines import course_line, course_runs
from trailmark.verbs.fetched_pages import fetch_and_keep
from trailmark.workspace import Workspace

BATCH = 20
"""Courses that are kept in one go."""
NAMED = 50
"""Pages without a course that the report names."""
_NOT_ARCHIVED = "it is in no archive"
ROUNDS = 4
"""Times that missing pages are fetched: a frame that came may name pages that are missing too."""


def course(
    workspace: Workspace,
    urls: Sequence[str] = (),
    archives: Sequence[str | Path] = (),
    *,
    goal: str | None = None,
    fetch: bool = False,
    again: bool = False,
    are_found: bool = False,
    progress: Progress = silent,
) -> CourseReport:
    """Addresses of courses' homes, else what was found for a goal that is a course -> courses with typed items, kept, and as records.

    Addresses that nobody named but a walk found (`are_found`) may be of pages of one course: each of these is part of it then.
    """
    paths = [path_named(archive) for archive in archives]
    for path in archives_named(paths):
        packing_of(path)
    homes = course_homes(workspace, urls, goal)
    homes = highest_first(homes) if are_found else homes
    workspace.remember_archives(paths)
    run = _CourseRun(workspace, chosen_typer(workspace), again=again, named=bool(urls) and not are_found)
    run.read(progress(homes, "courses"))
    if fetch:
        run.fetch(progress)
    return run.report()


def courses(workspace: Workspace) -> CoursesReport:
    """A workspace -> its courses in a few words each, by institution, number and term."""
    sure, found = workspace.settings.course.sure, read_courses(workspace.database)
    return CoursesReport(tuple(course_line(each, sure) for each in found), course_runs(found))


def show_course(workspace: Workspace, number: str) -> ShownCourse:
    """The id of a course -> the course with all its items, by type."""
    found = find_course(workspace, number)
    items = sorted(found.items, key=lambda item: (TYPES.index(item.kind), item.place))
    return ShownCourse(course_line(found, workspace.settings.course.sure), tuple(items), found.others)


class _CourseRun:
    """One run over some homes."""

    def __init__(self, workspace: Workspace, chosen: ChosenTyper, *, again: bool, named: bool) -> None:
        self.workspace, self.database, self.settings = workspace, workspace.database, workspace.settings.course
        self.chosen, self.again, self.named = chosen, again, named
        bounds = (FORMAT, chosen.digest, self.settings.max_pages, self.settings.max_items, self.settings.sure)
        self.version = hashlib.sha256(repr(bounds).encode()).hexdigest()[:16]
        self.new: dict[str, None] = {}
        self.unchanged: dict[str, None] = {}
        self.problems: dict[str, str] = {}
        self.fetched = 0
        self._owned: dict[str, ItemPage] = {}

    def read(self, homes: Iterable[str]) -> None:
        """Courses of these homes, kept while they go by."""
        batch: list[StoredCourse] = []
        with self.workspace.replay(all_known=True) as replay:
            try:
                for url in homes:
                    stored = self._read(replay, url)
                    if stored is not None:
                        batch.append(stored)
                    if len(batch) >= BATCH:
                        self._keep(batch)
            finally:
                self._keep(batch)

    def _read(self, replay: Replay, url: str) -> StoredCourse | None:
        """A home -> its course; None where it is known and unchanged, part of another course, or no page."""
        self.problems.pop(url, None)
        response = replay.fetch(url)
        if response.status != 200 or not response.body:
            self.problems[url] = (
                "it is empty"
                if response.status == 200
                else (f"{_NOT_ARCHIVED} (it answers {response.status}); name one with --archive, or fetch it: --fetch")
            )
            return None
        number, home = course_id(response.url), item_page(response)
        if not self.again and self._is_unchanged(replay, number):
            self.unchanged[number] = None
            self._note_owned(home)
            return None
        above = self._owned.get(place_of(home.url))
        if not self.named and above is not None and belongs(home, above) and not self._is_kept(number):
            self.problems[url] = f"it is a page of {above.url}"
            return None
        if not home.items and not home.frames:
            self.problems[url] = "it has no links"
            return None
        found = course_pages(
            home,
            lambda each: page_of(replay, each),
            most_pages=self.settings.max_pages,
            most_items=self.settings.max_items,
        )
        self._note_owned(home)
        made = make_course(found.pages, self.chosen.typer, found.missing)
        self.new[made.id] = None
        return StoredCourse(made, _pages_digest(replay, made), self.version)

    def _note_owned(self, home: ItemPage) -> None:
        for each in owned_pages(home):
            self._owned.setdefault(place_of(each), home)

    def _is_kept(self, number: str) -> bool:
        return read_stored_course(self.database, number) is not None

    def _is_unchanged(self, replay: Replay, number: str) -> bool:
        stored = read_stored_course(self.database, number)
        return (
            stored is not None
            and stored.typer == self.version
            and stored.content_hash == _pages_digest(replay, stored.course)
        )

    def _keep(self, batch: list[StoredCourse]) -> None:
        if batch:
            with self.database.transaction():
                keep_courses(self.database, batch)
                keep_records(self.workspace, [stored.course.id for stored in batch])
            batch.clear()

    def fetch(self, progress: Progress) -> None:
        """Fetch what is missing of the courses, and read those again that have more pages then."""
        from trailmark.forage.robots_rules import RulesMemory  # the forager is loaded only where something is fetched

        asked: set[str] = set()
        rules = RulesMemory(outlives=True)
        for _ in range(ROUNDS):
            lacking = {number: read_course(self.database, number) for number in (*self.new, *self.unchanged)}
            urls = [url for each in lacking.values() if each is not None for url in each.missing]
            wanted = [url for url in dict.fromkeys([*self._homes_missing(), *urls]) if url not in asked]
            if not wanted:
                return
            asked.update(wanted)
            fetched, failures = fetch_and_keep(self.workspace, wanted, progress, rules=rules)
            self.fetched += fetched
            self.problems |= {url: reason for url, reason in failures.items() if url in self.problems}
            homes = [each.url for each in lacking.values() if each is not None and set(each.missing) & set(wanted)]
            self.read([*homes, *(url for url in wanted if url in self.problems)])

    def _homes_missing(self) -> list[str]:
        return [url for url, reason in self.problems.items() if reason.startswith(_NOT_ARCHIVED)]

    def report(self) -> CourseReport:
        """The figures of the run."""
        everything = read_courses(self.database)
        known = {each.id: each for each in everything}
        ids = dict.fromkeys([*self.new, *self.unchanged])
        found = [known[number] for number in ids if number in known]
        lines = [course_line(each, self.settings.sure, is_new=each.id in self.new) for each in found]
        return CourseReport(
            courses=tuple(lines),
            read=len(self.new),
            unchanged=sum(number not in self.new for number in self.unchanged),
            items=sum(line.items for line in lines),
            unsure=sum(line.unsure for line in lines),
            missing=sum(len(line.missing) for line in lines),
            fetched=self.fetched,
            runs=course_runs(everything),
            problems=tuple(CourseProblem(url, reason) for url, reason in list(self.problems.items())[:NAMED]),
            ready=self.chosen.ready,
            corrections=self.chosen.corrections,
            note=self.chosen.note,
        )


def _pages_digest(replay: Replay, made: Course) -> str:
    """The same where a course's pages have the same bytes, and those that were missing still are."""
    told = hashlib.sha256()
    for url in (*made.pages, *made.missing):
        response = replay.fetch(url)
        told.update(
            f"{url}\x1f{response.content_hash if response.status == 200 else ''}\x1e".encode("utf-8", "replace")
        )
    return told.hexdigest()[:16]
