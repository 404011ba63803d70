"""What `course` reports: the courses that were read, which pages were missing, which of them are one course; or the typer that was learnt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trailmark.datatypes import CourseItem
from trailmark.report import Report


@dataclass(frozen=True, slots=True)
class CourseLine:
    """A course in a few words."""

    id: str
    url: str
    title: str
    number: str
    term: str
    teachers: tuple[str, ...]
    institution: str
    items: int
    unsure: int
    """Items whose type is worth a look."""
    types: Mapping[str, int]
    pages: int
    missing: tuple[str, ...]
    """Pages of its own that were not at hand."""
    is_new: bool
    """Whether it was read now; False where neither its pages nor the typer have changed."""


@dataclass(frozen=True, slots=True)
class CourseProblem:
    """A page that gave no course, and why."""

    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class CourseRuns:
    """One course that was given in several terms."""

    number: str
    institution: str
    ids: tuple[str, ...]
    """The latest first."""
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CourseReport(Report):
    """What became of the pages."""

    courses: tuple[CourseLine, ...]
    read: int
    """Courses that were read now."""
    unchanged: int
    items: int
    unsure: int
    missing: int
    """Pages of their own that were not at hand."""
    fetched: int
    runs: tuple[CourseRuns, ...]
    problems: tuple[CourseProblem, ...]
    ready: bool
    """Whether the typer that comes with Trailmark typed them: the workspace has none of its own."""
    corrections: int
    """Corrections of people that the typer learnt from."""
    note: str = ""
    """What could not be learnt, and why."""


@dataclass(frozen=True, slots=True)
class TyperReport(Report):
    """A typer that was learnt."""

    courses: int
    items: int
    pages_missing: int
    """Pages of the typed courses that no archive holds: their items were learnt by what was written of them."""
    generated: int
    """Courses that Trailmark wrote itself, and learnt from beside."""
    file: str


@dataclass(frozen=True, slots=True)
class CoursesReport(Report):
    """The courses of a workspace."""

    courses: tuple[CourseLine, ...]
    runs: tuple[CourseRuns, ...]


@dataclass(frozen=True, slots=True)
class ShownCourse(Report):
    """A course with all its items."""

    course: CourseLine
    items: tuple[CourseItem, ...]
    """By type, and by their place on the course's pages."""
    others: tuple[CourseItem, ...]
    """Links that are no material."""
