"""Courses of the workspace -> organised.db has what is told beside their items: an abstract, and what other courses have on the same.

All items are compared with all others, so it is done ahead, and again only where courses, their texts or the settings changed: a reader's page then costs one look into the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trailmark.course.knowledge.material import taught_items
from trailmark.course.knowledge.recommendation import Advice, advice
from trailmark.course.knowledge.shelf import shelf
from trailmark.course.package.content import plain_title
from trailmark.datatypes import Course
from trailmark.progress import Progress
from trailmark.store.advice_table import OtherItem, StoredAdvice, count_advice, put_advice
from trailmark.store.body_table import digests_of_bodies
from trailmark.store.content_digest import content_digest
from trailmark.store.course_table import read_courses
from trailmark.store.organised import Organised, set_fact
from trailmark.verbs.course_texts import each_course_texts
from trailmark.workspace import Workspace

FACT = "advice"
FORMAT = 2
"""Raised when the same texts give other advice."""


def advise(workspace: Workspace, organised: Organised, progress: Progress, *, again: bool) -> int:
    """What is told beside items, brought up to date -> of how many items there is something to tell."""
    courses = read_courses(workspace.database)
    digest = _digest(workspace, courses) if courses else ""
    if again or (organised.fact(FACT) or "") != digest:
        rows = list(_rows(workspace, courses, progress)) if courses else []
        with organised.transaction() as connection:
            put_advice(connection, rows)
            set_fact(connection, FACT, digest)
    return count_advice(organised.connection)


def _rows(workspace: Workspace, courses: Sequence[Course], progress: Progress) -> Iterator[StoredAdvice]:
    settings = workspace.settings.course
    if not settings.recommended and not settings.sentences:
        return
    names = {course.id: course_name(course) for course in courses}
    shelved = shelf(each_course_texts(workspace, courses, progress))
    for each in progress(advice(shelved, settings.recommended, settings.sentences), "comparing items"):
        yield _stored(each, names)


def _stored(each: Advice, names: Mapping[str, str]) -> StoredAdvice:
    others = tuple(
        OtherItem(other.course, names[other.course], other.url, plain_title(other.title) or other.url, other.kind, other.shared)
        for other in each.recommended
    )  # fmt: skip
    return StoredAdvice(each.course, each.url, each.abstract, others)


def course_name(course: Course) -> str:
    """What a course is called where another one's page names it."""
    title = plain_title(course.title) or course.url
    said = not course.number or course.number.replace(" ", "").lower() in title.replace(" ", "").lower()
    return ", ".join(part for part in (title if said else f"{course.number}: {title}", course.term) if part)


def _digest(workspace: Workspace, courses: Sequence[Course]) -> str:
    """The same where neither courses, nor what is archived of them, nor the settings changed."""
    settings = workspace.settings.course
    told: list[object] = [FORMAT, settings.recommended, settings.sentences]
    with workspace.replay(all_known=True) as replay:
        for course in courses:
            told.append([course.id, course.title, course.number, course.term, course.institution])
            items = [item for item, _ in taught_items(course)]
            bodies = digests_of_bodies(workspace.database.connection, (item.url for item in items))
            for item in items:
                place = replay.index.find(item.url)
                rests = [place.archive.name, place.offset] if place is not None else []
                told.append([item.url, item.kind, item.title, item.position, rests, bodies.get(item.url, "")])
    return content_digest(*told)
