"""The text of a syllabus -> its weeks: lines that begin with a number, else paragraphs, else lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trailmark.course.package.content import plain_title
from trailmark.errors import InputError

MOST_WEEKS = 100
LONGEST_SYLLABUS, LONGEST_WEEK = 500_000, 5_000
"""Letters of a syllabus, and of what one week says."""
FEWEST_NUMBERED = 2
_NUMBERED = re.compile(
    r"[\W_]{0,3}(?:[^\W\d_]{1,15}\W{0,2})?\d{1,3}(?:[/.]\d{1,2})?(?![\d])(?:[\u5468\u9031\u56de\uc8fc]|(?=[\W_]|$))[\s.:)\]},;\u2013\u2014-]{0,4}(.*)"
)
"""`Week 3: Trees`, `3. Trees`, `Tue 9/3: Trees`, and the same in other scripts: a word at most, a number or date, and what it is about."""
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
    is_numbered = sum(map(_is_numbered, lines)) >= FEWEST_NUMBERED
    parts = list(_numbered(lines) if is_numbered else _unnumbered(lines))
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
    said = [words for words in (found[1] if found else _BULLET.sub("", lines[0], count=1), *lines[1:]) if words]
    title = plain_title(said[0]) if said else plain_title(lines[0])
    return Week(number, title, " ".join(said[1:])[:LONGEST_WEEK])


def _unnumbered(lines: Sequence[str]) -> Iterator[list[str]]:
    """Paragraphs where any has several lines, else lines."""
    paragraphs = list(_paragraphs(lines))
    if len(paragraphs) > 1 and any(len(each) > 1 for each in paragraphs):
        yield from paragraphs
    else:
        yield from ([line] for line in lines if line)


def _is_numbered(line: str) -> bool:
    return _NUMBERED.fullmatch(line) is not None


def _numbered(lines: Sequence[str]) -> Iterator[list[str]]:
    """A line with a number begins a week; what stands before the first is a preface."""
    part: list[str] = []
    for line in lines:
        if _is_numbered(line):
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
