"""Documents that were tagged, one page of the list at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trailmark.store.database import Database

OnlyDocuments = Literal["", "papers", "others", "failed", "unsure", "corrected"]
_MADE = "FROM records WHERE records.url = taggings.url AND substr(made_by, 1, 4) = 'tag:'"
_ROWS = (
    "SELECT taggings.url, outcome, note, "  # noqa: S608
    f"coalesce((SELECT json_extract(fields, '$.title[0]') {_MADE} AND kind = 'paper' LIMIT 1), ''), "
    f"(SELECT COUNT(*) {_MADE} AND kind = 'paper'), (SELECT COUNT(*) {_MADE} AND kind = 'reference'), "
    f"(SELECT COUNT(*) {_MADE} AND unsure != '[]'), "
    "(SELECT COUNT(*) FROM tag_corrections WHERE tag_corrections.url = taggings.url) FROM taggings"
)
_ONLY: dict[str, str] = {
    "": "1",
    "papers": f"EXISTS (SELECT 1 {_MADE} AND kind = 'paper')",
    "others": "outcome IN ('no paper', 'empty')",
    "failed": "outcome = 'failed'",
    "unsure": f"EXISTS (SELECT 1 {_MADE} AND unsure != '[]')",
    "corrected": "EXISTS (SELECT 1 FROM tag_corrections WHERE tag_corrections.url = taggings.url)",
}
_WORDS = (
    f"(:text = '' OR instr(lower(taggings.url), lower(:text)) OR EXISTS (SELECT 1 {_MADE} AND kind = 'paper' "
    "AND instr(lower(fields), lower(:text))))"
)


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document, and what was found in it."""

    url: str
    outcome: str
    note: str
    """Why it gave nothing, or what was cut off."""
    title: str
    papers: int
    references: int
    unsure: int
    """Records with a value that is worth a look."""
    corrections: int
    """Headers and references in which a person put something right."""


def list_documents(
    database: Database, *, containing: str = "", only: OnlyDocuments = "", most: int = 50, skip: int = 0
) -> tuple[int, list[ListedDocument]]:
    """How many documents there are with these letters in address or header, and one page of them."""
    wanted = f"{_WORDS} AND {_ONLY[only]}"
    with database.plain_errors():
        (count,) = database.connection.execute(
            f"SELECT COUNT(*) FROM taggings WHERE {wanted}",  # noqa: S608
            {"text": containing},
        ).fetchone()
        rows = database.connection.execute(
            f"{_ROWS} WHERE {wanted} ORDER BY taggings.url LIMIT :most OFFSET :skip",
            {"text": containing, "most": most, "skip": skip},
        ).fetchall()
    return int(count), [ListedDocument(*row) for row in rows]
