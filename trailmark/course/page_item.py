"""A response -> the items of its page in page order: every link once for each distinct target, with all that tells what it is.

An item keeps the line that it stands in, the headings above it, the heads of its column and row, and its place in lists and tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urldefrag

from trailmark.course.page_line import Cell, Lines, PageLine, page_lines
from trailmark.datatypes import Response
from trailmark.read import normalise_url, tree_of

LONGEST = 300
"""Characters of each text of an item."""
LONGEST_ADDRESS = 2000
_BOLD, _TERM, _COLON, _OWN_TEXT = 7, 8, 9, 10
"""Levels of headings below those of h1 to h6: a bold line, a `dt`, a line that ends in a colon, the words before a nested list."""
_OPENING = 30
"""Lines that a page begins with."""
_SHORT_WORDS, _SHORT = 12, 90
"""Longer lines are text."""
_OTHER_SCHEME = re.compile(r"(mailto|news|nntp|ftp|file|gopher|telnet|tel):", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class PageItem:
    """A link of a course page, and what stands around it."""

    page: str
    url: str
    """The absolute target, with its fragment."""
    text: str
    title: str = ""
    """What the link's own element says besides its text."""
    is_image: bool = False
    headings: tuple[str, ...] = ()
    """Those above its line, the nearest first."""
    section: str = ""
    """For a link to a place in the same page: the words that stand there."""
    whole: str = ""
    """The words of its whole line."""
    thing: str = ""
    """The words of the first link of its line, where it is another."""
    lead: str = ""
    """The words of its line before the first link."""
    before: str = ""
    """The words of its line between the link before and it."""
    after: str = ""
    """The words of its line between it and the next link."""
    column: str = ""
    """The head of its column."""
    row: str = ""
    """The first cell of its row."""
    cell: Cell | None = None
    line: int = 0
    """The number of its line in the page."""
    place: int = 0
    """Its place among the links of its line, from 0."""
    mates: int = 1
    """How many links its line has."""
    lists: int = 0
    in_heading: bool = False
    in_menu: bool = False
    in_term: bool = False


@dataclass(frozen=True, slots=True)
class ItemPage:
    """A page with its items."""

    url: str
    title: str = ""
    items: tuple[PageItem, ...] = ()
    frames: tuple[str, ...] = ()
    """Addresses of its frames."""
    headings: tuple[str, ...] = ()
    """All headings, in order."""
    opening: tuple[str, ...] = ()
    """Its first lines: there it says what term it is, and who teaches."""


def item_page(response: Response) -> ItemPage:
    """A page as it was fetched -> its items. Never raises, whatever the bytes."""
    found = page_lines(tree_of(response))
    base = (normalise_url(found.base, response.url) or response.url) if found.base else response.url
    items: dict[str, PageItem] = {}
    headings: dict[str, None] = {}
    for item in _items(found, response.url, base):
        items.setdefault(item.url, item)
    for line in found.lines:
        if line.level and line.text:
            headings.setdefault(line.text[:LONGEST])
    frames = (normalise_url(frame, base) for frame in found.frames)
    return ItemPage(
        response.url,
        found.title[:LONGEST],
        tuple(items.values()),
        tuple(dict.fromkeys(frame for frame in frames if frame)),
        tuple(headings),
        tuple(line.text[:LONGEST] for line in found.lines[:_OPENING]),
    )


def target(href: str, base: str) -> str | None:
    """Where a link leads, its fragment kept; None for a script or a broken address."""
    href = _BLANKS.sub("" if ":" in href[:8] else " ", href.strip())
    if len(href) > LONGEST_ADDRESS:
        return None
    if match := _OTHER_SCHEME.match(href):
        return match[1].lower() + href[len(match[1]) :]
    address, fragment = urldefrag(href) if "#" in href else (href, "")
    whole = normalise_url(address, base)
    return f"{whole}#{fragment}" if whole and fragment else whole


def _items(page: Lines, url: str, base: str) -> Iterator[PageItem]:
    columns = _columns(page.lines)
    rows = _rows(page.lines)
    sections = _sections(page.lines)
    for number, (line, headings) in enumerate(zip(page.lines, _headings(page.lines), strict=True)):
        links = line.links
        for place, link in enumerate(links):
            raw = page.links[link]
            goal = target(raw.href, base)
            if goal is None:
                continue
            lead, before, after = _around(line, link)
            cell = line.cell
            yield PageItem(
                url,
                goal,
                raw.text[:LONGEST],
                raw.title[:LONGEST],
                raw.is_image,
                headings,
                sections.get(goal.partition("#")[2], "") if goal.startswith(f"{url.partition('#')[0]}#") else "",
                line.text[:LONGEST],
                page.links[links[0]].text[:LONGEST] if place else "",
                lead,
                before,
                after,
                columns.get((cell.table, cell.column), "") if cell and cell.row else "",
                rows.get((cell.table, cell.row), "") if cell and cell.column else "",
                cell,
                number,
                place,
                len(links),
                line.lists,
                line.level > 0,
                line.in_menu,
                line.is_term,
            )


def _around(line: PageLine, link: int) -> tuple[str, str, str]:
    """(words before the first link of a line, words right before a link, words right after it)."""
    lead: list[str] = []
    before: list[str] = []
    after: list[str] = []
    met, first = False, True
    for piece in line.pieces:
        if piece.link == link:
            met, first = True, False
        elif piece.link >= 0:
            if met:
                break
            before, first = [], False
        elif met:
            after.append(piece.text)
        else:
            before.append(piece.text)
            if first:
                lead.append(piece.text)
    return _squeezed(lead), _squeezed(before), _squeezed(after)


def _squeezed(texts: Sequence[str]) -> str:
    return " ".join(" ".join(texts).split())[:LONGEST]


def _headings(lines: Sequence[PageLine]) -> Iterator[tuple[str, ...]]:
    """For each line the headings above it, the nearest first."""
    stack: list[tuple[int, int, str]] = []  # level, how many lists around it, text
    for number, line in enumerate(lines):
        level = _level(line, lines[number + 1] if number + 1 < len(lines) else None)
        # The words before a nested list hold for that list alone, a term for what is said of it.
        stack = [
            entry
            for entry in stack
            if not (entry[0] >= _OWN_TEXT and line.lists <= entry[1])
            and not (entry[0] == _TERM and line.terms < entry[1])
        ]
        if level:
            stack = [entry for entry in stack if entry[0] < level]
        yield tuple(text for _, _, text in reversed(stack))
        if level:
            stack.append((level, line.terms if level == _TERM else line.lists, line.text[:LONGEST]))


def _sections(lines: Sequence[PageLine]) -> dict[str, str]:
    """Name of a place in the page -> the words of its line."""
    return {name: line.text[:_SHORT] for line in reversed(lines) for name in line.names}


def _level(line: PageLine, following: PageLine | None) -> int:
    """The level of the heading that a line is, 0 where it is none."""
    text = line.text
    if not text or len(text) > _SHORT or len(text.split()) > _SHORT_WORDS:
        return line.level if line.level and text else 0
    if line.level:
        return line.level
    if line.cell and line.cell.row and line.cell.column:
        return 0  # a bold word in the middle of a table heads nothing
    if line.is_term:
        return _TERM
    if line.is_bold and not line.is_head_cell and not _is_link(line):
        return _BOLD
    if following is not None and following.lists > line.lists and line.lists:
        return _OWN_TEXT + line.lists
    if text.endswith(":") and not line.links:
        return _COLON
    return 0


def _is_link(line: PageLine) -> bool:
    """Whether all words of a line are those of links."""
    return bool(line.links) and not any(
        piece.text.strip(" \t\r\n.,;:|()[]-") for piece in line.pieces if piece.link < 0
    )


def _columns(lines: Sequence[PageLine]) -> dict[tuple[int, int], str]:
    """(table, column) -> the head of the column: the first row's cell, where no cell of that row is long."""
    firsts: dict[int, list[PageLine]] = {}
    tall: set[int] = set()
    for line in lines:
        if line.cell is None:
            continue
        if line.cell.row == 0:
            firsts.setdefault(line.cell.table, []).append(line)
        else:
            tall.add(line.cell.table)
    heads: dict[tuple[int, int], str] = {}
    for table, cells in firsts.items():
        if table not in tall or len(cells) < 2 or any(len(line.text) > _SHORT for line in cells):
            continue
        for line in cells:
            if line.cell is None:
                continue
            for column in range(line.cell.column, line.cell.column + line.cell.width):
                key = (table, column)
                heads[key] = f"{heads.get(key, '')} {line.text}".strip()[:LONGEST]
    return heads


def _rows(lines: Sequence[PageLine]) -> dict[tuple[int, int], str]:
    """(table, row) -> the words of the row's first cell."""
    heads: dict[tuple[int, int], str] = {}
    for line in lines:
        if line.cell is not None and line.cell.column == 0:
            key = (line.cell.table, line.cell.row)
            heads[key] = f"{heads.get(key, '')} {line.text}".strip()[:LONGEST]
    return heads
