"""Lifted records as rows, with where each value stood; and what became of each page that was extracted."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trailmark.datatypes import Record
from trailmark.store.content_digest import content_digest
from trailmark.store.row_numbers import next_number


@dataclass(frozen=True, slots=True)
class Extraction:
    """What became of one page: by its content and the version of the rules it is known whether that must be done again."""

    url: str
    content_hash: str
    rules: str
    """Version of the rules, and of what chose among them."""
    outcome: str
    """`records`, `empty`, `borrowed`, `none` (no rules for it), `unasked` (nobody wants it) or `failed`."""
    note: str = ""
    """What went wrong, or what the rules were unsure of."""


ShownColumns = tuple[str, str, str, str | None]
"""Fields, sources and unsure fields of a record as they are shown, as JSON, and what was lifted where that is something else."""


def add_records(
    connection: sqlite3.Connection,
    records: Iterable[Record],
    *,
    at: str,
    shown: Callable[[Sequence[Record]], Sequence[ShownColumns]] | None = None,
) -> int:
    """How many records were new; `shown` says what is shown of the records of a page where that is not what was lifted."""
    new = 0
    records = list(records)
    columns = shown(records) if shown is not None else [None] * len(records)
    for record, column in zip(records, columns, strict=True):
        fields, sources = _lists(record.fields), _lists(record.sources)
        # Two entries of a list may say the same: where they stand tells them apart.
        told = [*([sources] if sources else []), *([list(record.unsure)] if record.unsure else [])]
        digest = content_digest(record.url, record.kind, fields, record.made_by, *told)
        new += connection.execute(
            "INSERT OR IGNORE INTO records "  # noqa: S608
            "(id, url, kind, made_by, added_at, content_hash, borrowed, probabilities, fields, sources, unsure, lifted) "
            f"VALUES ({next_number('records')}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(record.url, record.kind, record.made_by, at, digest, record.borrowed, _chances(record)),
                *(column or (*json_columns(record), None)),
            ),
        ).rowcount
    return new


def json_columns(record: Record) -> tuple[str, str, str]:
    """Fields, sources and unsure fields of a record, as they stand in its row."""
    fields, sources, unsure = (
        json.dumps(part, ensure_ascii=False) for part in (record.fields, record.sources, record.unsure)
    )
    return fields, sources, unsure


def remove_records(connection: sqlite3.Connection, urls: Iterable[str], *, maker: str) -> None:
    """Forget what makers whose name begins so made of these pages."""
    connection.executemany(
        "DELETE FROM records WHERE url = ? AND substr(made_by, 1, ?) = ?", [(url, len(maker), maker) for url in urls]
    )


_OF_ALL_PAGES = (
    "SELECT url, kind, fields, made_by, sources, unsure, borrowed, probabilities FROM records "
    "WHERE (:kind IS NULL OR kind = :kind) AND substr(made_by, 1, :length) = :maker ORDER BY id"
)
_OF_A_PAGE = _OF_ALL_PAGES.replace("ORDER", "AND url = :url ORDER")


def read_records(
    connection: sqlite3.Connection, kind: str | None = None, *, url: str | None = None, maker: str = ""
) -> Iterator[Record]:
    """Records in the order they were added: of one kind, of one page, of makers whose name begins so, or all."""
    query = _OF_ALL_PAGES if url is None else _OF_A_PAGE
    rows = connection.execute(query, {"kind": kind, "url": url, "length": len(maker), "maker": maker})
    for row in rows:
        yield _record(*row)


_NUMBERED = "SELECT id, added_at, url, kind, fields, made_by, sources, unsure, borrowed, probabilities FROM records "


def read_numbered_records(connection: sqlite3.Connection) -> Iterator[tuple[int, Record, str]]:
    """(number, record, when it was lifted) in the order they were added."""
    for number, at, *row in connection.execute(_NUMBERED + "ORDER BY id"):
        yield number, _record(*row), at


def read_some_records(connection: sqlite3.Connection, numbers: Iterable[int]) -> Iterator[tuple[int, Record]]:
    """(number, record) of those of these numbers that are there, in the order of the numbers."""
    for wanted in numbers:
        for number, _, *row in connection.execute(_NUMBERED + "WHERE id = ?", (wanted,)):
            yield number, _record(*row)


def last_record(connection: sqlite3.Connection) -> int:
    """The highest number of a record; 0 where there is none."""
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM records").fetchone()[0])


def records_up_to(connection: sqlite3.Connection, last: int) -> tuple[int, str]:
    """How many records have a number up to this, and a digest of these numbers and of what was lifted.

    SQLite strings them together along the index of digests, without a look at the records themselves. (The plus keeps it from going by the numbers.)
    """
    told = "SELECT content_hash || ' ' || id AS told FROM records WHERE +id <= ? ORDER BY content_hash"
    number, all_told = connection.execute(f"SELECT COUNT(*), group_concat(told) FROM ({told})", (last,)).fetchone()  # noqa: S608
    return int(number), hashlib.sha256((all_told or "").encode()).hexdigest()[:32]


def records_after(connection: sqlite3.Connection, last: int) -> list[int]:
    """The numbers of records above this one."""
    return [int(number) for (number,) in connection.execute("SELECT id FROM records WHERE id > ? ORDER BY id", (last,))]


def shown_version(connection: sqlite3.Connection) -> str:
    """What tells whether records are shown as they were before: the changes of people that hold."""
    rows = connection.execute("SELECT id FROM record_acts WHERE NOT undone ORDER BY id").fetchall()
    return content_digest([number for (number,) in rows])


def _record(
    url: str, kind: str, fields: str, made_by: str, sources: str, unsure: str, borrowed: int, probabilities: str
) -> Record:
    chances = {name: tuple(map(float, values)) for name, values in json.loads(probabilities).items()}
    doubted = tuple(json.loads(unsure))
    return Record(url, kind, _tuples(fields), made_by, _tuples(sources), doubted, bool(borrowed), chances)


def _chances(record: Record) -> str:
    return json.dumps(dict(record.probabilities), ensure_ascii=False)


def keep_extractions(connection: sqlite3.Connection, done: Iterable[Extraction]) -> None:
    """A page extracted again takes the place of its earlier row."""
    connection.executemany(
        "INSERT OR REPLACE INTO extractions (url, content_hash, rules, outcome, note) VALUES (?, ?, ?, ?, ?)",
        [
            (extraction.url, extraction.content_hash, extraction.rules, extraction.outcome, extraction.note)
            for extraction in done
        ],
    )


def count_other_rules(connection: sqlite3.Connection, version: str) -> int:
    """Pages with records that were lifted by another version of the rules than this."""
    (count,) = connection.execute(
        "SELECT COUNT(*) FROM extractions WHERE outcome IN ('records', 'borrowed') AND rules != '' AND substr(rules, 1, length(?1)) != ?1",
        (version,),
    ).fetchone()
    return int(count)


def read_extraction(connection: sqlite3.Connection, url: str) -> Extraction | None:
    """What became of a page, if it was extracted."""
    row = connection.execute(
        "SELECT url, content_hash, rules, outcome, note FROM extractions WHERE url = ?", (url,)
    ).fetchone()
    return None if row is None else Extraction(*row)


def pages_with_records(connection: sqlite3.Connection, *, maker: str) -> dict[str, int]:
    """Page -> how many records makers whose name begins so made of it."""
    rows = connection.execute(
        "SELECT url, COUNT(*) FROM records WHERE substr(made_by, 1, ?) = ? GROUP BY url", (len(maker), maker)
    )
    return dict(rows.fetchall())


def keep_taggings(connection: sqlite3.Connection, done: Iterable[Extraction]) -> None:
    """A document tagged again takes the place of its earlier row."""
    connection.executemany(
        "INSERT OR REPLACE INTO taggings (url, content_hash, models, outcome, note) VALUES (?, ?, ?, ?, ?)",
        [(each.url, each.content_hash, each.rules, each.outcome, each.note) for each in done],
    )


def read_tagging(connection: sqlite3.Connection, url: str) -> Extraction | None:
    """What became of a document, if it was tagged; the models stand where an extraction has its rules."""
    row = connection.execute(
        "SELECT url, content_hash, models, outcome, note FROM taggings WHERE url = ?", (url,)
    ).fetchone()
    return None if row is None else Extraction(*row)


def documents_among(connection: sqlite3.Connection, urls: Iterable[str], *, maker: str) -> set[str]:
    """Addresses -> those of documents that were tagged, or of which makers whose name begins so made records: the text that is kept of them is theirs to change."""
    return {
        url
        for url in urls
        if read_tagging(connection, url) is not None or any(read_records(connection, url=url, maker=maker))
    }


def _lists(values: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {name: list(texts) for name, texts in values.items()}


def _tuples(text: str) -> dict[str, tuple[str, ...]]:
    return {name: tuple(texts) for name, texts in json.loads(text).items()}
