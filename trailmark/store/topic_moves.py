"""Items that a person put in a topic, by their keys: kept in trailmark.db, since nothing can make them again."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.store.database import Database
from trailmark.store.moment import present
from trailmark.thing_datatypes import ThingName

MOVES = ("topic_moves",)


@dataclass(frozen=True, slots=True)
class TopicMove:
    """A thing, and where a person put it."""

    name: ThingName
    topic: str
    """Its id, or empty for no topic."""


def read_moves(database: Database) -> list[TopicMove]:
    """All of them, the oldest first: where two mean one thing now, the later one holds."""
    with database.plain_errors():
        rows = database.connection.execute("SELECT item, kind, url, alone, topic FROM topic_moves ORDER BY at, item")
        return [
            TopicMove(ThingName(str(item), kind, url, bool(alone)), str(topic))
            for item, kind, url, alone, topic in rows
        ]


def keep_move(database: Database, name: ThingName, topic: str) -> None:
    """Put an item in a topic; "" for no topic."""
    at = present()
    with database.transaction() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO topic_moves (item, topic, at, kind, url, alone) VALUES (?, ?, ?, ?, ?, ?)",
            (name.key, topic, at, name.kind, name.url, name.alone),
        )
