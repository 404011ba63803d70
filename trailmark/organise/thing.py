"""Records -> things: what a reader of the portal sees as one (a paper with its references, a course, a product)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from trailmark.datatypes import COURSE_ITEM, Record
from trailmark.organise.item import Item
from trailmark.read.words import tokens
from trailmark.thing_datatypes import ThingSource

REFERENCE = "reference"
"""The kind of record that belongs to the paper of its address."""
TITLES = ("title", "name", "headline", "heading", "subject", "label")
AUTHORS = ("author", "authors", "creator", "by", "instructor", "teacher", "lecturer", "speaker")
DATES = ("year", "date", "published", "term", "datepublished")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_UNSEEN = frozenset(("url", "link", "image", "pages", "phone", "email", "price", "sku"))
"""Fields whose values say nothing of a topic."""
_NORMAL = "_normal"
"""At the end of a field that repeats another in its plain form."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing with all that is known of it."""

    key: str
    """The same as long as its address, kind and title are."""
    kind: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    url: str
    fields: Mapping[str, tuple[str, ...]]
    text: str
    """All that is searched beside title and authors."""
    references: tuple[tuple[int, Record], ...] = ()
    """With the number of each."""
    sources: tuple[ThingSource, ...] = ()
    """The records that it was made of, references aside."""

    @property
    def site(self) -> str:
        return urlsplit(self.url).netloc if "//" in self.url else ""

    def item(self, cites: Sequence[str] = ()) -> Item:
        """What is put in a topic."""
        names = tuple(" ".join(tokens(name)) for name in self.authors)
        return Item(self.key, self.title, self.text, {"author": names}, cites)


def things_of(records: Iterable[tuple[int, Record]]) -> list[Thing]:
    """Numbered records -> things, in the order of the records; references go to the paper of their address, items to their course."""
    papers: dict[str, list[tuple[int, Record]]] = {}
    listed: list[tuple[int, Record]] = []
    for number, record in records:
        if record.kind == REFERENCE:
            papers.setdefault(record.url, []).append((number, record))
        elif record.kind != COURSE_ITEM:  # its course's own record names it
            listed.append((number, record))
    owners: set[str] = set()
    things: dict[str, Thing] = {}
    for number, record in listed:
        references = papers.get(record.url, []) if record.url not in owners else []
        owners.add(record.url)
        thing = _thing(number, record, references)
        things.setdefault(thing.key, thing)
    return list(things.values())


def _thing(number: int, record: Record, references: Sequence[tuple[int, Record]]) -> Thing:
    title = _first(record, TITLES) or next((values[0] for values in record.fields.values() if values), record.url)
    authors = tuple(value for name in _named(record, AUTHORS) for value in record.fields[name])
    own = " ".join(_rest(record))
    cited = " ".join(value for _, reference in references for value in _reference_text(reference))
    key = thing_key(record.kind, record.url, title)
    return Thing(
        key=key,
        kind=record.kind,
        title=title,
        authors=authors,
        year=_year(record),
        url=record.url,
        fields=record.fields,
        text=f"{own} {cited}".strip(),
        references=tuple(references),
        sources=(ThingSource(number, record.url, key, record.kind, title, key),),
    )


def thing_key(kind: str, url: str, title: str) -> str:
    """Kind, address and title -> 16 hex digits that stay the same over new crawls."""
    told = "\x1f".join((kind, url, " ".join(tokens(title))))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _named(record: Record, names: Sequence[str]) -> list[str]:
    """Fields with one of these names, capitals aside, the first name first."""
    lowered = {name.lower(): name for name in record.fields}
    return [lowered[name] for name in names if name in lowered]


def _first(record: Record, names: Sequence[str]) -> str:
    return next((record.fields[name][0] for name in _named(record, names) if record.fields[name]), "")


def _year(record: Record) -> int | None:
    for name in _named(record, DATES):
        for value in record.fields[name]:
            if match := _YEAR.search(value):
                return int(match[0])
    return None


def _rest(record: Record) -> list[str]:
    known = {*_named(record, TITLES)[:1], *_named(record, AUTHORS)}
    return [
        value
        for name, values in record.fields.items()
        if name not in known and name.lower() not in _UNSEEN and not name.endswith(_NORMAL)
        for value in values
    ]


def _reference_text(reference: Record) -> list[str]:
    return [value for name in ("title", "booktitle", "journal") for value in reference.fields.get(name, ())]
