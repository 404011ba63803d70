"""A value that a person corrected: which record is meant is told by what the rules lifted for it, so that it holds when pages are lifted again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trailmark.datatypes import Record
from trailmark.errors import InputError

Lifted = Mapping[str, tuple[str, ...]]
"""The fields of a record as the rules lifted them."""


@dataclass(frozen=True, slots=True)
class ValueEdit:
    """The values that a field of one record has; none where it is empty."""

    url: str
    lifted: Lifted
    """What the rules had lifted for the record."""
    field: str
    values: tuple[str, ...]
    before: tuple[str, ...] = ()
    """What stood there, for a person."""

    @property
    def sentence(self) -> str:
        """What it does, in words."""
        was, now = ("; ".join(values) or "nothing" for values in (self.before, self.values))
        return f"“{self.field}” of a record of {self.url} is “{now}” instead of “{was}”."

    def to_json(self) -> dict[str, Any]:
        lifted = {name: list(texts) for name, texts in self.lifted.items()}
        changed = {"field": self.field, "values": list(self.values), "before": list(self.before)}
        return {"how": "edit", "url": self.url, "lifted": lifted, **changed}

    def place_in(self, page: Sequence[Lifted]) -> int | None:
        """Which of a page's records is meant: the one that was lifted just so, else the only one, else the one that shares most."""
        if len(page) == 1:
            return 0
        shares = [sum(record.get(name) == texts for name, texts in self.lifted.items()) for record in page]
        best = max(shares, default=0)
        same = [number for number, share in enumerate(shares) if share == best]
        whole = [number for number in same if page[number] == self.lifted]
        chosen = whole or (same if 2 * best >= max(len(self.lifted), 1) else [])
        return chosen[0] if len(chosen) == 1 or whole else None

    def __call__(self, record: Record) -> Record:
        """The record with the values; a value that a person gave is sure, and its place is no longer that of the page."""
        fields = {name: texts for name, texts in record.fields.items() if name != self.field or self.values}
        if self.values:
            fields[self.field] = self.values
        sources = {name: places for name, places in record.sources.items() if name != self.field}
        unsure = tuple(name for name in record.unsure if name != self.field)
        return replace(record, fields=fields, sources=sources, unsure=unsure)


def edit_from_json(data: Any) -> ValueEdit:
    """The inverse of `to_json`; InputError where it is something else."""
    try:
        lifted = {str(name): tuple(map(str, texts)) for name, texts in data["lifted"].items()}
        values, before = (tuple(map(str, data[name])) for name in ("values", "before"))
        return ValueEdit(str(data["url"]), lifted, str(data["field"]), values, before)
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"That is no corrected value ({error!r}).") from error
