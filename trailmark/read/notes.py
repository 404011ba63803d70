"""What the walk brings home: flat lists, from which links, windows, headings and repetition are made."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from trailmark.datatypes import LinkKind
from trailmark.read.words import SIGNS

BEGIN, END, SPOT = (f" {sign} " for sign in SIGNS)
"""Pieces that mark where a link begins, where it ends, and where one without text stands."""


@dataclass(slots=True)
class RawLink:
    """A link as it was met; its URL is resolved once the page's base is known."""

    href: str
    element: int
    heading: int
    """How many headings stood above it."""
    kind: LinkKind
    attributes: Any
    first: int
    """Its first piece of text."""
    last: int
    """One after its last piece of text."""
    alt: str = ""


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
    headings: list[tuple[str, int]] = field(default_factory=list)
    title: str = ""
    meta: list[str] = field(default_factory=list)
    base: str | None = None
    cuts: list[str] = field(default_factory=list)

    def moved(self) -> Notes:
        """The same notes in lists of their own, and this one emptied for the next page."""
        taken = replace(self, **{name: getattr(self, name).copy() for name in _HELD})
        for name in _HELD:
            getattr(self, name).clear()
        self.title, self.base = "", None
        return taken

    def cut(self, message: str) -> None:
        if message not in self.cuts:
            self.cuts.append(message)


_HELD = ("tags", "parents", "boxes", "pieces", "links", "headings", "meta", "cuts")


def collapsed(pieces: list[str]) -> str:
    """The text of some pieces, without the signs around links, each run of blanks one blank."""
    return squeezed(without_signs("".join(pieces)))


def without_signs(text: str) -> str:
    for sign in SIGNS:
        if sign in text:
            text = text.replace(sign, "")
    return text


def squeezed(text: str) -> str:
    return " ".join(text.split())
