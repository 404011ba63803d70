"""One walk over a page: the parser's events in, `Notes` out.

No tree is built for reading: libxml2 tells of each start, end and text, and what the features need is noted on the way, at
about half the cost of building a tree and going over it.

The text of the page is kept as pieces. Signs that can't stand in a page mark where links begin and end, so that one pass
of the tokeniser over the whole text gives every link its window.
"""

from __future__ import annotations

from typing import Any

from trailmark.read import marks as m
from trailmark.read.note_taker import LINE_END, Taker
from trailmark.read.notes import Notes

_TOO_DEEP = "elements nested too deep were left out"


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
    tags, parents, boxes, pieces, add = notes.tags, notes.parents, notes.boxes, notes.pieces, notes.pieces.append
    taker = Taker(notes)
    bold, opened, open_link = taker.bold, taker.opened, taker.open_link
    flags_of, skip, breaks, box, cell, acts = m.flags_of, m.SKIP, m.BREAK, m.BOX, m.CELL, m.ACTS
    linking, font, ends, undo, attributed, is_large = m.LINK, m.FONT, m.ENDS, m.UNDO, m.ATTRIBUTED, m.is_large
    undone: list[int] = []  # flags of the open elements
    at = -1  # the innermost open element
    skipped = 0  # depth inside an element that is left out
    kept_pieces = 0  # how many pieces there were before it
    deepest = max_depth = stop_depth = 0  # `deepest` is `max_depth`, or -1 inside what is left out

    def begin_page(depth: int, stop: int, max_links: int) -> None:
        nonlocal at, skipped, deepest, max_depth, stop_depth
        at, skipped, deepest, max_depth, stop_depth = -1, 0, depth, depth, stop
        undone.clear()
        notes.clear()
        taker.begin_page(max_links)

    def leave_out(flags: int) -> None:
        nonlocal skipped, kept_pieces, deepest
        if not skipped:
            kept_pieces = len(pieces)
            deepest = -1  # whatever comes next is too deep
        skipped += 1
        if not flags & skip and len(undone) >= max_depth:
            notes.cut(_TOO_DEEP)
        if len(undone) + skipped > stop_depth:
            raise TooDeepError

    def start(tag: str, attributes: Any) -> None:
        nonlocal at
        flags = flags_of(tag, 0)
        if flags & skip or len(undone) >= deepest:
            leave_out(flags)
            return
        parents.append(at)
        at = len(tags)
        tags.append(tag)
        if flags & breaks:
            if bold:
                taker.bold_line()
            add(LINE_END)
        elif flags & linking:
            flags = open_link(at, attributes)
        elif flags & cell:
            add(" ")
        if flags & box:
            if attributes:
                boxes[at] = attributes
        elif flags & acts and (attributes or not flags & attributed):
            flags = 0 if flags & font and not is_large(attributes) else taker.begin(at, flags, tag, attributes)
        undone.append(flags)

    def end(_tag: str) -> None:
        nonlocal at, skipped, deepest
        if skipped:
            skipped -= 1
            if not skipped:
                del pieces[kept_pieces:]
                deepest = max_depth
            return
        at = parents[at]
        flags = undone.pop()
        if flags & ends:
            if flags & undo:
                taker.finish(flags)
            if flags & breaks:
                if bold:
                    taker.bold_line()
                add(LINE_END)
            elif opened and flags & linking:
                taker.close_link()

    return start, end, taker.close, begin_page
