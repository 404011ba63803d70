"""Bibliographies written out as references in many styles: tagged text of works that somebody already took apart.

A tagger that saw references of one style alone errs on those of another. Entries of BibTeX say what each word is; here they are put in the
orders, with the marks and the small words (`In`, `pp.`, `editors`) that references have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from trailmark.tag.bibtex import BibEntry
from trailmark.tag.tagged_text import TaggedDocument
from trailmark.tag.words import Word

Piece = tuple[str, str]
"""A field's label and its text, without the mark behind it."""
SHARES = {"journal": 0.33, "booktitle": 0.45, "publisher": 0.1, "report": 0.12}
"""Where works appeared, in about the shares that lists of references have."""
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """How one reference is written."""

    dice: Random
    early: bool
    """Its year stands behind the authors."""
    names: Literal["full", "initials", "family"]

    def often(self, share: float) -> bool:
        return self.dice.random() < share

    def one_of(self, *choices: str) -> str:
        return self.dice.choice(choices)


def written_references(entries: Sequence[BibEntry], count: int, *, seed: int = 0) -> list[TaggedDocument]:
    """About `count` references of works that are chosen by chance, the same for the same seed; none of entries that lack too much."""
    dice = Random(f"references/{seed}")
    kinds: dict[str, list[Mapping[str, str]]] = {kind: [] for kind in SHARES}
    for entry in entries:
        fields = {"kind": entry.kind, **dict(entry.fields)}
        if (kind := _appeared(fields)) and all(fields.get(name) for name in ("author", "title", "year")):
            kinds[kind].append(fields)
    chosen = [
        fields
        for kind, share in SHARES.items()
        for fields in dice.sample(kinds[kind], min(len(kinds[kind]), round(count * share)))
    ]
    found = (_reference(fields, _style(dice)) for fields in chosen)
    return [document for document in found if document.lines]


def _appeared(fields: Mapping[str, str]) -> str:
    if fields["kind"] in ("techreport", "phdthesis", "mastersthesis"):
        return "report"
    return next((name for name in ("journal", "booktitle", "publisher") if fields.get(name)), "")


def _style(dice: Random) -> Style:
    early = dice.random() < 0.4
    names: Sequence[Literal["full", "initials", "family"]] = ("full", "initials", "initials", "family")
    if early:
        names = ("family", "family", "family", "initials", "full")
    return Style(dice, early, dice.choice(names))


def _reference(fields: Mapping[str, str], style: Style) -> TaggedDocument:
    year = fields["year"][:4]
    pieces = [("author", people(fields["author"], style))]
    if style.early:
        pieces.append(("date", f"({year})." if style.often(0.8) else f"{year}."))
    pieces.append(("title", _title(fields["title"], style)))
    pieces += _where(fields, style)
    if not style.early:
        pieces.append(("date", f"{_month(style)}{year}"))
        if pieces[-2][0] == "pages" and style.often(0.3):
            pieces[-2:] = [pieces[-1], pieces[-2]]
    return _joined([(label, text) for label, text in pieces if text], style)


def people(names: str, style: Style) -> str:
    """Names as BibTeX has them -> as a reference has them."""
    found = [_person(name, style) for name in names.split(" and ") if name.strip() not in ("", "others")][:9]
    last = "&" if style.names == "family" and style.often(0.7) else "and"
    comma = "," if style.often(0.7) else ""
    if len(found) < 3:
        return f"{comma if style.names == 'family' else ''} {last} ".join(found)
    return f"{', '.join(found[:-1])}{comma} {last} {found[-1]}"


def _person(name: str, style: Style) -> str:
    family, comma, given = name.partition(",")
    if not comma:
        given, _, family = name.strip().rpartition(" ")
    given, family = given.strip(), family.strip()
    first = " ".join(f"{part[0]}." for part in given.replace("-", " ").split())
    if style.names == "family":
        return f"{family}, {first}" if first else family
    return f"{given if style.names == 'full' else first} {family}".strip()


def _title(title: str, style: Style) -> str:
    words = title.split()
    if style.often(0.6):
        # Names and what stands behind a colon keep their capital, as far as that can be seen.
        own = [place == 0 or words[place - 1].endswith(":") for place in range(len(words))]
        kept = [capital or sum(map(str.isupper, word)) > 1 for word, capital in zip(words, own, strict=True)]
        words = [word if keep else word.lower() for word, keep in zip(words, kept, strict=True)]
    title = " ".join(words)
    return f'"{title},"' if not style.early and style.often(0.15) else title


def _month(style: Style) -> str:
    if not style.often(0.2):
        return ""
    month = style.one_of(*MONTHS)
    return f"{month[:3]}. " if style.often(0.3) else f"{month} "


def _where(fields: Mapping[str, str], style: Style) -> list[Piece]:
    ways = {"journal": _in_journal, "booktitle": _in_book, "publisher": _at_publisher, "report": _at_institution}
    return ways[_appeared(fields)](fields, style)


def _in_journal(fields: Mapping[str, str], style: Style) -> list[Piece]:
    volume, number = fields.get("volume", ""), fields.get("number", "")
    if volume and number and style.often(0.7):
        volume = style.one_of(*2 * (f"{volume}({number})",), f"{volume} ({number})", f"vol. {volume}, no. {number}")
    elif volume:
        volume = style.one_of(volume, volume, f"vol. {volume}", f"Vol. {volume}")
    return [("journal", fields["journal"]), ("volume", volume), ("pages", _pages(fields, style, "", "", "pp. "))]


def _pages(fields: Mapping[str, str], style: Style, *heads: str) -> str:
    pages = fields.get("pages", "") if style.often(0.8) else ""
    return f"{style.one_of(*heads)}{pages}" if pages else ""


def _in_book(fields: Mapping[str, str], style: Style) -> list[Piece]:
    book = fields["booktitle"].replace("Proceedings", "Proc." if style.often(0.4) else "Proceedings")
    head = style.one_of("In ", "In ", "In ", "", "in ")
    pieces = []
    if fields.get("editor") and style.often(0.8):
        pieces, head = [("editor", head + _editors(fields["editor"], style))], ""
    pieces.append(("booktitle", head + book))
    if fields.get("series") and fields.get("volume") and style.often(0.6):
        pieces.append(("volume", f"volume {fields['volume']}"))
    pages, behind = ("pages", _pages(fields, style, "pages ", "pages ", "pp. ", "")), style.often(0.4)
    place = [
        ("location", fields.get("address", "")),
        *(_at_publisher(fields, style) if fields.get("publisher") else []),
    ]
    return [*pieces, *(place if style.often(0.5) else []), pages] if behind else [*pieces, pages, *place[:2]]


def _editors(names: str, style: Style) -> str:
    several = " and " in names
    if style.names == "family":
        return f"{people(names, style)} ({style.one_of('Ed', 'ed')}{'s' if several else ''}.)"
    return f"{people(names, style)}, {'editors' if several else 'editor'}"


def _at_publisher(fields: Mapping[str, str], style: Style) -> list[Piece]:
    name, _, place = fields["publisher"].partition(",")
    where = ("location", place.strip() or fields.get("address", ""))
    return [where, ("publisher", name)] if style.often(0.35) else [("publisher", name), where]


def _at_institution(fields: Mapping[str, str], style: Style) -> list[Piece]:
    report = f"{style.one_of('Technical Report', 'Technical report', 'Tech. Rep.')} {fields.get('number', '')}".strip()
    if fields["kind"] == "phdthesis":
        report = style.one_of("PhD thesis", "Ph.D. thesis")
    elif fields["kind"] == "mastersthesis":
        report = style.one_of("Master's thesis", "Masters thesis")
    parts = (fields.get("institution") or fields.get("school") or "").split(", ")
    place = fields.get("address") or (parts.pop() if len(parts) > 1 else "")
    return [("tech", report), ("institution", ", ".join(parts)), ("location", place)]


def _joined(pieces: Sequence[Piece], style: Style) -> TaggedDocument:
    """The pieces with the marks between them, in words."""
    mark = style.one_of(".", ".", ".", ",")
    words: list[Word] = []
    labels: list[str] = []
    for number, (label, text) in enumerate(pieces):
        follows = pieces[number + 1][0] if number + 1 < len(pieces) else ""
        found = (text + _mark(label, text, follows, mark)).split()
        words += map(Word, found)
        labels += [label] * len(found)
    return TaggedDocument((tuple(words),), (tuple(labels),)) if words else TaggedDocument((), ())


def _mark(label: str, text: str, follows: str, mark: str) -> str:
    """What stands behind a piece."""
    if text.endswith((".", ",", '"', ".)")) and (label in ("author", "date", "title") or not follows):
        return ""
    if not follows:
        return "."
    if label == "author" and follows == "date":
        return ""
    if label == "location" and follows == "publisher":
        return ":"
    return mark if label in ("author", "title") else ","
