"""The box for what the public sends in: sites, documents, and mistakes that somebody saw. A file of its own, `suggestions.db`.

The portal writes here and nowhere else, so that whatever is sent can fill this file alone; and it can't: there is room for so many that wait,
and for so many of one sender a day. Senders are remembered as a keyed digest of their address that changes every day.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from trailmark.errors import InputError, WorkspaceBusy
from trailmark.store.live_files import note_database
from trailmark.store.moment import present
from trailmark.store.write_ahead import is_busy, set_write_ahead

FILE = "suggestions.db"
Kind = Literal["site", "document", "mistake"]
Decision = Literal["waiting", "accepted", "refused", "done"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST_WAITING = 1000
MOST_KEPT = 10_000
"""Suggestions in all; the oldest that were decided go first."""
_COLUMNS = "id, at, kind, url, item, text, decision, outcome"
_TABLE = (
    "CREATE TABLE IF NOT EXISTS suggestions (id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, kind TEXT NOT NULL, url TEXT NOT NULL, "
    "item TEXT NOT NULL, text TEXT NOT NULL, sender TEXT NOT NULL, decision TEXT NOT NULL DEFAULT 'waiting', outcome TEXT NOT NULL DEFAULT '')"
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What somebody sent in."""

    id: int
    at: str
    kind: Kind
    url: str
    """The site or the document; of a mistake the page that it was seen on."""
    item: str
    """Of a mistake: the thing that it is about."""
    text: str
    decision: Decision
    outcome: str
    """What came of it, once something did."""


@contextmanager
def open_box(folder: Path, *, timeout: float = 10.0) -> Iterator[SuggestionBox]:
    """The box of a workspace's folder, made where it is not there."""
    path = folder / FILE
    note_database(path)
    try:
        connection = sqlite3.connect(path, timeout=timeout, isolation_level=None)
        try:
            set_write_ahead(connection, timeout)
            connection.execute(_TABLE)
            yield SuggestionBox(connection)
        finally:
            connection.close()
    except sqlite3.Error as error:
        if is_busy(error):
            raise WorkspaceBusy(f"{path} is being written by another process; try again when it has ended.") from error
        raise InputError(f"{path} can't be used ({error}); move it away, and a new one is made.") from error


class SuggestionBox:
    """The open box."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def put(self, kind: Kind, url: str, item: str, text: str, sender: str, *, most_of_sender: int) -> tuple[int, bool]:
        """Something that was sent -> its number, and whether it is new: the same that waits already is not kept twice."""
        with self._writing():
            same = self._connection.execute(
                "SELECT id FROM suggestions WHERE kind = ?1 AND decision IN ('waiting', 'accepted') AND url = ?2 AND item = ?3 "
                "AND (?1 != 'mistake' OR text = ?4)",
                (kind, url, item, text),
            ).fetchone()
            if same is not None:
                return int(same[0]), False
            self._check_room(sender, most_of_sender)
            added = self._connection.execute(
                "INSERT INTO suggestions (at, kind, url, item, text, sender) VALUES (?, ?, ?, ?, ?, ?)",
                (present(), kind, url, item, text, sender),
            )
            self._connection.execute(
                "DELETE FROM suggestions WHERE id IN (SELECT id FROM suggestions WHERE decision IN ('refused', 'done') ORDER BY id "
                "LIMIT MAX(0, (SELECT COUNT(*) FROM suggestions) - ?))",
                (MOST_KEPT,),
            )
            return int(added.lastrowid or 0), True

    def list(self, decision: Decision | None = None, most: int = 100) -> list[Suggestion]:
        """Suggestions, the latest first."""
        wanted = "WHERE decision = ?1" if decision is not None else ""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM suggestions {wanted} ORDER BY id DESC LIMIT ?2",  # noqa: S608
            (decision, most),
        )
        return [Suggestion(*row) for row in rows]

    def decide(self, number: int, decision: Decision, outcome: str = "") -> Suggestion | None:
        """Decide about one -> it as it is now; None where there is none of that number."""
        with self._writing():
            self._connection.execute(
                "UPDATE suggestions SET decision = ?, outcome = ? WHERE id = ?", (decision, outcome, number)
            )
            row = self._connection.execute(
                f"SELECT {_COLUMNS} FROM suggestions WHERE id = ?",  # noqa: S608
                (number,),
            ).fetchone()
        return None if row is None else Suggestion(*row)

    def _check_room(self, sender: str, most_of_sender: int) -> None:
        (waiting,) = self._connection.execute("SELECT COUNT(*) FROM suggestions WHERE decision = 'waiting'").fetchone()
        if waiting >= MOST_WAITING:
            raise InputError(
                "So many suggestions are waiting that there is no room for another; please come again later."
            )
        (theirs,) = self._connection.execute("SELECT COUNT(*) FROM suggestions WHERE sender = ?", (sender,)).fetchone()
        if theirs >= most_of_sender:
            raise InputError("That is as much as one sender may send in a day; please come again tomorrow.")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
