"""The tree of a page -> its lines, as a reader sees them: what text and which links stand in each, how bold, in what list and what cell.

Headings of course pages are h1 to h6 only now and then: a bold line, a `dt`, the head of a column or the words before a nested list do the
same work. All of these are told by lines, so that lines are what the page is cut into first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from trailmark.read.marks import is_large, is_navigation

MOST_LINKS = 5000
"""Links of a page that are looked at."""
LONGEST_TEXT = 2000
"""Characters of a line that are kept."""
DEEPEST_LIST = 20
MOST_PIECES, MOST_LETTERS = 400, 20_000
"""Of one line: what goes on is the next one. A page whose links all stand in one line would take hours otherwise."""
MOST_NAMES = 50
"""Names of one line that are kept."""

_LINES = (
    "address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption figure footer form frameset h1 h2 "
    "h3 h4 h5 h6 header hr html legend li main map menu nav noscript ol p pre section summary table tbody td tfoot th thead tr ul"
)
_UNSEEN = "script style template svg math option textarea canvas head"
_BREAKS, _SKIPPED = frozenset(_LINES.split()), frozenset(_UNSEEN.split())
_LISTS = frozenset({"ul", "ol", "dir", "menu"})
_BOLD = frozenset({"b", "strong", "big", "th"})
_MENUS = frozenset({"nav", "header", "footer", "aside"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


@dataclass(frozen=True, slots=True)
class RawLink:
    """A link as it stands in the page: where it leads as written, and what its own element says."""

    href: str
    text: str
    """Its text, or what its image says."""
    title: str = ""
    is_image: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """Where in a table: the table's number in the page, row and column from 0, how many columns the cell spans."""

    table: int
    row: int
    column: int
    width: int = 1


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text of a line; the number of the link that it is the text of, or -1."""

    text: str
    link: int = -1


@dataclass(frozen=True, slots=True)
class PageLine:
    """One line."""

    pieces: tuple[Piece, ...]
    level: int = 0
    """1 to 6 in h1 to h6, else 0."""
    is_bold: bool = False
    """Whether all its words are bold or large."""
    is_term: bool = False
    """Whether it stands in a `dt`."""
    in_menu: bool = False
    lists: int = 0
    """How many lists it stands in."""
    terms: int = 0
    """How many definition lists it stands in."""
    cell: Cell | None = None
    is_head_cell: bool = False
    names: tuple[str, ...] = ()
    """What other places of the Web call this one: names and identifiers of elements that begin in it or right before it."""

    @property
    def text(self) -> str:
        """The words of the line."""
        return " ".join(" ".join(piece.text for piece in self.pieces).split())[:LONGEST_TEXT]

    @property
    def links(self) -> tuple[int, ...]:
        """Numbers of the links in it, in order."""
        return tuple(dict.fromkeys(piece.link for piece in self.pieces if piece.link >= 0))


@dataclass(frozen=True, slots=True)
class Lines:
    """A page cut into lines."""

    lines: tuple[PageLine, ...] = ()
    links: tuple[RawLink, ...] = ()
    frames: tuple[str, ...] = ()
    """Addresses of the frames, as written."""
    base: str = ""
    title: str = ""


def page_lines(root: Any) -> Lines:
    """The root element of a page (None: an empty page) -> its lines."""
    if root is None:
        return Lines()
    walk = _Walk()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if isinstance(element.tag, str):
            (walk.start if event == "start" else walk.end)(element)
        if event == "end" and element.tail and not walk.skipped and element is not root:
            walk.add(element.tail)
    walk.end_line()
    titles = (" ".join("".join(title.itertext()).split()) for title in root.iter("title"))
    base = next((found for found in (e.get("href", "") for e in root.iter("base")) if found), "")
    return Lines(tuple(walk.lines), tuple(walk.finished()), tuple(walk.frames), base.strip(), next(titles, "")[:500])


@dataclass(slots=True)
class _Table:
    number: int
    row: int = -1
    column: int = 0
    cell: Cell | None = None
    is_head: bool = False


@dataclass(slots=True)
class _Walk:
    """What is open while the page is gone through."""

    lines: list[PageLine] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    skipped: int = 0
    pieces: list[Piece] = field(default_factory=list)
    words: int = 0
    bold_words: int = 0
    letters: int = 0
    bold: int = 0
    link: int = -1
    hrefs: list[tuple[str, str]] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    images: list[list[str]] = field(default_factory=list)
    level: int = 0
    lists: int = 0
    terms: int = 0
    term: int = 0
    menus: int = 0
    written: int = 0
    tables: list[_Table] = field(default_factory=list)
    table_count: int = 0
    names: list[str] = field(default_factory=list)

    def start(self, element: Any) -> None:
        tag = element.tag
        if self.skipped or tag in _SKIPPED:
            self.skipped += 1
            return
        if tag in _BREAKS:
            self.end_line()
        self._open(tag, element)
        name = element.get("id") or (element.get("name") if tag == "a" else None)
        if name and len(self.names) < MOST_NAMES:
            self.names.append(name[:200])
        if element.text:
            self.add(element.text)

    def end(self, element: Any) -> None:
        if self.skipped:
            self.skipped -= 1
            return
        tag = element.tag
        if tag in _BREAKS:
            self.end_line()
        self._close(tag, element)

    def add(self, text: str) -> None:
        """Text of the page; in `pre` a line's end ends a line."""
        if self.written and "\n" in text:
            for number, part in enumerate(text.split("\n")):
                if number:
                    self.end_line()
                self._add(part)
        else:
            self._add(text)

    def _add(self, text: str) -> None:
        if self.link >= 0 and sum(map(len, self.texts[self.link])) < LONGEST_TEXT:
            self.texts[self.link].append(text)
        self.pieces.append(Piece(text[:LONGEST_TEXT], self.link))
        count = len(text.split())
        self.words += count
        self.bold_words += count if self.bold else 0
        self.letters += min(len(text), LONGEST_TEXT)
        if len(self.pieces) >= MOST_PIECES or self.letters >= MOST_LETTERS:
            self.end_line()

    def end_line(self) -> None:
        """What was gathered becomes a line, where it holds a word or a link."""
        if self.words or any(piece.link >= 0 for piece in self.pieces):
            cell = self.tables[-1].cell if self.tables else None
            self.lines.append(
                PageLine(
                    tuple(self.pieces),
                    self.level,
                    self.words > 0 and self.bold_words == self.words,
                    self.term > 0,
                    self.menus > 0,
                    min(self.lists, DEEPEST_LIST),
                    min(self.terms, DEEPEST_LIST),
                    cell,
                    bool(self.tables and self.tables[-1].is_head),
                    tuple(self.names),
                )
            )
            self.names = []
        self.pieces, self.words, self.bold_words, self.letters = [], 0, 0, 0

    def finished(self) -> Iterator[RawLink]:
        """The links that were met."""
        for (href, title), texts, images in zip(self.hrefs, self.texts, self.images, strict=True):
            text = " ".join("".join(texts).split())
            said = " ".join(images)
            yield RawLink(href, (text or said or title)[:LONGEST_TEXT], title[:LONGEST_TEXT], not text and bool(images))

    def _open(self, tag: str, element: Any) -> None:
        if tag in ("a", "area"):
            self._open_link(tag, element)
        elif tag == "img" and self.link >= 0:
            file = element.get("src", "").rpartition("/")[2]
            self.images[self.link].append((element.get("alt") or element.get("title") or file)[:200])
        elif tag in ("frame", "iframe") and element.get("src") and len(self.frames) < MOST_LINKS:
            self.frames.append(element.get("src"))
        elif tag in _HEADINGS:
            self.level = _HEADINGS[tag]
        elif tag in _LISTS:
            self.lists += 1
        elif tag == "dl":
            self.terms += 1
        elif tag == "dt":
            self.term += 1
        elif tag == "pre":
            self.written += 1
        elif tag == "table":
            self.tables.append(_Table(self.table_count))
            self.table_count += 1
        elif tag == "tr" and self.tables:
            table = self.tables[-1]
            table.row, table.column, table.cell = table.row + 1, 0, None
        elif tag in ("td", "th") and self.tables:
            self._open_cell(tag, element)
        self.bold += _is_bold(tag, element)
        self.menus += _is_menu(tag, element)

    def _open_link(self, tag: str, element: Any) -> None:
        href = element.get("href")
        if href is None or len(self.hrefs) >= MOST_LINKS:
            return
        said = element.get("alt") or element.get("title") or element.get("aria-label") or ""
        self.hrefs.append((href.strip(), " ".join(said.split())[:LONGEST_TEXT]))
        self.texts.append([])
        self.images.append([])
        self.pieces.append(Piece("", len(self.hrefs) - 1))
        if tag == "a":
            self.link = len(self.hrefs) - 1

    def _open_cell(self, tag: str, element: Any) -> None:
        table = self.tables[-1]
        table.row = max(table.row, 0)
        width = _number(element.get("colspan"))
        table.cell = Cell(table.number, table.row, table.column, width)
        table.is_head = tag == "th"
        table.column += width

    def _close(self, tag: str, element: Any) -> None:
        if tag == "a":
            self.link = -1
        elif tag in _HEADINGS:
            self.level = 0
        elif tag in _LISTS:
            self.lists -= 1
        elif tag == "dl":
            self.terms -= 1
        elif tag == "dt":
            self.term -= 1
        elif tag == "pre":
            self.written -= 1
        elif tag == "table" and self.tables:
            self.tables.pop()
        elif tag in ("td", "th") and self.tables:
            self.tables[-1].cell, self.tables[-1].is_head = None, False
        self.bold -= _is_bold(tag, element)
        self.menus -= _is_menu(tag, element)


def _is_bold(tag: str, element: Any) -> bool:
    return tag in _BOLD or (tag in ("font", "span") and is_large(element.attrib))


def _is_menu(tag: str, element: Any) -> bool:
    if tag in _MENUS:
        return True
    return tag in ("div", "ul", "ol", "table", "td", "section") and bool(is_navigation(element.attrib))


def _number(text: str | None) -> int:
    """The width of a cell: 1 where it is not said, or nonsense."""
    return min(int(text), 100) if text and text.isascii() and text.isdigit() and 0 < len(text) < 4 and int(text) else 1
