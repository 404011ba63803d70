"""What a run of extraction found: figures for a person, and the records that are kept as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from trailmark.datatypes import Record
from trailmark.extract.record_frame import record_frame
from trailmark.report import Json, Report, as_json


@dataclass(frozen=True, slots=True)
class UnsureField:
    """A field that nearly all pages of its rules have, and those that lack it."""

    rules: str
    """The cluster whose rules look for it."""
    field: str
    lacking: int
    share: float
    """Of the records that have it."""
    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SparseField:
    """A field that many records lack."""

    field: str
    filled: int
    """Records that have it."""
    records: int
    """Records that could have it."""
    pages: tuple[str, ...]
    """Some that lack it."""


@dataclass(frozen=True, slots=True)
class KeptRecords:
    """How to read the records that a workspace holds, one after the other, and how to join several values of a field."""

    read: Callable[[], Iterable[Record]] = tuple
    separator: str = "; "


@dataclass(frozen=True, slots=True)
class ExtractReport(Report):
    """What became of the pages, and what is in the records that were lifted off them."""

    records: int
    pages: int
    """Pages with rules of their own."""
    empty: int
    """Of these, pages on which nothing was found."""
    borrowed: int
    """Records of pages without rules, by those of another cluster of their site."""
    without_rules: int
    failed: int
    extracted: int
    unchanged: int
    """Pages that neither changed nor got other rules since they were extracted."""
    fields: Mapping[str, int]
    """How many records have each field."""
    fill: Mapping[str, float]
    """The same as a share of the records that could have it."""
    examples: Mapping[str, tuple[str, ...]]
    unsure: tuple[UnsureField, ...]
    sparse: tuple[SparseField, ...]
    """Fields that fewer than nine in ten of the records have that could have them."""
    unsure_values: Mapping[str, int]
    """How many records have a value of each field that the rules are not sure of; fields of which there is none are left out."""
    named: Mapping[str, tuple[str, ...]]
    """Some pages of each outcome that gave no records."""
    lifted_pages: int = 0
    """Pages that gave a record or more, borrowed ones too."""
    unasked: int = 0
    """Pages that were looked at, and were neither found nor chosen."""
    taken_out: int = 0
    """Records of an earlier run whose pages were neither found nor chosen: they are no longer kept."""
    dry_run: bool = False
    """Whether nothing was kept."""
    kept: KeptRecords = field(default=KeptRecords(), repr=False, compare=False)

    @property
    def rows(self) -> int:
        """All records."""
        return self.records + self.borrowed

    @property
    def summary(self) -> str:
        """How many rows come of how many pages: a sentence."""
        rows = "1 row" if self.rows == 1 else f"{self.rows:,} rows"
        pages = "1 page" if self.lifted_pages == 1 else f"{self.lifted_pages:,} pages"
        return f"{'It will give' if self.dry_run else 'It gave'} {rows} from {pages}."

    def to_json(self) -> dict[str, Json]:
        """What `extract --json` prints."""
        figures = {item.name: as_json(getattr(self, item.name)) for item in fields(self) if item.name != "kept"}
        return {**figures, "rows": self.rows, "summary": self.summary}

    def to_pandas(self) -> Any:
        """All records of the workspace -> a pandas DataFrame: url, kind, a column a field, made_by. Needs pandas.

        Several values of a field are joined as in a CSV file; where a record lacks a field there is None.
        """
        return record_frame(self.kept.read(), separator=self.kept.separator)
