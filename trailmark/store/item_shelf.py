"""All items of organised.db at one moment, without their texts: what lists are sorted and counted by, and the permanent address of each.

An address is twelve hex digits of the item's kind and of the first of its source addresses in the order of the alphabet: neither a new crawl, nor a corrected title,
nor the order in which records were found changes it. Where several items of a kind stand on one page, six digits of the title are added. An address that an item had before
it was merged with another, or before another came onto its page, leads to where it is now.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from trailmark.store.search_words import words_of

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]
PAGE_DIGITS, TITLE_DIGITS = 12, 6
UNDATED = -1
LONGEST_TITLE = 300
"""Letters of a title that are kept in memory."""
_READ = (
    "SELECT i.id, i.key, i.kind, i.title, i.url, i.site, i.topic, coalesce(i.year, -1), i.cited, coalesce(r.hub, 0.0), coalesce(r.authority, 0.0), coalesce(r.pagerank, 0.0) "
    "FROM items AS i LEFT JOIN ranks AS r ON r.key = i.key ORDER BY i.id"
)


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
    topic_of: Whole = field(repr=False)
    """Number of each item's topic in `topic_names`; -1 where it has none."""
    topic_names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, address: str) -> tuple[int, ...]:
        """An address -> the place of its item, or of those that it may mean now; none where it means nothing."""
        if (place := self.known.get(address)) is not None:
            return (place,)
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
    sources: list[list[str]] = [[url] for url in urls]
    for key, record, url in connection.execute("SELECT key, record, url FROM sources"):
        if (place := places.get(key)) is not None:
            latest[place] = max(latest[place], record)
            sources[place].append(url)
    addresses, moved = _addresses(kinds, titles, sources)
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
        addresses=addresses,
        places=places,
        known={address: place for place, address in enumerate(addresses)},
        moved=moved,
        topic_of=np.array([number.get(topic, -1) for topic in topics], dtype=np.int64),
        topic_names=names,
    )


def page_address(kind: str, url: str) -> str:
    """The address of an item that is alone of its kind on a page."""
    return _digits(PAGE_DIGITS, kind, url)


def titled_address(page: str, title: str) -> str:
    """The address of one of several items of a kind on a page."""
    return f"{page}-{_digits(TITLE_DIGITS, ' '.join(words_of(title)))}"


def _addresses(
    kinds: Sequence[str], titles: Sequence[str], sources: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], dict[str, tuple[int, ...]]]:
    """The address of each item, and what other addresses lead to."""
    pages = [[page_address(kind, url) for url in sorted(set(urls))] for kind, urls in zip(kinds, sources, strict=True)]
    on_page: dict[str, list[int]] = {}
    for place, own in enumerate(pages):
        on_page.setdefault(own[0], []).append(place)
    addresses: list[str] = []
    used: set[str] = set()
    for place, own in enumerate(pages):
        address = own[0] if len(on_page[own[0]]) == 1 else titled_address(own[0], titles[place])
        while address in used:  # the same title twice on one page: the second is told apart by its place
            address = titled_address(own[0], f"{titles[place]} {address}")
        used.add(address)
        addresses.append(address)
    moved: dict[str, list[int]] = {}
    for place, own in enumerate(pages):
        for page in own:
            moved.setdefault(page, []).append(place)
            if len(own) > 1:
                moved.setdefault(titled_address(page, titles[place]), []).append(place)
    return tuple(addresses), {address: tuple(found) for address, found in moved.items()}


def _digits(count: int, *words: str) -> str:
    told = "\x1f".join(words).encode("utf-8", "surrogatepass")
    return hashlib.sha256(told).hexdigest()[:count]
