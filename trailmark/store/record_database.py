"""Records as a SQLite file for other programs: a table of records with a column a field, and a table of all values with their places."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from trailmark.datatypes import Record
from trailmark.quoting import unicode_text

_ALWAYS = ("id", "url", "kind", "made_by", "borrowed")
_VALUES = """CREATE TABLE record_values (
    record INTEGER NOT NULL REFERENCES records (id), field TEXT NOT NULL, n INTEGER NOT NULL, value TEXT NOT NULL, place TEXT NOT NULL,
    PRIMARY KEY (record, field, n)) WITHOUT ROWID"""


def write_record_database(records: Iterable[Record], path: Path, fields: Sequence[str], *, separator: str) -> None:
    """Write all records to a new file; a field called as a column that is always there gets a `_` behind."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        _write(connection, records, list(fields), separator)
        connection.execute("COMMIT")


def _write(connection: sqlite3.Connection, records: Iterable[Record], fields: list[str], separator: str) -> None:
    columns = "".join(f", {_quoted(name)} TEXT" for name in _columns(fields))
    connection.execute(
        "CREATE TABLE records (id INTEGER PRIMARY KEY, url TEXT NOT NULL, kind TEXT NOT NULL, made_by TEXT NOT NULL, "
        f"borrowed INTEGER NOT NULL{columns})"
    )
    connection.execute(_VALUES)
    insert = f"INSERT INTO records VALUES ({', '.join('?' * (len(_ALWAYS) + len(fields)))})"  # noqa: S608
    for number, record in enumerate(records, start=1):
        texts = [separator.join(record.fields[name]) if name in record.fields else None for name in fields]
        row = (record.url, record.kind, record.made_by, record.borrowed, *texts)
        connection.execute(insert, (number, *(unicode_text(cell) if isinstance(cell, str) else cell for cell in row)))
        connection.executemany(
            "INSERT INTO record_values VALUES (?, ?, ?, ?, ?)",
            (
                (number, unicode_text(name), n, unicode_text(value), unicode_text(place))
                for name, values in record.fields.items()
                for n, (value, place) in enumerate(_with_places(values, record.sources.get(name, ())))
            ),
        )


def _with_places(values: Sequence[str], places: Sequence[str]) -> list[tuple[str, str]]:
    return [(value, places[n] if n < len(places) else "") for n, value in enumerate(values)]


def _columns(names: Sequence[str]) -> list[str]:
    """A column's name for each, all different: SQLite does not tell capitals from small letters."""
    taken = set(_ALWAYS)
    columns = []
    for name in (unicode_text(name).replace("\0", "\ufffd") for name in names):
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        columns.append(name)
    return columns


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
