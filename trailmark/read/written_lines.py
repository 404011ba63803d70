"""What was wrong with a line that a person, or a person's tool, wrote."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

T = TypeVar("T")
JsonObject: TypeAlias = Mapping[str, object]
"""A JSON object that somebody wrote: what its keys hold is to be looked at first."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that was left out, with its file, its number (from 1) and the reason."""

    source: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.source}, line {self.line}: {self.reason}"


class Refusal(ValueError):
    """Why a line can't be used; stays with those who read lines, callers see a `Problem`."""


def parse_lines(
    lines: Iterable[str], source: str, parse: Callable[[JsonObject], T]
) -> tuple[list[tuple[int, T]], list[Problem]]:
    """Every good line of a JSON Lines file with its number, and a problem for every bad one; blank lines are passed over."""
    good: list[tuple[int, T]] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            good.append((number, parse(_object(line))))
        except Refusal as refusal:
            problems.append(Problem(source, number, str(refusal)))
    return good, problems


def _object(line: str) -> JsonObject:
    try:
        value = json.loads(line.lstrip("\ufeff"))
    except json.JSONDecodeError as error:
        raise Refusal(f"not valid JSON ({error.msg} at column {error.colno})") from error
    except RecursionError as error:
        raise Refusal("not usable JSON (nested too deeply)") from error
    except ValueError as error:  # a number with thousands of digits
        raise Refusal(f"not usable JSON ({error})") from error
    if not isinstance(value, dict):
        raise Refusal("must be a JSON object, like {...}")
    return value


def text_of(entry: JsonObject, key: str, *, optional: bool = False) -> str | None:
    """A string of an entry; None only where it is optional and absent or null."""
    value = entry.get(key)
    if value is None and optional:
        return None
    if not isinstance(value, str):
        wrong = "is missing" if key not in entry else f"must be a string, not {json.dumps(value)[:40]}"
        raise Refusal(f"'{key}' {wrong}")
    refuse_no_text(value, f"'{key}'")
    return value


def refuse_no_text(value: str, name: str) -> None:
    """Refusal for halves of characters and for zero bytes: no file and no database takes them."""
    if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise Refusal(f"{name} holds a character that is not text")


def url_of(entry: JsonObject, key: str) -> str:
    """An absolute http or https URL of an entry, as a link to it would be normalised."""
    from trailmark.read import normalise_url

    value = text_of(entry, key)
    assert value is not None
    url = normalise_url(value)
    if url is None:
        raise Refusal(f"'{key}' must be an absolute http or https URL, not {value[:80]!r}")
    return url
