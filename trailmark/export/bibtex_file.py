"""Records as BibTeX: papers and references with the fields that BibTeX knows, other records as `@misc` with what they have.

What was found on a page may hold any sign: braces are balanced, and signs that TeX takes for commands are written so that it does not.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

from trailmark.datatypes import Record

_FIELDS = {
    "title": "title", "author_normal": "author", "author": "author", "editor_normal": "editor", "editor": "editor", "journal_normal": "journal",
    "journal": "journal", "booktitle_normal": "booktitle", "booktitle": "booktitle", "pages_normal": "pages", "pages": "pages",
    "volume": "volume", "publisher": "publisher", "institution": "institution", "affiliation": "institution", "tech": "type",
    "location": "address", "note": "note", "abstract": "abstract", "keyword": "keywords", "web": "url",
}  # fmt: skip
"""Field of a record -> that of BibTeX; of several for one, the first that a record has."""
_SEVERAL = {"author": " and ", "editor": " and ", "keywords": ", "}
_ESCAPED = str.maketrans({"\\": r"\textbackslash{}", "{": "(", "}": ")", "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "_": r"\_", "^": r"\^{}", "~": r"\~{}", '"': "''"})  # fmt: skip
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_FUSED = re.compile(
    r"(\d{1,9})\s?(?:\(([^()]{1,20})\))?\s?:\s?([a-z]?\d{1,9})\s?[-–—‐]{1,3}\s?([a-z]?\d{1,9})\W*", re.IGNORECASE
)
"""Volume, issue and pages without a blank between them: `21(8):613-641`."""
_KEY = re.compile(r"[^a-z0-9]+")
LONGEST_KEY = 40
"""Letters of a key that one word gives: other programs take no endless ones."""
_UNPRINTED = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")
_AROUND_TITLE = re.compile(r"""^(?:["“”„«»‟`]|'')+\s*|(?:\s*(?:["“”„«»‟`,;]|''))+$""")
"""Quotes around a title, and the comma within them: a style of references has them, and BibTeX sets its own."""
_SMALL = frozenset(("a", "an", "the", "on", "of", "in", "for", "and", "to"))


def bibtex_entries(records: Iterable[Record]) -> Iterator[bytes]:
    """An entry a record; their keys differ."""
    used: Counter[str] = Counter()
    for record in records:
        fields = _fields(record)
        if fields:
            key = _key(record, fields)
            used[key] += 1
            key = key if used[key] == 1 else f"{key}-{used[key]}"
            lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
            yield f"@{_type(fields)}{{{key},\n{lines}}}\n\n".encode()


def _fields(record: Record) -> dict[str, str]:
    fields: dict[str, str] = {}
    known = record.kind in ("paper", "reference")
    for name, values in record.fields.items():
        target = _FIELDS.get(name) if known else _KEY.sub("", name.lower()) or None
        if target and (value := _value(target, values)) and _first_choice(name, record, target):
            fields[target] = value
    if known:
        fields |= _told_apart(record)
    year = next((found[0] for text in _dates(record) if (found := _YEAR.search(text))), "")
    if known and year:
        fields["year"] = year
    if known and "title" not in fields and "text" in record.fields:
        fields["note"] = _value("note", record.fields["text"])
    if fields and record.url and record.kind == "paper":
        fields.setdefault("url", _plain(record.url))
    return fields


def _told_apart(record: Record) -> dict[str, str]:
    """Volume, issue and pages of a record in which they are one word, whichever of the fields that was taken for."""
    volume, pages = (record.fields.get(name, ("",))[0] for name in ("volume", "pages"))
    told: dict[str, str] = {}
    if (found := _FUSED.fullmatch(volume)) is not None:
        told = {"volume": found[1], "number": found[2] or ""} | ({} if pages else {"pages": f"{found[3]}-{found[4]}"})
    elif not volume and (found := _FUSED.fullmatch(pages)) is not None:
        told = {"volume": found[1], "number": found[2] or ""}
    return {name: _plain(value) for name, value in told.items() if value}


def _first_choice(name: str, record: Record, target: str) -> bool:
    """Whether no better field of the record goes to the same place."""
    names = [each for each, where in _FIELDS.items() if where == target]
    return name not in names or not any(each in record.fields for each in names[: names.index(name)])


def _dates(record: Record) -> tuple[str, ...]:
    return (*record.fields.get("date_normal", ()), *record.fields.get("date", ()))


def _value(target: str, values: Iterable[str]) -> str:
    kept = [_plain(_AROUND_TITLE.sub("", value.strip()) if target == "title" else value) for value in values]
    kept = [value for value in kept if value]
    return _SEVERAL[target].join(kept) if target in _SEVERAL else (kept[0] if kept else "")


def _plain(text: str) -> str:
    return " ".join(_UNPRINTED.sub(" ", text).split()).translate(_ESCAPED)


def _type(fields: dict[str, str]) -> str:
    if "journal" in fields:
        return "article"
    if "booktitle" in fields:
        return "inproceedings"
    return "techreport" if "institution" in fields and "type" in fields else "misc"


def _key(record: Record, fields: dict[str, str]) -> str:
    """Family name, year and first word of the title, in plain letters."""
    family = fields.get("author", "").partition(" and ")[0].partition(",")[0].split()[-1:] or [record.kind]
    words = [word for word in fields.get("title", "").split() if word.lower() not in _SMALL]
    parts = (_letters(part)[:LONGEST_KEY] for part in (family[0], fields.get("year", ""), *words[:1]))
    return "".join(parts) or "record"


def _letters(text: str) -> str:
    return _KEY.sub("", unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower())
