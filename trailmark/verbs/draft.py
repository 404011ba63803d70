"""`draft`: a title and the text of a syllabus -> a draft of a course: for each week what other courses of the workspace have that fits.

1. The syllabus becomes weeks. 2. The texts of all courses are read, and their items ranked for each week. 3. The best lecture, reading and assignment of a week are in at first, the
others are out; a person changes that in the file or in the app, and `package` packs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.course.draft.draft import Draft, DraftItem, DraftWeek
from trailmark.course.draft.proposal import DEFAULT_LIMIT, SORTS, Fit, fits, week_keys
from trailmark.course.draft.syllabus import LONGEST_SYLLABUS, Week, weeks_of
from trailmark.course.knowledge.shelf import Shelf, shelf
from trailmark.course.package.content import plain_title
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.report import Report
from trailmark.store.live_files import refuse_database
from trailmark.verbs.archived_pages import chosen_courses
from trailmark.verbs.course_texts import each_course_texts
from trailmark.verbs.draft_file import draft_path, read_draft, write_draft
from trailmark.verbs.organise_courses import course_name
from trailmark.workspace import Workspace

MOST_LIMIT = 20


@dataclass(frozen=True, slots=True)
class DraftReport(Report):
    """What `draft --json` prints."""

    file: Path
    title: str
    weeks: tuple[DraftWeek, ...]
    items: int
    """Items that are proposed."""
    used: int
    """Those that are in, until a person says otherwise."""
    without: tuple[int, ...]
    """Numbers of the weeks for which nothing fits."""
    searched: int
    """Items of all courses that were looked at."""


def draft(
    workspace: Workspace,
    title: str,
    syllabus: str,
    *,
    file: str | Path | None = None,
    limit: int = DEFAULT_LIMIT,
    again: bool = False,
    source: str = "The syllabus",
    progress: Progress = silent,
) -> DraftReport:
    """A title and the text of a syllabus -> the file of a draft; it is kept in the workspace where no file is named.

    `limit` is how many lectures, readings and assignments are proposed for a week at most, each. A draft that is there is not written over but with `again`. `source` is what complaints call the syllabus.
    """
    name = plain_title(title)
    if not name:
        raise InputError("A course needs a title: --title TEXT")
    if not 1 <= limit <= MOST_LIMIT:
        raise InputError(f"1 to {MOST_LIMIT} items of a sort are proposed for a week, not {limit}.")
    target = Path(file) if file is not None else draft_path(workspace, name)
    _refuse_written(target, again=again)
    weeks = weeks_of(syllabus, source)
    courses = chosen_courses(workspace, ())
    shelved = shelf(each_course_texts(workspace, courses, progress), week_keys(weeks))
    if not len(shelved):
        raise InputError("No item of a course with a text is archived: fetch some first: trailmark course --fetch")
    found = fits(shelved, weeks, limit)
    names = {course.id: course_name(course) for course in courses}
    made = Draft(
        name, tuple(_week(week, [fit for fit in found if fit.week == week.number], shelved, names) for week in weeks)
    )
    _refuse_written(target, again=again)
    write_draft(target, made)
    empty = tuple(week.number for week in made.weeks if not week.items)
    return DraftReport(target, name, made.weeks, len(found), made.used, empty, len(shelved))


def _refuse_written(target: Path, *, again: bool) -> None:
    """Raise InputError where a draft can't be written to a file, or only over what is there; asked twice, as another may have come while texts were read."""
    refuse_database(target)
    if target.is_dir():
        raise InputError(f"{target} is a folder: name a file, as {target / 'draft.json'}")
    if target.exists() and not again:
        raise InputError(
            f"{target} is there already, and may have been edited: choose another title or file, or write it anew: --again"
        )
    if target.exists():
        read_draft(target)  # what is none is not written over


def read_syllabus(file: str | Path) -> str:
    """A file -> the text of a syllabus; InputError where it can't be one."""
    file = Path(file)
    refuse_database(file)
    try:
        with file.open("rb") as opened:
            body = opened.read(4 * LONGEST_SYLLABUS + 1)
        text = body.decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"{file} can't be read ({error.strerror}): name a text file with a line or a paragraph for each week."
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file} is not UTF-8 text: save the syllabus as plain text in UTF-8, a line or a paragraph for each week."
        ) from error
    return text


def _week(week: Week, found: Sequence[Fit], shelved: Shelf, names: Mapping[str, str]) -> DraftWeek:
    items: list[DraftItem] = []
    sorts: set[str] = set()
    for fit in found:
        item = shelved.items[fit.item]
        is_first = SORTS[item.kind] not in sorts
        sorts.add(SORTS[item.kind])
        title = plain_title(item.title) or item.url
        items.append(DraftItem(item.kind, title, item.url, is_first, item.course, names[item.course], fit.shared))
    return DraftWeek(week.number, week.title, tuple(items))
