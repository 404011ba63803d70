"""Lines of a section of references -> the lines with which one begins, by one kind of evidence each."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence

from trailmark.tag.page_lines import PageLine, line_step

_BRACKET = re.compile(r"[\[\(【]\s?([^\]\)\[\(]{1,40})\s?[\]\)】]")
_NUMBER = re.compile(r"[\[(]?(\d{1,3})\s?[\].):]?(?=\s|$|[A-Z“\"])")
_NAME = r"(?:(?:v[ao]n|d[eiu]|la|le|der|den|ter|mac|mc|o['’])\s+)*[^\W\d_a-z][\w'’`´¨-]+"
_INITIAL = r"[^\W\d_a-z]\s?\.(?:\s?-?\s?[^\W\d_a-z]\s?\.)*"
_AUTHOR = re.compile(
    rf"(?:{_NAME}(?:\s+{_NAME})?\s?,\s?(?:{_INITIAL}|{_NAME})|{_INITIAL}\s?{_NAME}|[—–_-]{{2,}}|{_NAME}(?:\s+{_NAME}){{0,3}}[.,(]\s?)"
)
_ENDS = re.compile(r"[.)\]\d?”\"]\s*$")
LEAST_MARKS = 2
SKIPPED = 3
"""Numbers that may be missing in a row of numbered references."""
INDENTED = 0.35
"""Of the size of the letters, from which a line counts as indented."""
WIDE_STEP = 1.22
"""Of the usual distance of two lines, from which a blank stands between them."""


def by_mark(lines: Sequence[PageLine]) -> tuple[str, list[int]] | None:
    """References that begin with a mark: `[7]` or `[ML99]`, or `7.`; None where they have none."""
    texts = [line.text for line in lines]
    numbered = _numbered(texts, bracketed=True)
    if _enough(numbered, texts):
        return "bracket", numbered
    labelled = [place for place, text in enumerate(texts) if text.startswith("[") and _BRACKET.match(text)]
    if _enough(labelled, texts):
        return "bracket", labelled
    numbered = _numbered(texts, bracketed=False)
    return ("number", numbered) if _enough(numbered, texts) else None


def _enough(starts: Sequence[int], texts: Sequence[str]) -> bool:
    """Whether these marks are how the section is made: from its beginning, and every dozen lines."""
    return len(starts) >= LEAST_MARKS and starts[0] <= 2 and len(starts) * 12 >= len(texts)


def _numbered(texts: Sequence[str], *, bracketed: bool) -> list[int]:
    """Lines that begin with the number that follows the one before."""
    starts: list[int] = []
    before = 0
    for place, text in enumerate(texts):
        mark = _NUMBER.match(text)
        if mark is None or (text[0] in "[(") != bracketed:
            continue
        number = int(mark[1])
        if before < number <= before + SKIPPED or (not starts and number < 1000 and place == 0):
            starts.append(place)
            before = number
    return starts


def by_indentation(lines: Sequence[PageLine]) -> list[int]:
    """Lines that stand at the left of their column where others are indented, or the other way round."""
    indented = _indented(lines)
    share = sum(indented) / len(lines)
    if not 0.1 <= share <= 0.95:
        return []
    hanging = [place for place, deep in enumerate(indented) if not deep]
    first = [place for place, deep in enumerate(indented) if deep]
    return _from_first(max(hanging, first, key=lambda starts: _names(lines, starts)))


def _indented(lines: Sequence[PageLine]) -> list[bool]:
    margins: dict[tuple[int, bool], list[float]] = defaultdict(list)
    for line in lines:
        margins[_column(line)].append(line.line.box[0])
    left = {column: _margin(places) for column, places in margins.items()}
    return [line.line.box[0] > left[_column(line)] + INDENTED * max(line.size, 1.0) for line in lines]


def _margin(places: Sequence[float]) -> float:
    """The leftmost place at which two lines begin: one alone may have slipped out."""
    ordered = sorted(places)
    pairs = (one for one, other in itertools.pairwise(ordered) if other - one < 2)
    return next(pairs, ordered[0])


def _column(line: PageLine) -> tuple[int, bool]:
    return line.page, line.line.box[0] > line.width * 0.45


def _names(lines: Sequence[PageLine], starts: Sequence[int]) -> float:
    """The share of starts that begin with an author behind a line that ends as references do."""
    good = sum(bool(_AUTHOR.match(lines[place].text)) and _ended(lines, place) for place in starts)
    return good / max(len(starts), 1)


def _ended(lines: Sequence[PageLine], place: int) -> bool:
    return place == 0 or bool(_ENDS.search(lines[place - 1].text))


def by_blank(lines: Sequence[PageLine]) -> list[int]:
    """Lines above which there is more room than usual, and those that open a column and begin like a reference."""
    step = line_step(lines)
    if not step:
        return []
    starts = [0]
    for place in range(1, len(lines)):
        above, line = lines[place - 1], lines[place]
        room = line.line.box[1] - above.line.box[1]
        if _column(line) == _column(above) and room > 0:
            if room > step * WIDE_STEP:
                starts.append(place)
        elif _AUTHOR.match(line.text) and _ended(lines, place):
            starts.append(place)
    return starts if len(starts) >= LEAST_MARKS else []


def by_author(lines: Sequence[PageLine]) -> list[int]:
    """Lines that begin with an author behind a line that ends as references do."""
    return _from_first([place for place, line in enumerate(lines) if _AUTHOR.match(line.text) and _ended(lines, place)])


def _from_first(starts: list[int]) -> list[int]:
    return starts if not starts or starts[0] == 0 else [0, *starts]
