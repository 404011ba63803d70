"""Tags of a header, set right by how it is printed: a title is one block of large letters, and authors share a face.

Tagged text has no layout, so taggers that learnt from it read words alone, and take `Technical Report 321` for the beginning of a title.
Where a document has layout, the block whose size and whose words speak most for a title is the title, all of it, and nothing else is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.datatypes import PlacedWord
from trailmark.tag.page_lines import PageLine
from trailmark.tag.words import Tag

TITLE, AUTHOR, AFFILIATION, NOTE, MAIL, DATE = "title", "author", "affiliation", "note", "email", "date"
_TEXT = frozenset(("abstract", "intro", "keyword"))
_NO_TITLE = re.compile(
    r"@|https?:|www\.|\bdoi\b|\bvol(?:ume)?\b\.?\s*\d|^\W*\d+\W*$|^(?:running head|click here|technical report|to appear)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W\d_a-z](?:[\w'’-]*|\.)[,.]?|(?:van|von|de|der|da|del|di|y|and)")
DOUBTED = 0.5
"""How sure a name is that its looks alone speak for."""
SAME_SIZE = 0.06
"""By which sizes of two lines of a block may differ."""
NEAR = 2.1
"""Heights of a line from one line of a title to the next, at most."""
LARGEST = 2.2
"""Sizes beside the body's from which a larger one says no more: logos are larger than titles."""
SIZE_WORTH, WORDS_WORTH, BOLD_WORTH, AGAINST = 1.5, 2.0, 0.35, 1.5
STAMPED, SMALL, BESIDE = 0.5, 0.62, 3
"""Of the usual left edge, before which a line is a stamp in the margin; of the size of a title, below which what stands beside it is none of it; and
how many lines such a thing may have."""
MOST_WORDS, LEAST_WORTH = 45, 1.9
SMALLER, SHORT = 0.93, 2
"""Of the size of the first author's line, below which a word names no author; and letters of what may be a mark."""


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
            inside = block.first <= number <= block.last and not _is_beside(lines, number)
            rows[number] = [_retitled(tag, inside=inside, worth=block.worth) for tag in row]
    rows = _no_names_below_a_date(rows)
    rows = _authors_in_one_face(lines, _names_before_mail(lines, rows), block)
    return rows if block is None else _name_beside_title(lines, rows, block)


def _retitled(tag: Tag, *, inside: bool, worth: float) -> Tag:
    if inside:
        return tag if tag.label == TITLE else Tag(TITLE, min(0.95, worth / (SIZE_WORTH * LARGEST + WORDS_WORTH)))
    return Tag(NOTE, tag.probability) if tag.label == TITLE else tag


def _title_block(lines: Sequence[PageLine], rows: Sequence[Sequence[Tag]], body: float) -> _Block | None:
    """The block that speaks most for a title; what is stamped into the margin, or tiny, is passed over, even between two lines of it."""
    lefts = sorted(line.line.box[0] for line in lines)
    edge = STAMPED * lefts[min(max(1, len(lefts) // 3), len(lefts) - 1)]  # of the left one of two columns
    numbers = [n for n, line in enumerate(lines) if line.line.box[0] >= edge and not _is_beside(lines, n)]
    best: _Block | None = None
    start = 0
    for place in range(1, len(numbers) + 1):
        if place < len(numbers) and _goes_on(lines[numbers[place - 1]], lines[numbers[place]]):
            continue
        block = _without_names(lines, rows, numbers[start:place])
        worth = _worth([lines[n] for n in block], [rows[n] for n in block], body)
        if worth >= LEAST_WORTH and (best is None or worth > best.worth + 1e-9):
            best = _Block(block[0], block[-1], worth)
        start = place
    return best


def _is_beside(lines: Sequence[PageLine], number: int) -> bool:
    """Whether a line is much smaller than one above it that goes on below it: a badge beside a title."""
    small = _size(lines[number]) / SMALL
    around = range(max(0, number - BESIDE), min(len(lines), number + BESIDE + 1))
    large = [n for n in around if _size(lines[n]) > small]
    return any(
        _goes_on(lines[above], lines[below]) for above in large if above < number for below in large if below > number
    )


def _without_names(lines: Sequence[PageLine], rows: Sequence[Sequence[Tag]], block: list[int]) -> list[int]:
    """A block without a name at its beginning or its end that no word of speaks for a title, or that alone is not in capitals."""
    kept = list(block)
    for edge in (0, -1):
        if len(kept) > 1 and _is_name(lines[kept[edge]]):
            said = any(tag.label == TITLE for tag in rows[kept[edge]])
            if not said or _alone_in_small_letters(lines, kept, kept[edge]):
                del kept[edge]
    return kept


def _alone_in_small_letters(lines: Sequence[PageLine], block: Sequence[int], number: int) -> bool:
    """Whether all lines of a block are in capitals but this one."""
    return not lines[number].text.isupper() and all(lines[n].text.isupper() for n in block if n != number)


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
    """Names above a title that has names below are no authors' (editors stand there), nor are words that are printed smaller or slanted
    beside the first author's line."""
    named = [n for n, row in enumerate(rows) if sum(tag.label == AUTHOR for tag in row) * 2 > len(row)]
    below = [n for n in named if block is not None and n > block.last]
    if block is not None and below:
        for number in range(block.first):
            rows[number] = [Tag(NOTE, tag.probability) if tag.label == AUTHOR else tag for tag in rows[number]]
    first = next(iter(below or named), None)
    if first is None:
        return rows
    size, slanted = _size(lines[first]), _face(lines[first])[1]
    for number, line in enumerate(lines):
        if number != first:
            words = zip(line.line.words, rows[number], strict=True)
            rows[number] = [_by_face(tag, alike=_is_alike(word, size, slanted=slanted)) for word, tag in words]
    return rows


def _is_alike(word: PlacedWord, size: float, *, slanted: bool) -> bool:
    """Whether a word is printed as the first author's line is; marks are smaller, and stand in any line."""
    return (word.size >= SMALLER * size and word.italic == slanted) or len(word.text) <= SHORT


def _by_face(tag: Tag, *, alike: bool) -> Tag:
    return tag if alike or tag.label != AUTHOR else Tag(AFFILIATION, tag.probability)


def _no_names_below_a_date(rows: list[list[Tag]]) -> list[list[Tag]]:
    """Authors stand above the date of a paper: names below one that has authors above are places."""
    named = dated = False
    for number, row in enumerate(rows):
        if named and dated:
            rows[number] = [Tag(AFFILIATION, tag.probability) if tag.label == AUTHOR else tag for tag in row]
        named = named or any(tag.label == AUTHOR for tag in row)
        dated = named and (dated or sum(tag.label == DATE for tag in row) * 2 > len(row))
    return rows


def _names_before_mail(lines: Sequence[PageLine], rows: list[list[Tag]]) -> list[list[Tag]]:
    """A line below an author's, in its face, that has names before an address of mail: `Ada Lovelace (ada@example.org)`."""
    for number in range(1, len(lines)):
        words = [word.text for word in lines[number].line.words]
        mail = next((place for place, word in enumerate(words) if "@" in word), 0)
        above = all(tag.label == AUTHOR for tag in rows[number - 1]) and _face(lines[number]) == _face(
            lines[number - 1]
        )
        if above and mail >= 2 and all(_NAME.fullmatch(word) for word in words[:mail]):
            rows[number] = [
                Tag(AUTHOR, DOUBTED) if at < mail else Tag(MAIL, tag.probability) for at, tag in enumerate(rows[number])
            ]
    return rows


def _name_beside_title(lines: Sequence[PageLine], rows: list[list[Tag]], block: _Block) -> list[list[Tag]]:
    """Where no author was found, the line next to the title that is written like a name; it is marked as unsure."""
    if any(tag.label == AUTHOR for row in rows for tag in row):
        return rows
    for number in (block.last + 1, block.first - 1):
        if 0 <= number < len(lines) and _is_name(lines[number]):
            rows[number] = [Tag(AUTHOR, DOUBTED) for _ in rows[number]]
            break
    return rows


def _is_name(line: PageLine) -> bool:
    words = [word.text for word in line.line.words]
    return 2 <= len(words) <= 4 and all(_NAME.fullmatch(word) for word in words)
