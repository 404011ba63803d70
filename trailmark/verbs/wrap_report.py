"""What `wrap` learnt, for a person and as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.report import Report


@dataclass(frozen=True, slots=True)
class LearntField:
    """A field, and the first of the rules that vote on it."""

    field: str
    rules: int
    several: bool
    type: str
    xpath: str
    says: str
    support: float
    """Share of the pages that nobody annotated on which the first rule finds something: no fill."""
    filled: int
    """Records that have the field, of those that all rules lift off the pages of the sample."""
    records: int


@dataclass(frozen=True, slots=True)
class LearntEntries:
    """How the pages of a cluster fall into entries, each a record."""

    xpath: str
    says: str


@dataclass(frozen=True, slots=True)
class LearntStructured:
    """A field that the pages' own structured data gives."""

    field: str
    says: str


@dataclass(frozen=True, slots=True)
class AskedField:
    """A field that the annotated pages can't settle: the page to mark, and the two values that are the candidates there."""

    field: str
    page: str
    candidates: tuple[str, ...]
    """None where the rules find nothing there, and on most pages so."""
    says: str


@dataclass(frozen=True, slots=True)
class LearntCluster:
    """What was learnt for one cluster."""

    id: str
    annotated: tuple[str, ...]
    fields: tuple[LearntField, ...]
    entries: LearntEntries | None
    structured: tuple[LearntStructured, ...]
    unlearnt: tuple[str, ...]
    """Fields for which no rule was found."""
    asked: tuple[AskedField, ...]
    """What to mark next; until then the values that are meant are unsure."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptRepair:
    """A cluster whose rules were repaired, and therefore kept."""

    id: str
    repaired: str
    """When."""


@dataclass(frozen=True, slots=True)
class WrapReport(Report):
    """What `wrap --json` prints."""

    clusters: tuple[LearntCluster, ...]
    kept: tuple[KeptRepair, ...]
    """Clusters that were not learnt again."""
    problems: tuple[str, ...]
    """A sentence for each annotated page that has no place."""
