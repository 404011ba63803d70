"""organised.db as the portal reads it: one connection a thread, for reading alone, with an end to its patience."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from trailmark.errors import InputError, WorkspaceBusy
from trailmark.store.full_text import has_index
from trailmark.store.item_shelf import Shelf, read_shelf
from trailmark.store.organised import Organised, plain_errors
from trailmark.store.search_file import SearchIndex
from trailmark.store.word_standing import WordStanding

CACHE = 16_384
"""Kilobytes that a connection keeps in memory."""
STEPS = 20_000
"""Steps of SQLite between two looks at the clock."""
_ENTRY = "id, key, kind, title, authors, year, url, site, topic, cited, fields"
_CITATION = "citing, record, grp, cited, context, reference"


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item as lists show it."""

    row: int
    key: str
    kind: str
    title: str
    authors: str
    year: int | None
    url: str
    site: str
    topic: str | None
    cited: int
    fields: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class CitationRow:
    """One reference of one item."""

    citing: str
    record: int
    group: int
    cited: str | None
    context: str
    """The sentences in which it is cited, one a line."""
    reference: str


class Library:
    """The open file; it belongs to the thread that opened it."""

    def __init__(self, organised: Organised) -> None:
        self._organised = organised
        self.connection = organised.connection
        self.connection.execute(f"PRAGMA cache_size = -{CACHE}")
        self.standing = WordStanding(self.connection)

    @classmethod
    def open(cls, folder: Path, *, timeout: float = 5.0) -> Self | None:
        """The file of a workspace; None where nothing was organised yet, or its index for search is not there."""
        organised = Organised.open_to_read(folder, timeout=timeout)
        if organised is None:
            return None
        with plain_errors(organised.path):
            if not has_index(organised.connection):
                organised.close()
                return None
            return cls(organised)

    @classmethod
    def of(cls, folder: Path) -> Self:
        """The same; InputError where there is nothing to open."""
        library = cls.open(folder)
        if library is None:
            raise InputError(f"Nothing was organised yet in {folder}; organise its records first: trailmark organise")
        return library

    def close(self) -> None:
        self._organised.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def reading(self, seconds: float) -> Iterator[None]:
        """All that is read within the block is of one moment; what takes longer than so many seconds is broken off as WorkspaceBusy."""
        ends = time.monotonic() + seconds
        self.connection.set_progress_handler(lambda: time.monotonic() > ends, STEPS)
        try:
            with plain_errors(self._organised.path):
                self.connection.execute("BEGIN")
                yield
        except BaseException as error:
            if time.monotonic() > ends and isinstance(error.__cause__, sqlite3.OperationalError):
                raise WorkspaceBusy("That took too long.") from error
            raise
        finally:
            self.connection.set_progress_handler(None, 0)
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def version(self) -> int:
        """Another number whenever somebody else wrote something."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def shelf(self) -> Shelf:
        """All items, without their texts."""
        return read_shelf(self.connection)

    @property
    def index(self) -> SearchIndex:
        """What is searched."""
        return SearchIndex(self.connection)

    def entries(self, rows: Sequence[int]) -> list[ItemRow]:
        """Rows -> items in the same order; one that is gone meanwhile is left out."""
        marks = ", ".join("?" * len(rows))
        found = self.connection.execute(f"SELECT {_ENTRY} FROM items WHERE id IN ({marks})", tuple(map(int, rows)))  # noqa: S608
        known = {
            row: ItemRow(row, key, kind, title, authors, year, url, site, topic, cited, json.loads(fields))
            for row, key, kind, title, authors, year, url, site, topic, cited, fields in found
        }
        return [known[row] for row in map(int, rows) if row in known]

    def titles(self, field: str) -> dict[int, str]:
        """Row -> the first value of a field, of the items that have it."""
        rows = self.connection.execute(
            "SELECT items.id, json_extract(value, '$[0]') FROM items, json_each(items.fields) WHERE json_each.key = ?",
            (field,),
        )
        return {int(row): str(title) for row, title in rows if title}

    def words(self, key: str, most: int) -> str:
        """The title of an item, and so many characters of its text; nothing where it is not here."""
        row = self.connection.execute(
            "SELECT title, substr(text, 1, ?) FROM items WHERE key = ?", (most, key)
        ).fetchone()
        return "" if row is None else " ".join(row)

    def row_of(self, key: str) -> int | None:
        """The row of an item by its key."""
        found = self.connection.execute("SELECT id FROM items WHERE key = ?", (key,)).fetchone()
        return None if found is None else int(found[0])

    def key_of(self, row: int) -> str | None:
        """The key of an item by its row."""
        found = self.connection.execute("SELECT key FROM item_facts WHERE item = ?", (row,)).fetchone()
        return None if found is None else str(found[0])

    def chance(self, key: str) -> float | None:
        """How likely its topic is."""
        row = self.connection.execute("SELECT topic_chance FROM items WHERE key = ?", (key,)).fetchone()
        return None if row is None else row[0]

    def sources(self, key: str, most: int) -> list[tuple[int, str]]:
        """Numbers and addresses of the records that an item was made of."""
        rows = self.connection.execute(
            "SELECT record, url FROM sources WHERE key = ? ORDER BY record LIMIT ?", (key, most)
        )
        return [(int(record), str(url)) for record, url in rows]

    def references(self, key: str, most: int) -> list[CitationRow]:
        """What an item cites, in its own order."""
        rows = self.connection.execute(
            f"SELECT {_CITATION} FROM citations WHERE citing = ? ORDER BY record LIMIT ?",  # noqa: S608
            (key, most),
        )
        return [CitationRow(*row) for row in rows]

    def citing(self, key: str, most: int) -> list[str]:
        """Keys of items that cite an item, each once."""
        rows = self.connection.execute(
            "SELECT DISTINCT citing FROM citations WHERE cited = ?1 AND citing != ?1 LIMIT ?2", (key, most)
        )
        return [str(citing) for (citing,) in rows]

    def citations(self, cited: str, citing: Sequence[str]) -> dict[str, CitationRow]:
        """How some items cite one: the first citation of each."""
        marks = ", ".join("?" * len(citing))
        rows = self.connection.execute(
            f"SELECT {_CITATION} FROM citations WHERE citing IN ({marks}) AND +cited = ? ORDER BY citing, record DESC",  # noqa: S608
            (*citing, cited),
        )
        return {str(row[0]): CitationRow(*row) for row in rows}

    def links_among(self, keys: Sequence[str]) -> list[tuple[str, str]]:
        """Which of some items cite which others of them; the plus keeps SQLite from going by the cited, of whom thousands may cite one."""
        marks = ", ".join("?" * len(keys))
        rows = self.connection.execute(
            f"SELECT DISTINCT citing, cited FROM citations WHERE citing IN ({marks}) AND +cited IN ({marks}) AND citing != cited "  # noqa: S608
            "ORDER BY 1, 2",
            (*keys, *keys),
        )
        return [(str(citing), str(cited)) for citing, cited in rows]

    def coupled(self, key: str, groups: int, most: int) -> Counter[str]:
        """Items that cite what this one cites -> how much of it; of so many groups of references, but for those that more than so many items cite."""
        cited = self.connection.execute("SELECT DISTINCT grp FROM citations WHERE citing = ? LIMIT ?", (key, groups))
        citing = "SELECT DISTINCT citing FROM citations WHERE grp = ? LIMIT ?"
        return self._with(key, [group for (group,) in cited], citing, most)

    def cocited(self, key: str, citers: int, most: int) -> Counter[str]:
        """Items that are cited where this one is -> how often; in so many that cite it, but for those that cite more than so many."""
        citing = self.connection.execute("SELECT DISTINCT citing FROM citations WHERE cited = ? LIMIT ?", (key, citers))
        cited = "SELECT DISTINCT cited FROM citations WHERE citing = ? AND cited IS NOT NULL LIMIT ?"
        return self._with(key, [one for (one,) in citing], cited, most)

    def _with(self, key: str, places: Sequence[str | int], query: str, most: int) -> Counter[str]:
        """How often items stand beside one in some places; a place with more than so many says nothing of two of them."""
        found: Counter[str] = Counter()
        for place in places:
            rows = self.connection.execute(query, (place, most + 1)).fetchall()
            if len(rows) <= most:
                found.update(str(name) for (name,) in rows)
        del found[key]
        return found
