"""`shape`: records as a person wants them. Changes are kept as acts that can be undone, and are made again whenever records are lifted.

shape         a change of fields, made by its name
try_change    what a change of a field would make of the first records
change_field  the change, of all records
edit_value    one value of one record
undo, redo    an act, by its number

A change is an act of the journal as well, under the same number: `trailmark undo` takes it back, and `shape --undo` is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.report import Report
from trailmark.shape.field_step import FieldStep, How, checked
from trailmark.shape.normal_form import Form, Order
from trailmark.shape.shaper import Act, act_from_json
from trailmark.shape.step_trial import StepTrial, try_step
from trailmark.shape.time_limit import check_time
from trailmark.shape.value_edit import ValueEdit
from trailmark.store.act_table import CHANGES
from trailmark.store.record_view import RecordView
from trailmark.store.shaping_table import ShapingTable
from trailmark.verbs.reshaping import reshape, shaper_of
from trailmark.verbs.undo import undo as undo_act
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


def shape(
    workspace: Workspace,
    how: How,
    fields: str | Sequence[str],
    *,
    into: str | Sequence[str] = (),
    pattern: str = "",
    put: str = "",
    form: Form = "text",
    order: Order = "",
    decimal: str = "",
) -> ShapeReport:
    """What to do (`rename`, `split`, `join`, `match`, `replace`, `type`) and a field or several -> done to all records, now and whenever they are lifted.

    `pattern` is the sign between, or a regular expression for whose finds `put` stands; `into` names the new fields, `form` the form of values
    (`number`, `price`, `date`, `text`). The number of the change in the report is that of its act: `trailmark.undo` takes it back.
    """
    names, new = ((each,) if isinstance(each, str) else tuple(each) for each in (fields, into))
    return change_field(workspace, FieldStep(how, names, new, pattern, put, form, order, decimal))


def try_change(workspace: Workspace, step: FieldStep) -> StepTrial:
    """A change of a field -> what it would make of the records as they are shown now; nothing is kept."""
    _check(workspace, step)
    check_time(step, list(_texts(workspace.database.records(), step)))
    return try_step(step, workspace.database.records())


def change_field(workspace: Workspace, step: FieldStep) -> ShapeReport:
    """A change of a field -> kept, and made of all records, now and whenever they are lifted."""
    if _held_last(workspace, step):
        return shape_acts(workspace)
    _check(workspace, step)
    check_time(step, list(_texts(workspace.database.records(), step)))  # which may take long: nobody waits for it
    with workspace.database.transaction():
        if _held_last(workspace, step):
            return shape_acts(workspace)
        _check(workspace, step)
        return _made(workspace, step)


def _held_last(workspace: Workspace, step: FieldStep) -> bool:
    """Whether a step is the last change that holds: a form that was sent twice makes it once."""
    return shaper_of(workspace).acts[-1:] == (step,)


def edit_value(workspace: Workspace, number: int, field: str, values: tuple[str, ...]) -> ShapeReport:
    """The number of a record, a field and what stands there from now on (nothing empties it) -> kept, also when its page is lifted again."""
    if len(values) > MOST_VALUES or any(len(value) > LONGEST_VALUE for value in values):
        raise InputError(f"A field holds up to {MOST_VALUES} values of up to {LONGEST_VALUE:,} letters.")
    table, view = ShapingTable(workspace.database), RecordView(workspace.database)
    with workspace.database.transaction():
        lifted, row = table.lifted(number), view.get(number)
        if lifted is None or row is None:
            raise InputError(f"There is no record {number}; it may have been lifted anew since.")
        if not field or field not in view.fields():
            raise InputError(f"No record has a field '{field}'.")
        before = tuple(row["fields"].get(field, ()))
        if values == before:
            return shape_acts(workspace)
        alone, nth = table.place(number, lifted)
        return _made(workspace, ValueEdit(lifted.url, lifted.fields, field, values, before, alone, nth))


def undo(workspace: Workspace, number: int) -> ShapeReport:
    """The number of a change -> taken back; the others stay."""
    return _turned(workspace, number, undone=True)


def redo(workspace: Workspace, number: int) -> ShapeReport:
    """The number of a change that was taken back -> made again."""
    return _turned(workspace, number, undone=False)


def _made(workspace: Workspace, act: Act) -> ShapeReport:
    """A change -> kept, in the journal, and made: all three or none."""
    table = ShapingTable(workspace.database)
    with workspace.database.transaction():
        number = workspace.acts.next_number()
        table.add(number, act.to_json())
        with workspace.acts.act("shape", act.sentence, CHANGES).part():
            table.set_undone(number, undone=False)
        changed = reshape(workspace)
    return ShapeReport(shape_acts(workspace).acts, changed)


def _turned(workspace: Workspace, number: int, *, undone: bool) -> ShapeReport:
    """A change -> taken back or made again, by the journal; where that reaches back no further, by an act of its own."""
    with workspace.database.transaction():
        found = next((act for act in shape_acts(workspace).acts if act.id == number), None)
        if found is None:
            raise InputError(f"There is no change {number}; trailmark shape lists them.")
        if found.undone == undone:
            raise InputError(f"Change {number} {'is taken back' if undone else 'holds'} already.")
        made = workspace.acts.find(number)
        if made is not None:
            undo_act(workspace, number if undone else made.undone_by)
        else:
            what = f"Undone: {found.sentence}" if undone else found.sentence
            with workspace.acts.act("shape", what, CHANGES).part():
                ShapingTable(workspace.database).set_undone(number, undone=undone)
        changed = reshape(workspace)
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


def _texts(records: Iterator[Record], step: FieldStep) -> Iterator[str]:
    for record in records:
        yield from record.fields.get(step.fields[0], ())
