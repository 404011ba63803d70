"""Which fields of records the portal shows as what: as the settings say, else guessed from the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from trailmark.organise.thing import AUTHORS as AUTHOR_FIELDS
from trailmark.organise.thing import DATES, TITLES
from trailmark.settings import PortalSettings
from trailmark.store.library import ItemRow

LOOKED_AT = 300
"""Items by which it is guessed."""
COMMON = 0.3
"""Share of the items of a kind that have a field, for it to be shown with each."""
LONGEST_SUBTITLE = 80
"""Letters of a subtitle on average."""
SUMMARIES = ("abstract", "summary", "description", "about", "body", "text", "note")
AUTHORS = "authors"
"""Stands for what organising took for the authors, whatever field that was."""
MOST_FACETS = 4
_NO_FACETS = frozenset((*AUTHOR_FIELDS, *DATES, "pages", "volume", "number", "id"))
"""Authors and years have links of their own; the others tell one item from the next."""


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """What stands where."""

    title: str
    """Empty: what organising took for the title."""
    subtitles: Mapping[str, str]
    """Kind -> field; empty where none will do."""
    facets: tuple[str, ...]
    """Fields whose values lead to all items that have the same."""

    def title_of(self, row: ItemRow) -> str:
        """What an item is called."""
        values = row.fields.get(self.title) if self.title else None
        return (values[0] if values else "") or row.title or public_url(row.url) or row.key

    def subtitle_of(self, row: ItemRow) -> str:
        """The line below its title."""
        name = self.subtitles.get(row.kind, AUTHORS)
        return row.authors if name == AUTHORS else "; ".join(map(str, row.fields.get(name, ())))

    def summary_of(self, row: ItemRow) -> str:
        """A few lines of what it is about."""
        named = {name.lower(): values for name, values in row.fields.items()}
        return next((str(named[name][0]) for name in SUMMARIES if named.get(name)), "")


def public_url(url: str) -> str:
    """The address of a source -> what the public may see of it: of a file of this machine its name, since its folders tell about their owner."""
    return unquote(urlsplit(url).path).rpartition("/")[2] if url.lower().startswith("file:") else url


def field_choice(rows: Sequence[ItemRow], settings: PortalSettings) -> FieldChoice:
    """Some items and the settings -> what stands where."""
    kinds: dict[str, list[ItemRow]] = {}
    for row in rows:
        kinds.setdefault(row.kind, []).append(row)
    subtitles = {kind: settings.subtitle_field or _subtitle(of_kind) for kind, of_kind in kinds.items()}
    return FieldChoice(settings.title_field, subtitles, settings.facet_fields or _facets(rows))


def _subtitle(rows: Sequence[ItemRow]) -> str:
    """Authors where there are some; else the fullest short field that is not the title."""
    if sum(bool(row.authors) for row in rows) >= COMMON * len(rows):
        return AUTHORS
    lengths: dict[str, list[int]] = {}
    for row in rows:
        for name, values in row.fields.items():
            if _told(name) and values and str(values[0]) != row.title and "://" not in str(values[0]):
                lengths.setdefault(name, []).append(len("; ".join(map(str, values))))
    likely = [
        (len(found), name)
        for name, found in lengths.items()
        if len(found) >= COMMON * len(rows) and sum(found) / len(found) <= LONGEST_SUBTITLE
    ]
    return max(likely, key=lambda each: (each[0], [-ord(letter) for letter in each[1]]))[1] if likely else ""


def _facets(rows: Sequence[ItemRow]) -> tuple[str, ...]:
    """Fields with short values that come again: at most half as many different ones as items that have the field."""
    values: dict[str, Counter[str]] = {}
    for row in rows:
        for name, found in row.fields.items():
            if _told(name) and name.lower() not in _NO_FACETS:
                values.setdefault(name, Counter()).update(map(str, found))
    likely = [
        (sum(counts.values()), name)
        for name, counts in values.items()
        if sum(counts.values()) >= max(4, COMMON * len(rows) / 3)
        and len(counts) <= sum(counts.values()) / 2
        and max(map(len, counts)) <= LONGEST_SUBTITLE
    ]
    return tuple(name for _, name in sorted(likely, key=lambda each: (-each[0], each[1]))[:MOST_FACETS])


def _told(name: str) -> bool:
    return name.lower() not in (*TITLES, "url", "link", "image") and not name.endswith("_normal")
