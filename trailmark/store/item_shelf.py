"""All items of organised.db at one moment, without their texts: what lists are sorted and counted by, and the permanent address of each."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from trailmark.store.item_addresses import HeldAddress, Holder, item_addresses
from trailmark.store.item_sources import Touch
from trailmark.thing_datatypes import ThingSource

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]
UNDATED = -1
LONGEST_TITLE = 300
"""Letters of a title that are kept in memory."""
_READ = (
    "SELECT i.id, i.key, i.kind, i.title, i.url, i.site, i.topic, coalesce(i.year, -1), i.cited, coalesce(r.hub, 0.0), coalesce(r.authority, 0.0), coalesce(r.pagerank, 0.0) "
    "FROM items AS i LEFT JOIN ranks AS r ON r.key = i.key ORDER BY i.id"
)


@dataclass(frozen=True, slots=True)
class GoneItem:
    """An address at which no item is any more, by what a person said."""

    at: str
    """When; empty where that is not known."""
    topic: str
    """In which it was then; empty for none."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Columns of equal length, one place an item, in the order of their rows."""

    rows: Whole
    keys: tuple[str, ...]
    kinds: tuple[str, ...]
    titles: tuple[str, ...]
    sites: tuple[str, ...]
    topics: tuple[str | None, ...]
    years: Whole
    """`UNDATED` where there is none."""
    cited: Whole
    hubs: Real
    authorities: Real
    pageranks: Real
    latest: Whole
    """The highest number of the records that each was made of: of two items, the one with the higher came later."""
    addresses: tuple[str, ...]
    places: Mapping[str, int]
    """Key -> place."""
    known: Mapping[str, int]
    """Address -> place."""
    moved: Mapping[str, tuple[int, ...]]
    """An address that items had, or may have had -> their places now."""
    touched: Mapping[int, str]
    """Place -> when a person last said something of that item, where one did."""
    hidden: Mapping[str, GoneItem]
    """An address that people hid."""
    joined: Mapping[str, GoneItem]
    """An address of what a person made one with another: it leads there by `moved`."""
    topic_of: Whole = field(repr=False)
    """Number of each item's topic in `topic_names`; -1 where it has none."""
    topic_names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, address: str) -> tuple[int, ...]:
        """An address -> the place of its item, or of those that it may mean now; none where it means nothing."""
        if (place := self.known.get(address)) is not None:
            return (place,)
        if address in self.hidden:
            return ()
        return self.moved.get(address) or self.moved.get(address.partition("-")[0]) or ()

    def below(self, topic: str) -> npt.NDArray[np.bool_]:
        """Which items stand in a topic or below it."""
        inside = [name == topic or name.startswith(f"{topic}/") for name in self.topic_names]
        wanted = np.array([*inside, False], dtype=np.bool_)  # the last for items without a topic, whose number is -1
        return wanted[self.topic_of]


def read_shelf(connection: sqlite3.Connection) -> Shelf:
    """An open organised.db -> its shelf."""
    rows = connection.execute(_READ).fetchall()
    columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * 12
    ids, keys, kinds, titles, urls, sites, topics, years, cited, hubs, authorities, pageranks = columns
    places = {key: place for place, key in enumerate(keys)}
    latest = np.zeros(len(keys), dtype=np.int64)
    sources: dict[str, list[ThingSource]] = {}
    for key, *source in connection.execute("SELECT key, record, url, thing, kind, title, found FROM sources"):
        sources.setdefault(key, []).append(ThingSource(*source))
        if (place := places.get(key)) is not None:
            latest[place] = max(latest[place], source[0])
    touches = {
        thing: Touch(thing, at, topic)
        for thing, at, topic in connection.execute("SELECT thing, at, topic FROM touches")
    }
    hidden = connection.execute("SELECT key, kind, title, url FROM hidden_items ORDER BY key").fetchall()
    addresses = item_addresses(
        [
            Holder(key, kind, title, url, sources.get(key, ()))
            for key, kind, title, url in zip(keys, kinds, titles, urls, strict=True)
        ],
        [Holder(key, kind, title, url, sources.get(key, ())) for key, kind, title, url in hidden],
    )
    names = tuple(sorted({topic for topic in topics if topic is not None}))
    number: dict[str | None, int] = {name: place for place, name in enumerate(names)}
    return Shelf(
        rows=np.array(ids, dtype=np.int64),
        keys=keys,
        kinds=kinds,
        titles=tuple(title[:LONGEST_TITLE] for title in titles),
        sites=sites,
        topics=topics,
        years=np.array(years, dtype=np.int64),
        cited=np.array(cited, dtype=np.int64),
        hubs=np.array(hubs, dtype=np.float64),
        authorities=np.array(authorities, dtype=np.float64),
        pageranks=np.array(pageranks, dtype=np.float64),
        latest=latest,
        addresses=addresses.items,
        places=places,
        known={address: place for place, address in enumerate(addresses.items)},
        moved=addresses.moved,
        touched=_touched(sources, places, touches),
        hidden={each.address: _gone(each, touches) for each in addresses.hidden},
        joined={each.address: _gone(each, touches) for each in addresses.joined},
        topic_of=np.array([number.get(topic, -1) for topic in topics], dtype=np.int64),
        topic_names=names,
    )


def _touched(
    sources: Mapping[str, list[ThingSource]], places: Mapping[str, int], touches: Mapping[str, Touch]
) -> dict[int, str]:
    """Place of an item -> when one of its things was touched last."""
    if not touches:
        return {}
    found = {
        places[key]: max((touches[source.thing].at for source in listed if source.thing in touches), default="")
        for key, listed in sources.items()
        if key in places
    }
    return {place: at for place, at in found.items() if at}


def _gone(held: HeldAddress, touches: Mapping[str, Touch]) -> GoneItem:
    found = [touches[thing] for thing in held.things if thing in touches]
    last = max(found, key=lambda touch: touch.at, default=None)
    return GoneItem(last.at if last else "", next((touch.topic for touch in found if touch.topic), ""))
