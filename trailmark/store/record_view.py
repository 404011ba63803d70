"""Looking at records from outside: one page of a long list, what fields there are and how full, a record by its number."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from trailmark.store.database import Database

Only = Literal["", "filled", "empty", "unsure", "borrowed", "edited"]
_NAMES = ("id", "url", "kind", "fields", "made_by", "sources", "unsure", "borrowed", "lifted")
_OF_FIELD = "(SELECT value FROM json_each(records.fields) WHERE key = {name})"
_FIRST = "(SELECT json_extract(value, '$[0]') FROM json_each(records.fields) WHERE key = :by)"
_WITHIN = _OF_FIELD.format(name=":within")
_WANTED = (
    "(:kind IS NULL OR kind = :kind) AND (:text = '' OR CASE WHEN :within = '' "
    "THEN instr(lower(fields), lower(:text)) OR instr(lower(url), lower(:text)) "
    f"ELSE instr(lower(COALESCE({_WITHIN}, '')), lower(:text)) END)"
)
# A record that lacks a field is one of a maker that gives it elsewhere.
_ONLY: dict[str, str] = {
    "": "",
    "filled": f" AND (:within = '' OR {_WITHIN} IS NOT NULL)",
    "empty": f" AND {_WITHIN} IS NULL AND made_by IN (SELECT made_by FROM records WHERE {_WITHIN} IS NOT NULL)",  # noqa: S608
    "unsure": " AND EXISTS (SELECT 1 FROM json_each(records.unsure) WHERE :within IN ('', value))",
    "borrowed": " AND borrowed",
    "edited": " AND EXISTS (SELECT 1 FROM json_each(records.lifted, '$.edited') WHERE :within IN ('', value))",
}


@dataclass(frozen=True, slots=True)
class FieldFill:
    """A field, and how many of the records have it that could."""

    name: str
    filled: int
    records: int
    """Records of the makers that give the field."""

    @property
    def share(self) -> float:
        return self.filled / self.records if self.records else 0.0


class RecordView:
    """What can be seen of records."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(
        self,
        *,
        kind: str | None = None,
        containing: str = "",
        within: str = "",
        only: Only = "",
        by: str = "",
        down: bool = False,
        number: Callable[[str], float | None] | None = None,
        most: int = 50,
        skip: int = 0,
    ) -> tuple[int, list[dict[str, Any]]]:
        """How many records there are of a kind with these letters in a value (of a field, where one is named) or the URL, and one page of them.

        They are sorted by a field, as `number` reads its values where that is given; those without one come last.
        """
        wanted = _WANTED + _ONLY[only]
        words = {"kind": kind, "text": containing, "within": within}
        (count,) = self._rows(f"SELECT COUNT(*) FROM records WHERE {wanted}", words)[0]  # noqa: S608
        order = _order(by, down=down, numbers=number is not None)
        if number is not None:
            self._database.connection.create_function("read_number", 1, lambda text: number(str(text)))
        rows = self._rows(
            f"SELECT {', '.join(_NAMES)} FROM records WHERE {wanted} ORDER BY {order} LIMIT :most OFFSET :skip",  # noqa: S608
            {**words, "by": by, "most": most, "skip": skip},
        )
        return count, [_record(row) for row in rows]

    def get(self, number: int) -> dict[str, Any] | None:
        rows = self._rows(f"SELECT {', '.join(_NAMES)} FROM records WHERE id = :id", {"id": number})  # noqa: S608
        return _record(rows[0]) if rows else None

    def fields(self) -> dict[str, int]:
        """How many records have each field, in the order in which fields were first seen."""
        return {each.name: each.filled for each in self.fill()}

    def fill(self, kind: str | None = None) -> list[FieldFill]:
        """The fields in the order in which they were first seen, each with how many of the records have it that could."""
        words = {"kind": kind}
        rows = self._rows(
            "SELECT key, made_by, COUNT(*) FROM records, json_each(records.fields) WHERE :kind IS NULL OR kind = :kind "
            "GROUP BY key, made_by ORDER BY MIN(records.id), MIN(json_each.id)",
            words,
        )
        makers = dict(
            self._rows("SELECT made_by, COUNT(*) FROM records WHERE :kind IS NULL OR kind = :kind GROUP BY 1", words)
        )
        filled: dict[str, int] = {}
        could: dict[str, int] = {}
        for name, maker, count in rows:
            filled[str(name)] = filled.get(str(name), 0) + count
            could[str(name)] = could.get(str(name), 0) + makers[maker]
        return [FieldFill(name, count, could[name]) for name, count in filled.items()]

    def values(self, field: str, most: int = 300) -> list[str]:
        """Some values of a field, the first ones."""
        query = f"SELECT first FROM (SELECT {_FIRST} AS first FROM records) WHERE first IS NOT NULL LIMIT :most"  # noqa: S608
        return [str(value) for (value,) in self._rows(query, {"by": field, "most": most})]

    def kinds(self) -> list[str]:
        return [str(row[0]) for row in self._rows("SELECT DISTINCT kind FROM records ORDER BY kind", {})]

    def _rows(self, query: str, values: dict[str, Any]) -> list[Any]:
        with self._database.plain_errors():
            return self._database.connection.execute(query, values).fetchall()


def _order(by: str, *, down: bool, numbers: bool) -> str:
    if not by:
        return "id"
    way = "DESC" if down else "ASC"
    key = f"read_number({_FIRST})" if numbers else _FIRST
    return f"{_FIRST} IS NULL, {key} IS NULL, {key} {way}, {_FIRST} {way}, id"


def _record(row: Any) -> dict[str, Any]:
    columns = dict(zip(_NAMES, row, strict=True))
    lifted = json.loads(columns.pop("lifted") or "{}")
    columns["borrowed"] = bool(columns["borrowed"])
    columns["edited"] = lifted.get("edited", [])
    return {**columns, **{name: json.loads(columns[name]) for name in ("fields", "sources", "unsure")}}
