"""The text of a syllabus -> its weeks: lines that begin with a number, else paragraphs, else lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from trailmark.course.package.content import plain_title
from trailmark.course.type_word import kinds_in
from trailmark.errors import InputError

MOST_WEEKS = 100
LONGEST_SYLLABUS, LONGEST_WEEK = 500_000, 5_000
"""Letters of a syllabus, and of what one week says."""
FEWEST_NUMBERED = 2
_NUMBERED = re.compile(
    r"[\W_]{0,3}(?:([^\W\d_]{1,15})\W{0,2})?(\d{1,3})(?:[/.]\d{1,2})?(?:\s?[-\u2013]\s?\d{1,3}(?=[\s.:),;\]]|$))?(?![\d])(?:[\u5468\u9031\u56de\uc8fc]|(?=[\W_]|$))"
    r"(?:\s{0,2}[(\[][^()\[\]]{0,30}\d[^()\[\]]{0,30}[)\]](?=[\s:.,;]|$))?[\s.:)\]},;\u2013\u2014-]{0,4}(.*)"
)
"""`Week 3: Trees`, `3. Trees`, `Tue 9/3: Trees`, `Week 3-4 (Sep 3): Trees`, and the same in other scripts: a word at most, a number or date, and what it is about."""
LONGEST_STEP = 2
"""From the number of a week to that of the next: one may be left out."""
_DETAILS = frozenset(("assignment", "exam", "reading", "solution"))
"""Types of items that are numbered below a week: `HW 1 due`."""
_BULLET = re.compile(r"[\W_]{1,3}\s")


@dataclass(frozen=True, slots=True)
class Week:
    """A week of a syllabus, or whatever its parts are called."""

    number: int
    title: str
    text: str = ""
    """What else it says."""


def weeks_of(text: str, source: str = "the syllabus") -> tuple[Week, ...]:
    """The text of a syllabus -> its weeks, numbered from 1 in their order; InputError where it has none, or is too long."""
    if len(text) > LONGEST_SYLLABUS:
        raise InputError(
            f"{source} has more than {LONGEST_SYLLABUS:,} letters: give the weeks alone, a line or a paragraph each."
        )
    lines = [" ".join(line.split()) for line in text.replace("\x00", " ").splitlines()]
    heads = _heads(lines)
    is_numbered = len(heads) >= FEWEST_NUMBERED
    parts = list(_numbered(lines, heads) if is_numbered else _unnumbered(lines))
    if not parts:
        raise InputError(f"{source} is empty: write a line or a paragraph for each week.")
    if len(parts) > MOST_WEEKS:
        raise InputError(
            f"{source} has {len(parts)} parts, and a course has at most {MOST_WEEKS} weeks: a line or a paragraph for each week."
        )
    return tuple(_week(number, part, is_numbered=is_numbered) for number, part in enumerate(parts, start=1))


def _week(number: int, lines: Sequence[str], *, is_numbered: bool) -> Week:
    """The lines of a week -> its title, which is the first line that says something beside its number, and the rest."""
    found = _NUMBERED.fullmatch(lines[0]) if is_numbered else None
    first = found[3].strip("| ") if found else _BULLET.sub("", lines[0], count=1)
    said = [words for words in (first, *lines[1:]) if words]
    title = plain_title(said[0]) if said else plain_title(lines[0])
    return Week(number, title, " ".join(said[1:])[:LONGEST_WEEK])


def _unnumbered(lines: Sequence[str]) -> Iterator[list[str]]:
    """Paragraphs where any has several lines, else lines."""
    paragraphs = list(_paragraphs(lines))
    if len(paragraphs) > 1 and any(len(each) > 1 for each in paragraphs):
        yield from paragraphs
    else:
        yield from ([line] for line in lines if line)


def _heads(lines: Sequence[str]) -> set[int]:
    """Lines -> the places of those that begin a week.

    Where lines count on from 1 behind one word (`Week 1`, `Week 2`), it is these, and not `Chapter 3` or `HW 1 due` between them; else it is all that have a number.
    """
    found = {at: match for at, line in enumerate(lines) if (match := _NUMBERED.fullmatch(line))}
    groups: dict[str, list[int]] = {}
    for at, match in found.items():
        groups.setdefault((match[1] or "").lower(), []).append(at)
    counting = {word: places for word, places in groups.items() if _counts_on([int(found[at][2]) for at in places])}
    telling = [
        places
        for word, places in counting.items()
        if not {each.kind for each in kinds_in(word)} & _DETAILS and any(found[at][3] for at in places)
    ]
    return set(next(iter((*telling, *counting.values())), found))


def _counts_on(numbers: Sequence[int]) -> bool:
    """Whether numbers begin with 0 or 1 and rise in small steps."""
    steps = [later - earlier for earlier, later in pairwise(numbers)]
    return len(numbers) >= FEWEST_NUMBERED and numbers[0] <= 1 and all(1 <= step <= LONGEST_STEP for step in steps)


def _numbered(lines: Sequence[str], heads: Set[int]) -> Iterator[list[str]]:
    """Lines, and the places of those that begin a week; what stands before the first is a preface."""
    part: list[str] = []
    for at, line in enumerate(lines):
        if at in heads:
            if part:
                yield part
            part = [line]
        elif part and line:
            part.append(line)
    if part:
        yield part


def _paragraphs(lines: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for line in [*lines, ""]:
        if line:
            part.append(line)
        elif part:
            yield part
            part = []
