"""Tags of a header, set right by how it is printed: a title is one block of large letters, and authors share a face.

Tagged text has no layout, so taggers that learnt from it read words alone, and take `Technical Report 321` for the beginning of a title.
Where a document has layout, the block whose size and whose words speak most for a title is the title, all of it, and nothing else is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.tag.page_lines import PageLine
from trailmark.tag.words import Tag

TITLE, AUTHOR, AFFILIATION, NOTE = "title", "author", "affiliation", "note"
_TEXT = frozenset(("abstract", "intro", "keyword"))
_NO_TITLE = re.compile(
    r"@|https?:|www\.|\bdoi\b|\bvol(?:ume)?\b\.?\s*\d|^\W*\d+\W*$|^(?:running head|click here|technical report|to appear)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:[^\W\d_a-z][\w.'’`´-]*,?|(?:van|von|de|der|da|del|di|y|and)|[*†‡§∗\d]{1,3})", re.UNICODE)
SAME_SIZE = 0.06
"""By which sizes of two lines of a block may differ."""
NEAR = 2.1
"""Heights of a line from one line of a title to the next, at most."""
LARGEST = 2.2
"""Sizes beside the body's from which a larger one says no more: logos are larger than titles."""
SIZE_WORTH, WORDS_WORTH, BOLD_WORTH, AGAINST = 1.5, 2.0, 0.35, 1.5
MOST_WORDS, LEAST_WORTH = 45, 1.9
SMALLER = 0.93
"""Of the size of the first author's line, below which a line names no authors."""


@dataclass(frozen=True, slots=True)
class _Block:
    first: int
    last: int
    worth: float


def settled(lines: Sequence[PageLine], tags: Sequence[Sequence[Tag]], body: float) -> list[list[Tag]]:
    """Lines of a header and their tags -> the tags with one title, and authors in one face; as they were where there is no layout."""
    rows = [list(row) for row in tags]
    if not body or not lines or not lines[0].height:
        return rows
    block = _title_block(lines, rows, body)
    if block is not None:
        for number, row in enumerate(rows):
            inside = block.first <= number <= block.last
            rows[number] = [_retitled(tag, inside=inside, worth=block.worth) for tag in row]
    return _authors_in_one_face(lines, rows, block)


def _retitled(tag: Tag, *, inside: bool, worth: float) -> Tag:
    if inside:
        return tag if tag.label == TITLE else Tag(TITLE, min(0.95, worth / (SIZE_WORTH * LARGEST + WORDS_WORTH)))
    return Tag(NOTE, tag.probability) if tag.label == TITLE else tag


def _title_block(lines: Sequence[PageLine], rows: Sequence[Sequence[Tag]], body: float) -> _Block | None:
    best: _Block | None = None
    first = 0
    for number in range(1, len(lines) + 1):
        if number < len(lines) and _goes_on(lines[number - 1], lines[number]):
            continue
        worth = _worth(lines[first:number], rows[first:number], body)
        if worth >= LEAST_WORTH and (best is None or worth > best.worth + 1e-9):
            best = _Block(first, number - 1, worth)
        first = number
    return best


def _goes_on(above: PageLine, below: PageLine) -> bool:
    """Whether two lines are printed alike, one close below the other."""
    size = max(_size(above), 1.0)
    step = below.line.box[1] - above.line.box[1]
    alike = abs(_size(above) - _size(below)) <= SAME_SIZE * size and _face(above) == _face(below)
    return alike and above.page == below.page and 0 < step < NEAR * size


def _size(line: PageLine) -> float:
    """Of most of its words."""
    sizes = sorted(word.size for word in line.line.words for _ in word.text)
    return sizes[len(sizes) // 2]


def _face(line: PageLine) -> tuple[bool, bool]:
    words = line.line.words
    return sum(word.bold for word in words) * 2 > len(words), sum(word.italic for word in words) * 2 > len(words)


def _worth(lines: Sequence[PageLine], rows: Sequence[Sequence[Tag]], body: float) -> float:
    text = " ".join(line.text for line in lines)
    words = [tag for row in rows for tag in row]
    if not any(map(str.isalpha, text)) or len(words) > MOST_WORDS:
        return 0.0
    said = sum(tag.probability for tag in words if tag.label == TITLE) / len(words)
    running = sum(tag.label in _TEXT for tag in words) / len(words)
    larger = min(max(map(_size, lines)) / body, LARGEST)
    against = AGAINST * bool(_NO_TITLE.search(text)) + AGAINST * (running > 0.5 and larger < 1.3)
    return SIZE_WORTH * larger + WORDS_WORTH * said + BOLD_WORTH * _face(lines[0])[0] - against


def _authors_in_one_face(lines: Sequence[PageLine], rows: list[list[Tag]], block: _Block | None) -> list[list[Tag]]:
    """What is printed smaller or slanted beside the first author's line names no author; a line of names printed like it does."""
    first = next((n for n, row in enumerate(rows) if sum(tag.label == AUTHOR for tag in row) * 2 > len(row)), None)
    if first is None:
        return rows
    size, face = _size(lines[first]), _face(lines[first])
    for number, (line, row) in enumerate(zip(lines, rows, strict=True)):
        if number == first:
            continue
        alike = _size(line) >= SMALLER * size and (_face(line)[1] == face[1])
        if not alike:
            rows[number] = [Tag(AFFILIATION, tag.probability) if tag.label == AUTHOR else tag for tag in row]
        elif _is_names(line) and _is_between(number, first, rows, block) and _face(line) == face:
            rows[number] = [
                Tag(AUTHOR, min(0.75, 1 - tag.probability / 2)) if tag.label != AUTHOR else tag for tag in row
            ]
    return rows


def _is_names(line: PageLine) -> bool:
    words = [word.text for word in line.line.words]
    return 2 <= len(words) <= 5 and all(_NAME.fullmatch(word) for word in words)


def _is_between(number: int, first: int, rows: Sequence[Sequence[Tag]], block: _Block | None) -> bool:
    """Whether a line stands below the first author's, before any text, and its own label is in doubt."""
    sure = any(tag.label in (TITLE, AUTHOR) or tag.probability > 0.9 for tag in rows[number])
    text = any(tag.label in _TEXT for row in rows[first:number] for tag in row)
    return first < number and not text and not sure and (block is None or number > block.last)
