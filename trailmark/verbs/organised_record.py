"""What was made of a record: the thing it belongs to, its topic, who cites it, and the things that are related to it, with the reasons.

Related things are looked for when they are asked for, among those that share citations or telling words: nothing of it is kept, so nothing of it grows old.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trailmark.organise.item import Item
from trailmark.organise.related import Standing, related_items
from trailmark.organise.word_counts import item_words
from trailmark.report import Report
from trailmark.store.organised import Organised
from trailmark.store.search_words import words_of
from trailmark.store.word_standing import items_with_any, items_with_words
from trailmark.workspace import Workspace

NEAR = 40
"""Things that are compared for each of: what they cite, who cites both, words."""
TELLING = 12
"""Words by which things are looked for."""
COMMON = 1_500
"""References of one group, or items with one word, beyond which it tells nothing."""
MOST = 8
LONGEST_TEXT = 5_000
"""Characters of a thing's text whose words are compared here."""


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
    organised = Organised.open_to_read(workspace.folder, timeout=workspace.settings.store.busy_timeout)
    if organised is None:
        return None
    with organised:
        execute = organised.connection.execute
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
        addresses, related = tuple(url for (url,) in urls), _related(organised, key)
        return OrganisedRecord(
            key, title, topic, chance, cited, hub, authority, cites, group, addresses, related
        )  # fmt: skip


def _related(organised: Organised, key: str) -> tuple[RelatedRecord, ...]:
    own = _item(organised, key)
    keys = [each for each in dict.fromkeys((*_by_citations(organised, key), *_by_words(organised, own))) if each != key]
    items = [own, *(_item(organised, each) for each in keys)]
    words = sorted({word for item in items for word in item_words(item)})
    standing = Standing(*items_with_words(organised.connection, words))
    (found,) = related_items(items, only=(key,), most=MOST, standing=standing)
    told = {item.id: item.title for item in items}
    return tuple(
        RelatedRecord(each.id, told[each.id], _record(organised, each.id), each.score, each.reason)
        for each in found.related
    )


def _item(organised: Organised, key: str) -> Item:
    """A thing with the groups that it cites: two cite the same paper, whether it is here or not."""
    title, text = organised.connection.execute("SELECT title, text FROM items WHERE key = ?", (key,)).fetchone()
    rows = organised.connection.execute(
        "SELECT DISTINCT coalesce(cited, 'group ' || grp) FROM citations WHERE citing = ? ORDER BY 1", (key,)
    )
    return Item(key, title, text[:LONGEST_TEXT], cites=[str(cited) for (cited,) in rows])


def _by_citations(organised: Organised, key: str) -> Iterable[str]:
    """Things that cite the same papers, then those that are cited beside it, and those who cite it."""
    groups = organised.connection.execute(
        "SELECT grp FROM citations WHERE grp IN (SELECT grp FROM citations WHERE citing = ?) GROUP BY grp HAVING COUNT(*) <= ?",
        (key, COMMON),
    ).fetchall()
    shared: dict[str, int] = {}
    for (group,) in groups:
        for (citing,) in organised.connection.execute("SELECT DISTINCT citing FROM citations WHERE grp = ?", (group,)):
            shared[citing] = shared.get(citing, 0) + 1
    yield from sorted(shared, key=lambda each: (-shared[each], each))[:NEAR]
    rows = organised.connection.execute(
        "SELECT two.cited, COUNT(DISTINCT two.citing) AS n FROM citations one JOIN citations two ON two.citing = one.citing "
        "WHERE one.cited = ?1 AND two.cited IS NOT NULL AND two.cited != ?1 GROUP BY two.cited ORDER BY n DESC, 1 LIMIT ?2",
        (key, NEAR),
    )
    yield from (str(cited) for cited, _ in rows)
    citing = organised.connection.execute(
        "SELECT DISTINCT citing FROM citations WHERE cited = ? ORDER BY 1 LIMIT ?", (key, NEAR)
    )
    yield from (str(each) for (each,) in citing)


def _by_words(organised: Organised, own: Item) -> list[str]:
    """Things with the rarest words of this one."""
    words = dict.fromkeys(word for each in item_words(own) for word in words_of(each))
    standing, _ = items_with_words(organised.connection, words)
    telling = sorted((n, word) for word, n in standing.items() if 1 < n <= COMMON)[:TELLING]
    return items_with_any(organised.connection, [word for _, word in telling], NEAR)


def _record(organised: Organised, key: str) -> int | None:
    row = organised.connection.execute("SELECT min(record) FROM sources WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]
