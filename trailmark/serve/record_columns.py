"""What the table of records says of each field: its type, how full it is, where its values stood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from trailmark.extract.tally import USUAL
from trailmark.serve.rendering import TAGGED
from trailmark.shape.column_type import column_type
from trailmark.shape.field_step import FieldStep
from trailmark.store.record_view import FieldFill, RecordView
from trailmark.verbs.reshaping import shaper_of
from trailmark.workspace import Workspace

NUMBERS = ("number", "price")
LONGEST_HINT = 300
PLAIN = "_normal"


class Column(NamedTuple):
    """A field of the table."""

    name: str
    type: str
    filled: int
    records: int
    percent: int
    """Of the records that could have it; 100 only where all have it."""
    sparse: bool


def columns_of(workspace: Workspace, kind: str | None) -> list[Column]:
    """The fields of the records of a kind, or of all."""
    view = RecordView(workspace.database)
    said = {step.fields[0]: step.form for step in shaper_of(workspace).steps if step.how == "type"}
    return [_column(each, said.get(each.name) or column_type(view.values(each.name))) for each in view.fill(kind)]


def _column(fill: FieldFill, kind: str) -> Column:
    percent = 100 if fill.filled == fill.records else min(99, round(100 * fill.share))
    return Column(fill.name, kind, fill.filled, fill.records, percent, fill.share < USUAL)


def without_plain_forms(columns: Sequence[Column], asked: str) -> list[Column]:
    """Columns without the plain forms that stand beside values as they were found (`author_normal`), save the one that is asked for."""
    names = {column.name for column in columns}
    return [each for each in columns if each.name == asked or each.name.removesuffix(PLAIN) not in names - {each.name}]


class Cell(NamedTuple):
    """What a field of a record says, each value with where it came from."""

    field: str
    values: tuple[tuple[str, str], ...]
    """(value, what a person reads when pointing at it)."""
    unsure: bool
    edited: bool


def cells_of(row: Mapping[str, Any], columns: Sequence[str], rules: Mapping[str, Mapping[str, str]]) -> list[Cell]:
    """A record -> a cell for each column."""
    return [_cell(row, name, rules.get(row["made_by"], {}).get(name, "")) for name in columns]


def _cell(row: Mapping[str, Any], name: str, rule: str) -> Cell:
    places, edited = row["sources"].get(name, []), name in row["edited"]
    values = []
    for number, value in enumerate(row["fields"].get(name, [])):
        place = places[number] if number < len(places) else ""
        values.append((value, "Given by hand." if edited else _hint(row, place, rule)))
    return Cell(name, tuple(values), name in row["unsure"], edited)


def _hint(row: Mapping[str, Any], place: str, rule: str) -> str:
    """Page, rule and place, a line each."""
    if row["made_by"].startswith(TAGGED):
        return "\n".join((f"Document: {row['url']}"[:LONGEST_HINT], f"Tagger: {row['made_by']}", f"Place: {place}"))
    maker = f"{row['made_by']}{' (borrowed)' if row['borrowed'] else ''}"
    lines = [f"Page: {row['url']}", f"Rule: {maker}{': ' + rule if rule else ''}", f"XPath: {place}" if place else ""]
    return "\n".join(line[:LONGEST_HINT] for line in lines if line)


def step_of(how: str, fields: Sequence[str], words: Mapping[str, str]) -> FieldStep:
    """What a form sent -> a change of a field, not checked yet."""
    into = tuple(name.strip() for name in words["into"].split(",") if name.strip())
    chosen = tuple(fields) if how == "join" else tuple(fields[:1])
    return FieldStep(
        how,  # type: ignore[arg-type]
        chosen,
        into if how in ("rename", "split", "join") else (),
        words["pattern"],
        words["put"],
        words["form"] or "text",  # type: ignore[arg-type]
        words["order"],  # type: ignore[arg-type]
        words["decimal"],
    )
