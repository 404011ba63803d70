"""Catalogues: detail pages with a known truth, in two versions of their template.

A site keeps technical reports, a library or an equipment store. Version 2 has the same addresses and mostly the same
values (some prices change), and other markup: what a redesign does to a wrapper.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from random import Random

from trailmark.datatypes import Record
from trailmark.demo.people import FAMILY, GIVEN
from trailmark.demo.plan import Anchor, Draft, Section, pager, paginate
from trailmark.demo.prose import instrument, paper_title
from trailmark.demo.wording import TOWN_HEADS, slug

KINDS = {
    "report": ("Technical reports", "Technical papers", "Working papers", "Report series"),
    "book": ("Library catalogue", "Books for sale", "Book and paper collection", "University press"),
    "equipment": ("Equipment store", "Inventory", "Instrument catalogue", "Equipment papers"),
}
FIELDS = {
    "report": ("title", "author", "year", "number", "pages", "price"),
    "book": ("title", "author", "publisher", "year", "isbn", "price"),
    "equipment": ("title", "maker", "year", "number", "room", "price"),
}
CAPTIONS = {
    "title": ("Title", "Name"),
    "author": ("Author", "Written by"),
    "year": ("Year", "Published"),
    "number": ("Number", "Catalogue no."),
    "pages": ("Pages", "Length"),
    "price": ("Price", "Cost"),
    "publisher": ("Publisher", "Imprint"),
    "isbn": ("ISBN", "Book number"),
    "maker": ("Maker", "Manufacturer"),
    "room": ("Room", "Location"),
}
OPTIONAL = {"pages": 0.3, "price": 0.2, "publisher": 0.2, "room": 0.3, "isbn": 0.15}
LAYOUTS = ("table", "definitions", "bold", "cards", "grid")


def add_catalogue(
    draft: Draft, count: int, *, version: int
) -> tuple[Anchor, dict[str, Record], dict[str, tuple[Record, ...]]]:
    """List and detail pages; returns the link to the list, the records of detail pages and those of list pages."""
    rng = Random(draft.rng.getrandbits(64))
    kind = rng.choice(tuple(KINDS))
    word = rng.choice(KINDS[kind])
    made = [_record(rng, draft, kind, slug(word), number) for number in range(count)]
    if version == 2:
        made = [_repriced(record, position) for position, record in enumerate(made)]
    anchors = [Anchor(record.url, record.fields["title"][0]) for record in made]
    pages = paginate(draft, anchors, 12, word)
    records = {record.url: record for record in made}
    listed: dict[str, tuple[Record, ...]] = {}
    for position, (path, chunk) in enumerate(pages):
        listed[path] = tuple(_shown_in_list(records[anchor.path], path) for anchor in chunk)
        turn = Section("", anchors=pager(pages, position, {"previous": "Previous", "next": "Next"}))
        title = f"{word}, page {position + 1}"
        entries = Section(word, anchors=tuple(chunk), rows=listed[path])
        draft.add(path, title, "item-list", entries, turn, label="item-list", style="catalogue")
    up = Anchor(pages[0][0], word)
    for position, record in enumerate(made):
        others = [made[(position * 7 + step) % count] for step in (3, 5, 11)]
        related = tuple(Anchor(o.url, o.fields["title"][0], o.fields["year"][0]) for o in others if o is not record)
        detail = Section("", record=record)
        title = record.fields["title"][0]
        more = Section("See also", anchors=related)
        draft.add(record.url, title, "item", detail, more, label="item", up=up, style="catalogue")
    return up, records, listed


def _record(rng: Random, draft: Draft, kind: str, folder: str, number: int) -> Record:
    values: dict[str, tuple[str, ...]] = {
        "title": (instrument(rng) if kind == "equipment" else paper_title(rng),),
        "author": tuple(f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}" for _ in range(rng.choice((1, 1, 2, 3)))),
        "year": (str(rng.randint(1985, 2019)),),
        "number": (f"{draft.town[:2].upper()}-{number + 101}",),
        "pages": (f"{rng.randint(8, 240)} pages",),
        "price": (f"${rng.randint(2, 90)}.{rng.choice(('00', '50', '95'))}",),
        "publisher": (f"{rng.choice(TOWN_HEADS).capitalize()} House",),
        "isbn": (f"0-{rng.randint(100, 999)}-{rng.randint(10000, 99999)}-{rng.randint(0, 9)}",),
        "maker": (f"{rng.choice(TOWN_HEADS).capitalize()} Works",),
        "room": (f"Room {rng.randint(100, 499)}",),
    }
    values["author"] = tuple(dict.fromkeys(values["author"]))
    fields = {name: values[name] for name in FIELDS[kind] if rng.random() >= OPTIONAL.get(name, 0.0)}
    return Record(draft.path(folder, f"{kind}-{number + 101}"), kind, fields)


def _repriced(record: Record, position: int) -> Record:
    """Every fifth price has risen by the second version."""
    if position % 5 or "price" not in record.fields:
        return record
    dollars, cents = record.fields["price"][0].lstrip("$").split(".")
    return Record(record.url, record.kind, {**record.fields, "price": (f"${int(dollars) + 3}.{cents}",)})


def _shown_in_list(record: Record, path: str) -> Record:
    shown = {
        name: values for name, values in record.fields.items() if name in ("title", "author", "maker", "year", "price")
    }
    return Record(path, record.kind, shown)


def detail_html(record: Record, layout: int) -> str:
    """A record in one of the layouts; the caption of a field depends on the layout too."""
    name = LAYOUTS[layout % len(LAYOUTS)]
    rows = [
        (CAPTIONS[field][layout % 2], field, [escape(v) for v in values]) for field, values in record.fields.items()
    ]
    if name == "table":
        cells = "".join(
            f"<tr><td><b>{c}:</b></td><td>{', '.join(f'<i>{v}</i>' for v in vs)}</td></tr>\n" for c, _, vs in rows
        )
        return f'<table border="1" cellpadding="3">\n{cells}</table>\n'
    if name == "definitions":
        return (
            "<dl>\n" + "".join(f"<dt>{c}</dt>{''.join(f'<dd>{v}</dd>' for v in vs)}\n" for c, _, vs in rows) + "</dl>\n"
        )
    if name == "bold":
        head, rest = rows[0], rows[1:]
        lines = "".join(f"<b>{c}</b> {' and '.join(f'<font>{v}</font>' for v in vs)}<br>\n" for c, _, vs in rest)
        return f"<h2>{head[2][0]}</h2>\n<p>{lines}</p>\n"
    if name == "cards":
        head, rest = rows[0], sorted(rows[1:], key=lambda row: row[1])
        cells = "".join(
            f'<div class="fact fact-{f}"><span class="caption">{c}</span>{"".join(f"<span class=value>{v}</span> " for v in vs)}</div>\n'
            for c, f, vs in rest
        )
        return f'<article class="item"><h2 class="item-title">{head[2][0]}</h2>\n{cells}</article>\n'
    cells = "".join(
        f'<li class="{f}"><strong>{c}</strong><ul>{"".join(f"<li>{v}</li>" for v in vs)}</ul></li>\n'
        for c, f, vs in rows
    )
    return f'<div class="sheet"><ul class="grid">\n{cells}</ul></div>\n'


def row_html(fields: Mapping[str, tuple[str, ...]], link: str, layout: int) -> str:
    """One entry of a list page: the title as a link, then the other fields."""
    rest = [(name, values) for name, values in fields.items() if name != "title"]
    if layout % 2 == 0:
        cells = "".join(f"<td>{'; '.join(f'<span>{escape(v)}</span>' for v in values)}</td>" for _, values in rest)
        return f"<tr><td>{link}</td>{cells}</tr>\n"
    spans = "".join(f'<span class="{name}">{escape(value)}</span> ' for name, values in rest for value in values)
    return f'<div class="entry"><h3>{link}</h3><p>{spans}</p></div>\n'
