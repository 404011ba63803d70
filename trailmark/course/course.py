"""A course page and the pages it owns -> `Course`: its number, term, teachers, and its items with type, title and position."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from trailmark.course.address import address, place_of, relation
from trailmark.course.item_shape import is_person, says_little
from trailmark.course.item_typer import ItemTyper, TypedItem
from trailmark.course.page_item import ItemPage, PageItem
from trailmark.datatypes import OTHER, Course, CourseItem

MOST_PAGES = 200
"""Pages that a course owns."""
_NUMBER = re.compile(r"\b([A-Z][A-Za-z]{1,4}(?:/[A-Z][A-Za-z]{1,4})?)[ -]{0,2}([0-9]{2,4}[A-Z]?)\b")
_SEASON = r"(spring|summer|fall|autumn|winter)"
_TERM = re.compile(
    rf"{_SEASON}(?:\s(?:quarter|semester|term))?[\s,'_-]{{0,3}}((?:19|20)[0-9]{{2}}|[0-9]{{2}})(?!\d)", re.IGNORECASE
)
_YEAR_FIRST = re.compile(rf"\b((?:19|20)[0-9]{{2}})[\s,_-]{{0,2}}{_SEASON}", re.IGNORECASE)
_NO_COURSE = frozenset(
    {
        "of",
        "in",
        "the",
        "version",
        "room",
        "page",
        "since",
        "year",
        "due",
        "fall",
        "spring",
        "summer",
        "winter",
        "autumn",
    }
)
_TEACHER = re.compile(r"\b(?:instructor|professor|prof|lecturer|teacher|taught by)", re.IGNORECASE)
_WEEK = re.compile(r"\bweek\s{0,2}#?(\d{1,2})\b", re.IGNORECASE)
_COUNT = re.compile(r"(?<!\d)(\d{1,3})(?!\d)")
_OLDEST_SHORT_YEAR = 50
"""Two digits from here on are of the twentieth century."""


def owned_pages(home: ItemPage) -> tuple[str, ...]:
    """A course's home -> the addresses of the pages that are its own: its frames, and pages in its folder that it links to.

    What the department, other courses or people wrote stands elsewhere; a home without a folder of its own owns its frames alone.
    """
    own: dict[str, str] = {place_of(home.url): home.url}
    folders = bool(address(home.url).own_folders)
    inside = (item.url.partition("#")[0] for item in home.items if folders and _is_own_page(item, home))
    for url in (*home.frames, *inside):
        own.setdefault(place_of(url), url)
    return tuple(own.values())[1 : MOST_PAGES + 1]


def _is_own_page(item: PageItem, home: ItemPage) -> bool:
    return relation(item.url, home.url, home.url) in ("inside", "beside") and address(item.url).kind in (
        "page",
        "folder",
        "none",
    )


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
    words = (home.title, *home.headings)
    return Course(
        home.url,
        next((text for text in words if text), home.url),
        course_number(words),
        course_term((*words, *(heading for item in home.items[:5] for heading in item.headings), home.url)),
        tuple(dict.fromkeys(_teachers(typed))),
        ".".join(address(home.url).host.split(".")[-2:]),
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
        _position(item),
        address(item.url).kind,
        item.page,
        typed.chance,
        place,
        item.headings[0] if item.headings else "",
    )


def course_number(texts: Iterable[str]) -> str:
    """The first course number in some texts: `CS 211`; empty where there is none."""
    for text in texts:
        for letters, digits in _NUMBER.findall(text):
            if letters.lower() not in _NO_COURSE:
                return f"{letters.upper()} {digits}"
    return ""


def course_term(texts: Iterable[str]) -> str:
    """The first term in some texts or addresses, year first: `1996 autumn`; empty where there is none."""
    for text in texts:
        if match := _TERM.search(text):
            return f"{_year(match[2])} {_season(match[1])}"
        if match := _YEAR_FIRST.search(text):
            return f"{match[1]} {_season(match[2])}"
    return ""


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


def _season(word: str) -> str:
    plain = word.casefold()  # a long s is an s
    return "autumn" if plain == "fall" else plain


def _year(digits: str) -> str:
    return digits if len(digits) == 4 else f"{'19' if int(digits) >= _OLDEST_SHORT_YEAR else '20'}{digits}"


def _teachers(items: Sequence[TypedItem]) -> Iterator[str]:
    """Names under "Instructor" and the like."""
    for each in items:
        item = each.item
        near = (item.before, item.lead, item.row, item.column, *item.headings[:1])
        if each.kind == "people" and is_person(item.text) and any(_TEACHER.search(text) for text in near):
            yield item.text


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
