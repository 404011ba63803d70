"""Pages that walks by keywords found, over all runs: those that they did not turn down, and nobody else did."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

_PAGES = (
    "SELECT final_url, title, keywords, content_hash FROM fetches "
    "LEFT JOIN answers ON answers.run_id = fetches.run_id AND answers.url = fetches.final_url "
    "WHERE keywords != '[]' AND content_hash != '' AND final_url != '' AND (goal IS NULL OR goal) AND answer IS NOT 0 "
    "ORDER BY fetches.run_id, fetches.n"
)


@dataclass(frozen=True, slots=True)
class KeywordPage:
    """A page with the keywords that stand on it."""

    url: str
    title: str
    keywords: tuple[str, ...]
    content_hash: str
    """Of the page as it was found last."""


def read_keyword_pages(connection: sqlite3.Connection) -> dict[str, KeywordPage]:
    """Address -> the page as it was found last, with the keywords of all runs, those of the first before the others."""
    pages: dict[str, KeywordPage] = {}
    for url, title, keywords, digest in connection.execute(_PAGES):
        before = pages[url].keywords if url in pages else ()
        pages[url] = KeywordPage(url, title, tuple(dict.fromkeys((*before, *json.loads(keywords)))), digest)
    return pages
