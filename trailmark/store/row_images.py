"""Rows as they were before and after a change, noted by SQLite itself while an act is under way.

For the time of an act, triggers that belong to this connection alone write every change of the watched tables to `act_rows`, in the
transaction of the change: whatever writes, nothing is left out, and nothing is noted that was not done. Other connections know nothing of them.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Value = int | float | str | bytes | None
_NOTE = (
    'CREATE TEMP TRIGGER "noted {when} {table}" AFTER {when} ON main."{table}" BEGIN INSERT INTO act_rows (act_id, place, name, key, before, after) '
    "VALUES (trailmark_act(), trailmark_place(), '{table}', {key}, {before}, {after}); END"
)


@dataclass(frozen=True, slots=True)
class TableShape:
    """A table, its columns and those of its key."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


class _Interrupts:
    """Ctrl-C that came within a function of ours that SQLite had called. It is raised there, and SQLite makes another error of it."""

    seen = 0
    _looking = False

    @classmethod
    def look_out(cls) -> None:
        """From now on they are counted; what else is raised in such functions goes where it went before."""
        if cls._looking:
            return
        cls._looking = True
        sqlite3.enable_callback_tracebacks(True)
        before = sys.unraisablehook

        def hook(raised: sys.UnraisableHookArgs) -> None:
            if issubclass(raised.exc_type, KeyboardInterrupt):
                cls.seen += 1
            else:
                before(raised)

        sys.unraisablehook = hook


@dataclass
class Watch:
    """Triggers that note changes of some tables as those of one act."""

    connection: sqlite3.Connection
    act: int
    place: int = 0
    """Number of the change that was noted last."""
    tables: list[str] = field(default_factory=list)
    _interrupts: int = field(default_factory=lambda: _Interrupts.seen)

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C came while SQLite asked for the image of a row: it tells no more than that something was raised."""
        return self._interrupts != _Interrupts.seen

    def begin(self, tables: Iterable[str]) -> None:
        """Note changes of these tables, and of all whose rows go with theirs."""
        if not self.tables:
            _Interrupts.look_out()
            self.connection.execute(
                "PRAGMA recursive_triggers = ON"
            )  # else INSERT OR REPLACE would remove rows unnoted
            self.connection.create_function("trailmark_act", 0, lambda: self.act)
            self.connection.create_function("trailmark_place", 0, self._next)
        for table in with_children(self.connection, tables):
            if table not in self.tables:
                self._watch(shape_of(self.connection, table))
                self.tables.append(table)

    def end(self) -> None:
        """Note nothing any more."""
        for table in self.tables:
            for when in ("INSERT", "UPDATE", "DELETE"):
                self.connection.execute(f'DROP TRIGGER IF EXISTS temp."noted {when} {table}"')
        self.connection.execute("PRAGMA recursive_triggers = OFF")
        self.tables.clear()

    def _next(self) -> int:
        self.place += 1
        return self.place

    def _watch(self, shape: TableShape) -> None:
        self.connection.create_function(f"trailmark_row_{shape.name}", -1, lambda *row: image(shape.columns, row))
        self.connection.create_function(f"trailmark_key_{shape.name}", -1, lambda *key: row_key(key))
        for when, before, after in (("INSERT", "", "NEW"), ("UPDATE", "OLD", "NEW"), ("DELETE", "OLD", "")):
            key = _call("key", shape.name, before or after, shape.key)
            images = [_call("row", shape.name, row, shape.columns) if row else "NULL" for row in (before, after)]
            self.connection.execute(
                _NOTE.format(when=when, table=shape.name, key=key, before=images[0], after=images[1])
            )


def _call(what: str, table: str, row: str, columns: tuple[str, ...]) -> str:
    arguments = ", ".join(f'{row}."{column}"' for column in columns)
    return f"trailmark_{what}_{table}({arguments})"


def with_children(connection: sqlite3.Connection, tables: Iterable[str]) -> list[str]:
    """Tables -> the same and all whose rows go when rows of theirs go, parents first."""
    found = list(dict.fromkeys(tables))
    every = [
        str(name)
        for (name,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table' ORDER BY name")
    ]
    parents = {
        name: {row[2] for row in connection.execute(f'PRAGMA main.foreign_key_list("{name}")')} for name in every
    }
    for table in found:  # which grows
        found += [name for name in every if table in parents[name] and name not in found]
    return found


def shape_of(connection: sqlite3.Connection, table: str) -> TableShape:
    """The name of a table -> its columns, and those of its key in the order of the key."""
    rows = connection.execute(f'PRAGMA main.table_info("{table}")').fetchall()
    key = [name for _, name in sorted((row[5], row[1]) for row in rows if row[5])]
    return TableShape(table, tuple(row[1] for row in rows), tuple(key))


def image(columns: Iterable[str], row: Iterable[Value]) -> str:
    """A row -> the same as JSON; bytes, which JSON has not, as `{"hex": ...}`."""
    return json.dumps(
        {
            name: {"hex": value.hex()} if isinstance(value, bytes) else value
            for name, value in zip(columns, row, strict=True)
        }
    )


def row_of(text: str) -> Mapping[str, Value]:
    """The inverse of `image`."""
    return {
        name: bytes.fromhex(value["hex"]) if isinstance(value, dict) else value
        for name, value in json.loads(text).items()
    }


def row_key(key: Iterable[Value]) -> str:
    """The key of a row -> the same as one text."""
    return json.dumps(list(key))


def put_back(connection: sqlite3.Connection, shape: TableShape, key: str, row: Mapping[str, Value] | None) -> None:
    """Make a row what it was: gone, or with these values; columns that it did not have yet keep what they are."""
    where = " AND ".join(f'"{name}" = ?' for name in shape.key)
    place = tuple(json.loads(key))
    if row is None:
        connection.execute(f'DELETE FROM "{shape.name}" WHERE {where}', place)  # noqa: S608 - names of our own tables
        return
    names = [name for name in shape.columns if name in row]
    values = [row[name] for name in names]
    sets = ", ".join(f'"{name}" = ?' for name in names)
    changed = connection.execute(f'UPDATE "{shape.name}" SET {sets} WHERE {where}', (*values, *place))  # noqa: S608
    if not changed.rowcount:
        columns = ", ".join(f'"{name}"' for name in names)
        places = ", ".join("?" * len(names))
        connection.execute(f'INSERT INTO "{shape.name}" ({columns}) VALUES ({places})', values)  # noqa: S608
