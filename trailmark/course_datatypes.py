"""`Course` and `CourseItem`: a course of one term with what it offers, as it travels between the rooms. Re-exported by `datatypes`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

OTHER = "other"
"""The type of a link that is no material of its course."""
COURSE = "course"
"""The kind of record that a course is."""
COURSE_ITEM = "course item"
"""The kind of record that an item of a course is; it belongs to the course of its address."""
_ID_DIGITS = 12


@dataclass(frozen=True, slots=True)
class CourseItem:
    """One thing that a course offers."""

    kind: str
    """Its type: lecture, assignment, exam ..."""
    title: str
    url: str
    position: int | None = None
    """Its number (`Homework 3`), else its week."""
    file_kind: str = "none"
    """What sort of file its address promises: page, print, slides, code ..."""
    page: str = ""
    """The page it stands on."""
    chance: float = 1.0
    """How sure its type is; 1 where a person gave it."""
    place: int = 0
    """Its place among all links of the course's pages, in page order."""
    heading: str = ""
    """The nearest heading above it."""
    is_given: bool = False
    """Whether a person gave its type."""


@dataclass(frozen=True, slots=True)
class Course:
    """A course of one term: one run of it."""

    url: str
    title: str
    number: str = ""
    """`CS 211`, or empty where no page says it."""
    term: str = ""
    """`1996 autumn`: in order of time as text within a year's reach; empty where no page says it."""
    teachers: tuple[str, ...] = ()
    institution: str = ""
    """The domain that its address belongs to."""
    items: tuple[CourseItem, ...] = ()
    """In page order; none of them is `other`."""
    pages: tuple[str, ...] = ()
    """The pages that were read for it, its home first."""
    others: tuple[CourseItem, ...] = ()
    """Links of its pages that are no material of it, in page order."""
    missing: tuple[str, ...] = ()
    """Pages of its own that were not at hand when it was read."""

    @property
    def id(self) -> str:
        """Twelve hex digits of its address: neither a new crawl nor a corrected item changes it; the portal's address of a course alone on its page."""
        return course_id(self.url)

    def with_kinds(self, given: Iterable[tuple[str, str]]) -> Course:
        """(Address of an item, type that a person gave it) -> the course with these types; an address that it does not have is passed over."""
        kinds = dict(given)
        if not kinds:
            return self
        every = [_given(item, kinds.get(item.url)) for item in sorted((*self.items, *self.others), key=_place)]
        items = tuple(item for item in every if item.kind != OTHER)
        return replace(self, items=items, others=tuple(item for item in every if item.kind == OTHER))


def course_id(url: str) -> str:
    """The address of a course's home -> the course's permanent id."""
    told = f"{COURSE}\x1f{url}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(told).hexdigest()[:_ID_DIGITS]


def _given(item: CourseItem, kind: str | None) -> CourseItem:
    return item if kind is None else replace(item, kind=kind, chance=1.0, is_given=True)


def _place(item: CourseItem) -> int:
    return item.place
