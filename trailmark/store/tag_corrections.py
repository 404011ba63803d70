"""What people said of the fields of a document's words: kept in trailmark.db, since nothing can make it again."""

from __future__ import annotations

import json
from dataclasses import dataclass

from trailmark.store.database import Database
from trailmark.store.moment import present

CORRECTIONS = ("tag_corrections",)


@dataclass(frozen=True, slots=True)
class CorrectedWord:
    """A word as the tagger read it, its label as it was shown, and whether a person gave that."""

    text: str
    label: str
    given: bool
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    x: float = 0.0
    y: float = 0.0
    page: int = 0


@dataclass(frozen=True, slots=True)
class Correction:
    """A header, a reference or a document in which a person gave words their fields."""

    url: str
    part: str
    """A digest of its words."""
    model: str
    lines: tuple[tuple[CorrectedWord, ...], ...]

    @property
    def given(self) -> tuple[str | None, ...]:
        """The label that a person gave each word, or None."""
        return tuple(word.label if word.given else None for line in self.lines for word in line)


def read_corrections(database: Database, url: str | None = None) -> list[Correction]:
    """All corrections, or those of one document, in the order of their addresses."""
    query = "SELECT url, part, model, lines FROM tag_corrections WHERE ?1 IS NULL OR url = ?1 ORDER BY url, part"
    with database.plain_errors():
        rows = database.connection.execute(query, (url,)).fetchall()
    return [Correction(address, part, model, _lines(lines)) for address, part, model, lines in rows]


def keep_correction(database: Database, correction: Correction) -> None:
    """A correction takes the place of the earlier one of the same part."""
    at = present()
    words = [[_values(word) for word in line] for line in correction.lines]
    row = (correction.url, correction.part, correction.model, json.dumps(words), at)
    with database.transaction() as connection:
        connection.execute("INSERT OR REPLACE INTO tag_corrections VALUES (?, ?, ?, ?, ?)", row)


def _values(word: CorrectedWord) -> list[object]:
    return [getattr(word, name) for name in CorrectedWord.__dataclass_fields__]


def _lines(text: str) -> tuple[tuple[CorrectedWord, ...], ...]:
    return tuple(tuple(CorrectedWord(*word) for word in line) for line in json.loads(text))
