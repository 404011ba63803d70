"""`shape`: records as a person wants them. Changes are kept as acts that can be undone, and are made again whenever records are lifted.

try_change    what a change of a field would make of the first records
change_field  the change, of all records
edit_value    one value of one record
undo, redo    an act, by its number
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.report import Report
from trailmark.shape.field_step import FieldStep, checked
from trailmark.shape.shaper import Shaper, act_from_json
from trailmark.shape.step_trial import StepTrial, try_step
from trailmark.shape.time_limit import check_time
from trailmark.shape.value_edit import ValueEdit
from trailmark.store.record_view import RecordView
from trailmark.store.shaping_table import ShapingTable
from trailmark.workspace import Workspace

LONGEST_VALUE, MOST_VALUES = 10_000, 100


@dataclass(frozen=True, slots=True)
class ShapeAct(Report):
    """A change that was made."""

    id: int
    at: str
    sentence: str
    is_edit: bool
    undone: bool


@dataclass(frozen=True, slots=True)
class ShapeReport(Report):
    """What `shape --json` prints: the changes of a workspace, and how many records are shown differently now than before."""

    acts: tuple[ShapeAct, ...]
    changed: int = 0


def shape_acts(workspace: Workspace) -> ShapeReport:
    """The changes that were made, the oldest first."""
    acts = []
    for stored in ShapingTable(workspace.database).acts():
        act = act_from_json(stored.act)
        acts.append(ShapeAct(stored.id, stored.at, act.sentence, isinstance(act, ValueEdit), stored.undone))
    return ShapeReport(tuple(acts))


def shaper_of(workspace: Workspace) -> Shaper:
    """The changes of a workspace that hold, ready to be made."""
    return Shaper(act_from_json(stored.act) for stored in ShapingTable(workspace.database).acts() if not stored.undone)


def try_change(workspace: Workspace, step: FieldStep) -> StepTrial:
    """A change of a field -> what it would make of the records as they are shown now; nothing is kept."""
    _check(workspace, step)
    return try_step(step, workspace.database.records())


def change_field(workspace: Workspace, step: FieldStep) -> ShapeReport:
    """A change of a field -> kept, and made of all records, now and whenever they are lifted."""
    _check(workspace, step)
    ShapingTable(workspace.database).add(step.to_json())
    return _reshaped(workspace)


def edit_value(workspace: Workspace, number: int, field: str, values: tuple[str, ...]) -> ShapeReport:
    """The number of a record, a field and what stands there from now on (nothing empties it) -> kept, also when its page is lifted again."""
    table = ShapingTable(workspace.database)
    lifted, row = table.lifted(number), RecordView(workspace.database).get(number)
    if lifted is None or row is None:
        raise InputError(f"There is no record {number}; it may have been lifted anew since.")
    if not field or field not in RecordView(workspace.database).fields():
        raise InputError(f"No record has a field '{field}'.")
    if len(values) > MOST_VALUES or any(len(value) > LONGEST_VALUE for value in values):
        raise InputError(f"A field holds up to {MOST_VALUES} values of up to {LONGEST_VALUE:,} letters.")
    before = tuple(row["fields"].get(field, ()))
    if values == before:
        return shape_acts(workspace)
    edit = ValueEdit(lifted.url, lifted.fields, field, values, before)
    table.add(edit.to_json())
    return _reshaped(workspace)


def undo(workspace: Workspace, number: int) -> ShapeReport:
    """The number of a change -> taken back; the others stay."""
    return _set_undone(workspace, number, undone=True)


def redo(workspace: Workspace, number: int) -> ShapeReport:
    """The number of a change that was taken back -> made again."""
    return _set_undone(workspace, number, undone=False)


def _set_undone(workspace: Workspace, number: int, *, undone: bool) -> ShapeReport:
    if not ShapingTable(workspace.database).set_undone(number, undone=undone):
        raise InputError(f"There is no change {number}; trailmark shape lists them.")
    return _reshaped(workspace)


def _reshaped(workspace: Workspace) -> ShapeReport:
    """All records shown as the changes have it."""
    shaper, table = shaper_of(workspace), ShapingTable(workspace.database)
    rows = [
        (number, (shaped.lifted, shaped.shown, shaped.edited))
        for page in table.lifted_pages()
        for (number, _), shaped in zip(page, shaper([record for _, record in page]), strict=True)
    ]
    table.show(rows)
    changed = sum(lifted.fields != shown.fields for _, (lifted, shown, _) in rows)
    return ShapeReport(shape_acts(workspace).acts, changed)


def _check(workspace: Workspace, step: FieldStep) -> None:
    """InputError where the step can't be made of these records."""
    checked(step)
    known = RecordView(workspace.database).fields()
    missing = [name for name in step.fields if name not in known]
    if missing:
        raise InputError(f"No record has a field '{missing[0]}'; there are: {', '.join(known) or 'no records'}.")
    taken = [name for name in step.into if name in known and name not in step.fields]
    if taken:
        raise InputError(f"There is a field '{taken[0]}' already: choose another name, or join the two.")
    check_time(step, list(_texts(workspace.database.records(), step)))


def _texts(records: Iterator[Record], step: FieldStep) -> Iterator[str]:
    for record in records:
        yield from record.fields.get(step.fields[0], ())
