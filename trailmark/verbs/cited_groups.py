"""Groups of references that mean one paper, as a person sees them: who cites it, in which words; and what a person says of them.

What is said is an act of the journal, names references and not groups, holds at once and whenever references are grouped anew, and can be undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.errors import InputError
from trailmark.organise.group_acts import GroupAct, merge_groups, not_the_same, not_this_paper, split_off
from trailmark.report import Report
from trailmark.store.group_act_table import GROUP_ACTS, keep_group_act
from trailmark.store.organised import Organised
from trailmark.verbs.organise_things import settle_groups
from trailmark.workspace import Workspace

SHOWN_REFERENCES = 100
"""References of a group that are shown; groups are merged and split whole."""
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class GroupReference:
    """A reference of a group."""

    record: int
    text: str
    citing: str
    """Key of the thing that has it."""
    title: str
    """Title of that thing."""
    contexts: tuple[str, ...]
    """The sentences in which it is cited."""
    source: int | None
    """A record of the thing that has it."""


@dataclass(frozen=True, slots=True)
class CitedGroup:
    """References that mean one paper."""

    number: int
    size: int
    paper: str | None
    """Key of the thing here that it means."""
    title: str
    """Of that thing, else the first reference."""
    source: int | None
    """A record of that thing."""
    references: tuple[GroupReference, ...]


@dataclass(frozen=True, slots=True)
class GroupsReport(Report):
    """Some groups, those with the most references first."""

    organised: bool
    count: int
    """Of all that were asked for."""
    groups: tuple[CitedGroup, ...] = ()


def cited_groups(
    workspace: Workspace, containing: str = "", *, group: int | None = None, most: int = 20, skip: int = 0
) -> GroupsReport:
    """Letters that a reference has, or the number of a group -> the groups, with references and contexts."""
    organised = Organised.open_to_read(workspace.folder, timeout=workspace.settings.store.busy_timeout)
    if organised is None:
        return GroupsReport(False, 0)
    with organised:
        values = {"letters": containing, "grp": group, "most": most, "skip": skip}
        (count,) = organised.connection.execute(f"SELECT COUNT(DISTINCT grp) {_WANTED}", values).fetchone()
        rows = organised.connection.execute(
            f"SELECT grp {_WANTED} GROUP BY grp ORDER BY COUNT(*) DESC, grp LIMIT :most OFFSET :skip",
            values,
        ).fetchall()
        return GroupsReport(True, count, tuple(_group(organised, number) for (number,) in rows))


_WANTED = (
    "FROM citations WHERE (:letters = '' OR instr(lower(reference), lower(:letters))) AND (:grp IS NULL OR grp = :grp)"
)
_SOURCE = "(SELECT min(record) FROM sources WHERE sources.key = items.key)"


def _group(organised: Organised, number: int) -> CitedGroup:
    execute = organised.connection.execute
    size, paper = execute("SELECT COUNT(*), max(cited) FROM citations WHERE grp = ?", (number,)).fetchone()
    rows = execute(
        f"SELECT c.record, c.reference, c.citing, items.title, c.context, {_SOURCE} FROM citations c "  # noqa: S608
        "JOIN items ON items.key = c.citing WHERE c.grp = ? ORDER BY c.record LIMIT ?",
        (number, SHOWN_REFERENCES),
    )
    references = tuple(
        GroupReference(record, text, citing, title, tuple(filter(None, context.split("\n"))), source)
        for record, text, citing, title, context, source in rows
    )
    meant = execute(f"SELECT title, {_SOURCE} FROM items WHERE key = ?", (paper,)).fetchone()  # noqa: S608
    first = references[0].text if references else ""
    return CitedGroup(number, size, paper, meant[0] if meant else first, meant[1] if meant else None, references)


def merge(workspace: Workspace, groups: Sequence[int]) -> str:
    """Numbers of groups -> a sentence; they mean one paper from now on."""
    members = [_members(workspace, number) for number in dict.fromkeys(groups)]
    if len(members) < 2:
        raise InputError("Choose two groups or more that mean one paper.")
    act = merge_groups(members[0].names, [name for each in members[1:] for name in each.names])
    return _keep(workspace, act, f"{len(members)} groups of references are one: “{members[0].text}”")


def split(workspace: Workspace, record: int) -> str:
    """The record of a reference -> a sentence; it means another paper than the rest of its group."""
    mine, text, name = _of_record(workspace, record)
    if len(mine.names) < 2:
        raise InputError("That reference is alone in its group.")
    return _keep(workspace, split_off(name, mine.names), f"“{text}” was taken out of its group")


def tell_apart(workspace: Workspace, record: int, other: int) -> str:
    """The records of two references -> a sentence; they do not mean one paper."""
    (_, text, name), (_, other_text, other_name) = _of_record(workspace, record), _of_record(workspace, other)
    if name == other_name:
        raise InputError("Choose two references that differ.")
    return _keep(workspace, not_the_same(other_name, name), f"“{text}” is not “{other_text}”")


def unlink(workspace: Workspace, group: int) -> str:
    """The number of a group -> a sentence; it does not mean the paper that it is linked to."""
    mine = _members(workspace, group)
    if mine.paper is None:
        raise InputError("That group is linked to no paper here.")
    return _keep(workspace, not_this_paper(mine.paper, mine.names), f"“{mine.text}” is not the paper it was linked to")


@dataclass(frozen=True, slots=True)
class _Members:
    """The names of a group's references, the beginning of the first, and the paper that it means."""

    names: list[str]
    text: str
    paper: str | None


def _members(workspace: Workspace, number: int) -> _Members:
    rows = _rows(workspace, "SELECT name, reference, cited FROM citations WHERE grp = ? ORDER BY record", number)
    if not rows:
        raise InputError(f"There is no group {number} of references; the page may be old: load it again.")
    return _Members([str(row[0]) for row in rows], str(rows[0][1])[:LONGEST_NAME], rows[0][2])


def _of_record(workspace: Workspace, record: int) -> tuple[_Members, str, str]:
    """The record of a reference -> its group, the beginning of its text, and its name."""
    rows = _rows(workspace, "SELECT grp, reference, name FROM citations WHERE record = ?", record)
    if not rows:
        raise InputError(f"There is no reference {record}; the page may be old: load it again.")
    group, text, name = rows[0]
    return _members(workspace, int(group)), str(text)[:LONGEST_NAME], str(name)


def _rows(workspace: Workspace, query: str, number: int) -> list[tuple[int | str, str, str]]:
    organised = Organised.open_to_read(workspace.folder, timeout=workspace.settings.store.busy_timeout)
    if organised is None:
        raise InputError("Nothing was organised yet; organise the records first: trailmark organise")
    with organised:
        return organised.connection.execute(query, (number,)).fetchall()


def _keep(workspace: Workspace, said: GroupAct, what: str) -> str:
    act = workspace.acts.act("organise", what, GROUP_ACTS)
    with act.part():
        keep_group_act(workspace.database, act.id, said.kind, said.references)
    settle_groups(workspace)
    return f"{what}."
