"""The journal: what people did, when, and every row that it changed, so that it can be taken back.

An act and what it did are one transaction: after `kill -9` both are there or neither is, and two who write at once follow one another. An act
of several transactions (a long file of trails) has in the journal what was kept. Taking back is an act too, so it can be taken back.
Archives are never touched.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from trailmark.errors import InputError
from trailmark.store.database import Database
from trailmark.store.moment import present
from trailmark.store.row_images import Watch, put_back, row_of, shape_of, with_children
from trailmark.store.row_numbers import keep_numbers

TAUGHT = ("trails", "annotations", "answers")
"""What teaching, marking and answering change."""
RUNS, RECORDS, RULES = ("runs",), ("records", "forgotten_records"), ("forgotten_rules",)
CHANGES = ("record_acts",)
"""What a change of records or fields changes; how records are shown follows from it."""
MOST_ACTS, MOST_ROWS, LEAST_ACTS = 10_000, 1_000_000, 100
"""The journal keeps so many acts, and of rows that they changed about so many (half a gigabyte), but always the last hundred: without an end it
would outgrow all that it is about. The oldest go first, each whole."""
_LOOK_EVERY = 100
"""Acts between two looks at how long the journal is; an act with many rows is looked at at once."""
_DROPPED = "dropped acts"
_ACTS = "SELECT id, at, who, verb, what, undoes, undone_by, (SELECT COUNT(*) FROM act_rows WHERE act_id = acts.id) FROM acts"
_FIRST = "SELECT name, key, before, MIN(place) FROM act_rows WHERE act_id = ? GROUP BY name, key"


@dataclass(frozen=True, slots=True)
class StoredAct:
    """An act in the journal."""

    id: int
    at: str
    who: str
    """`command line`, `app`, or what a program calls itself."""
    verb: str
    what: str
    """One sentence for a person."""
    undoes: int | None
    """The act that this one took back."""
    undone_by: int | None
    """The act that took this one back; None while it stands."""
    rows: int
    """Rows that it changed."""


@dataclass(frozen=True, slots=True)
class DroppedActs:
    """Acts that are no longer in the journal, and so can't be undone."""

    count: int
    until: str
    """When the last of them was done."""

    def __str__(self) -> str:
        return (
            f"{self.count:,} earlier acts, until {self.until[:16].replace('T', ' ')}, are no longer in the journal and can't be undone: "
            f"it keeps the last {MOST_ACTS:,} acts and about {MOST_ROWS:,} rows. What they did stays."
        )


class Act:
    """An act under way: each `part` is a transaction with its lines in the journal; an act that changed nothing leaves none."""

    def __init__(
        self, database: Database, verb: str, what: str, tables: Sequence[str], undoes: int | None = None
    ) -> None:
        self._database, self.verb, self.what = database, verb, what
        self._tables, self._undoes = tables, undoes
        self.id = 0
        """0 until the first part has begun."""
        self._places = 0

    @contextmanager
    def part(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; within the part of another act it belongs to that one."""
        with self._database.transaction() as connection:
            watch = self._database.watch
            if watch is not None:
                watch.begin(self._tables)
                yield connection
                return
            if not self._places:  # nothing of it is in the journal: another may have taken its number meanwhile
                self.id = _next_act(connection)
            watch = self._database.watch = Watch(connection, self.id, self._places)
            try:
                watch.begin(self._tables)
                keep_numbers(connection, watch.tables)
                yield connection
                self._write(connection, watch.place)
            except sqlite3.OperationalError as error:
                if watch.interrupted:
                    raise KeyboardInterrupt from error
                raise
            finally:
                self._database.watch = None
                watch.end()
            self._places = watch.place

    def _write(self, connection: sqlite3.Connection, places: int) -> None:
        if not places and self._undoes is None:
            return
        now = present()
        connection.execute(
            "INSERT INTO acts (id, at, who, verb, what, undoes) VALUES (?1, ?2, ?3, ?4, ?5, ?6) "
            "ON CONFLICT (id) DO UPDATE SET at = ?2, what = ?5",
            (self.id, now, self._database.who, self.verb, self.what, self._undoes),
        )
        if self.id % _LOOK_EVERY == 0 or places > MOST_ROWS // _LOOK_EVERY:
            drop_oldest(connection)


class ActTable:
    """The journal of a workspace."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def act(self, verb: str, what: str, tables: Sequence[str] = TAUGHT) -> Act:
        """An act to be done: `with acts.act("teach", "taught a trail").part(): ...`"""
        return Act(self._database, verb, what, tables)

    def acts(self, most: int = 100, skip: int = 0) -> list[StoredAct]:
        """The latest first."""
        with self._database.plain_errors():
            rows = self._database.connection.execute(f"{_ACTS} ORDER BY id DESC LIMIT ? OFFSET ?", (most, skip))
            return [StoredAct(*row) for row in rows]

    def find(self, number: int | None) -> StoredAct | None:
        """The act of that number; without one, the last that stands and is no undoing."""
        where = (
            "WHERE id = ?"
            if number is not None
            else "WHERE undone_by IS NULL AND undoes IS NULL ORDER BY id DESC LIMIT 1"
        )
        with self._database.plain_errors():
            row = self._database.connection.execute(f"{_ACTS} {where}", () if number is None else (number,)).fetchone()
        return None if row is None else StoredAct(*row)

    def dropped(self) -> DroppedActs | None:
        """What the journal no longer holds."""
        kept = self._database.meta(_DROPPED)
        return None if kept is None else DroppedActs(*json.loads(kept))

    def next_number(self) -> int:
        """The number of the next act, within the transaction in which it is done."""
        return _next_act(self._database.connection)

    def tables(self, number: int) -> list[str]:
        """Tables that an act changed."""
        rows = self._database.connection.execute(
            "SELECT DISTINCT name FROM act_rows WHERE act_id = ? ORDER BY name", (number,)
        )
        return [str(name) for (name,) in rows]

    def keys(self, number: int, table: str) -> list[str]:
        """Keys of the rows of a table that an act changed, as JSON."""
        rows = self._database.connection.execute(
            "SELECT DISTINCT key FROM act_rows WHERE act_id = ? AND name = ? ORDER BY key", (number, table)
        )
        return [str(key) for (key,) in rows]

    def in_the_way(self, number: int) -> StoredAct | None:
        """The latest act that stands, came after this one, and changed something that this one changed."""
        row = self._database.connection.execute(
            "SELECT MAX(later.act_id) FROM act_rows AS mine JOIN act_rows AS later ON later.name = mine.name AND later.key = mine.key "
            "JOIN acts ON acts.id = later.act_id WHERE mine.act_id = ?1 AND later.act_id > ?1 AND acts.undone_by IS NULL AND acts.undoes IS NULL",
            (number,),
        ).fetchone()
        return None if row[0] is None else self.find(int(row[0]))

    def undo(self, act: StoredAct, what: str) -> int:
        """Make every row that an act changed what it was before -> the number of the act that this is."""
        tables = self.tables(act.id)
        undoing = Act(self._database, "undo", what, tables, act.id)
        try:
            with undoing.part() as connection:
                self._put_back(connection, act.id, tables)
                connection.execute("UPDATE acts SET undone_by = ? WHERE id = ?", (undoing.id, act.id))
                self._stand_again(connection, act.undoes)
        except sqlite3.IntegrityError as error:
            raise InputError(
                f"Act {act.id} can't be undone: what it took away stands there again, or what it hung on is gone. Nothing was changed."
            ) from error
        return undoing.id

    def _stand_again(self, connection: sqlite3.Connection, number: int | None) -> None:
        """An act stands again, so the one that it undid does not, so the one that that one undid does, and so on."""
        undoer = None
        while number is not None:
            connection.execute("UPDATE acts SET undone_by = ? WHERE id = ?", (undoer, number))
            row = connection.execute("SELECT undoes FROM acts WHERE id = ?", (number,)).fetchone()
            undoer, number = (number if undoer is None else None), (row[0] if row else None)

    def _put_back(self, connection: sqlite3.Connection, number: int, tables: Sequence[str]) -> None:
        order = [
            table for table in with_children(connection, ["trails", "runs", "courses", *tables]) if table in tables
        ]
        shapes = {table: shape_of(connection, table) for table in order}
        query = f"SELECT key, before FROM ({_FIRST}) WHERE name = ? AND before IS "  # noqa: S608
        for table in reversed(order):  # what was added goes, children first
            for key, _ in connection.execute(f"{query} NULL ORDER BY key", (number, table)).fetchall():
                put_back(connection, shapes[table], key, None)
        for table in order:  # what was changed or removed comes back, parents first
            rows = connection.execute(f"{query} NOT NULL ORDER BY key", (number, table))
            while some := rows.fetchmany(1000):
                for key, before in some:
                    put_back(connection, shapes[table], key, row_of(before))


def drop_oldest(
    connection: sqlite3.Connection, *, most: int = MOST_ACTS, rows: int = MOST_ROWS, least: int = LEAST_ACTS
) -> None:
    """Acts that are one too many, or whose rows are -> gone from the journal, the oldest first; how many, and until when, is remembered."""
    first = connection.execute(
        "SELECT coalesce(max(id), 0) FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS nth, sum((SELECT COUNT(*) FROM act_rows "
        "WHERE act_id = acts.id)) OVER (ORDER BY id DESC) AS rows FROM acts) WHERE nth > ?1 AND (nth > ?2 OR rows > ?3)",
        (least, most, rows),
    ).fetchone()[0]
    count, until = connection.execute("SELECT COUNT(*), max(at) FROM acts WHERE id <= ?", (first,)).fetchone()
    if not count:
        return
    kept = connection.execute("SELECT value FROM meta WHERE key = ?", (_DROPPED,)).fetchone()
    before = json.loads(kept[0])[0] if kept else 0
    value = json.dumps([before + count, until])
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_DROPPED, value))
    connection.execute("DELETE FROM act_rows WHERE act_id <= ?", (first,))
    connection.execute("DELETE FROM acts WHERE id <= ?", (first,))


def _next_act(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(id), 0) + 1 FROM acts").fetchone()[0])
