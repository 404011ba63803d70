"""All changes in the order in which they were made -> what becomes of the records of a page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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

    def __call__(self, records: Sequence[Record], left_out: Collection[int] = ()) -> list[ShapedRecord]:
        """Records of one page, as lifted -> the same as they are shown, without the acts at these places."""
        return self._after(len(self.acts), records, left_out)

    def texts(self, number: int, records: Sequence[Record], left_out: Collection[int] = ()) -> list[str]:
        """Records of one page, as lifted -> the values that the act at a place is about to change."""
        act = self.acts[number]
        name = act.fields[0] if isinstance(act, FieldStep) else act.field
        before = self._after(number, records, left_out)
        return [text for shaped in before for text in shaped.shown.fields.get(name, ())]

    def _after(self, count: int, records: Sequence[Record], left_out: Collection[int]) -> list[ShapedRecord]:
        """Records of one page after the first acts."""
        lifted = [record.fields for record in records]
        shown, edited = list(records), [list[str]() for _ in records]
        has_edits = bool(records) and records[0].url in self._edited
        for number, act in enumerate(self.acts[:count]):
            if number in left_out:
                continue
            if isinstance(act, FieldStep):
                shown = [act(record) for record in shown]
                edited = [act.names(names) for names in edited]
            elif has_edits and records[0].url == act.url and (at := act.place_in(lifted)) is not None:
                shown[at] = act(shown[at])
                edited[at] = list(dict.fromkeys([*edited[at], act.field]))
        rows = zip(records, shown, edited, strict=True)
        return [ShapedRecord(record, after, tuple(names)) for record, after, names in rows]

    @property
    def searches(self) -> list[tuple[int, FieldStep]]:
        """Acts with a person's own regular expression, and their places."""
        return [
            (number, act)
            for number, act in enumerate(self.acts)
            if isinstance(act, FieldStep) and act.how in ("match", "replace")
        ]

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
