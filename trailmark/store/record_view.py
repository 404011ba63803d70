"""Looking at records from outside: one page of a long list, what fields there are, a record by its number."""

from __future__ import annotations

import json
from typing import Any

from trailmark.store.database import Database

_NAMES = ("id", "url", "kind", "fields", "made_by", "sources", "unsure", "borrowed")
_WANTED = "(?1 IS NULL OR kind = ?1) AND (?2 = '' OR instr(lower(fields), lower(?2)) OR instr(lower(url), lower(?2)))"


class RecordView:
    """What can be seen of records."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(
        self, *, kind: str | None = None, containing: str = "", by: str = "", most: int = 50, skip: int = 0
    ) -> tuple[int, list[dict[str, Any]]]:
        """How many records there are of a kind with these letters in a value or the URL, and one page of them, sorted by a field."""
        (count,) = self._rows(f"SELECT COUNT(*) FROM records WHERE {_WANTED}", kind, containing)[0]  # noqa: S608
        rows = self._rows(
            f"SELECT {', '.join(_NAMES)} FROM records WHERE {_WANTED} "  # noqa: S608
            "ORDER BY CASE WHEN ?3 = '' THEN NULL ELSE json_extract(fields, ?3) IS NULL END, "
            "CASE WHEN ?3 = '' THEN NULL ELSE json_extract(fields, ?3) END, id LIMIT ?4 OFFSET ?5",
            kind,
            containing,
            f'$."{by}"[0]' if by and '"' not in by else "",
            most,
            skip,
        )
        return count, [_record(row) for row in rows]

    def get(self, number: int) -> dict[str, Any] | None:
        rows = self._rows(f"SELECT {', '.join(_NAMES)} FROM records WHERE id = ?", number)  # noqa: S608
        return _record(rows[0]) if rows else None

    def fields(self) -> dict[str, int]:
        """How many records have each field, in the order in which fields were first seen."""
        rows = self._rows(
            "SELECT key, COUNT(*) FROM records, json_each(records.fields) GROUP BY key ORDER BY MIN(records.id), MIN(json_each.id)"
        )
        return {str(name): int(count) for name, count in rows}

    def kinds(self) -> list[str]:
        return [str(row[0]) for row in self._rows("SELECT DISTINCT kind FROM records ORDER BY kind")]

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with self._database.plain_errors():
            return self._database.connection.execute(query, values).fetchall()


def _record(row: Any) -> dict[str, Any]:
    columns = dict(zip(_NAMES, row, strict=True))
    columns["borrowed"] = bool(columns["borrowed"])
    return {**columns, **{name: json.loads(columns[name]) for name in ("fields", "sources", "unsure")}}
