"""What people said of things (hidden, one, another) and when they last did: kept in trailmark.db, since nothing can make it again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trailmark.store.database import Database
from trailmark.store.moment import present
from trailmark.thing_datatypes import How, ThingName

THING_ACTS = ("thing_acts",)


@dataclass(frozen=True, slots=True)
class StoredThingAct:
    """One thing that a person said."""

    id: int
    """Of the act of the journal."""
    how: How
    names: tuple[ThingName, ...]
    title: str
    """Of the first thing that it names, as it was then."""
    why: str
    """In the owner's words; empty where none were given."""
    at: str


@dataclass(frozen=True, slots=True)
class StoredTouch:
    """When a person last said something of a thing, or took it back."""

    name: ThingName
    topic: str
    """In which it was then; empty for none."""
    at: str


def read_thing_acts(database: Database) -> list[StoredThingAct]:
    """All that holds, the oldest first."""
    with database.plain_errors():
        rows = database.connection.execute(
            "SELECT id, how, names, title, why, at FROM thing_acts ORDER BY id"
        ).fetchall()
    return [
        StoredThingAct(number, how, tuple(_name(*each) for each in json.loads(names)), title, why, at)
        for number, how, names, title, why, at in rows
    ]


def keep_thing_act(database: Database, number: int, how: How, names: Sequence[ThingName], title: str, why: str) -> None:
    """Under the number of its act in the journal: so it comes back in its place where it was taken back and is wanted again."""
    told = json.dumps([[name.key, name.kind, name.url, name.alone] for name in names])
    with database.transaction() as connection:
        connection.execute(
            "INSERT INTO thing_acts VALUES (?, ?, ?, ?, ?, ?)", (number, how, told, title, why, present())
        )


def touch_things(database: Database, names: Iterable[tuple[ThingName, str]]) -> None:
    """Things with the topics they are in -> touched now. It is no part of an act: taking one back touches them again."""
    with database.transaction() as connection:
        connection.executemany(
            "INSERT INTO thing_touches (thing, kind, url, alone, topic, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (thing) DO UPDATE SET "
            "at = excluded.at, topic = CASE WHEN excluded.topic = '' THEN topic ELSE excluded.topic END",
            [(name.key, name.kind, name.url, name.alone, topic, present()) for name, topic in names],
        )


def read_touches(database: Database) -> list[StoredTouch]:
    """All of them."""
    with database.plain_errors():
        rows = database.connection.execute(
            "SELECT thing, kind, url, alone, topic, at FROM thing_touches ORDER BY thing"
        )
        return [StoredTouch(_name(thing, kind, url, alone), topic, at) for thing, kind, url, alone, topic, at in rows]


def _name(key: str, kind: str, url: str, alone: int | bool) -> ThingName:
    return ThingName(key, kind, url, bool(alone))
