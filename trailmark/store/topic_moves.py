"""Items that a person put in a topic, by the item's key: kept in trailmark.db, since nothing can make them again."""

from __future__ import annotations

from trailmark.store.database import Database
from trailmark.store.moment import present

MOVES = ("topic_moves",)


def read_moves(database: Database) -> dict[str, str]:
    """Key of an item -> id of the topic that a person put it in, or "" for no topic."""
    with database.plain_errors():
        rows = database.connection.execute("SELECT item, topic FROM topic_moves ORDER BY item").fetchall()
    return {str(item): str(topic) for item, topic in rows}


def keep_move(database: Database, item: str, topic: str) -> None:
    """Put an item in a topic; "" for no topic."""
    at = present()
    with database.transaction() as connection:
        connection.execute("INSERT OR REPLACE INTO topic_moves VALUES (?, ?, ?)", (item, topic, at))
