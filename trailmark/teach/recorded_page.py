"""One page that a person looked at while a browser recorded."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecordedPage:
    """A page, and what is known of how it was reached."""

    url: str
    anchor: str | None = None
    """Text of the link that was clicked, where the recording tells it."""
    came_from: str | None = None
    """The page that was left, where the recording tells it."""
    typed: bool = False
    """Reached by its address, not by a link."""
