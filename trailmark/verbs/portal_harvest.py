"""What programs harvest from the portal: items by the date on which they were found, in the sets that topics are."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from trailmark.datatypes import Record
from trailmark.store.library import Library
from trailmark.verbs.portal_catalogue import Catalogue, Entry
from trailmark.verbs.portal_item import take_away
from trailmark.verbs.portal_topics import TopicForest, TopicNode

_PLAIN = re.compile(r"[^A-Za-z0-9_.!~*'()-]+")


@dataclass(frozen=True, slots=True)
class HarvestItem:
    """An item as it is harvested."""

    entry: Entry
    authors: tuple[str, ...]
    topics: tuple[TopicNode, ...]
    record: Record


@dataclass(frozen=True, slots=True)
class HarvestPage:
    """A part of a list, and how it goes on."""

    places: tuple[int, ...]
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
    dates = ordered.dates
    start = bisect_left(dates, first) if first else 0
    end = bisect_right(dates, last) if last else len(dates)
    inside = catalogue.shelf.below(topic) if topic else None
    places = [int(place) for place in ordered.places[start:end] if inside is None or inside[place]]
    begin = 0
    if after[1]:
        begin = bisect_right(
            places, after, key=lambda place: (catalogue.dates[place], catalogue.shelf.addresses[place])
        )
    part = tuple(places[begin : begin + size])
    more = begin + size < len(places)
    final = (catalogue.dates[part[-1]], catalogue.shelf.addresses[part[-1]]) if part and more else None
    return HarvestPage(part, len(places), final)


def harvest_items(catalogue: Catalogue, library: Library, places: tuple[int, ...]) -> tuple[HarvestItem, ...]:
    """Places -> items; those that are gone meanwhile are left out."""
    rows = library.entries([int(catalogue.shelf.rows[place]) for place in places])
    return tuple(
        HarvestItem(
            entry,
            tuple(name for name in row.authors.split("; ") if name),
            catalogue.topics.trail(row.topic),
            take_away(row, entry),
        )
        for row in rows
        if (entry := catalogue.entry(row)) is not None
    )


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
