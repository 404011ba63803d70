"""One walk over a page: the parser's events in, everything that the other modules make features of out.

No tree is built for reading: libxml2 tells of each start, end and text, and `Walk` notes them in flat lists. That is one
walk for all features, at about half the cost of building a tree and going over it.

The text of the page is kept as pieces. Signs that can't stand in a page (U+0001 and so on) mark where links begin and end,
so that one pass of the tokeniser over the whole text gives every link its window.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from trailmark.datatypes import LinkKind, Place
from trailmark.read.marks import (
    BOLD,
    BREAK,
    CELL,
    FONT,
    FRAME,
    HEADING,
    IMAGE,
    LINK,
    LIST,
    META,
    NAVIGATION,
    POINT,
    SKIP,
    TITLE,
    flags_of,
    is_large,
    is_navigation,
)

BEGIN, END, SPOT = "\x01", "\x02", "\x03"

# What stands on the current line: the three cases that tell a pseudo heading from other text.
_PLAIN, _BOLD, _BOLD_LINK = 1, 2, 4
_LONGEST_HEADING = 100
_LONGEST_ANCHOR = 500


class TooDeepError(Exception):
    """Raised inside the parser to stop it; never leaves this room."""


@dataclass(slots=True)
class RawLink:
    """A link as it was met; its URL is resolved once the page's base is known."""

    href: str
    element: int
    tag_path: str
    place: Place
    heading: int
    """How many headings stood above it."""
    kind: LinkKind
    rel: str = ""
    anchor: str = ""
    alt: str = ""
    title: str = ""


@dataclass(slots=True)
class Notes:
    """What a walk brings home."""

    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    """For each element the number of the first element after its subtree."""
    pieces: list[str] = field(default_factory=list)
    links: list[RawLink] = field(default_factory=list)
    headings: list[tuple[str, int]] = field(default_factory=list)
    title: str = ""
    meta: list[str] = field(default_factory=list)
    base: str | None = None
    cuts: list[str] = field(default_factory=list)


class Walk:
    """A parser target: libxml2 calls `start`, `end` and `data` in document order."""

    def __init__(self, *, max_depth: int, stop_depth: int, max_links: int) -> None:
        self.notes = Notes()
        self._max_depth, self._stop_depth, self._max_links = max_depth, stop_depth, max_links
        self._path: list[str] = []
        self._open: list[int] = [-1]
        self._marks: list[int] = []
        self._places: list[Place] = ["text"]
        self._skipped = 0  # depth inside an element that is left out
        self._bold = 0
        self._link: RawLink | None = None
        self._link_piece = 0
        self._heading_piece = -1
        self._heading_alt: list[str] = []
        self._title_piece = -1
        self._style = _PLAIN
        self._line = 0  # styles of the text met on this line
        self._line_piece = 0

    # The three calls of the parser, kept lean: they run thousands of times a page.

    def start(self, tag: str, attributes: Any) -> None:
        if self._skipped:
            self._skip()
            return
        flags = flags_of(tag, 0)
        if flags & SKIP or len(self._path) >= self._max_depth:
            self._skipped = 1
            if not flags & SKIP:
                self.notes.cuts.append("elements nested too deep were left out")
            return
        notes = self.notes
        number = len(notes.tags)
        notes.tags.append(tag)
        notes.parents.append(self._open[-1])
        notes.ends.append(0)
        self._open.append(number)
        self._path.append(tag)
        place = self._places[-1]
        if attributes and place != "navigation" and is_navigation(attributes):
            place = "navigation"
        if flags:
            if flags & (LIST | CELL | HEADING | NAVIGATION) and place != "navigation":
                place = (
                    "list"
                    if flags & LIST
                    else "table"
                    if flags & CELL
                    else "heading"
                    if flags & HEADING
                    else "navigation"
                )
            flags = self._begin(tag, flags, attributes, place)
        self._places.append(place)
        self._marks.append(flags)

    def end(self, tag: str) -> None:  # noqa: ARG002 - the parser tells the tag, the stack knows it
        if self._skipped:
            self._skipped -= 1
            return
        if not self._marks:
            return
        self._path.pop()
        self._places.pop()
        self.notes.ends[self._open.pop()] = len(self.notes.tags)
        flags = self._marks.pop()
        if flags:
            self._finish(flags)

    def data(self, text: str) -> None:
        if self._skipped:
            return
        self.notes.pieces.append(text)
        if not text.isspace():
            self._line |= self._style

    def close(self) -> Notes:
        self._break_line()
        return self.notes

    # Elements that mean something.

    def _skip(self) -> None:
        self._skipped += 1
        if self._skipped + len(self._path) > self._stop_depth:
            raise TooDeepError

    def _begin(self, tag: str, flags: int, attributes: Any, place: Place) -> int:
        """What an element with a meaning does where it starts; gives back what its end has to undo."""
        if flags & (BREAK | CELL):
            self._break_line() if flags & BREAK else self.notes.pieces.append(" ")
        if flags & FONT:
            flags = BOLD if is_large(tag, attributes) else 0
        if flags & BOLD:
            self._bold += 1
            self._restyle()
        if flags & LINK:
            flags = self._open_link(attributes, place)
        elif flags & (POINT | FRAME):
            self._point(tag, flags, attributes, place)
        elif flags & IMAGE:
            self._image(attributes.get("alt", ""))
        elif flags & HEADING:
            self._heading_piece, self._heading_alt = len(self.notes.pieces), []
        elif flags & (META | TITLE):
            self._head(tag, flags, attributes, place)
        return flags

    def _finish(self, flags: int) -> None:
        if flags & BOLD:
            self._bold -= 1
            self._restyle()
        if flags & LINK:
            self._close_link()
        elif flags & HEADING:
            self._close_heading(flags & 7)
        elif flags & TITLE:
            self._close_title()
        if flags & BREAK:
            self._break_line()
        elif flags & CELL:
            self.notes.pieces.append(" ")

    def _restyle(self) -> None:
        self._style = _PLAIN if not self._bold else _BOLD if self._link is None else _BOLD_LINK

    def _break_line(self) -> None:
        """A line is done: if all of it was bold or large, and not all of it a link, it was a heading (level 7)."""
        pieces = self.notes.pieces
        if self._line:
            if self._line & (_PLAIN | _BOLD) == _BOLD and self._heading_piece < 0:
                self._add_heading(collapsed(pieces[self._line_piece :]), 7)
            self._line = 0
        pieces.append("\n")
        self._line_piece = len(pieces)

    def _add_heading(self, text: str, level: int) -> None:
        if text and len(text) <= _LONGEST_HEADING and any(map(str.isalpha, text)):
            self.notes.headings.append((text, level))

    def _close_heading(self, level: int) -> None:
        if self._heading_piece >= 0:
            text = collapsed(self.notes.pieces[self._heading_piece :]) or " ".join(self._heading_alt)
            self._add_heading(text[:_LONGEST_HEADING], level)
        self._heading_piece, self._line = -1, 0

    def _open_link(self, attributes: Any, place: Place) -> int:
        href = attributes.get("href")
        if href is None:
            return 0
        if self._link is not None:
            self._close_link()
        link = self._new_link(href, attributes, place, "a")
        if link is None:
            return 0
        self._link, self._link_piece = link, len(self.notes.pieces)
        self.notes.pieces.append(BEGIN)
        self._restyle()
        return LINK

    def _new_link(self, href: str, attributes: Any, place: Place, kind: LinkKind) -> RawLink | None:
        notes = self.notes
        if len(notes.links) >= self._max_links:
            message = f"links after the first {self._max_links:,} were left out"
            if message not in notes.cuts:
                notes.cuts.append(message)
            return None
        link = RawLink(href, self._open[-1], "/".join(self._path), place, len(notes.headings), kind)
        if attributes:
            link.rel, link.title = attributes.get("rel", ""), attributes.get("title", "")
        notes.links.append(link)
        return link

    def _close_link(self) -> None:
        link, pieces = self._link, self.notes.pieces
        if link is None:
            return
        link.anchor = collapsed(pieces[self._link_piece :])[:_LONGEST_ANCHOR]
        pieces.append(END)
        self._link = None
        self._restyle()

    def _point(self, tag: str, flags: int, attributes: Any, place: Place) -> None:
        """A link without text of its own: an area of an image map, or a frame."""
        href = attributes.get("href" if flags & POINT else "src")
        if href is not None:
            link = self._new_link(href, attributes, place, "area" if flags & POINT else "frame")
            if link is not None:
                link.anchor = squeezed(attributes.get("alt", "") or attributes.get("name", "") if tag != "a" else "")
                self.notes.pieces.append(SPOT)

    def _image(self, alt: str) -> None:
        if not alt:
            return
        if self._link is not None:
            self._link.alt += f" {alt}"
        if self._heading_piece >= 0:
            self._heading_alt.append(squeezed(alt))

    def _head(self, tag: str, flags: int, attributes: Any, place: Place) -> None:
        if flags & TITLE:
            self._title_piece = len(self.notes.pieces)
        elif tag == "base":
            if self.notes.base is None:
                self.notes.base = attributes.get("href")
        elif attributes.get("name", "").lower() in ("description", "keywords"):
            self.notes.meta.append(attributes.get("content", ""))
        elif attributes.get("http-equiv", "").lower() == "refresh":
            _, found, target = attributes.get("content", "").partition("=")
            if found and self._new_link(target.strip(" '\""), {}, place, "frame") is not None:
                self.notes.pieces.append(SPOT)

    def _close_title(self) -> None:
        pieces = self.notes.pieces
        if not self.notes.title:
            self.notes.title = collapsed(pieces[self._title_piece :])
        del pieces[self._title_piece :]
        self._line = 0


def collapsed(pieces: list[str]) -> str:
    """The text of some pieces, without the signs around links, each run of blanks one blank."""
    text = "".join(pieces)
    for sign in (BEGIN, END, SPOT):
        text = text.replace(sign, "")
    return squeezed(text)


def squeezed(text: str) -> str:
    return " ".join(text.split())
