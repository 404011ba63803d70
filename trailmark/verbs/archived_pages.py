"""What the workspace's archives have of an address, and when it was fetched: for verbs that read a course's material."""

from __future__ import annotations

from collections.abc import Sequence
from email.utils import parsedate_to_datetime

from trailmark.course.package.content import Archived, Find
from trailmark.datatypes import Course, Response
from trailmark.errors import InputError
from trailmark.store.course_table import read_courses
from trailmark.store.replay import Replay
from trailmark.verbs.correct_course import find_course
from trailmark.workspace import Workspace

MOST_KEPT = 200
"""Answers that are kept in memory: a page's licence and its copy ask for it again."""


def archived_finder(workspace: Workspace, replay: Replay) -> Find:
    """An opened replay -> a function that finds what was archived of an address with 200, and the day."""
    kept: dict[str, Archived | None] = {}

    def find(url: str) -> Archived | None:
        address = url.partition("#")[0]
        if address not in kept:
            if len(kept) >= MOST_KEPT:
                kept.clear()
            response = replay.fetch(address)
            kept[address] = Archived(response, _day(workspace, address, response)) if response.status == 200 else None
        return kept[address]

    return find


def chosen_courses(workspace: Workspace, wanted: Sequence[str]) -> list[Course]:
    """Courses by id, the beginning of one, or address -> these courses, each once; all of the workspace where none is named."""
    if wanted:
        return list({course.id: course for course in (find_course(workspace, word) for word in wanted)}.values())
    courses = read_courses(workspace.database)
    if not courses:
        raise InputError(f"There are no courses in {workspace.folder}; read some first: trailmark course")
    return courses


def _day(workspace: Workspace, url: str, response: Response) -> str:
    """The day on which a page was fetched: as the workspace noted it, else as its server said."""
    page = workspace.database.page(url)
    if page is not None and page.fetched_at:
        return page.fetched_at[:10]
    try:
        return parsedate_to_datetime(response.header("date")).date().isoformat()
    except (ValueError, TypeError, OverflowError):
        return ""
