"""JSON Lines on disk: trails in the formats that other tools may write and read.

The readers here are strict: the first bad line is an InputError with its file and number. (Importing what a person wrote,
where the good lines are kept, is the business of `teach`.)
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from trailmark.datatypes import Step, Trail
from trailmark.errors import InputError
from trailmark.quoting import json_text
from trailmark.store.live_files import refuse_database


def read_json_lines(path: Path | str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and object of each line that is not blank."""
    path = Path(path)
    refuse_database(path)
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, _object(path, number, line)
    except OSError as error:
        raise InputError(f"{path} can't be read ({error.strerror}): check the name and its permissions.") from error


def write_json_lines(path: Path | str, objects: Iterable[dict[str, Any]]) -> None:
    """Write all objects or none: a reader never sees half a file."""
    with written_whole(Path(path)) as file:
        for value in objects:
            file.write(json_text(value).encode() + b"\n")


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes its name only when it is complete; on an error nothing is left behind."""
    refuse_database(path)
    with _said_of(path):
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())
        with _said_of(path):
            Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def _said_of(path: Path) -> Iterator[None]:
    """An error within the block names the file that was asked for, not the one that is written first."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def trail_to_json(trail: Trail) -> dict[str, Any]:
    """The trail as the interface writes it; `anchor` only where there is one."""
    steps: list[dict[str, Any]] = []
    for step in trail.steps:
        anchor = {} if step.anchor is None else {"anchor": step.anchor}
        steps.append({"url": step.url, "label": step.label, **anchor})
    return {"site": trail.site, "outcome": trail.outcome, "steps": steps}


def trail_from_json(value: dict[str, Any]) -> Trail:
    """The trail; ValueError says in a few words what is wrong with it."""
    site, outcome, steps = (value.get(key) for key in ("site", "outcome", "steps"))
    if not isinstance(site, str):
        raise ValueError("'site' must be a URL")
    if outcome not in ("goal", "fail"):
        raise ValueError("'outcome' must be 'goal' or 'fail'")
    if not isinstance(steps, list) or not steps:
        raise ValueError("'steps' must be a list of at least one step")
    return Trail(site=site, outcome=outcome, steps=tuple(_step(step) for step in steps))


def read_trails(path: Path | str) -> Iterator[Trail]:
    """The trails of a file that a program wrote; the first bad line is an InputError."""
    for number, value in read_json_lines(path):
        try:
            yield trail_from_json(value)
        except ValueError as error:
            raise InputError(f"{path}:{number}: {error}; mend the line or remove it.") from error


def _object(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}:{number}: not valid JSON ({error}); mend the line or remove it.") from error
    if not isinstance(value, dict):
        raise InputError(f"{path}:{number}: not a JSON object; mend the line or remove it.")
    return value


def _step(value: Any) -> Step:
    if not isinstance(value, dict) or not isinstance(value.get("url"), str):
        raise ValueError("each step must be an object with a 'url'")
    label, anchor = value.get("label"), value.get("anchor")
    if not isinstance(label, str | None) or not isinstance(anchor, str | None):
        raise ValueError("'label' and 'anchor' of a step must be a string or null")
    return Step(url=value["url"], label=label, anchor=anchor)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
