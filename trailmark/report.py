"""What a verb reports: a frozen dataclass that can say itself as JSON.

A field is written under its own name, nested reports and tuples with it. A report whose JSON has other names, or leaves some out,
overrides `to_json`. At a prompt a report is one line of figures; its lists are counted, and never printed whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""What JSON can hold."""


SHORT = 60
"""Characters of a text that a report shows at a prompt."""


class Report:
    """Mixed into the frozen dataclass that a verb returns."""

    def __init_subclass__(cls) -> None:
        # Else @dataclass, whose turn comes after this, would write one that prints everything.
        if "__repr__" not in cls.__dict__:
            setattr(cls, "__repr__", _one_line)  # noqa: B010 - a plain assignment is not allowed on a class

    def to_json(self) -> dict[str, Json]:
        """What `--json` prints."""
        assert is_dataclass(self)
        return {item.name: as_json(getattr(self, item.name)) for item in fields(self)}


def _one_line(report: Any) -> str:
    """A report -> its name and its figures, as `ForageReport(run=1, pages=60, goals: 7)`."""
    parts = (_figure(item.name, getattr(report, item.name)) for item in fields(report))
    return f"{type(report).__name__}({', '.join(part for part in parts if part)})"


def _figure(name: str, value: Any) -> str:
    if isinstance(value, (bool, int, float)):
        return f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}"
    if isinstance(value, (str, Path)):
        text = str(value)
        return f"{name}={text[:SHORT] + ('...' if len(text) > SHORT else '')!r}"
    if isinstance(value, Report):
        return f"{name}={type(value).__name__}(...)"
    return f"{name}: {len(value)}" if isinstance(value, (Mapping, list, tuple)) else ""


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
