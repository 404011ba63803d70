"""What was made of a record: the thing it belongs to, its topic, who cites it, and the things that are related to it, with the reasons."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.report import Report
from trailmark.store.library import Library
from trailmark.verbs.related_things import related_things
from trailmark.workspace import Workspace

MOST = 8


@dataclass(frozen=True, slots=True)
class RelatedRecord:
    """A thing that is related, and why."""

    key: str
    title: str
    record: int | None
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class OrganisedRecord(Report):
    """The thing that a record belongs to."""

    key: str
    title: str
    topic: str | None
    chance: float | None
    cited: int
    hub: float
    authority: float
    cites: int
    """Things here that it cites."""
    group: int | None
    """The group of references that mean it."""
    sources: tuple[str, ...]
    """All addresses that it was found at."""
    related: tuple[RelatedRecord, ...]


def organised_record(workspace: Workspace, record: int) -> OrganisedRecord | None:
    """The number of a record -> what was made of it; None where it was not organised yet, or is no thing of its own."""
    library = Library.open(workspace.folder, timeout=workspace.settings.store.busy_timeout)
    if library is None:
        return None
    with library:
        execute = library.connection.execute
        row = execute(
            "SELECT items.key, title, topic, topic_chance, items.cited, coalesce(hub, 0.0), coalesce(authority, 0.0) FROM items "
            "LEFT JOIN ranks ON ranks.key = items.key WHERE items.key = (SELECT key FROM sources WHERE record = ?)",
            (record,),
        ).fetchone()
        if row is None:
            return None
        key, title, topic, chance, cited, hub, authority = row
        (cites,) = execute("SELECT COUNT(DISTINCT cited) FROM citations WHERE citing = ?", (key,)).fetchone()
        group = execute("SELECT min(grp) FROM citations WHERE cited = ?", (key,)).fetchone()[0]
        urls = execute("SELECT DISTINCT url FROM sources WHERE key = ? ORDER BY record", (key,)).fetchall()
        addresses, related = tuple(url for (url,) in urls), _related(library, key)
        return OrganisedRecord(
            key, title, topic, chance, cited, hub, authority, cites, group, addresses, related
        )  # fmt: skip


def _related(library: Library, key: str) -> tuple[RelatedRecord, ...]:
    found = [(each, _shown(library, each.key)) for each in related_things(library, key, MOST)]
    return tuple(RelatedRecord(each.key, *shown, each.score, each.reason) for each, shown in found if shown is not None)


def _shown(library: Library, key: str) -> tuple[str, int | None] | None:
    """The title of a thing, and the first of its records; None where it is not here."""
    query = "SELECT title, (SELECT min(record) FROM sources WHERE sources.key = items.key) FROM items WHERE key = ?"
    row = library.connection.execute(query, (key,)).fetchone()
    return None if row is None else (str(row[0]), row[1])
