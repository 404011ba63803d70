"""What a verb reports: a frozen dataclass that can say itself as JSON.

A field is written under its own name, nested reports and tuples with it. A report whose JSON has other names, or leaves some out,
overrides `to_json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""What JSON can hold."""


class Report:
    """Mixed into the frozen dataclass that a verb returns."""

    def to_json(self) -> dict[str, Json]:
        """What `--json` prints."""
        assert is_dataclass(self)
        return {item.name: as_json(getattr(self, item.name)) for item in fields(self)}


def as_json(value: Any) -> Json:
    """A value of a report -> the same in JSON: dataclasses and mappings as objects, sequences as arrays, paths as text."""
    if isinstance(value, Report):
        return value.to_json()
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: as_json(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(item) for item in value]
    if isinstance(value, Path):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"{type(value).__name__} can't stand in a report")
