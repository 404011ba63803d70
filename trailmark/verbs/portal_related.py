"""An item -> those that are related to it, with reasons, when a reader asks: only those that may be are compared.

Candidates share what they cite, are cited together, or have the item's telling words. With some others beside, by which it is told what is common, they are compared as
`organise/related` compares all items.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trailmark.datatypes import Query, QueryTerm
from trailmark.organise.item import Item
from trailmark.organise.related import related_items
from trailmark.store.library import Library
from trailmark.store.search_words import words_of
from trailmark.verbs.portal_catalogue import Catalogue, Entry

MOST = 6
CANDIDATES = 24
"""Of each kind."""
BESIDE = 40
"""Items that are compared only so that common words weigh little."""
WORDS = 6
"""Words of an item by which candidates are looked for: the rarest ones."""
READ = 1_200
"""Characters of a text that are compared."""
CITED = 6_000
"""Citations that are read."""


KeyedReason = tuple[str, str]
"""The key of a related item, and why it is related."""


@dataclass(frozen=True, slots=True)
class RelatedEntry:
    """A related item, and why."""

    entry: Entry
    reason: str


def related_entries(catalogue: Catalogue, library: Library, key: str) -> tuple[RelatedEntry, ...]:
    """The key of an item -> what is related to it, the nearest first."""
    shelf = catalogue.shelf
    title, text = library.words(key, READ)
    candidates = [
        *library.coupled(key, CANDIDATES),
        *library.cocited(key, CANDIDATES),
        *_with_words(library, title, text, len(shelf)),
    ]
    near = [each for each in dict.fromkeys(candidates) if each != key and each in shelf.places]
    if not near:
        return ()
    step = max(1, len(shelf) // BESIDE)
    beside = [other for other in shelf.keys[::step][:BESIDE] if other != key and other not in set(near)]
    items = _items(library, [key, *near, *beside])
    found = next(iter(related_items(items, most=MOST, only=[key])), None)
    related = [each for each in (found.related if found else ()) if each.id in set(near) and each.reason]
    return named_entries(catalogue, library, [(each.id, each.reason) for each in related])


def named_entries(catalogue: Catalogue, library: Library, related: Sequence[KeyedReason]) -> tuple[RelatedEntry, ...]:
    """Keys with reasons -> the items with them; those that are not here are left out."""
    entries = catalogue.by_key(library, [key for key, _ in related])
    return tuple(RelatedEntry(entries[key], reason) for key, reason in related if key in entries)


def related_to_each(library: Library, keys: Sequence[str]) -> Iterator[tuple[KeyedReason, ...]]:
    """All items -> what is related to each, in their order: for who wants all of them, this takes far less than asking for each."""
    items = [item for start in range(0, len(keys), 500) for item in _items(library, keys[start : start + 500])]
    found = related_items(items, most=MOST)
    waiting = next(found, None)
    for key in keys:
        if waiting is None or waiting.id != key:
            yield ()
            continue
        yield tuple((each.id, each.reason) for each in waiting.related if each.reason)
        waiting = next(found, None)


def _with_words(library: Library, title: str, text: str, items: int) -> list[str]:
    """Items with the rarest words of a title, filled up from the text."""
    words = [word for word in dict.fromkeys([*words_of(title), *words_of(text)]) if len(word) > 2][:60]
    standing = library.standing(words)
    rare = sorted(
        (word for word in words if 1 < standing.get(word, 0) <= max(20, items // 20)), key=lambda w: standing[w]
    )
    if not rare:
        return []
    query = Query(tuple(QueryTerm(word) for word in rare[:WORDS]))
    plan = library.index.plan(query)
    return library.found_keys(plan, CANDIDATES + 1) if plan is not None else []


def _items(library: Library, keys: Sequence[str]) -> list[Item]:
    cites = library.cited_groups(keys, CITED)
    return [Item(key, title, text, {}, cites.get(key, ())) for key, title, text in library.openings(keys, READ)]
