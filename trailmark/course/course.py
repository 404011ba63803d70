"""A course page and the pages it owns -> `Course`: its number, term, teachers, and its items with type, title and position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trailmark.course.address import address
from trailmark.course.course_words import course_number, course_term, institution_of
from trailmark.course.item_shape import is_person, says_little
from trailmark.course.item_typer import ItemTyper, TypedItem
from trailmark.course.page_item import ItemPage, PageItem
from trailmark.datatypes import OTHER, Course, CourseItem

FRONT = 5
"""Pages whose titles and headings may say number and term, where the home does not: those of its frames stand first."""
TOP = 8
"""First lines that may say the term: further down other terms are spoken of."""
MOST_TEACHERS = 20
_EMPTY_TITLE = re.compile(
    r"\s*(?:untitled(?: document)?|index|home(?: ?page)?|welcome|main|course ?(?:home ?)?page|no title)\s*",
    re.IGNORECASE,
)
_TEACHER = re.compile(r"\b(?:instructor|professor|prof|lecturer|teacher|taught by)", re.IGNORECASE)
_SAID_TEACHER = re.compile(
    r"\b(?:[Ii]nstructors?|[Ll]ecturers?|[Tt]eachers?|[Pp]rofessor|[Pp]rof\.?|[Tt]aught by|INSTRUCTORS?)\s{0,3}[:\-]?\s{0,3}((?:[A-ZÀ-ÖØ-Þ][\w.'-]{0,30}\s){1,3}[A-ZÀ-ÖØ-Þ][\w'-]{1,30})"
)
_WEEK = re.compile(r"\bweek\s{0,2}#?(\d{1,2})\b", re.IGNORECASE)
_COUNT = re.compile(r"(?<![\d.])(\d{1,3})(?!\d|\.\d)")
_NOT_COUNTED = frozenset(("people", "discussion", "grades"))
"""Types whose numbers are of rooms and telephones."""


def make_course(pages: Sequence[ItemPage], typer: ItemTyper, missing: Sequence[str] = ()) -> Course:
    """The pages of a course, its home first, and addresses of its own that were not at hand -> the course.

    An item that stands on several pages is taken where it stands first as material.
    """
    home = pages[0]
    typed = [item for page in typer.typed(pages) for item in page]
    items: dict[str, CourseItem] = {}
    others: dict[str, CourseItem] = {}
    for place, each in enumerate(typed):
        (others if each.kind == OTHER else items).setdefault(each.item.url, course_item(each, place))
    words = [text for page in pages[:FRONT] for text in (page.title, *page.headings[:FRONT])]
    opening = [text for page in pages[:FRONT] for text in page.opening]
    near = [heading for item in home.items[:FRONT] for heading in item.headings]
    return Course(
        home.url,
        next((text for text in words if text and not _EMPTY_TITLE.fullmatch(text)), home.url),
        course_number((home.title, *home.headings, *words)),
        course_term((home.title, *home.headings, *near, home.url, *words, *opening[:TOP])),
        tuple(dict.fromkeys((*_teachers(typed), *_named_teachers(opening))))[:MOST_TEACHERS],
        institution_of(address(home.url).host),
        tuple(items.values()),
        tuple(page.url for page in pages),
        tuple(item for url, item in others.items() if url not in items),
        tuple(missing),
    )


def course_item(typed: TypedItem, place: int = 0) -> CourseItem:
    """A typed link -> the item of the course: its title where its own words say nothing is what stands around it."""
    item = typed.item
    return CourseItem(
        typed.kind,
        _title(item),
        item.url,
        _position(item) if typed.kind not in _NOT_COUNTED else None,
        address(item.url).kind,
        item.page,
        typed.chance,
        place,
        item.headings[0] if item.headings else "",
    )


def offerings(courses: Sequence[Course]) -> tuple[tuple[Course, ...], ...]:
    """Courses -> those that are one course given in several terms, together, the latest first; one without a number stands alone."""
    groups: dict[tuple[str, str], list[Course]] = {}
    for course in courses:
        groups.setdefault((course.institution, course.number or course.url), []).append(course)
    return tuple(tuple(sorted(group, key=_age, reverse=True)) for group in groups.values())


_SEASONS = ("winter", "spring", "summer", "autumn")


def _age(course: Course) -> tuple[str, int, str]:
    year, _, season = course.term.partition(" ")
    return year, _SEASONS.index(season) if season in _SEASONS else -1, course.url


def _teachers(items: Sequence[TypedItem]) -> Iterator[str]:
    """Names under "Instructor" and the like."""
    for each in items:
        item = each.item
        near = (item.before, item.lead, item.row, item.column, *item.headings[:1])
        if each.kind == "people" and is_person(item.text) and any(_TEACHER.search(text) for text in near):
            yield item.text


def _named_teachers(lines: Sequence[str]) -> Iterator[str]:
    """Names behind "Instructor:" and the like, without a link."""
    for line in lines:
        for name in _SAID_TEACHER.findall(line):
            if is_person(name):
                yield name


def _title(item: PageItem) -> str:
    if item.text and not says_little(item):
        return item.text
    around = next((text for text in (item.thing, item.lead, item.column, *item.headings[:1]) if text), "")
    parts = (around.rstrip(" :-("), item.text or address(item.url).name)
    return " ".join(part for part in parts if part) or item.url


def _position(item: PageItem) -> int | None:
    """The number in the item's own words, else in its file's name, else the week of its row or heading."""
    for text in (item.text, address(item.url).name, item.before):
        if match := _COUNT.search(text):
            return int(match[1])
    for text in (item.row, item.lead, *item.headings):
        if match := _WEEK.search(text):
            return int(match[1])
    return None
