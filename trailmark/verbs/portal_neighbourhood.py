"""An item and those around it that cite or are cited: what the picture of the neighbourhood shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trailmark.store.library import CitationRow, Library
from trailmark.verbs.portal_catalogue import Mention

MOST = 9
"""Of those that cite it, and of those that it cites: the most cited ones."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An item in the picture."""

    entry: Mention
    role: str
    """`self`, `cites` (it cites the item) or `cited` (by the item)."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Items by year, undated ones last, and who of them cites whom, by their places in the list."""

    items: tuple[Neighbour, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    left_out: int = 0
    """Neighbours for which there is no room."""


def neighbourhood(
    library: Library,
    key: str,
    own: Mention,
    cites: Sequence[CitationRow],
    citing: Sequence[str],
    entries: Mapping[str, Mention],
) -> Neighbourhood:
    """An item with its citations -> its neighbourhood; empty where nothing here cites it and it cites nothing here."""
    cited = _most_cited({row.cited for row in cites if row.cited and row.cited != key}, entries)
    citers = _most_cited(set(citing) - {key}, entries)
    shown = {**dict.fromkeys(citers[:MOST], "cites"), **dict.fromkeys(cited[:MOST], "cited")}
    if not shown:
        return Neighbourhood()
    members = [(key, Neighbour(own, "self")), *((each, Neighbour(entries[each], role)) for each, role in shown.items())]
    members.sort(
        key=lambda each: (each[1].entry.year is None, each[1].entry.year or 0, each[1].role != "cited", each[0])
    )
    places = {each: place for place, (each, _) in enumerate(members)}
    links = library.links_among(list(places))
    return Neighbourhood(
        tuple(neighbour for _, neighbour in members),
        tuple((places[one], places[other]) for one, other in links),
        len({*cited, *citers}) - len(shown),
    )


def _most_cited(keys: set[str], entries: Mapping[str, Mention]) -> list[str]:
    return sorted((key for key in keys if key in entries), key=lambda key: (-entries[key].cited, key))
