"""What people said of groups of references (these are one, this is another): kept in trailmark.db, since nothing can make it again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trailmark.store.database import Database
from trailmark.store.moment import present

GROUP_ACTS = ("group_acts",)
ActKind = Literal["together", "apart"]


@dataclass(frozen=True, slots=True)
class StoredGroupAct:
    """One thing that a person said, by the names of references."""

    id: int
    """Of the act of the journal."""
    kind: ActKind
    names: tuple[str, ...]


def read_group_acts(database: Database) -> list[StoredGroupAct]:
    """All that holds, the oldest first."""
    with database.plain_errors():
        rows = database.connection.execute("SELECT id, kind, names FROM group_acts ORDER BY id").fetchall()
    return [StoredGroupAct(number, kind, tuple(json.loads(names))) for number, kind, names in rows]


def keep_group_act(database: Database, number: int, kind: ActKind, names: Sequence[str]) -> None:
    """Under the number of its act in the journal: so it comes back in its place where it was taken back and is wanted again."""
    at = present()
    with database.transaction() as connection:
        connection.execute("INSERT INTO group_acts VALUES (?, ?, ?, ?)", (number, kind, json.dumps(list(names)), at))
