"""One walk over a page: the parser's events in, `Notes` out.

No tree is built for reading: libxml2 tells of each start, end and text, and what the features need is noted on the way, at
about half the cost of building a tree and going over it.

The text of the page is kept as pieces. Signs that can't stand in a page mark where links begin and end, so that one pass
of the tokeniser over the whole text gives every link its window.
"""

from __future__ import annotations

from typing import Any

from trailmark.datatypes import LinkKind
from trailmark.read import marks as m
from trailmark.read.notes import BEGIN, END, SPOT, Notes, RawLink, collapsed, squeezed

_LINE_END = "\n "  # told from the page's own line ends by identity
_TOO_DEEP = "elements nested too deep were left out"
_OPEN = 1 << 60
_LONGEST_HEADING = 100


class TooDeepError(Exception):
    """Raised inside the parser to stop it; never leaves this room."""


class Walk:
    """A parser target: libxml2 calls `start`, `end` and `data` in document order, then `close`.

    It serves one page after another: `begin_page` before the parser runs, `notes.moved()` after.
    """

    def __init__(self) -> None:
        self.notes = Notes()
        self.start, self.end, self.close, self.begin_page = _calls(self.notes)
        self.data = self.notes.pieces.append  # texts are the most frequent event: they cost no Python call at all


def _calls(notes: Notes) -> tuple[Any, Any, Any, Any]:
    """The calls. They run thousands of times a page: names of a closure are faster than attributes of an object."""
    tags, parents, pieces, add = notes.tags, notes.parents, notes.pieces, notes.pieces.append
    taker = _Taker(notes)
    bold = taker.bold
    flags_of, skip, breaks, acts, undo = m.flags_of, m.SKIP, m.BREAK, m.ACTS, m.UNDO
    box, cell, attributed, boxes = m.BOX, m.CELL, m.ATTRIBUTED, notes.boxes
    undone: list[int] = []  # flags of the open elements
    at = -1  # the innermost open element
    skipped = 0  # depth inside an element that is left out
    kept_pieces = 0  # how many pieces there were before it
    max_depth = stop_depth = 0

    def begin_page(deepest: int, stop: int, max_links: int) -> None:
        nonlocal at, skipped, max_depth, stop_depth
        at, skipped, max_depth, stop_depth = -1, 0, deepest, stop
        undone.clear()
        notes.moved()
        taker.begin_page(max_links)

    def start(tag: str, attributes: Any) -> None:
        nonlocal at, skipped, kept_pieces
        flags = flags_of(tag, 0)
        if skipped or flags & skip or len(undone) >= max_depth:
            if not skipped:
                kept_pieces = len(pieces)
            skipped += 1
            if not flags & skip and len(undone) >= max_depth:
                notes.cut(_TOO_DEEP)
            if len(undone) + skipped > stop_depth:
                raise TooDeepError
            return
        parents.append(at)
        at = len(tags)
        tags.append(tag)
        if flags & breaks:
            if bold:
                taker.bold_line()
            add(_LINE_END)
        elif flags & cell:
            add(" ")
        if flags & box and attributes:
            boxes[at] = attributes
        if flags & acts and (attributes or not flags & attributed):
            flags = taker.begin(at, flags, tag, attributes)
        undone.append(flags)

    def end(_tag: str) -> None:
        nonlocal at, skipped
        if skipped:
            skipped -= 1
            if not skipped:
                del pieces[kept_pieces:]
            return
        at = parents[at]
        flags = undone.pop()
        if flags & undo:
            taker.finish(flags)
        if flags & breaks:
            if bold:
                taker.bold_line()
            add(_LINE_END)

    return start, end, taker.close, begin_page


class _Taker:
    """Takes the notes at the elements that mean something."""

    def __init__(self, notes: Notes) -> None:
        self.bold: list[tuple[int, int]] = []
        """(first piece, one after the last) of each bold or large text on this line; the last may be open still."""
        self._notes, self._pieces = notes, notes.pieces
        self.begin_page(0)

    def begin_page(self, max_links: int) -> None:
        self.bold.clear()
        self._max_links = max_links
        self._bold_depth = 0
        self._link: RawLink | None = None
        self._heading_piece = -1
        self._heading_alt: list[str] = []
        self._title_piece = 0

    def begin(self, at: int, flags: int, tag: str, attributes: Any) -> int:
        """What an element with a meaning does where it starts; gives back what its end has to undo."""
        if flags & m.LINK:
            return self._open_link(at, attributes)
        if flags & m.FONT:
            flags = m.BOLD if m.is_large(attributes) else 0
        if flags & m.BOLD:
            if not self._bold_depth:
                self.bold.append((len(self._pieces), _OPEN))
            self._bold_depth += 1
        elif flags & m.IMAGE:
            if self._link is not None or self._heading_piece >= 0:
                self._image(squeezed(attributes.get("alt", "")))
        elif flags & (m.POINT | m.FRAME):
            self._point(at, flags, attributes)
        elif flags & m.HEADING:
            self._heading_piece, self._heading_alt = len(self._pieces), []
        elif flags & m.TITLE:
            self._title_piece = len(self._pieces)
        elif flags & m.META:
            self._meta(at, tag, attributes)
        return flags

    def finish(self, flags: int) -> None:
        """Undo what an element did."""
        if flags & m.LINK:
            self._close_link()
            return
        if flags & m.BOLD:
            self._end_bold()
        elif flags & m.HEADING:
            self._close_heading(flags & 7)
        elif flags & m.TITLE:
            self._close_title()

    # Headings.

    def _end_bold(self) -> None:
        self._bold_depth -= 1
        if not self._bold_depth and self.bold:
            self.bold[-1] = (self.bold[-1][0], len(self._pieces))

    def bold_line(self) -> None:
        """A line with bold or large text is done: if it holds no other text, and not all of it a link, it is a heading."""
        pieces = self._pieces
        first = len(pieces)
        while first > 0 and pieces[first - 1] is not _LINE_END:
            first -= 1
        if self._heading_piece < 0 and self._is_heading(first):
            self._add_heading(collapsed(pieces[first:]), 7)
        self._forget_bold()

    def _is_heading(self, first: int) -> bool:
        """Whether all text from a piece on is bold, and some of it no link."""
        pieces, bold = self._pieces, iter(self.bold)
        low, high = next(bold)
        linked = self._link is not None and self._link.first < first
        unlinked = False
        for at in range(first, len(pieces)):
            piece = pieces[at]
            if piece is BEGIN or piece is END:
                linked = piece is BEGIN
            elif piece is not SPOT and not piece.isspace():
                while at >= high:
                    low, high = next(bold, (_OPEN, _OPEN))
                if at < low:
                    return False
                unlinked = unlinked or not linked
        return unlinked

    def _forget_bold(self) -> None:
        self.bold.clear()
        if self._bold_depth:
            self.bold.append((len(self._pieces), _OPEN))

    def close(self) -> Notes:
        if self._link is not None:
            self._close_link()
        if self.bold:
            self.bold_line()
        return self._notes

    def _add_heading(self, text: str, level: int) -> None:
        if text and len(text) <= _LONGEST_HEADING and any(map(str.isalpha, text)):
            self._notes.headings.append((text, level))

    def _close_heading(self, level: int) -> None:
        if self._heading_piece >= 0:
            text = collapsed(self._pieces[self._heading_piece :]) or " ".join(self._heading_alt)
            self._add_heading(text[:_LONGEST_HEADING], level)
        self._heading_piece = -1
        self._forget_bold()

    def _close_title(self) -> None:
        pieces = self._pieces
        if not self._notes.title:
            self._notes.title = collapsed(pieces[self._title_piece :])
        del pieces[self._title_piece :]
        self._forget_bold()

    # Links.

    def _open_link(self, at: int, attributes: Any) -> int:
        href = attributes.get("href")
        if href is None:
            return 0
        if self._link is not None:
            self._close_link()
        link = self._new_link(at, href, attributes, "a")
        if link is None:
            return 0
        self._link = link
        self._pieces.append(BEGIN)
        return m.LINK

    def _new_link(self, at: int, href: str, attributes: Any, kind: LinkKind) -> RawLink | None:
        notes = self._notes
        if len(notes.links) >= self._max_links:
            notes.cut(f"links after the first {self._max_links:,} were left out")
            return None
        first = len(self._pieces) + 1
        link = RawLink(href, at, len(notes.headings), kind, attributes, first, first)
        notes.links.append(link)
        return link

    def _close_link(self) -> None:
        if self._link is not None:
            self._link.last = len(self._pieces)
            self._pieces.append(END)
            self._link = None

    def _point(self, at: int, flags: int, attributes: Any) -> None:
        """A link without text of its own: an area of an image map, or a frame."""
        area = flags & m.POINT
        href = attributes.get("href" if area else "src")
        if href is not None:
            link = self._new_link(at, href, attributes, "area" if area else "frame")
            if link is not None:
                link.alt = squeezed(attributes.get("alt") or attributes.get("name", ""))
                self._pieces.append(SPOT)

    def _image(self, alt: str) -> None:
        if alt and self._link is not None:
            self._link.alt += f" {alt}"
        if alt and self._heading_piece >= 0:
            self._heading_alt.append(alt)

    def _meta(self, at: int, tag: str, attributes: Any) -> None:
        if tag == "base":
            if self._notes.base is None:
                self._notes.base = attributes.get("href")
        elif attributes.get("name", "").lower() in ("description", "keywords"):
            self._notes.meta.append(attributes.get("content", ""))
        elif attributes.get("http-equiv", "").lower() == "refresh":
            _, found, target = attributes.get("content", "").partition("=")
            if found and self._new_link(at, target.strip(" '\""), {}, "frame") is not None:
                self._pieces.append(SPOT)
