"""Permanent addresses of items: twelve hex digits of an item's kind and of the first of its source addresses in the order of the alphabet.

Neither a new crawl, nor a corrected title, nor the order in which records were found changes it. Where several items of a kind stand on one page, six digits
of the title are added. An address that an item had before it was found to be one with another, or before another came onto its page, leads to where it is now.
What people made one with another, or hid, holds the address that it had: nobody else gets it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trailmark.store.search_words import words_of
from trailmark.thing_datatypes import ThingSource

PAGE_DIGITS, TITLE_DIGITS = 12, 6


@dataclass(frozen=True, slots=True)
class Holder:
    """An item with its sources."""

    key: str
    kind: str
    title: str
    url: str
    sources: Sequence[ThingSource]

    def own(self) -> list[ThingSource]:
        """Sources that are its own, and not by what a person said."""
        if len(self.sources) < 2:
            return list(self.sources)
        group = next((source.found for source in self.sources if source.thing == self.key), None)
        return [source for source in self.sources if group is None or source.found == group]

    def joined(self) -> list[ThingSource]:
        """Sources that a person made one with it."""
        if len(self.sources) < 2:
            return []
        own = {source.record for source in self.own()}
        return [source for source in self.sources if source.record not in own]

    def pages(self) -> list[str]:
        """The addresses of its pages, the first one first."""
        return [page_address(self.kind, url) for url in sorted({self.url, *(source.url for source in self.own())})]


@dataclass(frozen=True, slots=True)
class HeldAddress:
    """An address that no item has any more, since a person said something of its thing."""

    address: str
    things: tuple[str, ...]
    """Keys of the things that it meant."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Who answers where."""

    items: tuple[str, ...]
    """By place."""
    moved: Mapping[str, tuple[int, ...]]
    """An address that items had, or may have had -> their places now."""
    hidden: tuple[HeldAddress, ...]
    joined: tuple[HeldAddress, ...]
    """Of what a person made one with another; each leads there."""


def page_address(kind: str, url: str) -> str:
    """The address of an item that is alone of its kind on a page."""
    return _digits(PAGE_DIGITS, kind, url)


def titled_address(page: str, title: str) -> str:
    """The address of one of several items of a kind on a page."""
    return f"{page}-{_digits(TITLE_DIGITS, ' '.join(words_of(title)))}"


def item_addresses(items: Sequence[Holder], hidden: Sequence[Holder] = ()) -> Addresses:
    """Items that are shown, and those that people hid -> all addresses."""
    joined = [
        (place, Holder(source.thing, source.kind, source.title, source.url, (source,)))
        for place, item in enumerate(items)
        for source in item.joined()
    ]
    holders = [*items, *hidden, *(holder for _, holder in joined)]
    pages = [holder.pages() for holder in holders]
    addresses = _own_addresses([own[0] for own in pages], [holder.title for holder in holders])
    count, end = len(items), len(items) + len(hidden)
    moved: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        for address in _former(item, pages[place]):
            moved.setdefault(address, []).append(place)
    for (place, holder), address in zip(joined, addresses[end:], strict=True):
        for each in {address, *_former(holder, holder.pages())}:
            if place not in moved.setdefault(each, []):
                moved[each].append(place)
    return Addresses(
        tuple(addresses[:count]),
        {address: tuple(places) for address, places in moved.items()},
        tuple(
            HeldAddress(address, tuple(source.thing for source in holder.sources))
            for holder, address in zip(hidden, addresses[count:end], strict=True)
        ),
        tuple(
            HeldAddress(address, (holder.key,)) for (_, holder), address in zip(joined, addresses[end:], strict=True)
        ),
    )


def _own_addresses(pages: Sequence[str], titles: Sequence[str]) -> list[str]:
    """The first page of each, and its title -> its address, no two alike."""
    count: dict[str, int] = {}
    for page in pages:
        count[page] = count.get(page, 0) + 1
    addresses: list[str] = []
    used: set[str] = set()
    for page, title in zip(pages, titles, strict=True):
        address = page if count[page] == 1 else titled_address(page, title)
        while address in used:  # the same title twice on one page: the second is told apart by its place
            address = titled_address(page, f"{title} {address}")
        used.add(address)
        addresses.append(address)
    return addresses


def _former(item: Holder, pages: Sequence[str]) -> dict[str, None]:
    """Addresses that an item had, or that its sources had by themselves; each once, in their order."""
    former = dict.fromkeys(pages)
    if len(pages) > 1:
        former |= dict.fromkeys(titled_address(page, item.title) for page in pages)
    for source in item.own():
        if (source.kind, source.title) != (item.kind, item.title):
            page = page_address(source.kind, source.url)
            former |= {page: None, titled_address(page, source.title): None}
    return former


def _digits(count: int, *words: str) -> str:
    told = "\x1f".join(words).encode("utf-8", "surrogatepass")
    return hashlib.sha256(told).hexdigest()[:count]
