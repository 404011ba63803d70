"""What is organised: records, pages, messages, each as a title, a text, and what ties it to others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to be put in a topic."""

    id: str
    title: str
    text: str
    ties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By kind (`author`, `thread`) what it has in common with others: items with the same tie hang together."""
    cites: Sequence[str] = ()
    """Ids of items that it refers to."""
