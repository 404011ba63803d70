"""Courses whose items were typed by hand, one JSON object a line, as `docs/reference/formats.md` says -> `LabelledCourse`s.

`{"course": URL, "web": NAME, "items": [{"page", "url", "text", "heading", "type", "case"}, ...]}`. Items without an address are text, not
links: they are passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from trailmark.course.item_typer import LabelledCourse
from trailmark.course.page_item import ItemPage, PageItem, target
from trailmark.course.type_word import TYPES
from trailmark.errors import InputError
from trailmark.quoting import reason_text


@dataclass(frozen=True, slots=True)
class WrittenItem:
    """An item as a person typed it."""

    page: str
    url: str
    text: str
    heading: str
    kind: str
    case: int


@dataclass(frozen=True, slots=True)
class WrittenCourse:
    """A line of the file."""

    course: str
    web: str
    items: tuple[WrittenItem, ...]

    @property
    def pages(self) -> tuple[str, ...]:
        """The addresses of its pages, its home first."""
        found = dict.fromkeys(item.page for item in self.items)
        return tuple(dict.fromkeys([self.course, *found])) if self.course in found else tuple(found)


def written_courses(lines: Iterable[str], source: str) -> list[WrittenCourse]:
    """The lines of a file -> its courses; InputError names the first line that is none."""
    courses = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                courses.append(_course(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise InputError(
                    f"{source}:{number}: this is not a course with typed items ({reason_text(error)}): mend or remove the line."
                ) from error
    if not courses:
        raise InputError(f"{source} holds no course: give a file with one course a line.")
    return courses


def labelled(course: WrittenCourse, pages: Mapping[str, ItemPage]) -> LabelledCourse:
    """A typed course and its pages -> the type of every item of theirs; of a page that is not at hand what was written of its items."""
    found = tuple(pages.get(url) or written_page(course, url) for url in course.pages)
    return LabelledCourse(found, tuple(_kinds(course, page) for page in found))


def _kinds(course: WrittenCourse, page: ItemPage) -> tuple[str | None, ...]:
    kinds = {item_key(item): item.kind for item in course.items if item.page == page.url}
    return tuple(kinds.get(item.url) for item in page.items)


def item_key(item: WrittenItem) -> str:
    """The address of an item as a page's items have it."""
    return target(item.url, item.page) or item.url


def written_page(course: WrittenCourse, url: str) -> ItemPage:
    """What was written of the items of a page, as a page: for want of the page itself."""
    items = {
        item_key(item): PageItem(
            url, item_key(item), item.text, headings=(item.heading,) if item.heading else (), line=number
        )
        for number, item in enumerate(course.items)
        if item.page == url
    }
    return ItemPage(url, "", tuple(items.values()))


def _course(entry: Any) -> WrittenCourse:
    return WrittenCourse(
        _text(entry["course"]),
        _text(entry["web"]),
        tuple(_item(item) for item in entry["items"] if item["url"] is not None),
    )


def _item(entry: Any) -> WrittenItem:
    kind = entry["type"]
    if kind not in TYPES:
        raise ValueError(f"'{str(kind)[:40]}' is not a type")
    case = entry.get("case", 1)
    if case not in (1, 2):
        raise ValueError(f"case {str(case)[:40]} is neither 1 nor 2")
    text, heading = entry.get("text") or "", entry.get("heading") or ""
    return WrittenItem(_text(entry["page"]), _text(entry["url"]), _text(text), _text(heading), kind, case)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:40]!r} stands where a text should")
    return value
