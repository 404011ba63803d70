"""Courses of the workspace -> their texts: pages and items from archives, documents as `tag` read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trailmark.course.course import offerings
from trailmark.course.knowledge.material import CourseTexts, Material, material, taught_items, text_material
from trailmark.course.package.content import Find, plain_title
from trailmark.datatypes import Course
from trailmark.progress import Progress, silent
from trailmark.store.body_table import read_bodies, unpacked
from trailmark.verbs.archived_pages import archived_finder
from trailmark.workspace import Workspace


def course_texts(workspace: Workspace, courses: Sequence[Course], progress: Progress = silent) -> list[CourseTexts]:
    """Courses -> their texts, as far as they are at hand."""
    return list(each_course_texts(workspace, courses, progress))


def each_course_texts(
    workspace: Workspace, courses: Sequence[Course], progress: Progress = silent
) -> Iterator[CourseTexts]:
    """The same, one after the other: the texts of all together may be large."""
    families = {course.id: runs[0].id for runs in offerings(courses) for course in runs}
    with workspace.replay(all_known=True) as replay:
        find = archived_finder(workspace, replay)
        for course in progress(courses, "reading courses"):
            yield _texts(course, families[course.id], find, workspace)


def _texts(course: Course, family: str, find: Find, workspace: Workspace) -> CourseTexts:
    """A course -> its texts: of its own pages and of its items, each address once; a page of its own that is an item is that item."""
    asked = [(url, plain_title(course.title), "home", 0) for url in course.pages or (course.url,)]
    items = [(item.url, item.title, item.kind, place) for item, place in taught_items(course)]
    own = {url for url, _, kind, _ in items if kind != "syllabus"} - {course.url}
    found: dict[str, Material] = {}
    for url, title, kind, place in (*(each for each in asked if each[0] not in own), *items):
        if url not in found:
            archived = find(url)
            made = material(archived.response, title, kind, place) if archived else None
            made = made or _document(url, title, kind, place, workspace)
            if made is not None:
                found[url] = made
    return CourseTexts(course.id, plain_title(course.title) or course.url, tuple(found.values()), family)


def _document(url: str, title: str, kind: str, place: int, workspace: Workspace) -> Material | None:
    """The text of a PDF or PostScript file, where `tag` has read it."""
    with workspace.database.plain_errors():
        row = next(read_bodies(workspace.database.connection, [url]), None)
    return text_material(unpacked(row[1]), url, title, kind, place) if row else None
