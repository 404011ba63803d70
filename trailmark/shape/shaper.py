"""All changes in the order in which they were made -> what becomes of the records of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from trailmark.datatypes import Record
from trailmark.shape.field_step import FieldStep, step_from_json
from trailmark.shape.value_edit import ValueEdit, edit_from_json

Act = FieldStep | ValueEdit


@dataclass(frozen=True, slots=True)
class ShapedRecord:
    """A record as it was lifted, and as it is shown."""

    lifted: Record
    shown: Record
    edited: tuple[str, ...] = ()
    """Fields with a value that a person gave."""


class Shaper:
    """Acts, oldest first; a page's records at a time go through."""

    def __init__(self, acts: Iterable[Act] = ()) -> None:
        self.acts = tuple(acts)
        self._edited = {act.url for act in self.acts if isinstance(act, ValueEdit)}

    def __call__(self, records: Sequence[Record]) -> list[ShapedRecord]:
        """Records of one page, as lifted -> the same as they are shown."""
        lifted = [record.fields for record in records]
        shown, edited = list(records), [list[str]() for _ in records]
        acts = self.acts if records and records[0].url in self._edited else self.steps
        for act in acts:
            if isinstance(act, FieldStep):
                shown = [act(record) for record in shown]
                edited = [act.names(names) for names in edited]
            elif records[0].url == act.url and (at := act.place_in(lifted)) is not None:
                shown[at] = act(shown[at])
                edited[at] = list(dict.fromkeys([*edited[at], act.field]))
        rows = zip(records, shown, edited, strict=True)
        return [ShapedRecord(record, after, tuple(names)) for record, after, names in rows]

    @property
    def steps(self) -> tuple[FieldStep, ...]:
        """The changes that all records undergo."""
        return tuple(act for act in self.acts if isinstance(act, FieldStep))

    def names(self, names: Iterable[str]) -> list[str]:
        """Fields that rules lift -> fields that are shown."""
        after = list(dict.fromkeys(names))
        for step in self.steps:
            after = step.names(after)
        return after


def act_from_json(data: Any) -> Act:
    """A change as it was kept -> the change; InputError where it is something else."""
    is_edit = isinstance(data, dict) and data.get("how") == "edit"
    return edit_from_json(data) if is_edit else step_from_json(data)
