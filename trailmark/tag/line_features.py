"""A line of words -> its attributes: its words as a bag, how it begins and ends, what most of it is like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from trailmark.tag.lexicon import Lexicon
from trailmark.tag.word_features import kinds_of, shape, trimmed
from trailmark.tag.words import Word

MOST_WORDS = 60
"""Of a line that are put into its bag."""

MOST_OF_PARAGRAPH = 250
FEW = 5
"""Words of a line that is a paragraph of its own."""
FAR = 25
"""Words to either side that are looked for: names behind `In` and before `editors` are no authors."""
AROUND = ("<", ">")
"""Before a word that stands before, and before one that stands behind."""
SHORT = 9
"""Words of a line that is no running text."""


def line_attributes(words: Sequence[str], lexicon: Lexicon) -> list[str]:
    """Attributes of a whole line, each once."""
    small = [trimmed(word) for word in words[:MOST_WORDS]]
    kinds = {kind for word in words[:MOST_WORDS] for kind in kinds_of(word)}
    found = [f"b={word}" for word in small] + [f"has={kind}" for kind in sorted(kinds)]
    if words:
        found += [f"first={small[0]}", f"last={small[-1]}", f"ends={words[-1][-1:]}", f"opens={shape(words[0])}"]
        found += [f"two={' '.join(small[:2])}", f"n={_bin(len(words))}"]
        found += [f"caps={_share([word[:1].isupper() for word in words])}"]
        found += [f"marks={_share([any(not letter.isalnum() for letter in word) for word in words])}"]
        found += [f"digits={_share([any(letter.isdigit() for letter in word) for word in words])}"]
        found += _uses(small, lexicon)
    if len(words) <= 4:
        found.append(f"all={' '.join(small)}")
        found.append(f"shapes={' '.join(shape(word) for word in words)}")
    return list(dict.fromkeys(found))


def _uses(small: Sequence[str], lexicon: Lexicon) -> list[str]:
    """How much of the line each use of the lexicon holds."""
    letters = [word for word in small if word[:1].isalpha()]
    uses: dict[str, int] = {}
    for word in letters:
        for use in {use.partition(":")[0] for use in lexicon.of(word) if not use.endswith(":some")}:
            uses[use] = uses.get(use, 0) + 1
    return [f"{use}={round(4 * count / len(letters))}" for use, count in sorted(uses.items())]


def paragraphs(lines: Sequence[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    """Lines in groups: one ends with a short line, or where a sentence ends before the line is full."""
    full = max((_letters(line) for line in lines), default=0)
    group: list[Sequence[str]] = []
    for line in lines:
        if group and (len(line) < FEW or _ends(group[-1], full)):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _ends(line: Sequence[str], full: int) -> bool:
    return len(line) < FEW or (line[-1].endswith((".", "!", "?")) and _letters(line) < 0.9 * full)


def _letters(line: Sequence[str]) -> int:
    return sum(map(len, line)) + len(line)


def paragraph_attributes(lines: Sequence[Sequence[str]]) -> list[str]:
    """The words of a paragraph, each once, how it begins, and how long it is: thanks to a sponsor are no abstract, however far down."""
    words = [trimmed(word) for line in lines for word in line][:MOST_OF_PARAGRAPH]
    found = [f"lines={_bin(len(lines))}", f"opens={' '.join(words[:2])}", f"shape={shape(lines[0][0])}"]
    return found + [f"q={word}" for word in dict.fromkeys(words)] if len(lines) > 1 else found


def document_attributes(lines: Sequence[Sequence[str]]) -> list[str]:
    """The words of short lines, each once: a thesis says so somewhere, and all of it is then read in that light."""
    return sorted({trimmed(word) for line in lines if len(line) <= SHORT for word in line})


Place = tuple[int, ...]
"""Where a word stands, coarsely: see `place_attributes`."""


def places_of(number: int, lines: int, words: int) -> tuple[Place, ...]:
    """The number of a line, of how many, with how many words -> the place of each of its words."""
    if lines == 1:
        return _places_in_only_line(words)
    return _places_in_line(_bin(number), _bin(lines - 1 - number), 10 * number // lines, words)


@lru_cache(maxsize=4096)
def _places_in_line(number: int, below: int, share: int, words: int) -> tuple[Place, ...]:
    return tuple((*_in_line(place, words), number, below, share, place == 0) for place in range(words))


@lru_cache(maxsize=1024)
def _places_in_only_line(words: int) -> tuple[Place, ...]:
    return tuple((*_in_line(place, words), _bin(place), 10 * place // words) for place in range(words))


def _in_line(place: int, words: int) -> Place:
    return _bin(place), _bin(words - 1 - place), _bin(words)


@lru_cache(maxsize=65_536)
def place_attributes(place: Place) -> tuple[str, ...]:
    """Where a word stands: in its line, and its line (or, of one line, the word) in the document."""
    at, left, words, *rest = place
    found = (f"in={at}", f"left={left}", f"words={words}")
    if len(rest) == 2:
        return (*found, f"at={rest[0]}", f"share={rest[1]}")
    number, below, share, first = rest
    return (*found, f"line={number}", f"below={below}", f"share={share}", f"line+in={number}+{bool(first)}")


Layout = tuple[int, ...]
"""How a word is printed, coarsely: see `layout_attributes`. Empty where that is not known."""


def layout_of(word: Word, above: Word | None) -> Layout:
    """How a word is printed: size, weight, place, and how its line differs from the one above."""
    if not word.size:
        return ()
    own = (round(word.size * 5), word.bold, word.italic, round(word.x * 8), round(word.y * 10), min(word.page, 2))
    if above is None or not above.size:
        return own
    gap = round(max(min(word.y - above.y, 0.1), -0.01) * 100)
    alike = (word.bold == above.bold, word.italic == above.italic)
    return (*own, gap, round((word.size - above.size) * 5), *alike)


@lru_cache(maxsize=65_536)
def layout_attributes(layout: Layout) -> tuple[str, ...]:
    """The same in names."""
    if not layout:
        return ()
    size, bold, italic, x, y, page, *turn = layout
    own = (f"size={size}", f"bold={bool(bold)}", f"italic={bool(italic)}", f"x={x}", f"y={y}", f"page={page}")
    if not turn:
        return own
    gap, larger, *alike = turn
    return (*own, f"gap={gap}", f"turn={larger}", f"same={''.join(str(bool(each)) for each in alike)}")


@lru_cache(maxsize=4096)
def _bin(number: int) -> int:
    """0 to 4 as they are, larger ones ever more coarsely."""
    for edge in (0, 1, 2, 3, 4, 6, 9, 14, 20, 30, 60):
        if number <= edge:
            return edge
    return 61


def _share(marks: Sequence[bool]) -> int:
    return round(4 * sum(marks) / len(marks))
