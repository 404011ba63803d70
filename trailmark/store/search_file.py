"""organised.db, opened by one who searches it: for reading alone, while others may write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from trailmark.datatypes import Query
from trailmark.store import search_vocabulary
from trailmark.store.full_text import has_index
from trailmark.store.organised import Organised, plain_errors
from trailmark.store.search_match import Plan, plan_query, with_condition, within_topic
from trailmark.store.search_results import Found, count_items, find_items

CACHE = 32_768
"""Kilobytes of the index that a reader keeps in memory."""


class SearchIndex:
    """The index, open at one moment."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def plan(self, query: Query, topic: str | None = None) -> Plan | None:
        """What is asked of the index, within a topic where one is named; None where there is no such topic."""
        plan = plan_query(self.connection, query)
        if topic is None:
            return plan
        condition = within_topic(self.connection, topic)
        return None if condition is None else with_condition(plan, condition)

    def find(self, plan: Plan, **options: Any) -> Found:
        """As `find_items`."""
        return find_items(self.connection, plan, **options)

    def count(self, plan: Plan) -> int:
        """How many items the plan finds."""
        return count_items(self.connection, plan)

    def meant(self, query: Query) -> Query | None:
        """As `meant_query`."""
        return search_vocabulary.meant_query(self.connection, query)

    def complete(self, start: str, most: int) -> list[str]:
        """As `complete_word`."""
        return search_vocabulary.complete_word(self.connection, start, most)

    def topics(self, most: int) -> list[str]:
        """Topics that items are in, the largest first."""
        rows = self.connection.execute(
            "SELECT topic FROM item_facts WHERE topic IS NOT NULL GROUP BY topic ORDER BY count(*) DESC, topic LIMIT ?",
            (most,),
        )
        return [str(name) for (name,) in rows]


@contextmanager
def open_to_search(folder: Path, *, timeout: float = 30.0) -> Iterator[SearchIndex | None]:
    """The index of a workspace, all that is read within the block being of one moment; None where nothing was organised yet."""
    organised = Organised.open_to_read(folder, timeout=timeout)
    if organised is None:
        yield None
        return
    with organised, plain_errors(organised.path):
        organised.connection.execute(f"PRAGMA cache_size = -{CACHE}")
        organised.connection.execute("BEGIN")
        yield SearchIndex(organised.connection) if has_index(organised.connection) else None
