"""What the portal knows of all items at one moment, and how lists of them are sorted: made once whenever something was organised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import numpy as np

from trailmark.settings import Settings
from trailmark.store.facet_values import FacetValues, read_facet_values
from trailmark.store.item_shelf import GoneItem, Shelf, Whole
from trailmark.store.library import ItemRow, Library
from trailmark.store.organised import FILE
from trailmark.store.record_origins import RecordOrigins
from trailmark.store.search_results import Hit
from trailmark.store.search_words import words_of
from trailmark.verbs.portal_fields import AUTHORS, LOOKED_AT, FieldChoice, field_choice, public_url
from trailmark.verbs.portal_topics import TopicForest, topic_forest

TopicSort = Literal["rank", "cited", "surveys", "seminal", "year", "newest"]
SORTS: tuple[TopicSort, ...] = ("rank", "cited", "surveys", "seminal", "year", "newest")
MOST_ORDERS = 400
"""Sorted lists that are kept."""
LONGEST_TITLE, LONGEST_LINE, LONGEST_SUMMARY = 300, 300, 420


@dataclass(frozen=True, slots=True)
class Entry:
    """An item as lists show it."""

    address: str
    title: str
    subtitle: str
    year: int | None
    kind: str
    site: str
    url: str
    topic: str | None
    cited: int
    summary: str
    date: str
    """When it was found, in ISO 8601."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An item as others mention it."""

    address: str
    title: str
    year: int | None
    cited: int


@dataclass(frozen=True, slots=True)
class DatedItem:
    """An item, or the address of one that is gone, with the date by which it is harvested."""

    date: str
    address: str
    place: int | None
    """On the shelf; None for one that is gone."""
    topic: str
    """In which one that is gone was; empty otherwise."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All items at one moment."""

    shelf: Shelf
    topics: TopicForest
    fields: FieldChoice
    dates: tuple[str, ...]
    """When each was found: `2026-01-31T09:00:00Z`, by its place on the shelf."""
    organised: str
    """When all of it was organised."""
    facet_values: Mapping[str, FacetValues] = field(default_factory=dict, repr=False)
    """Fields of the collection's own by which results are narrowed."""
    _orders: dict[tuple[str, TopicSort], Whole] = field(default_factory=dict, repr=False, compare=False)
    _dated: list[tuple[DatedItem, ...]] = field(default_factory=list, repr=False, compare=False)
    _words: list[Mapping[str, int]] = field(default_factory=list, repr=False, compare=False)

    def order(self, topic: str, sort: TopicSort) -> Whole:
        """Places of the items in a topic and below (of all, where it is empty), sorted. Items without a year come last, and are there."""
        found = self._orders.get((topic, sort))
        if found is None:
            found = _sorted(
                self.shelf, np.flatnonzero(self.shelf.below(topic)) if topic else np.arange(len(self.shelf)), sort
            )
            if len(self._orders) >= MOST_ORDERS:
                self._orders.clear()
            self._orders[topic, sort] = found
        return found

    def mention(self, key: str) -> Mention | None:
        """A key -> how others mention the item; None where it is not here."""
        place = self.shelf.places.get(key)
        return self._mention(place) if place is not None else None

    def mention_at(self, address: str) -> Mention | None:
        """A permanent address -> how others mention the item; None where nobody is shown it, or it may mean several."""
        places = self.shelf.find(address)
        return self._mention(places[0]) if len(places) == 1 else None

    def _mention(self, place: int) -> Mention:
        year, title = int(self.shelf.years[place]), self.shelf.titles[place]
        address = self.shelf.addresses[place]
        return Mention(address, title or address, year if year >= 0 else None, int(self.shelf.cited[place]))

    def title_words(self) -> Mapping[str, int]:
        """Words -> in how many titles each stands."""
        if not self._words:
            self._words.append(Counter(word for title in self.shelf.titles for word in telling_words(title)))
        return self._words[0]

    def dated(self) -> tuple[DatedItem, ...]:
        """All items by the date on which they were found, or a person last said something of them, then by address; those that people took away are there too."""
        if not self._dated:
            every = dict.fromkeys((*self.shelf.addresses, *self._gone()))
            items = [item for address in every if (item := self.dated_item(address)) is not None]
            self._dated.append(tuple(sorted(items, key=lambda item: (item.date, item.address))))
        return self._dated[0]

    def dated_item(self, address: str) -> DatedItem | None:
        """The item of an address, or that it was taken away; None where it is none of ours."""
        place = self.shelf.known.get(address)
        if place is not None:
            touched = iso_date(self.shelf.touched.get(place, ""))
            return DatedItem(max(self.dates[place], touched), address, place, "")
        gone = self._gone().get(address)
        return None if gone is None else DatedItem(iso_date(gone.at) or self.organised, address, None, gone.topic)

    def _gone(self) -> Mapping[str, GoneItem]:
        return {**self.shelf.joined, **self.shelf.hidden}

    def entry(self, row: ItemRow) -> Entry | None:
        """A row -> how lists show it; None for one that came after this moment."""
        place = self.shelf.places.get(row.key)
        if place is None:
            return None
        return Entry(
            address=self.shelf.addresses[place],
            title=short(self.fields.title_of(row), LONGEST_TITLE),
            subtitle=short(self.fields.subtitle_of(row), LONGEST_LINE),
            year=row.year,
            kind=row.kind,
            site=row.site,
            url=public_url(row.url),
            topic=row.topic,
            cited=row.cited,
            summary=short(self.fields.summary_of(row), LONGEST_SUMMARY),
            date=self.dates[place],
        )

    def entry_of(self, hit: Hit) -> Entry | None:
        """What a search found -> how lists show it, without reading it again; None where its title or subtitle is a field of its own."""
        place = self.shelf.places.get(hit.key)
        if place is None or self.fields.title or self.fields.subtitles.get(hit.kind, AUTHORS) != AUTHORS:
            return None
        title, authors = short(hit.title, LONGEST_TITLE), short(hit.authors, LONGEST_LINE)
        return Entry(
            self.shelf.addresses[place], title or public_url(hit.url) or hit.key, authors, hit.year, hit.kind, hit.site, public_url(hit.url), hit.topic, hit.cited, "", self.dates[place]
        )  # fmt: skip

    def entries(self, library: Library, places: Sequence[int] | Whole) -> tuple[Entry, ...]:
        """Places -> entries in the same order."""
        rows = library.entries([int(self.shelf.rows[place]) for place in places])
        return tuple(entry for row in rows if (entry := self.entry(row)) is not None)

    def by_key(self, library: Library, keys: Sequence[str]) -> Mapping[str, Entry]:
        """Keys -> entries; those that are not here are left out."""
        known = [key for key in dict.fromkeys(keys) if key in self.shelf.places]
        rows = library.entries([int(self.shelf.rows[self.shelf.places[key]]) for key in known])
        return {row.key: entry for row in rows if (entry := self.entry(row)) is not None}


def read_catalogue(library: Library, folder: Path, settings: Settings) -> Catalogue:
    """An open organised.db -> all that is known of its items."""
    shelf = library.shelf()
    if settings.portal.title_field:
        named = library.titles(settings.portal.title_field)
        titles = tuple(named.get(int(row), title) for row, title in zip(shelf.rows, shelf.titles, strict=True))
        shelf = replace(shelf, titles=titles)
    sample = shelf.rows[:: max(1, len(shelf) // LOOKED_AT)][: 2 * LOOKED_AT]
    rows = [
        row for start in range(0, len(sample), 500) for row in library.entries(sample[start : start + 500].tolist())
    ]
    known = RecordOrigins(folder).dates()
    otherwise = _utc(datetime.fromtimestamp((folder / FILE).stat().st_mtime, UTC))
    dates = tuple(iso_date(known.get(int(record), "")) or otherwise for record in shelf.latest)
    fields = field_choice(rows, settings.portal)
    values = read_facet_values(library.connection, fields.facets)
    catalogue = Catalogue(shelf, topic_forest(shelf, folder), fields, dates, otherwise, values)
    catalogue.title_words()  # now, and not while the first reader waits
    return catalogue


def telling_words(title: str) -> set[str]:
    """The words of a title that may say what it is about."""
    return {word for word in words_of(title) if len(word) > 2 and not word.isdigit()}


def iso_date(text: str) -> str:
    """A date as the workspace writes it -> the same in UTC, to the second; empty where it is none."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return ""
    return _utc(at if at.tzinfo else at.replace(tzinfo=UTC))


def short(text: str, most: int) -> str:
    """The text on one line, cut at a blank where it is longer."""
    line = " ".join(text[: most * 4].split())
    if len(line) <= most:
        return line
    cut = line[:most]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut[most // 2 :] else cut}…"


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _sorted(shelf: Shelf, places: Whole, sort: TopicSort) -> Whole:
    first = {
        "rank": shelf.pageranks,
        "cited": shelf.cited,
        "surveys": shelf.hubs,
        "seminal": shelf.authorities,
        "year": shelf.years,
        "newest": shelf.latest,
    }[sort]
    # Equal ones: the more cited, then the later, then as they stand.
    keys = (-shelf.latest[places], -shelf.cited[places], -np.round(first[places].astype(np.float64), 12))
    return places[np.lexsort(keys)]
