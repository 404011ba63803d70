"""What `update` reports: a line for each of its parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trailmark.report import Report

PartName = Literal["suggestions", "forage", "extract", "tag", "course", "organise", "publish"]
PartState = Literal["done", "nothing due", "failed"]


@dataclass(frozen=True, slots=True)
class UpdatePart(Report):
    """One part of an update."""

    part: PartName
    state: PartState
    says: str
    """What was done, or why not, in a sentence."""
    seconds: float


@dataclass(frozen=True, slots=True)
class RevisitedSite(Report):
    """A site that was due, and why."""

    site: str
    days: float
    """Since its last walk."""
    chance: float | None
    """That something was new there, by its earlier walks; None where nobody could know."""
    news: int | None
    """Goal pages that were new or had changed; None where it was not walked to the end."""


@dataclass(frozen=True)
class UpdateReport(Report):
    """What an update did."""

    update: int
    started_at: str
    parts: tuple[UpdatePart, ...]
    sites: tuple[RevisitedSite, ...]
    waiting: int
    """Sites that were walked before and are not due yet."""

    @property
    def failed(self) -> bool:
        return any(part.state == "failed" for part in self.parts)


@dataclass(frozen=True, slots=True)
class PastUpdate(Report):
    """An update in a line."""

    id: int
    started_at: str
    finished_at: str | None
    failed: bool
    says: str


@dataclass(frozen=True)
class UpdatesReport(Report):
    """Updates, the latest first."""

    updates: tuple[PastUpdate, ...]
