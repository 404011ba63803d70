"""What a change would make of the first records that have the field, before it is made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trailmark.datatypes import Record
from trailmark.report import Report
from trailmark.shape.field_step import FieldStep
from trailmark.shape.normal_form import normal_form

SHOWN = 10


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A record before and after."""

    url: str
    before: tuple[tuple[str, tuple[str, ...]], ...]
    after: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class StepTrial(Report):
    """What became of the records that have one of the fields."""

    sentence: str
    records: int
    """Records that have one of the fields."""
    changed: int
    emptied: int
    """Records that had a value and would have none."""
    unread: int
    """Records with a value that is not of the form, and stays as it is."""
    rows: tuple[TrialRow, ...]
    fields: tuple[str, ...]
    """Fields before."""
    into: tuple[str, ...]
    """Fields after."""

    @property
    def summary(self) -> str:
        """One line for a person."""
        more = [f"{self.emptied} would lose the value" if self.emptied else "", self._unread()]
        said = "; ".join(part for part in (f"{self.changed} of {self.records} records change", *more) if part)
        return f"{self.sentence} {said}."

    def _unread(self) -> str:
        return f"{self.unread} have a value that is something else, and stay as they are" if self.unread else ""


def try_step(step: FieldStep, records: Iterable[Record], *, most: int = SHOWN) -> StepTrial:
    """A change and the records as they are shown now -> what it would make of them."""
    rows: list[TrialRow] = []
    count = changed = emptied = unread = 0
    into = tuple(step.names(step.fields))
    for record in records:
        if not any(name in record.fields for name in step.fields):
            continue
        after = step(record)
        count += 1
        changed += after.fields != record.fields
        emptied += not any(name in after.fields for name in into)
        unread += step.how == "type" and any(
            normal_form(text, step.form, order=step.order, decimal=step.decimal) is None
            for text in record.fields.get(step.fields[0], ())
        )
        if len(rows) < most:
            rows.append(TrialRow(record.url, _of(record, step.fields), _of(after, into)))
    return StepTrial(step.sentence, count, changed, emptied, unread, tuple(rows), step.fields, into)


def _of(record: Record, names: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((name, record.fields.get(name, ())) for name in names)
