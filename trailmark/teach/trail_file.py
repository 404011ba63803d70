"""Lines of a trails file -> trails. The format is in docs/reference/formats.md."""

from __future__ import annotations

import json
from collections.abc import Iterable

from trailmark.datatypes import Outcome, Step, Trail
from trailmark.read.written_lines import JsonObject, Problem, Refusal, parse_lines, text_of, url_of
from trailmark.teach.trail_draft import LONGEST_LABEL, clean_label

OUTCOMES: tuple[Outcome, ...] = ("goal", "fail")


def parse_trails(lines: Iterable[str], source: str) -> tuple[list[tuple[int, Trail]], list[Problem]]:
    """Lines of a file -> its trails with their line numbers, and a problem for each line that is not one."""
    return parse_lines(lines, source, _trail)


def _trail(entry: JsonObject) -> Trail:
    outcome = next((known for known in OUTCOMES if known == entry.get("outcome")), None)
    if outcome is None:
        wrong = f", not {json.dumps(entry['outcome'])[:40]}" if "outcome" in entry else "; it is missing"
        raise Refusal(f'\'outcome\' must be "goal" or "fail"{wrong}')
    steps = entry.get("steps")
    if not isinstance(steps, list) or not steps:
        raise Refusal("'steps' must be a list with at least one step")
    return Trail(
        site=url_of(entry, "site"),
        outcome=outcome,
        steps=tuple(_step(step, number) for number, step in enumerate(steps, 1)),
    )


def _label(text: str | None) -> str | None:
    """A milestone's name; it stands in tables and on buttons, so letters that are not seen, or turn others round, are none of it."""
    if text is not None and len(text) > LONGEST_LABEL:
        raise Refusal(f"'label' has {len(text):,} letters; up to {LONGEST_LABEL} name a page")
    return clean_label(text) if text else None


def _step(entry: object, number: int) -> Step:
    if not isinstance(entry, dict):
        raise Refusal(f'step {number} must be an object, like {{"url": ..., "label": ...}}')
    try:
        label = text_of(entry, "label", optional=True)
        return Step(
            url=url_of(entry, "url"),
            label=_label(label),
            anchor=text_of(entry, "anchor", optional=True),
        )
    except Refusal as refusal:
        raise Refusal(f"step {number}: {refusal}") from refusal
