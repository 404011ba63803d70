"""Why no rule was found for a field, in plain words, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.datatypes import Annotation
from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.range_pruner import is_counted
from trailmark.wrap.rules.rule import FieldRules

AROUND = 12
"""Letters that are shown of what stands before and behind a value."""
MOST_SHOWN = 3

MarkedTable = tuple[NodeTable, Sequence[Annotation]]


def reasons(unlearnt: Sequence[str], fields: Sequence[FieldRules], pages: Sequence[MarkedTable]) -> tuple[str, ...]:
    """What is to be said of the fields without rules, and of those whose rules rest on too little."""
    return (*(unlearnt_reason(name, pages) for name in unlearnt), *part_doubts(fields, pages))


def unlearnt_reason(field: str, pages: Sequence[MarkedTable]) -> str:
    """A field without rules and the marked pages -> a sentence that says why, and what helps."""
    marks = [(table, mark) for table, on_page in pages for mark in on_page if mark.field == field and mark.value]
    held = [(_text_with(table, mark), _squeezed(mark)) for table, mark in marks]
    missing = next((value for text, value in held if not text), None)
    if missing is not None:
        return f"No rule for “{field}”: “{missing[:60]}” does not stand in one text of the page; mark it as it is written there."
    parts = [(text, value) for text, value in held if text != value]
    if not parts:
        return f"No rule for “{field}”: nothing tells its places from others that look the same; mark it on another page or entry."
    if len({text for text, _ in parts}) < len(parts):
        return crowded_reason(field)
    if len(parts) < 2:
        return f"No rule for “{field}”: it is a part of a longer text, and one example does not tell where it begins and ends. Mark it in a second text."
    return (
        f"No rule for “{field}”: it is a part of a longer text, and what stands around it differs ({_contexts(parts)}). Mark the whole text, "
        "then cut it: trailmark shape --match"
    )


def crowded_reason(field: str) -> str:
    """What is said where several values of a field stand in one text."""
    return (
        f"No rule for “{field}”: several of its values were marked inside one text, and only one a text can be cut out. Mark the whole run "
        "of them, then split it: trailmark shape --split"
    )


def crowded_fields(pages: Sequence[MarkedTable]) -> tuple[str, ...]:
    """Marked pages -> the fields of which several parts of one text were marked, by the places that the marks name."""
    places: dict[tuple[int, str, str], set[str]] = {}
    for number, (_, marks) in enumerate(pages):
        for mark in marks:
            if mark.value and mark.xpath:
                places.setdefault((number, mark.xpath, mark.field), set()).add(_squeezed(mark))
    return tuple(dict.fromkeys(field for (_, _, field), values in places.items() if len(values) > 1))


def part_doubts(fields: Sequence[FieldRules], pages: Sequence[MarkedTable]) -> list[str]:
    """A sentence for each field that is cut out of a longer text by counting, because there is one example of it only."""
    values: dict[str, set[str]] = {}
    for mark in (mark for _, on_page in pages for mark in on_page if mark.value):
        values.setdefault(mark.field, set()).add(_squeezed(mark))
    return [
        f"“{rules.name}” is cut out of a longer text by counting {rules.pruner.how}, because one example does not tell where it begins and ends. "
        "Mark it in a second text."
        for rules in fields
        if is_counted(rules.pruner) and len(values.get(rules.name, ())) == 1
    ]


def _contexts(parts: Sequence[tuple[str, str]]) -> str:
    """What stands before and behind the first values."""
    shown = []
    for text, value in parts[:MOST_SHOWN]:
        before, _, behind = text.partition(value)
        shown.append(f"“…{before[-AROUND:]}[{value[:AROUND]}…]{behind[:AROUND]}…”")
    return "; ".join(shown)


def _squeezed(mark: Annotation) -> str:
    return " ".join((mark.value or "").split())


def _text_with(table: NodeTable, mark: Annotation) -> str:
    """The shortest text of the page that is or holds the value; empty where there is none."""
    value = _squeezed(mark)
    return min((text for text in table.texts if value in text), key=len, default="")
