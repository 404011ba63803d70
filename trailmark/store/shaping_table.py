"""What people changed of records and fields, act by act, and the records that are shown differently from how they were lifted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from trailmark.datatypes import Record
from trailmark.store.database import Database
from trailmark.store.moment import present
from trailmark.store.record_table import ShownColumns, json_columns

Shown = tuple[Record, Record, tuple[str, ...]]
"""A record as it was lifted, as it is shown, and the fields that a person gave values."""


@dataclass(frozen=True, slots=True)
class StoredAct:
    """One change; `act` is what it is, as JSON holds it."""

    id: int
    at: str
    act: Mapping[str, Any]
    undone: bool


class ShapingTable:
    """The changes of a workspace, and its records as they were lifted."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def acts(self) -> list[StoredAct]:
        """All changes, the oldest first, those that were undone too."""
        with self._database.snapshot() as connection:
            rows = connection.execute("SELECT id, at, act, undone FROM record_acts ORDER BY id")
            return [StoredAct(number, at, json.loads(act), bool(undone)) for number, at, act, undone in rows]

    def add(self, number: int, act: Mapping[str, Any]) -> None:
        """A change under the number of its act, not made yet: to make it, or take it back, is what the journal sees of it."""
        now = present()
        with self._database.transaction() as connection:
            text = json.dumps(act, ensure_ascii=False)
            connection.execute("INSERT INTO record_acts (id, at, act, undone) VALUES (?, ?, ?, 1)", (number, now, text))

    def set_undone(self, number: int, *, undone: bool) -> None:
        """A change is taken back, or made."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE record_acts SET undone = ? WHERE id = ?", (undone, number))

    def lifted_pages(self) -> Iterator[list[tuple[int, Record]]]:
        """The records of one page after the other as they were lifted, each with its number."""
        query = "SELECT id, url, kind, fields, made_by, sources, unsure, borrowed, lifted FROM records ORDER BY url, id"
        with self._database.snapshot() as connection:
            rows = connection.execute(query).fetchall()
        for _, page in groupby(rows, key=lambda row: row[1]):
            yield [(row[0], _lifted(*row[1:])) for row in page]

    def lifted(self, number: int) -> Record | None:
        """The record with that number as it was lifted."""
        with self._database.snapshot() as connection:
            return lifted_record(connection, number)

    def place(self, number: int, lifted: Record) -> tuple[bool, int]:
        """A record -> whether its page has no other and had none that was taken back, and how many before it were lifted just so too."""
        with self._database.snapshot() as connection:
            rows = connection.execute("SELECT id FROM records WHERE url = ? ORDER BY id", (lifted.url,)).fetchall()
            gone = connection.execute("SELECT 1 FROM forgotten_records WHERE url = ?", (lifted.url,)).fetchone()
            before = [lifted_record(connection, other) for (other,) in rows if other < number]
        return len(rows) == 1 and gone is None, sum(
            each is not None and each.fields == lifted.fields for each in before
        )

    def show(self, rows: Iterable[tuple[int, Shown]]) -> None:
        """Records that are there, with what is shown of them from now on."""
        query = "UPDATE records SET fields = ?, sources = ?, unsure = ?, lifted = ? WHERE id = ?"
        with self._database.transaction() as connection:
            connection.executemany(query, ((*shown_columns(shown), number) for number, shown in rows))


def lifted_record(connection: sqlite3.Connection, number: int) -> Record | None:
    """The record with that number as it was lifted."""
    query = "SELECT url, kind, fields, made_by, sources, unsure, borrowed, lifted FROM records WHERE id = ?"
    row = connection.execute(query, (number,)).fetchone()
    return None if row is None else _lifted(*row)


def shown_columns(row: Shown) -> ShownColumns:
    """Fields, sources and unsure fields as they are shown, and as they were lifted where that is something else."""
    lifted, shown, edited = row
    same = lifted.fields == shown.fields and lifted.unsure == shown.unsure and not edited
    return (*json_columns(shown), None if same else _kept(lifted, edited))


def _kept(lifted: Record, edited: Sequence[str]) -> str:
    values = {"fields": lifted.fields, "sources": lifted.sources, "unsure": lifted.unsure, "edited": list(edited)}
    return json.dumps(values, ensure_ascii=False)


def _lifted(
    url: str, kind: str, fields: str, made_by: str, sources: str, unsure: str, borrowed: int, lifted: str | None
) -> Record:
    record = Record(url, kind, {}, made_by, borrowed=bool(borrowed))
    if lifted is None:
        return _with(record, json.loads(fields), json.loads(sources), json.loads(unsure))
    kept = json.loads(lifted)
    return _with(record, kept["fields"], kept["sources"], kept["unsure"])


def _with(record: Record, fields: Any, sources: Any, unsure: Any) -> Record:
    return replace(record, fields=_tuples(fields), sources=_tuples(sources), unsure=tuple(unsure))


def _tuples(values: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(texts) for name, texts in values.items()}
