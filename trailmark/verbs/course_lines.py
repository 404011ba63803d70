"""Courses -> a few words on each, and which of them are one course in several terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from trailmark.course.course import offerings
from trailmark.course.course_report import CourseLine, CourseRuns
from trailmark.datatypes import Course


def course_line(course: Course, sure: float, *, is_new: bool = False) -> CourseLine:
    """A course, and the chance from which a type counts as sure -> the course in a few words."""
    types = Counter(item.kind for item in course.items)
    return CourseLine(
        course.id, course.url, course.title, course.number, course.term, course.teachers, course.institution, len(course.items),
        sum(item.chance < sure for item in course.items), dict(types.most_common()), len(course.pages), course.missing, is_new,
    )  # fmt: skip


def course_runs(courses: Sequence[Course]) -> tuple[CourseRuns, ...]:
    """Courses -> those of them that were given in several terms."""
    return tuple(
        CourseRuns(
            group[0].number, group[0].institution, tuple(each.id for each in group), tuple(each.term for each in group)
        )
        for group in offerings(courses)
        if len(group) > 1
    )
