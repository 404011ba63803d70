"""What programs harvest from the portal: items by the date on which they were found or curated, in the sets that topics are, and what was taken away."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trailmark.datatypes import Record
from trailmark.store.library import ItemRow, Library
from trailmark.verbs.portal_catalogue import Catalogue, DatedItem, Entry
from trailmark.verbs.portal_item import take_away
from trailmark.verbs.portal_topics import TopicForest, TopicNode

_PLAIN = re.compile(r"[^A-Za-z0-9_.!~*'()-]+")


@dataclass(frozen=True, slots=True)
class HarvestItem:
    """An item as it is harvested."""

    address: str
    date: str
    topics: tuple[TopicNode, ...]
    found: FoundItem | None
    """None for one that people took away: programs that have it are told."""


@dataclass(frozen=True, slots=True)
class FoundItem:
    """What is known of an item that is here."""

    entry: Entry
    authors: tuple[str, ...]
    record: Record


@dataclass(frozen=True, slots=True)
class HarvestPage:
    """A part of a list, and how it goes on."""

    items: tuple[DatedItem, ...]
    total: int
    last: tuple[str, str] | None
    """Date and address of the last of them, where more follow."""


def harvest_page(
    catalogue: Catalogue,
    *,
    first: str = "",
    last: str = "",
    topic: str = "",
    after: tuple[str, str] = ("", ""),
    size: int = 100,
) -> HarvestPage:
    """Dates from and until, a topic, and the last item that was handed out -> those that come next, by date and address.

    What was handed out is told by the last item itself: a list that is fetched in parts stays whole while items are added.
    """
    ordered = catalogue.dated()
    start = bisect_left(ordered, first, key=lambda item: item.date) if first else 0
    end = bisect_right(ordered, last, key=lambda item: item.date) if last else len(ordered)
    inside = catalogue.shelf.below(topic) if topic else None

    def wanted(item: DatedItem) -> bool:
        if inside is None:
            return True
        return bool(inside[item.place]) if item.place is not None else f"{item.topic}/".startswith(f"{topic}/")

    items = [item for item in ordered[start:end] if wanted(item)]
    begin = bisect_right(items, after, key=lambda item: (item.date, item.address)) if after[1] else 0
    part = tuple(items[begin : begin + size])
    final = (part[-1].date, part[-1].address) if part and begin + size < len(items) else None
    return HarvestPage(part, len(items), final)


def harvest_items(catalogue: Catalogue, library: Library, items: Sequence[DatedItem]) -> tuple[HarvestItem, ...]:
    """Items of a list -> all that is told of them; those that are gone meanwhile are left out."""
    rows = library.entries([int(catalogue.shelf.rows[item.place]) for item in items if item.place is not None])
    found = {row.key: row for row in rows}
    told = [(item, found.get(catalogue.shelf.keys[item.place]) if item.place is not None else None) for item in items]
    return tuple(_harvested(catalogue, item, row) for item, row in told if item.place is None or row is not None)


def _harvested(catalogue: Catalogue, item: DatedItem, row: ItemRow | None) -> HarvestItem:
    entry = catalogue.entry(row) if row is not None else None
    if row is None or entry is None:
        return HarvestItem(item.address, item.date, catalogue.topics.trail(item.topic or None), None)
    authors = tuple(name for name in row.authors.split("; ") if name)
    known = FoundItem(entry, authors, take_away(row, entry))
    return HarvestItem(item.address, item.date, catalogue.topics.trail(row.topic), known)


def topic_sets(forest: TopicForest) -> Mapping[str, TopicNode]:
    """Topics by the names that the protocol allows: plain letters, the steps apart by colons; no two are the same."""
    sets: dict[str, TopicNode] = {}
    for root in forest.top:
        for node in root.all():
            steps = node.id.split("/")[len(root.id.split("/")) - 1 :]
            name = ":".join(_PLAIN.sub("-", step).strip("-") or _digits(step) for step in steps)
            sets[name if name not in sets else f"{name}-{_digits(node.id)}"] = node
    return sets


def _digits(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
