"""What people said of things, read for those who organise: names in acts, in topics they were put in, and when things were last touched."""

from __future__ import annotations

import json
from collections.abc import Sequence

from trailmark.organise.thing_acts import KnownThings, ThingAct
from trailmark.store.item_sources import Touch, set_touches
from trailmark.store.organised import Connection, set_fact
from trailmark.store.thing_act_table import read_thing_acts, read_touches
from trailmark.store.topic_moves import read_moves
from trailmark.thing_datatypes import ThingName
from trailmark.workspace import Workspace

FACT = "thing acts"
"""Under which organised.db notes what was said when it was made."""


def thing_acts(workspace: Workspace) -> list[ThingAct]:
    """What people said of things, the oldest first."""
    return [ThingAct(act.how, act.names) for act in read_thing_acts(workspace.database)]


def acts_text(acts: Sequence[ThingAct]) -> str:
    """The same text for the same acts."""
    return json.dumps([[act.how, *([name.key, name.kind, name.url, name.alone] for name in act.names)] for act in acts])


def acts_from(text: str | None) -> list[ThingAct]:
    """The acts of such a text."""
    return [ThingAct(how, tuple(ThingName(*name) for name in names)) for how, *names in json.loads(text or "[]")]


def stored_things(connection: Connection) -> KnownThings:
    """The things of organised.db, hidden ones too, each by itself."""
    return KnownThings(connection.execute("SELECT thing, kind, url FROM sources ORDER BY record"))


def item_keys(connection: Connection) -> dict[str, str]:
    """Key of a thing -> key of the item that it belongs to."""
    return dict(connection.execute("SELECT thing, key FROM sources"))


def note_things(workspace: Workspace, connection: Connection, acts: Sequence[ThingAct]) -> None:
    """What was said of things is in the file now, and when."""
    set_fact(connection, FACT, acts_text(acts))
    touches = read_touches(workspace.database)
    known = stored_things(connection) if touches else KnownThings(())
    found = [(known.key(each.name), each) for each in touches]
    set_touches(connection, (Touch(key, each.at, each.topic) for key, each in found if key is not None))


def moved_items(workspace: Workspace, connection: Connection) -> dict[str, str]:
    """Key of an item -> the topic that a person put it in, or "" for none. One whose title was corrected since, or that is one with another now, is known again."""
    moves = read_moves(workspace.database)
    if not moves:
        return {}
    known, items = stored_things(connection), item_keys(connection)
    found = [(known.key(move.name), move) for move in moves]
    return {items.get(key or "", move.name.key): move.topic for key, move in found}
