"""What `organise` reports."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.report import Report


@dataclass(frozen=True, slots=True)
class TopicCount:
    """A leaf, how many things are in it, and its strongest words."""

    id: str
    items: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DoubtfulItem:
    """A thing whose topic is unsure."""

    key: str
    title: str
    topic: str | None
    chance: float


@dataclass(frozen=True, slots=True)
class TopicConfusion:
    """Two topics that share things."""

    topic: str
    other: str
    items: float


@dataclass(frozen=True, slots=True)
class OrganiseReport(Report):
    """What changed, and what there is now."""

    items: int
    new: int
    changed: int
    gone: int
    topics: tuple[TopicCount, ...]
    elsewhere: int
    """Things that belong in no topic."""
    learnt: str
    """`anew` where topics were learnt from all things, `added` where new things were placed by what was known, `nothing` where nothing was due, `none` without topics."""
    doubtful: tuple[DoubtfulItem, ...]
    confusions: tuple[TopicConfusion, ...]
    references: int
    cited: int
    """Different papers that they mean."""
    linked: int
    """References to papers that are here."""
