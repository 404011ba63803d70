"""What was curated, and the things that can be: each item with the sources it was made of."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.organise.query import read_query
from trailmark.report import Report
from trailmark.store.organised import Connection, Organised
from trailmark.store.search_file import open_to_search
from trailmark.store.thing_act_table import StoredThingAct, read_thing_acts
from trailmark.thing_datatypes import How
from trailmark.verbs.thing_acts import FACT, acts_text, stored_things, thing_acts
from trailmark.workspace import Workspace

MOST_SOURCES = 30
WORDS: dict[How, str] = {"hide": "hidden", "together": "made one", "apart": "taken out"}


@dataclass(frozen=True, slots=True)
class CuratedAct:
    """Something that was said of things, and stands."""

    act: int
    """Its number in the journal."""
    how: How
    word: str
    """For a person: `hidden`, `made one`, `taken out`."""
    title: str
    why: str
    at: str
    urls: tuple[str, ...]
    """Where the things that it names were found."""
    record: int | None
    """A record of the first of them that is still here."""


@dataclass(frozen=True, slots=True)
class CuratedReport(Report):
    """All that was said of things, the latest first."""

    acts: tuple[CuratedAct, ...]
    due: bool
    """Whether some of it does not hold yet: organise."""


@dataclass(frozen=True, slots=True)
class ItemSource:
    """A thing that an item was made of."""

    thing: str
    record: int
    url: str
    title: str
    by_hand: bool
    """Whether a person made it one with the item."""


@dataclass(frozen=True, slots=True)
class CuratedItem:
    """An item as it is curated."""

    key: str
    kind: str
    title: str
    authors: str
    year: int | None
    url: str
    hidden: bool
    sources: tuple[ItemSource, ...]


@dataclass(frozen=True, slots=True)
class ItemsReport(Report):
    """Some items."""

    organised: bool
    count: int
    items: tuple[CuratedItem, ...] = ()


def curated(workspace: Workspace) -> CuratedReport:
    """What people said of things and stands, the latest first; what was undone is in the history."""
    acts = read_thing_acts(workspace.database)
    organised = Organised.open_to_read(workspace.folder, timeout=workspace.settings.store.busy_timeout)
    if organised is None:
        return CuratedReport(tuple(_told(act, None) for act in reversed(acts)), due=False)
    with organised:
        known = stored_things(organised.connection)
        records = dict(organised.connection.execute("SELECT thing, min(record) FROM sources GROUP BY thing"))
        due = organised.fact(FACT) != acts_text(thing_acts(workspace))
    keys = [[known.key(name) for name in act.names] for act in acts]
    found = [next((records[key] for key in some if key in records), None) for some in keys]
    return CuratedReport(tuple(_told(act, record) for act, record in zip(acts, found, strict=True))[::-1], due)


def _told(act: StoredThingAct, record: int | None) -> CuratedAct:
    urls = tuple(dict.fromkeys(name.url for name in act.names))
    return CuratedAct(act.id, act.how, WORDS[act.how], act.title, act.why, act.at, urls, record)


def items_to_curate(workspace: Workspace, query: str = "", *, most: int = 20, skip: int = 0) -> ItemsReport:
    """What a person looks for, or a key -> items, with what each was made of; without a query those that were made of several come first."""
    with open_to_search(workspace.folder, timeout=workspace.settings.store.busy_timeout) as index:
        if index is None:
            return ItemsReport(False, 0)
        connection = index.connection
        named = connection.execute("SELECT key FROM items WHERE key = ?", (query.strip(),)).fetchone()
        if named is not None:
            count, keys = 1, [named[0]]
        elif query.strip():
            plan = index.plan(read_query(query).query)
            assert plan is not None, "no topic was named beside the query"
            found = index.find(plan, limit=most, skip=skip)
            count, keys = found.total, [hit.key for hit in found.hits]
        else:
            (count,) = connection.execute("SELECT COUNT(*) FROM items").fetchone()
            rows = connection.execute(
                "SELECT items.key FROM items LEFT JOIN (SELECT key, COUNT(*) AS n FROM sources GROUP BY key HAVING n > 1) AS several "
                "ON several.key = items.key ORDER BY coalesce(several.n, 1) DESC, items.id LIMIT ? OFFSET ?",
                (most, skip),
            )
            keys = [key for (key,) in rows]
        return ItemsReport(True, int(count), tuple(_item(connection, key, hidden=False) for key in keys))


def item_of_record(workspace: Workspace, record: int) -> CuratedItem | None:
    """The number of a record -> the item that it belongs to, hidden or not; None where it belongs to none."""
    organised = Organised.open_to_read(workspace.folder, timeout=workspace.settings.store.busy_timeout)
    if organised is None:
        return None
    with organised:
        execute = organised.connection.execute
        row = execute("SELECT key FROM sources WHERE record = ? ORDER BY key LIMIT 1", (record,)).fetchone()
        if row is None:
            return None
        shown = execute("SELECT 1 FROM items WHERE key = ?", row).fetchone() is not None
        return _item(organised.connection, row[0], hidden=not shown)


def _item(connection: Connection, key: str, *, hidden: bool) -> CuratedItem:
    table = "hidden_items" if hidden else "items"
    kind, title, authors, year, url = connection.execute(
        f"SELECT kind, title, authors, year, url FROM {table} WHERE key = ?",  # noqa: S608
        (key,),
    ).fetchone()
    rows = connection.execute(
        "SELECT thing, record, url, title, found FROM sources WHERE key = ? ORDER BY thing != key, record", (key,)
    ).fetchall()
    own = next((found for thing, *_, found in rows if thing == key), None)
    sources = [ItemSource(thing, record, at, named, found != own) for thing, record, at, named, found in rows]
    once = {source.thing: source for source in reversed(sources)}
    return CuratedItem(key, kind, title, authors, year, url, hidden, tuple(reversed(once.values()))[:MOST_SOURCES])
