"""A value that a person corrected: which record is meant is told by what the rules lifted for it, so that it holds when pages are lifted again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trailmark.datatypes import Record
from trailmark.errors import InputError

LONGEST_SHOWN = 120
"""Letters of a value that a sentence about it shows."""
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
    alone: bool = True
    """Whether the page had no other record: then the only one that it has later is meant, whatever it says."""
    nth: int = 0
    """How many records before it on the page were lifted just so too."""

    @property
    def sentence(self) -> str:
        """What it does, in words."""
        was, now = (_short("; ".join(values)) or "nothing" for values in (self.before, self.values))
        return f"“{self.field}” of a record of {self.url} is “{now}” instead of “{was}”."

    def to_json(self) -> dict[str, Any]:
        lifted = {name: list(texts) for name, texts in self.lifted.items()}
        changed = {
            "field": self.field,
            "values": list(self.values),
            "before": list(self.before),
            "alone": self.alone,
            "nth": self.nth,
        }
        return {"how": "edit", "url": self.url, "lifted": lifted, **changed}

    def place_in(self, page: Sequence[Lifted]) -> int | None:
        """Which of a page's records is meant: the one that was lifted just so, else the only one where it was, else the one that shares most."""
        if len(page) == 1 and self.alone:
            return 0
        shares = [sum(record.get(name) == texts for name, texts in self.lifted.items()) for record in page]
        best = max(shares, default=0)
        same = [number for number, share in enumerate(shares) if share == best]
        whole = [number for number in same if page[number] == self.lifted]
        if whole:
            return whole[min(self.nth, len(whole) - 1)]
        return same[0] if len(same) == 1 and 2 * best >= max(len(self.lifted), 1) else None

    def __call__(self, record: Record) -> Record:
        """The record with the values; a value that a person gave is sure, and its place is no longer that of the page."""
        fields = {name: texts for name, texts in record.fields.items() if name != self.field or self.values}
        if self.values:
            fields[self.field] = self.values
        sources = {name: places for name, places in record.sources.items() if name != self.field}
        unsure = tuple(name for name in record.unsure if name != self.field)
        return replace(record, fields=fields, sources=sources, unsure=unsure)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def edit_from_json(data: Any) -> ValueEdit:
    """The inverse of `to_json`; InputError where it is something else."""
    try:
        lifted = {str(name): tuple(map(str, texts)) for name, texts in data["lifted"].items()}
        values, before = (tuple(map(str, data[name])) for name in ("values", "before"))
        alone, nth = bool(data.get("alone", True)), max(int(data.get("nth", 0)), 0)
        return ValueEdit(str(data["url"]), lifted, str(data["field"]), values, before, alone, nth)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"That is no corrected value ({error!r}).") from error
