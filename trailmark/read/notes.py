"""What the walk brings home: flat lists, from which links, windows, headings and repetition are made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from trailmark.datatypes import LinkKind

LINK_BEGINS, LINK_ENDS = "\x01", "\x02"
"""Signs that the walk sets around the text of every link: no page can hold them."""

BEGIN, END = f" {LINK_BEGINS} ", f" {LINK_ENDS} "
"""The same as pieces of text."""

SPOT = BEGIN + END
"""The piece for a link without text."""

RawLink = tuple[str, int, int, LinkKind, Any, int]
"""A link as it was met: href, element, how many headings stood above it, kind, attributes, the piece that marks it.

A plain tuple, as pages have hundreds; its URL is resolved once the page's base is known.
"""


@dataclass(slots=True)
class Notes:
    """Elements are numbered in document order; what no reader sees (scripts and the like) has no number."""

    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    """For each element the number of the one around it; -1 for the root."""
    boxes: dict[int, Any] = field(default_factory=dict)
    """Attributes of the containers that have any, by number: they may name it a menu."""
    pieces: list[str] = field(default_factory=list)
    """The text of the body in document order, with the signs around links."""
    links: list[RawLink] = field(default_factory=list)
    alts: dict[int, str] = field(default_factory=dict)
    """What the images in a link say, by the link's number."""
    lifted: dict[int, int] = field(default_factory=dict)
    """For links that stand in a heading, by number: how many headings there are down to the one above that heading."""
    headings: list[tuple[str, int]] = field(default_factory=list)
    title: str = ""
    meta: list[str] = field(default_factory=list)
    base: str | None = None
    cuts: list[str] = field(default_factory=list)

    def moved(self) -> Notes:
        """The same notes in lists of their own, and this one emptied for the next page."""
        taken = Notes(**{name: getattr(self, name).copy() for name in _HELD}, title=self.title, base=self.base)
        self.clear()
        return taken

    def clear(self) -> None:
        for name in _HELD:
            getattr(self, name).clear()
        self.title, self.base = "", None

    def cut(self, message: str) -> None:
        if message not in self.cuts:
            self.cuts.append(message)

    def text(self) -> str:
        """The text of the body in one, with the signs that the walk set and no others."""
        text = "".join(self.pieces)
        if text.count(LINK_BEGINS) == text.count(LINK_ENDS) == len(self.links):
            return text
        # The page wrote such a sign itself, as a character reference.
        return "".join(piece if _is_sign(piece) else without_signs(piece) for piece in self.pieces)


_HELD = ("tags", "parents", "boxes", "pieces", "links", "alts", "lifted", "headings", "meta", "cuts")


def _is_sign(piece: str) -> bool:
    return piece is BEGIN or piece is END or piece is SPOT


def collapsed(pieces: list[str]) -> str:
    """The text of some pieces, without the signs around links, each run of blanks one blank."""
    return squeezed(without_signs("".join(pieces)))


def without_signs(text: str) -> str:
    return text.replace(LINK_BEGINS, "").replace(LINK_ENDS, "")


def squeezed(text: str) -> str:
    return " ".join(text.split())
