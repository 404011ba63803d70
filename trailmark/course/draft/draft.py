"""`Draft`: a course in the making, and its file, which a person may edit: weeks, each with items that are in or out.

{"draft": 1, "title": TEXT, "weeks": [{"week": 1, "title": TEXT, "items": [{"use": true, "type": "lecture", "title": TEXT, "url": URL,
 "course": ID, "from": TEXT, "why": [TEXT, ...]}, ...]}, ...]}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from trailmark.course.draft.syllabus import MOST_WEEKS
from trailmark.course.package.content import WEB, Plan, plain_title
from trailmark.course.type_word import TYPES
from trailmark.datatypes import OTHER, Course, CourseItem
from trailmark.errors import InputError
from trailmark.quoting import json_text, reason_text

FORMAT = 1
LARGEST = 20_000_000
"""Bytes of a draft's file."""
MOST_ITEMS = 10_000
LONGEST_URL = 4_000
KINDS = tuple(kind for kind in TYPES if kind != OTHER)


@dataclass(frozen=True, slots=True)
class DraftItem:
    """An item that may be part of the course."""

    kind: str
    title: str
    url: str
    is_used: bool
    course: str = ""
    """Id of the course that it is of; empty where a person named it."""
    name: str = ""
    """What that course is called."""
    shared: tuple[str, ...] = ()
    """Why it is proposed: phrases of the week that it has."""


@dataclass(frozen=True, slots=True)
class DraftWeek:
    """A week with what may be taught in it."""

    number: int
    title: str
    items: tuple[DraftItem, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A course in the making."""

    title: str
    weeks: tuple[DraftWeek, ...]

    @property
    def used(self) -> int:
        """Items that are in."""
        return sum(item.is_used for week in self.weeks for item in week.items)

    def with_used(self, used: Mapping[int, Collection[int]]) -> Draft:
        """Number of a week -> places of its items that are in -> the draft with these, and no others, in."""
        weeks = [
            replace(
                week,
                items=tuple(
                    replace(item, is_used=place in used.get(week.number, ())) for place, item in enumerate(week.items)
                ),
            )
            for week in self.weeks
        ]
        return replace(self, weeks=tuple(weeks))

    def with_item(self, number: int, item: DraftItem) -> Draft:
        """An item more in a week; InputError where it can't be one."""
        _check_item(item)
        if number not in {week.number for week in self.weeks}:
            raise InputError(f"The draft has no week {number}.")
        weeks = [replace(week, items=(*week.items, item)) if week.number == number else week for week in self.weeks]
        if sum(len(week.items) for week in weeks) > MOST_ITEMS:
            raise InputError(f"A draft has at most {MOST_ITEMS:,} items.")
        return replace(self, weeks=tuple(weeks))


def draft_url(title: str) -> str:
    """The title of a draft -> what stands for its address in packages."""
    return f"urn:x-trailmark:draft:{hashlib.sha256(title.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def draft_course(draft: Draft, known: Mapping[str, Course]) -> Course:
    """A draft, and the courses of its items by id -> a course of the items that are in, by week."""
    items: list[CourseItem] = []
    for week in draft.weeks:
        for item in week.items:
            if item.is_used:
                own = known[item.course].items if item.course in known else ()
                found = next(
                    (each for each in own if each.url == item.url), CourseItem(item.kind, item.title, item.url)
                )
                items.append(replace(found, kind=item.kind, title=item.title, position=week.number, place=len(items)))
    return Course(draft_url(draft.title), draft.title, items=tuple(items))


def draft_plan(draft: Draft, known: Mapping[str, Course]) -> Plan:
    """A draft, and the courses of its items by id -> how it is taught, and where its items come from."""
    homes = {item.url: known[item.course].url for week in draft.weeks for item in week.items if item.course in known}
    return Plan({week.number: week.title for week in draft.weeks}, homes)


def draft_text(draft: Draft) -> str:
    """A draft -> the text of its file."""
    weeks = [
        {"week": week.number, "title": week.title, "items": [_item_json(item) for item in week.items]}
        for week in draft.weeks
    ]
    return json_text({"draft": FORMAT, "title": draft.title, "weeks": weeks}, indent=1) + "\n"


def _item_json(item: DraftItem) -> dict[str, object]:
    return {
        "use": item.is_used,
        "type": item.kind,
        "title": item.title,
        "url": item.url,
        "course": item.course,
        "from": item.name,
        "why": list(item.shared),
    }


def parse_draft(text: str, source: str) -> Draft:
    """The text of a draft's file -> the draft; InputError says what is wrong."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{source} is no draft of a course ({reason_text(error)}): mend it, or make it anew: trailmark draft"
        ) from error
    try:
        return _draft(value)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{source} is no draft of a course: {reason_text(error)}; mend it, or make it anew: trailmark draft"
        ) from error
    except InputError as error:
        raise InputError(f"{source}: {error}") from error


def _draft(value: object) -> Draft:
    entry = _object(value, "a draft")
    if entry.get("draft") != FORMAT:
        raise ValueError(f'it does not say "draft": {FORMAT}')
    title = plain_title(_text(entry, "title"))
    if not title:
        raise ValueError("it has no title")
    weeks = tuple(_week(each, number) for number, each in enumerate(_list(entry, "weeks", MOST_WEEKS), start=1))
    if len({week.number for week in weeks}) != len(weeks):
        raise ValueError("two weeks have one number")
    if sum(len(week.items) for week in weeks) > MOST_ITEMS:
        raise ValueError(f"it has more than {MOST_ITEMS:,} items")
    return Draft(title, weeks)


def _week(value: object, place: int) -> DraftWeek:
    entry = _object(value, f"week {place}")
    number = entry.get("week")
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= 10 * MOST_WEEKS:
        raise ValueError(f"'week' of the {place}. week is no number of one")
    items = tuple(_item(each, number) for each in _list(entry, "items", MOST_ITEMS))
    return DraftWeek(number, plain_title(_text(entry, "title")), items)


def _item(value: object, week: int) -> DraftItem:
    entry = _object(value, f"an item of week {week}")
    use = entry.get("use", True)
    if not isinstance(use, bool):
        raise ValueError(f"'use' of an item of week {week} is neither true nor false")
    why = tuple(plain_title(str(word)) for word in _list(entry, "why", MOST_ITEMS))
    course, name = (plain_title(_text(entry, each, needed=False)) for each in ("course", "from"))
    title, url = plain_title(_text(entry, "title", needed=False)), _text(entry, "url")
    item = DraftItem(_text(entry, "type"), title or plain_title(url), url, use, course, name, why)
    _check_item(item)
    return item


def _check_item(item: DraftItem) -> None:
    if item.kind not in KINDS:
        raise InputError(f"'{item.kind[:40]}' is no type of an item; choose of {', '.join(KINDS)}.")
    if len(item.url) > LONGEST_URL or not item.url.lower().startswith(WEB) or any(sign.isspace() for sign in item.url):
        raise InputError(
            f"'{item.url[:100]}' is no address of the web: give it whole, as http://www.example.edu/l1.html"
        )


def _object(value: object, name: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError(f"{name} is not an object with names")
    return value


def _text(entry: Mapping[str, object], name: str, *, needed: bool = True) -> str:
    value = entry.get(name, "" if not needed else None)
    if not isinstance(value, str):
        raise TypeError(f"'{name}' is no text")
    return value


def _list(entry: Mapping[str, object], name: str, most: int) -> Sequence[object]:
    value = entry.get(name, [])
    if not isinstance(value, list) or len(value) > most:
        raise TypeError(f"'{name}' is no list of at most {most:,}")
    return value
