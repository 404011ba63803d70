"""The calendar without end: every month links to the one before and the one after, made when asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from trailmark.demo.plan import Anchor, Calendar, PlannedPage, Section

SHOWN = 6
"""Months that count as finite pages of a site; the rest is there when asked for."""
NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
EVENTS = ("Seminar", "Faculty meeting", "Open day", "Examination papers due", "Course registration", "Colloquium")


def months(calendar: Calendar, count: int = SHOWN) -> Iterator[str]:
    """Paths of the first months."""
    year, month = calendar.first
    for _ in range(count):
        yield calendar.pattern.format(year=year, month=month)
        year, month = shifted(year, month, 1)


def month_page(calendar: Calendar, path: str) -> PlannedPage | None:
    """The page of a month; None where the path is not one of the calendar's."""
    match = _matcher(calendar.pattern).fullmatch(path)
    if match is None or not 1 <= int(match["month"]) <= 12:
        return None
    year, month = int(match["year"]), int(match["month"])
    title = f"{calendar.title}: {NAMES[month - 1]} {year}"
    events = tuple(f"{day} {NAMES[month - 1]}: {EVENTS[(year + month * day) % len(EVENTS)]}" for day in (4, 11, 19, 25))
    before, after = shifted(year, month, -1), shifted(year, month, 1)
    turn = (
        Anchor(calendar.pattern.format(year=before[0], month=before[1]), "Previous month"),
        Anchor(calendar.pattern.format(year=after[0], month=after[1]), "Next month"),
    )
    return PlannedPage(
        path, title, "calendar", (Section(title, items=events), Section("", anchors=turn)), nav=calendar.nav
    )


def shifted(year: int, month: int, by: int) -> tuple[int, int]:
    years, rest = divmod(year * 12 + month - 1 + by, 12)
    return years, rest + 1


@lru_cache(maxsize=16)
def _matcher(pattern: str) -> re.Pattern[str]:
    escaped = re.escape(pattern).replace(r"\{year\}", r"(?P<year>[0-9]{1,6})")
    return re.compile(escaped.replace(r"\{month:02d\}", r"(?P<month>[0-9]{2})"))
