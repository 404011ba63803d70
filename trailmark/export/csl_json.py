"""Records as CSL-JSON, which citation processors read, and as schema.org JSON-LD, which search engines read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from trailmark.datatypes import Record
from trailmark.quoting import json_text
from trailmark.report import Json

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
TITLES = ("title", "name", "headline", "heading", "subject", "label")
AUTHORS = ("author_normal", "author", "authors", "creator", "instructor", "speaker")
DATES = ("date_normal", "date", "year", "published", "term")
SUMMARIES = ("abstract", "description", "summary")
LONGEST = 20_000
"""Characters of a value."""
_TYPES = {"paper": "ScholarlyArticle", "reference": "ScholarlyArticle", "course": "Course", "product": "Product", "talk": "Event", "event": "Event"}  # fmt: skip


def csl_items(records: Iterable[Record]) -> Iterator[bytes]:
    """A JSON array with an object a record."""
    yield b"["
    for number, record in enumerate(records):
        yield (",\n" if number else "").encode() + json_text(csl_item(record, f"item-{number + 1}")).encode()
    yield b"]\n"


def csl_item(record: Record, name: str) -> dict[str, Json]:
    """A record -> an item of CSL-JSON; `name` tells it from others of the same list."""
    container = _first(record, ("journal_normal", "journal")) or _first(record, ("booktitle_normal", "booktitle"))
    year = year_of(record)
    authors: list[Json] = [_csl_name(author) for author in values_of(record, AUTHORS)]
    parts: dict[str, Json] = {
        "id": name,
        "type": _csl_type(record),
        "title": _first(record, TITLES),
        "author": authors,
        "container-title": container,
        "issued": {"date-parts": [[year]]} if year else None,
        "page": _first(record, ("pages_normal", "pages")),
        "volume": _first(record, ("volume",)),
        "publisher": _first(record, ("publisher", "institution")),
        "DOI": _first(record, ("doi",)),
        "abstract": _first(record, SUMMARIES),
        "URL": record.url,
    }
    return {key: value for key, value in parts.items() if value}


def json_ld(record: Record, address: str = "") -> dict[str, Json]:
    """A record -> an object of schema.org; `address` is where people find it."""
    kind = _TYPES.get(record.kind.lower(), "CreativeWork")
    names = values_of(record, AUTHORS)
    people: list[Json] = [{"@type": "Person", "name": name} for name in names]
    titled = "name" if kind in ("Course", "Product", "Event") else "headline"
    container = _first(record, ("journal_normal", "journal", "booktitle_normal", "booktitle"))
    year = year_of(record)
    parts: dict[str, Json] = {
        "@context": "https://schema.org",
        "@type": kind,
        "@id": address or record.url,
        titled: _first(record, TITLES),
        "author" if kind not in ("Course", "Event", "Product") else "contributor": people,
        "datePublished" if kind != "Event" else "startDate": str(year) if year else None,
        "isPartOf": {"@type": "Periodical", "name": container} if container else None,
        "description": _first(record, SUMMARIES),
        "url": address or record.url,
        "isBasedOn": record.url if address and record.url else None,
    }
    return {key: value for key, value in parts.items() if value}


def year_of(record: Record) -> int | None:
    """The year that a record's date names."""
    return next((int(found[0]) for date in values_of(record, DATES) if (found := _YEAR.search(date))), None)


def values_of(record: Record, names: Sequence[str]) -> list[str]:
    """The values of the first of the fields that has some, capitals aside."""
    lowered = {name.lower(): values for name, values in record.fields.items()}
    found = next((lowered[name] for name in names if lowered.get(name)), ())
    return [text for value in found if (text := " ".join(value[:LONGEST].split()))]


def _first(record: Record, names: Sequence[str]) -> str:
    return next(iter(values_of(record, names)), "")


def _csl_name(author: str) -> dict[str, Json]:
    family, comma, given = author.partition(",")
    if comma:
        return {"family": family.strip(), "given": given.strip()}
    *first, last = author.split()
    return {"family": last, "given": " ".join(first)} if first else {"literal": last}


def _csl_type(record: Record) -> str:
    if _first(record, ("journal_normal", "journal")):
        return "article-journal"
    if _first(record, ("booktitle_normal", "booktitle")):
        return "paper-conference"
    return "report" if record.kind in ("paper", "reference") else "document"
