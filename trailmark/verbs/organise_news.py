"""What of a workspace's records was not organised yet: nothing, a few that came since, or so much that all are read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from trailmark.datatypes import Record
from trailmark.organise.thing import Thing, things_of
from trailmark.store.body_table import body_digests
from trailmark.store.organised import Connection, Organised
from trailmark.store.organised_marks import Seen, read_seen
from trailmark.store.record_table import (
    last_record,
    read_numbered_records,
    read_some_records,
    records_after,
    records_up_to,
    shown_version,
)
from trailmark.workspace import Workspace

FEW = 0.1
"""Share of records that may have come since, for those that were there to stay as they are."""
NOTHING = "There are no records to organise; lift or tag some first: trailmark extract, trailmark tag"
SOME = 50
"""New records that are few however small the collection is."""


@dataclass(frozen=True, slots=True)
class News:
    """What there is to do, of one moment."""

    things: list[Thing]
    """All of them, or those that came since."""
    seen: Seen
    """Of all records."""
    records: int
    """How many of them are new here, or were read again."""
    shown: str
    """By which changes of people records are shown."""


def late_news(workspace: Workspace, organised: Organised) -> News | None:
    """What came since the last time, where nothing else is new; None where all must be read."""
    with workspace.database.snapshot() as connection:
        shown = shown_version(connection)
        if shown != organised.fact("shown"):
            return None
        bodies, before = body_digests(connection), read_seen(organised.connection)
        late = _late(connection, before, bodies)
        if late is None:
            return None
        seen = _seen(connection, frozenset(bodies)) if late else before
        return News(things_of(late), seen, len(late), shown)


def whole_news(workspace: Workspace) -> News:
    """All things of a workspace."""
    with workspace.database.snapshot() as connection:
        seen = _seen(connection, frozenset(body_digests(connection)))
        numbered = ((number, record) for number, record, _ in read_numbered_records(connection))
        return News(things_of(numbered), seen, seen.number, shown_version(connection))


def _seen(connection: Connection, bodies: frozenset[str]) -> Seen:
    """All that is there."""
    last = last_record(connection)
    return Seen(last, *records_up_to(connection, last), bodies)


def _late(connection: Connection, before: Seen, bodies: Mapping[str, str]) -> list[tuple[int, Record]] | None:
    """Records that came since, where they are few, are behind all others, nothing else is gone or another, and their pages had none before; else None."""
    numbers = records_after(connection, before.last)
    same = records_up_to(connection, before.last) == (before.number, before.digest) and before.bodies <= bodies.keys()
    if not before.number or not same or len(numbers) > max(SOME, FEW * before.number):
        return None
    late = list(read_some_records(connection, numbers))
    urls = Counter(record.url for _, record in late)
    alone = all(_records_of(connection, url) == number for url, number in urls.items())
    return late if alone and all(bodies[each] in urls for each in bodies.keys() - before.bodies) else None


def _records_of(connection: Connection, url: str) -> int:
    return int(connection.execute("SELECT COUNT(*) FROM records WHERE url = ?", (url,)).fetchone()[0])
