"""How a run stands that was dealt in parts, in a small file beside them: the one who deals writes it, whoever watches reads it.

So a watcher opens one file, however many parts there are and wherever they are walked.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from trailmark.store.json_lines import written_whole

PARTS = "parts"
"""Folder of the workspace in which the parts of runs rest while they are walked."""
_FILE, _WALKER, _ROUND = "standing.json", "walker.json", "round.json"


@dataclass(frozen=True, slots=True)
class Walker:
    """Who walks a part."""

    machine: str
    process: int
    since: float
    """Seconds since 1970, by the clock of that machine."""


@dataclass(frozen=True, slots=True)
class WalkingPart:
    """A part that is being walked now."""

    number: int
    sites: int
    ended: int
    pages: int
    walker: Walker


@dataclass(frozen=True, slots=True)
class PartsStanding:
    """How a run stands that was dealt, over all its parts."""

    sites: int = 0
    ended: int = 0
    pages: int = 0
    goals: int = 0
    parts: int = 0
    parts_done: int = 0
    errors: int = 0
    """Pages that did not come, or came with a status that says so."""
    usual_seconds: float | None = None
    """What a part that is done took; half of them took less. None where none is done."""
    walking: tuple[WalkingPart, ...] = ()
    at: float = 0.0
    """Seconds since 1970; 0 where it was not written down."""


def parts_folder(workspace: Path, run: int) -> Path:
    """Where the parts of a run rest."""
    return workspace / PARTS / f"run-{run:05d}"


def write_standing(folder: Path, standing: PartsStanding) -> None:
    """In place of what stood there. It is for who watches: where it can't be written now, the run goes on, and says it the next time."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / _FILE, asdict(standing))


def read_standing(folder: Path) -> PartsStanding | None:
    """How the run stood when that was last written; None where it never was."""
    value = _read(folder / _FILE)
    if value is None:
        return None
    walking = tuple(WalkingPart(**{**each, "walker": Walker(**each["walker"])}) for each in value.pop("walking"))
    return PartsStanding(**value, walking=walking)


def write_round(folder: Path, budget: int, budgets: Mapping[int, int]) -> None:
    """What a run of this budget gives each part in this round, by the part's number."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / _ROUND, {"budget": budget, "parts": sorted(budgets.items())})


def read_round(folder: Path, budget: int) -> dict[int, int]:
    """What a run of this budget gave each part in the round that was begun last; empty where there was none."""
    value = _read(folder / _ROUND) or {}
    return {int(part): int(most) for part, most in value.get("parts", ())} if value.get("budget") == budget else {}


def note_walker(part: Path) -> None:
    """This process walks a part from now on."""
    part.mkdir(parents=True, exist_ok=True)
    _write(part / _WALKER, asdict(Walker(socket.gethostname(), os.getpid(), time.time())))


def walker_of(part: Path) -> Walker | None:
    """Who walks a part, or walked it last."""
    value = _read(part / _WALKER)
    return None if value is None else Walker(**value)


def _write(file: Path, value: Any) -> None:
    with written_whole(file) as opened:
        opened.write(json.dumps(value).encode())


def _read(file: Path) -> dict[str, Any] | None:
    try:
        value = json.loads(file.read_bytes())
    except (OSError, ValueError):  # not there, or going away
        return None
    return value if isinstance(value, dict) else None
