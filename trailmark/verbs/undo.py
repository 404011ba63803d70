"""`undo`: an act of the journal -> everything that it changed is as it was. Undoing is an act too: undo it, and the act stands again.

What hangs on it is not rewritten: it becomes stale, and the report says how to renew it. An act whose rows a later one changed waits for that one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from trailmark.errors import InputError
from trailmark.forage.settled_run import settle_run
from trailmark.report import Report
from trailmark.store.act_table import DroppedActs, StoredAct
from trailmark.store.course_table import COURSE_CORRECTIONS
from trailmark.store.group_act_table import GROUP_ACTS
from trailmark.store.run_table import RunTable
from trailmark.store.tag_corrections import CORRECTIONS
from trailmark.store.thing_act_table import THING_ACTS, StoredThingAct, read_thing_acts, touch_things
from trailmark.verbs.correct_course import follow_item_corrections
from trailmark.verbs.correct_document import follow_corrections
from trailmark.verbs.organise_hidden import hide_at_once
from trailmark.verbs.organise_things import settle_groups
from trailmark.verbs.reshaping import SHAPED, reshape
from trailmark.verbs.staleness import StaleThing, stale_things
from trailmark.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ActsReport(Report):
    """What was done, the latest first."""

    acts: tuple[StoredAct, ...]
    dropped: DroppedActs | None = None
    """What was done so long ago that the journal no longer has it."""


@dataclass(frozen=True, slots=True)
class UndoReport(Report):
    """The act that was undone, and what is stale now."""

    undone: StoredAct
    act: int | None
    """The number of the undoing, by which it can be undone itself; None where nothing was done."""
    stale: tuple[StaleThing, ...]

    @property
    def summary(self) -> str:
        """One line for a person."""
        if self.act is None:
            return "Nothing was changed."
        return f"Undone: {self.undone.what}. To have it again: trailmark undo {self.act}"


def acts(workspace: Workspace, most: int = 100, skip: int = 0) -> ActsReport:
    """A workspace -> what was done in it, the latest first."""
    return ActsReport(tuple(workspace.acts.acts(most, skip)), workspace.acts.dropped())


def undo(
    workspace: Workspace, act: int | None = None, *, sure: Callable[[StoredAct], bool] | None = None
) -> UndoReport:
    """The number of an act, or the last one that stands -> everything that it changed is as it was before.

    `sure(act)` is asked first, where it is given. InputError where there is none, it is undone already, or a later act is in the way.
    """
    found = undoable(workspace, act)
    if sure is not None and not sure(found):
        return UndoReport(found, None, ())
    said = read_thing_acts(workspace.database)
    with workspace.database.transaction():
        found = undoable(workspace, found.id)  # somebody else may have been faster
        what = found.what.removeprefix("Undone: ") if found.undoes is not None else f"Undone: {found.what}"
        number = workspace.acts.undo(found, what)
        _settle(workspace, number)
        if not set(SHAPED).isdisjoint(workspace.acts.tables(number)):
            reshape(workspace)
        if not set(THING_ACTS).isdisjoint(workspace.acts.tables(number)):
            _touch(workspace, said)
    documents = {json.loads(key)[0] for key in workspace.acts.keys(number, *CORRECTIONS)}
    if not set(GROUP_ACTS).isdisjoint(workspace.acts.tables(number)):
        settle_groups(workspace)
    courses = {json.loads(key)[0] for key in workspace.acts.keys(number, *COURSE_CORRECTIONS)}
    follow_item_corrections(workspace, sorted(courses))
    if not set(THING_ACTS).isdisjoint(workspace.acts.tables(number)):
        hide_at_once(workspace)
    follow_corrections(workspace, sorted(documents))  # reading a document may take long: nobody else waits for it
    return UndoReport(found, number, stale_things(workspace))


def undoable(workspace: Workspace, act: int | None = None) -> StoredAct:
    """The number of an act, or the last one that stands -> the act; InputError where it can't be undone now."""
    found = workspace.acts.find(act)
    if found is None:
        which = "nothing to undo" if act is None else f"no act {act}"
        raise InputError(f"There is {which} in {workspace.folder}; trailmark undo --list shows what was done.")
    if found.undone_by is not None:
        raise InputError(f"Act {found.id} was undone already; to have it again: trailmark undo {found.undone_by}")
    later = workspace.acts.in_the_way(found.id)
    if later is not None:
        raise InputError(
            f"Act {found.id} can't be undone alone: act {later.id} changed the same later ({later.what}). Undo that first: trailmark undo {later.id}"
        )
    return found


def _touch(workspace: Workspace, before: list[StoredThingAct]) -> None:
    """Things of which something was said, or is no longer: programs that harvest are told of them again."""
    now = read_thing_acts(workspace.database)
    changed = [act for act in (*before, *now) if act not in before or act not in now]
    touch_things(workspace.database, [(name, "") for act in changed for name in act.names])


def _settle(workspace: Workspace, act: int) -> None:
    """Runs whose answers are others now -> settled anew."""
    changed = {json.loads(key)[0] for key in workspace.acts.keys(act, "answers")}
    rows = RunTable(workspace.database)
    restored = {json.loads(key)[0] for key in workspace.acts.keys(act, "fetches")}
    for run in sorted(changed - restored):
        settle_run(rows, run)
