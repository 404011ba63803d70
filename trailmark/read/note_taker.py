"""Takes the notes at the elements that mean something: headings, bold text, images, frames, the head of a page.

A line of bold or large text is a heading only if nothing else stands on it, which shows where the line ends; so that texts
cost no call, bold text is noted as a range of pieces and looked at once, at the end of its line.
"""

from __future__ import annotations

from typing import Any

from trailmark.datatypes import LinkKind
from trailmark.read import marks as m
from trailmark.read.notes import BEGIN, END, SPOT, Notes, collapsed, squeezed

LINE_END = "\n "  # told from the page's own line ends by identity
_OPEN = 1 << 60
_LONGEST_HEADING = 100
_LONGEST_ALT = 500


class Taker:
    """One page after another: `begin_page` before each, `close` after it."""

    def __init__(self, notes: Notes) -> None:
        self.bold: list[tuple[int, int]] = []
        """(first piece, one after the last) of each bold or large text on this line; the last may be open still."""
        self.opened: list[int] = []
        """The number of the link that is open, if one is, and of the links without text that stand in it."""
        self._notes, self._pieces = notes, notes.pieces
        self.begin_page(0)

    def begin_page(self, max_links: int) -> None:
        self.bold.clear()
        self.opened.clear()
        self._max_links = max_links
        self._bold_depth = 0
        self._heading_piece = -1
        self._heading_alt: list[str] = []
        self._latest = [0] * 8  # for each level, how many headings there were down to its last one
        self._title_piece = 0

    def begin(self, at: int, flags: int, tag: str, attributes: Any) -> int:
        """What an element with a meaning does where it starts; gives back what its end has to undo."""
        if flags & (m.BOLD | m.FONT):
            flags |= m.BOLD
            if not self._bold_depth:
                self.bold.append((len(self._pieces), _OPEN))
            self._bold_depth += 1
        elif flags & m.IMAGE:
            if self.opened or self._heading_piece >= 0:
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
        if self._heading_piece >= 0 or (len(pieces) > self.bold[-1][1] and _is_text(pieces[-1])):
            self._forget_bold()  # most often: a line that goes on in plain text
            return
        first = len(pieces)
        while first > 0 and pieces[first - 1] is not LINE_END:
            first -= 1
        if self._is_heading(first):
            before = len(self._notes.headings)
            self._add_heading(collapsed(pieces[first:]), 7)
            if len(self._notes.headings) > before:
                self._lift_links(first, 7)
        self._forget_bold()

    def _is_heading(self, first: int) -> bool:
        """Whether all text from a piece on is bold, and some of it no link."""
        pieces, bold = self._pieces, iter(self.bold)
        low, high = next(bold)
        linked = bool(self.opened) and self._notes.links[self.opened[0]][5] < first
        unlinked = False
        for at in range(first, len(pieces)):
            piece = pieces[at]
            if piece is BEGIN or piece is END:
                linked = piece is BEGIN
            elif _is_text(piece):
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
        self.close_link()
        if self.bold:
            self.bold_line()
        return self._notes

    def _lift_links(self, first: int, level: int) -> None:
        """What stands above the links in a heading is the last heading of a higher level, not their neighbour's."""
        links, above = self._notes.links, max(self._latest[:level])
        number = len(links) - 1
        while number >= 0 and links[number][5] >= first:
            self._notes.lifted[number] = above
            number -= 1

    def _add_heading(self, text: str, level: int) -> None:
        if text and len(text) <= _LONGEST_HEADING and any(map(str.isalpha, text)):
            self._notes.headings.append((text, level))
            self._latest[level] = len(self._notes.headings)

    def _close_heading(self, level: int) -> None:
        if self._heading_piece >= 0:
            self._lift_links(self._heading_piece, level)
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

    def close_link(self) -> None:
        if self.opened:
            self._pieces.append(END)
            for _ in self.opened[1:]:  # links do not nest in the text: what stands in one comes after it
                self._pieces.append(SPOT)
            self.opened.clear()

    def open_link(self, at: int, attributes: Any) -> int:
        """Begin a link, unless it leads nowhere or there are too many; gives back what its end has to undo."""
        href = attributes.get("href")
        if href is None:
            return 0
        if self.opened:
            self.close_link()
        notes, pieces = self._notes, self._pieces
        number = len(notes.links)
        if number >= self._max_links:
            self._cut_links()
            return 0
        notes.links.append((href, at, len(notes.headings), "a", attributes, len(pieces)))
        self.opened.append(number)
        pieces.append(BEGIN)
        return m.LINK

    def _cut_links(self) -> None:
        self._notes.cut(f"links after the first {self._max_links:,} were left out")

    def _spot(self, at: int, href: str, attributes: Any, kind: LinkKind, alt: str) -> None:
        """Note a link without text of its own."""
        notes = self._notes
        if len(notes.links) >= self._max_links:
            self._cut_links()
            return
        if alt:
            notes.alts[len(notes.links)] = alt
        if self.opened:
            self.opened.append(len(notes.links))
        else:
            self._pieces.append(SPOT)
        notes.links.append((href, at, len(notes.headings), kind, attributes, len(self._pieces)))

    def _point(self, at: int, flags: int, attributes: Any) -> None:
        """An area of an image map, or a frame."""
        area = flags & m.POINT
        href = attributes.get("href" if area else "src")
        if href is not None:
            alt = squeezed(attributes.get("alt") or attributes.get("name", ""))
            self._spot(at, href, attributes, "area" if area else "frame", alt)

    def _image(self, alt: str) -> None:
        alts = self._notes.alts
        if alt and self.opened:
            number = self.opened[0]
            before = alts.get(number, "")
            if len(before) < _LONGEST_ALT:  # adding on and on would copy it each time
                alts[number] = f"{before} {alt}"[:_LONGEST_ALT].lstrip()
        if alt and self._heading_piece >= 0:
            self._heading_alt.append(alt)

    def _meta(self, at: int, tag: str, attributes: Any) -> None:
        if tag == "base":
            if self._notes.base is None:
                self._notes.base = attributes.get("href")
        elif attributes.get("name", "").lower() in ("description", "keywords"):
            self._notes.meta.append(attributes.get("content", ""))
        elif attributes.get("http-equiv", "").lower() == "refresh":
            _, equals, target = attributes.get("content", "").partition("=")
            if equals:
                self._spot(at, target.strip(" '\""), {}, "frame", "")


def _is_text(piece: str) -> bool:
    return not (piece.isspace() or piece is END or piece is BEGIN or piece is SPOT)
