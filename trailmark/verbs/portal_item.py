"""One item of the portal: its values with where each was found, its sources, who cites it and whom it cites, what is related."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.datatypes import COURSE, Record, Response
from trailmark.organise.thing import TITLES
from trailmark.settings import Settings
from trailmark.store.archived_copy import NotedPlace, archived_copy
from trailmark.store.library import CitationRow, ItemRow, Library
from trailmark.store.record_origins import Origin, RecordOrigins
from trailmark.verbs.portal_catalogue import Catalogue, Entry, Mention, iso_date
from trailmark.verbs.portal_fields import public_url
from trailmark.verbs.portal_material import MaterialGroup, course_material
from trailmark.verbs.portal_neighbourhood import Neighbourhood, neighbourhood
from trailmark.verbs.portal_topics import TopicNode
from trailmark.verbs.related_things import related_things

MOST_SOURCES = 50
MOST_CITATIONS = 100
"""Of each direction that are shown, the most cited first; all are counted."""
MOST_CITING = 20_000
MOST_RELATED = 6
MOST_VALUES = 200
LONGEST_VALUE = 20_000
"""Characters of a value that are shown, the first few at once and the rest behind 'more'."""


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value of a field, and where it stood."""

    text: str
    place: str
    """As the record has it: a path in the page, or a page of a document; empty where that is not known."""
    source: int
    """The number of the source in the list of sources, from 1; 0 where it is not known."""


@dataclass(frozen=True, slots=True)
class FieldView:
    """A field with its values."""

    name: str
    values: tuple[FoundValue, ...]
    more: int
    """Values that are not shown."""
    linked: bool
    """Whether a value leads to all items with the same."""


@dataclass(frozen=True, slots=True)
class SourceView:
    """A page or document that the item was found in."""

    number: int
    url: str
    found: str
    fetched: str
    """When the archived copy was taken; empty where there is none."""
    made_by: str


@dataclass(frozen=True, slots=True)
class CitationView:
    """A citation, seen from one side."""

    entry: Mention | None
    """The other item, where it is here."""
    reference: str
    """As it stands in the list of references."""
    sentences: tuple[str, ...]
    """Where the text cites it."""


@dataclass(frozen=True, slots=True)
class RelatedEntry:
    """A related item, and why."""

    entry: Mention
    reason: str


@dataclass(frozen=True, slots=True)
class ItemView:
    """All that the page of an item shows."""

    entry: Entry
    authors: tuple[str, ...]
    trail: tuple[TopicNode, ...]
    """From the topmost topic to its own."""
    chance: float | None
    fields: tuple[FieldView, ...]
    sources: tuple[SourceView, ...]
    cites: tuple[CitationView, ...]
    cited_by: tuple[CitationView, ...]
    citers: int
    """How many cite it, shown or not."""
    related: tuple[RelatedEntry, ...]
    neighbourhood: Neighbourhood
    record: Record
    """What is taken away as BibTeX and the like."""
    material: tuple[MaterialGroup, ...] = ()
    """Of a course: what it offers, by type."""


def item_view(
    catalogue: Catalogue, library: Library, folder: Path, place: int, origins: RecordOrigins | None = None
) -> ItemView | None:
    """An item's place on the shelf -> its page; None where it is gone meanwhile."""
    rows = library.entries([int(catalogue.shelf.rows[place])])
    entry = catalogue.entry(rows[0]) if rows else None
    if entry is None:
        return None
    row = rows[0]
    listed = library.sources(row.key, MOST_SOURCES)
    known_origins = (origins or RecordOrigins(folder)).of([number for number, _ in listed])
    cites, citing = library.references(row.key, MOST_CITATIONS), library.citing(row.key, MOST_CITING)
    known = {*citing, *(citation.cited or "" for citation in cites)}
    others = {key: mention for key in known if (mention := catalogue.mention(key)) is not None}
    shown = sorted((key for key in citing if key in others), key=lambda key: (-others[key].cited, key))[:MOST_CITATIONS]
    cited_by = library.citations(row.key, shown)
    material = course_material(catalogue, library, folder, [url for _, url in listed]) if row.kind == COURSE else ()
    found = [known_origins[number] for number, _ in listed if number in known_origins]
    fields = _fields(row, found, catalogue.fields.facets)
    return ItemView(
        entry=entry,
        authors=tuple(name.strip() for name in row.authors.split("; ") if name.strip()),
        trail=catalogue.topics.trail(row.topic),
        chance=library.chance(row.key),
        fields=tuple(field for field in fields if field.name not in {group.kind for group in material}),
        sources=tuple(
            _source(number, record, url, known_origins) for number, (record, url) in enumerate(listed, start=1)
        ),
        cites=tuple(_citation(c, others.get(c.cited or "")) for c in cites if c.cited != row.key),
        cited_by=tuple(_citation(cited_by[key], others[key]) for key in shown if key in cited_by),
        citers=len(citing),
        related=_related(catalogue, library, row.key),
        neighbourhood=neighbourhood(library, row.key, _own(entry), cites, citing, others),
        record=take_away(row, entry),
        material=material,
    )


def _own(entry: Entry) -> Mention:
    return Mention(entry.address, entry.title, entry.year, entry.cited)


def take_away(row: ItemRow, entry: Entry) -> Record:
    """An item -> the record that is written as BibTeX, RIS and the like: its own fields, with title, authors and year where they go by other names."""
    fields = {name: tuple(map(str, values)) for name, values in row.fields.items()}
    if not any(name.lower() in TITLES for name in fields):
        fields = {"title": (entry.title,), **fields}
    if "author" not in fields and row.authors:
        fields["author"] = tuple(row.authors.split("; "))
    if row.year is not None and "date" not in fields and "year" not in fields:
        fields["date"] = (str(row.year),)
    return Record(entry.url, row.kind, fields)


def source_copy(
    library: Library, folder: Path, settings: Settings, key: str, number: int
) -> tuple[str, str, Response] | None:
    """An item and the number of one of its sources -> address, date and the archived answer; None where there is no copy."""
    listed = library.sources(key, MOST_SOURCES)
    if not 1 <= number <= len(listed):
        return None
    record, url = listed[number - 1]
    origin = RecordOrigins(folder).of([record]).get(record)
    place = NotedPlace(origin.archive, origin.offset, origin.final_url) if origin is not None else None
    answer = archived_copy(folder, url, place, settings.store)
    if answer is None or answer.status != 200:
        return None
    return url, iso_date(origin.fetched_at) if origin is not None else "", answer


def _related(catalogue: Catalogue, library: Library, key: str) -> tuple[RelatedEntry, ...]:
    found = ((catalogue.mention(each.key), each.reason) for each in related_things(library, key, MOST_RELATED))
    return tuple(RelatedEntry(mention, reason) for mention, reason in found if mention is not None)


def _fields(row: ItemRow, origins: Sequence[Origin], facets: Sequence[str]) -> tuple[FieldView, ...]:
    return tuple(
        FieldView(
            name,
            tuple(_value(str(value), name, place, origins) for place, value in enumerate(values[:MOST_VALUES])),
            max(0, len(values) - MOST_VALUES),
            name in facets,
        )
        for name, values in row.fields.items()
        if values and not name.endswith("_normal")
    )


def _value(text: str, name: str, number: int, origins: Sequence[Origin]) -> FoundValue:
    """A value, with the first source that has the same."""
    for source, origin in enumerate(origins, start=1):
        values, places = origin.fields.get(name, ()), origin.sources.get(name, ())
        if text in values:
            at = number if number < len(values) and values[number] == text else values.index(text)
            return FoundValue(text[:LONGEST_VALUE], places[at] if at < len(places) else "", source)
    return FoundValue(text[:LONGEST_VALUE], "", 0)


def _source(number: int, record: int, url: str, origins: Mapping[int, Origin]) -> SourceView:
    origin = origins.get(record)
    if origin is None:
        return SourceView(number, public_url(url), "", "", "")
    return SourceView(number, public_url(url), iso_date(origin.added_at), iso_date(origin.fetched_at), origin.made_by)


def _citation(row: CitationRow, entry: Mention | None) -> CitationView:
    sentences = tuple(line for line in row.context.split("\n") if line.strip())
    return CitationView(entry, row.reference, sentences)
