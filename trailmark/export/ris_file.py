"""Records as RIS, which reference managers read: one tag a line, each record from TY to ER."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from trailmark.datatypes import Record

_UNPRINTED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]+")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_SPAN = re.compile(r"(\w+)\s*[-–—]+\s*(\w+)")
_TAGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("TI", ("title", "name", "headline", "heading", "subject", "label")),
    ("AU", ("author_normal", "author", "authors", "creator", "instructor", "speaker")),
    ("A2", ("editor_normal", "editor")),
    ("JO", ("journal_normal", "journal")),
    ("T2", ("booktitle_normal", "booktitle", "venue")),
    ("VL", ("volume",)),
    ("IS", ("number", "issue")),
    ("PB", ("publisher",)),
    ("CY", ("location",)),
    ("DO", ("doi",)),
    ("AB", ("abstract", "description", "summary")),
    ("KW", ("keyword", "keywords")),
)
"""Tag -> fields of a record, the better first."""
_SEVERAL = ("AU", "A2", "KW")
LONGEST = 10_000
"""Characters of a line."""


def ris_entries(records: Iterable[Record]) -> Iterator[bytes]:
    """An entry a record; lines end as the format asks, with CR LF."""
    for record in records:
        lines = [f"{tag}  - {value}" for tag, value in _lines(record)]
        yield ("\r\n".join([f"TY  - {_type(record)}", *lines, "ER  - ", "", ""])).encode()


def _lines(record: Record) -> Iterator[tuple[str, str]]:
    for tag, names in _TAGS:
        values = _values(record, names)
        yield from ((tag, value) for value in (values if tag in _SEVERAL else values[:1]))
    dates = _values(record, ("date_normal", "date", "year", "published", "term"))
    if year := next((found[0] for date in dates if (found := _YEAR.search(date))), ""):
        yield "PY", year
    for pages in _values(record, ("pages_normal", "pages"))[:1]:
        span = _SPAN.search(pages)
        yield from (("SP", span[1]), ("EP", span[2])) if span else (("SP", pages),)
    if url := _plain(record.url):
        yield "UR", url


def _values(record: Record, names: Sequence[str]) -> list[str]:
    """The values of the first of the fields that has some, capitals aside."""
    lowered = {name.lower(): values for name, values in record.fields.items()}
    found = next((lowered[name] for name in names if lowered.get(name)), ())
    return [value for text in found if (value := _plain(text))]


def _plain(text: str) -> str:
    return " ".join(_UNPRINTED.sub(" ", text[:LONGEST]).split())


def _type(record: Record) -> str:
    if _values(record, ("journal_normal", "journal")):
        return "JOUR"
    if _values(record, ("booktitle_normal", "booktitle")):
        return "CPAPER"
    return "RPRT" if record.kind in ("paper", "reference") else "GEN"
