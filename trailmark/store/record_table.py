"""Lifted records as rows, with where each value stood; and what became of each page that was extracted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trailmark.datatypes import Record
from trailmark.store.content_digest import content_digest


@dataclass(frozen=True, slots=True)
class Extraction:
    """What became of one page: by its content and the version of the rules it is known whether that must be done again."""

    url: str
    content_hash: str
    rules: str
    """Version of the rules, and of what chose among them."""
    outcome: str
    """`records`, `empty`, `borrowed`, `none` (no rules for it) or `failed`."""
    note: str = ""
    """What went wrong, or what the rules were unsure of."""


def add_records(connection: sqlite3.Connection, records: Iterable[Record], *, at: str) -> int:
    """How many records were new."""
    new = 0
    for record in records:
        fields, sources = _lists(record.fields), _lists(record.sources)
        # Two entries of a list may say the same: where they stand tells them apart.
        told = [*([sources] if sources else []), *([list(record.unsure)] if record.unsure else [])]
        digest = content_digest(record.url, record.kind, fields, record.made_by, *told)
        new += connection.execute(
            "INSERT OR IGNORE INTO records (url, kind, fields, made_by, added_at, content_hash, sources, unsure, probabilities) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                record.url,
                record.kind,
                _json(fields),
                record.made_by,
                at,
                digest,
                _json(sources),
                json.dumps(record.unsure, ensure_ascii=False),
                json.dumps({name: list(values) for name, values in record.probabilities.items()}, ensure_ascii=False),
            ),
        ).rowcount
    return new


def remove_records(connection: sqlite3.Connection, urls: Iterable[str], *, maker: str) -> None:
    """Forget what makers whose name begins so made of these pages."""
    connection.executemany(
        "DELETE FROM records WHERE url = ? AND substr(made_by, 1, ?) = ?", [(url, len(maker), maker) for url in urls]
    )


_OF_ALL_PAGES = (
    "SELECT url, kind, fields, made_by, sources, unsure, probabilities FROM records "
    "WHERE (:kind IS NULL OR kind = :kind) AND substr(made_by, 1, :length) = :maker ORDER BY id"
)
_OF_A_PAGE = _OF_ALL_PAGES.replace("ORDER", "AND url = :url ORDER")


def read_records(
    connection: sqlite3.Connection, kind: str | None = None, *, url: str | None = None, maker: str = ""
) -> Iterator[Record]:
    """Records in the order they were added: of one kind, of one page, of makers whose name begins so, or all."""
    query = _OF_ALL_PAGES if url is None else _OF_A_PAGE
    rows = connection.execute(query, {"kind": kind, "url": url, "length": len(maker), "maker": maker})
    for found_url, found_kind, fields, made_by, sources, unsure, probabilities in rows:
        chances = {name: tuple(map(float, values)) for name, values in json.loads(probabilities).items()}
        yield Record(
            found_url, found_kind, _tuples(fields), made_by, _tuples(sources), tuple(json.loads(unsure)), chances
        )


def keep_extractions(connection: sqlite3.Connection, done: Iterable[Extraction]) -> None:
    """A page extracted again takes the place of its earlier row."""
    connection.executemany(
        "INSERT OR REPLACE INTO extractions (url, content_hash, rules, outcome, note) VALUES (?, ?, ?, ?, ?)",
        [
            (extraction.url, extraction.content_hash, extraction.rules, extraction.outcome, extraction.note)
            for extraction in done
        ],
    )


def read_extraction(connection: sqlite3.Connection, url: str) -> Extraction | None:
    """What became of a page, if it was extracted."""
    row = connection.execute(
        "SELECT url, content_hash, rules, outcome, note FROM extractions WHERE url = ?", (url,)
    ).fetchone()
    return None if row is None else Extraction(*row)


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


def _lists(values: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {name: list(texts) for name, texts in values.items()}


def _tuples(text: str) -> dict[str, tuple[str, ...]]:
    return {name: tuple(texts) for name, texts in json.loads(text).items()}


def _json(value: dict[str, list[str]]) -> str:
    return json.dumps(value, ensure_ascii=False)
