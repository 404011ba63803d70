"""Numbers of rows that are never given twice: a trail that was taken back can come back under its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

_NUMBERED = ("trails", "annotations", "records", "runs")


def next_number(table: str) -> str:
    """A table -> SQL for the number of its next row: above all that are there, and all that were there when something was taken back."""
    kept = f"(SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'last of {table}')"  # noqa: S608
    return f"(SELECT max(coalesce(max(id), 0), coalesce({kept}, 0)) + 1 FROM {table})"  # noqa: S608


def keep_numbers(connection: sqlite3.Connection, tables: Iterable[str]) -> None:
    """Remember how far the numbers of these tables have come."""
    for table in tables:
        if table in _NUMBERED:
            connection.execute(
                f"INSERT OR REPLACE INTO meta (key, value) VALUES ('last of {table}', {next_number(table)} - 1)"  # noqa: S608
            )
