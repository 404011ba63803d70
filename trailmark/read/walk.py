"""One walk over a page: the parser's events in, `Notes` out.

No tree is built for reading: libxml2 tells of each start, end and text, and `Walk` notes them in flat lists. That is one
walk for all features, at about half the cost of building a tree and going over it.

The text of the page is kept as pieces. Signs that can't stand in a page mark where links begin and end, so that one pass
of the tokeniser over the whole text gives every link its window.
"""

from __future__ import annotations

from typing import Any

from trailmark.datatypes import LinkKind, Place
from trailmark.read import marks as m
from trailmark.read.notes import BEGIN, END, SPOT, Notes, RawLink, collapsed, squeezed

# What stands on the current line: the three cases that tell a pseudo heading from other text.
_PLAIN, _BOLD, _BOLD_LINK = 1, 2, 4
_LINE_END = "\n "  # told from the page's own line ends by identity
_LONGEST_HEADING = 100
_LONGEST_ANCHOR = 500

# Module names are looked up in dictionaries on each use; these are the ones used for every element.
_FLAGS_OF, _SKIP, _BREAK, _PLACE, _BOX, _ACTS, _UNDO = m.flags_of, m.SKIP, m.BREAK, m.PLACE, m.BOX, m.ACTS, m.UNDO


class TooDeepError(Exception):
    """Raised inside the parser to stop it; never leaves this room."""


class Walk:
    """A parser target: libxml2 calls `start`, `end` and `data` in document order."""

    def __init__(self, *, max_depth: int, stop_depth: int, max_links: int) -> None:
        self.notes = Notes()
        self._tags, self._parents, self._pieces = self.notes.tags, self.notes.parents, self.notes.pieces
        self._flags: list[int] = []
        self._max_depth, self._stop_depth, self._max_links = max_depth, stop_depth, max_links
        self._at = -1  # the innermost open element
        self._depth = 0
        self._skipped = 0  # depth inside an element that is left out
        self._place: Place = "text"
        self._places: list[Place] = []
        self._bold = 0
        self._style = _PLAIN
        self._line = 0  # styles of the text met on this line
        self._link: RawLink | None = None
        self._link_piece = 0
        self._heading_piece = -1
        self._heading_alt: list[str] = []
        self._title_piece = 0

    # The calls of the parser, kept lean: they run thousands of times a page.

    def start(self, tag: str, attributes: Any) -> None:
        if self._skipped:
            self._skip()
            return
        flags = _FLAGS_OF(tag, 0)
        if flags & _SKIP or self._depth >= self._max_depth:
            self._leave_out(flags)
            return
        self._depth += 1
        self._parents.append(self._at)
        self._at = len(self._tags)
        self._tags.append(tag)
        if flags & _BREAK:
            if self._line:
                self._end_line()
            self._pieces.append(_LINE_END)
        if flags & _PLACE and (attributes or not flags & _BOX):
            flags = self._enter(flags, attributes)
        if flags & _ACTS:
            flags = self._begin(tag, flags, attributes)
        self._flags.append(flags)

    def end(self, tag: str) -> None:  # noqa: ARG002 - the walk knows the tag
        if self._skipped:
            self._skipped -= 1
            return
        at = self._at
        if at < 0:
            return
        self._depth -= 1
        self._at = self._parents[at]
        flags = self._flags[at]
        if flags & _UNDO:
            self._finish(flags)
        if flags & _BREAK:
            if self._line:
                self._end_line()
            self._pieces.append(_LINE_END)

    def data(self, text: str) -> None:
        if not self._skipped:
            self._pieces.append(text)
            if not text.isspace():
                self._line |= self._style

    def close(self) -> Notes:
        if self._link is not None:
            self._close_link()
        if self._line:
            self._end_line()
        return self.notes

    # What is left out.

    def _leave_out(self, flags: int) -> None:
        self._skipped = 1
        if not flags & _SKIP:
            self.notes.cut("elements nested too deep were left out")

    def _skip(self) -> None:
        self._skipped += 1
        if self._skipped + self._depth > self._stop_depth:
            raise TooDeepError

    # Elements that mean something.

    def _enter(self, flags: int, attributes: Any) -> int:
        """Note the place that an element makes for the links in it; its end goes back to the one before."""
        place = self._place
        if place == "navigation":
            return flags
        if flags & m.NAVIGATION or (attributes and m.is_navigation(attributes)):
            place = "navigation"
        elif flags & (m.LIST | m.CELL | m.HEADING):
            place = "list" if flags & m.LIST else "table" if flags & m.CELL else "heading"
        if place == self._place:
            return flags
        self._places.append(self._place)
        self._place = place
        return flags | m.PLACED

    def _begin(self, tag: str, flags: int, attributes: Any) -> int:
        """What an element with a meaning does where it starts; gives back what its end has to undo."""
        if flags & m.LINK:
            return self._open_link(attributes)
        if flags & m.CELL:
            self._pieces.append(" ")
        elif flags & m.FONT:
            flags = m.BOLD if attributes and m.is_large(attributes) else 0
        if flags & m.BOLD:
            self._bold += 1
            self._restyle()
        elif flags & m.IMAGE:
            self._image(attributes.get("alt", ""))
        elif flags & (m.POINT | m.FRAME):
            self._point(flags, attributes)
        elif flags & m.HEADING:
            self._heading_piece, self._heading_alt = len(self._pieces), []
        elif flags & m.TITLE:
            self._title_piece = len(self._pieces)
        elif flags & m.META:
            self._meta(tag, attributes)
        return flags

    def _finish(self, flags: int) -> None:
        if flags & m.LINK:
            self._close_link()
            return
        if flags & m.PLACED:
            self._place = self._places.pop()
        if flags & m.CELL:
            self._pieces.append(" ")
        if flags & m.BOLD:
            self._bold -= 1
            self._restyle()
        elif flags & m.HEADING:
            self._close_heading(flags & 7)
        elif flags & m.TITLE:
            self._close_title()

    # Headings.

    def _restyle(self) -> None:
        self._style = _PLAIN if not self._bold else _BOLD if self._link is None else _BOLD_LINK

    def _end_line(self) -> None:
        """A line is done: if all of it was bold or large, and not all of it a link, it was a heading (level 7)."""
        if self._line & (_PLAIN | _BOLD) == _BOLD and self._heading_piece < 0:
            pieces = self._pieces
            first = len(pieces)
            while first > 0 and pieces[first - 1] is not _LINE_END:
                first -= 1
            self._add_heading(collapsed(pieces[first:]), 7)
        self._line = 0

    def _add_heading(self, text: str, level: int) -> None:
        if text and len(text) <= _LONGEST_HEADING and any(map(str.isalpha, text)):
            self.notes.headings.append((text, level))

    def _close_heading(self, level: int) -> None:
        if self._heading_piece >= 0:
            text = collapsed(self._pieces[self._heading_piece :]) or " ".join(self._heading_alt)
            self._add_heading(text[:_LONGEST_HEADING], level)
        self._heading_piece, self._line = -1, 0

    def _close_title(self) -> None:
        pieces = self._pieces
        if not self.notes.title:
            self.notes.title = collapsed(pieces[self._title_piece :])
        del pieces[self._title_piece :]
        self._line = 0

    # Links.

    def _open_link(self, attributes: Any) -> int:
        href = attributes.get("href")
        if href is None:
            return 0
        if self._link is not None:
            self._close_link()
        link = self._new_link(href, attributes, "a")
        if link is None:
            return 0
        self._link, self._link_piece = link, len(self._pieces)
        self._pieces.append(BEGIN)
        if self._bold:
            self._restyle()
        return m.LINK

    def _new_link(self, href: str, attributes: Any, kind: LinkKind) -> RawLink | None:
        notes = self.notes
        if len(notes.links) >= self._max_links:
            notes.cut(f"links after the first {self._max_links:,} were left out")
            return None
        link = RawLink(href, self._at, self._place, len(notes.headings), kind)
        if len(attributes) > 1:
            link.rel, link.title = attributes.get("rel", ""), attributes.get("title", "")
        notes.links.append(link)
        return link

    def _close_link(self) -> None:
        link, pieces = self._link, self._pieces
        if link is not None:
            link.anchor = collapsed(pieces[self._link_piece :])[:_LONGEST_ANCHOR]
            pieces.append(END)
            self._link = None
            if self._bold:
                self._restyle()

    def _point(self, flags: int, attributes: Any) -> None:
        """A link without text of its own: an area of an image map, or a frame."""
        area = flags & m.POINT
        href = attributes.get("href" if area else "src")
        if href is not None:
            link = self._new_link(href, attributes, "area" if area else "frame")
            if link is not None:
                link.anchor = squeezed(attributes.get("alt") or attributes.get("name", ""))
                self._pieces.append(SPOT)

    def _image(self, alt: str) -> None:
        if alt and self._link is not None:
            self._link.alt += f" {alt}"
        if alt and self._heading_piece >= 0:
            self._heading_alt.append(squeezed(alt))

    def _meta(self, tag: str, attributes: Any) -> None:
        if tag == "base":
            if self.notes.base is None:
                self.notes.base = attributes.get("href")
        elif attributes.get("name", "").lower() in ("description", "keywords"):
            self.notes.meta.append(attributes.get("content", ""))
        elif attributes.get("http-equiv", "").lower() == "refresh":
            _, found, target = attributes.get("content", "").partition("=")
            if found and self._new_link(target.strip(" '\""), {}, "frame") is not None:
                self._pieces.append(SPOT)
