"""Pages of one template, nobody's annotations -> slots: texts that stand in the same place on page after page.

Two texts are in the same slot where tags, classes and ids of all their ancestors are the same, figures aside, and the
nearest words of the template before them are. Words of the template are those that stand on most pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.page.value_code import chained_code, value_code
from trailmark.wrap.rules.value_type import types_of

LONGEST_LABEL = 60
TEMPLATE_SHARE = 0.6
"""Of the pages: a text that stands on as many belongs to the template."""
COLON_SHARE = 0.15
"""The same for a text that ends in a colon."""
LOOK_BACK = 3
"""Texts before one, among which its label is looked for."""
LEAST_SHARE = 0.1
"""Of the pages: slots that are filled more seldom are left out."""
MOST_SLOTS = 3_000
MOST_ROWS = 4_000
"""Texts of a page that are looked at: so a hostile page can't make it long."""
MOST_PLACES = 16

_FIGURES = re.compile(r"\d+")
_PREFIX = re.compile(r"^([^:=]{1,40}?)\s*[:=]\s*\S")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Slot:
    """Where the first text of the slot stands, page by page, and how many texts it has where it has any."""

    places: tuple[tuple[int, int], ...]
    """Page and row."""
    label: str
    """The words of the template before it, or at its own start."""
    several: float

    @property
    def some_places(self) -> tuple[tuple[int, int], ...]:
        """Enough of them to know the slot by."""
        return self.places[:: max(len(self.places) // MOST_PLACES, 1)][:MOST_PLACES]


@dataclass(frozen=True, slots=True, eq=False)
class SiteTexts:
    """The pages of a template with what all of them say."""

    tables: tuple[NodeTable, ...]
    template: frozenset[str]
    prefixes: frozenset[str]
    shares: dict[str, float]
    """Of the pages, on which a text stands."""


def read_site(tables: Sequence[NodeTable]) -> SiteTexts:
    pages = max(len(tables), 1)
    texts = Counter(text for table in tables for text in set(table.texts) if len(text) <= LONGEST_LABEL)
    starts = Counter(start for table in tables for start in {prefix_of(text) for text in table.texts} if start)
    template = frozenset(
        text
        for text, count in texts.items()
        if _LETTER.search(text)
        and count >= (COLON_SHARE if text.endswith(":") else TEMPLATE_SHARE) * pages
        and (count > 1 or pages == 1)
    )
    prefixes = frozenset(start for start, count in starts.items() if count >= COLON_SHARE * pages and count > 1)
    return SiteTexts(tuple(tables), template, prefixes, {text: count / pages for text, count in texts.items()})


def prefix_of(text: str) -> str:
    """What stands before a colon or an equals sign within the text."""
    match = _PREFIX.match(text[:60])
    return match.group(1) if match else ""


def label_of(site: SiteTexts, table: NodeTable, row: int) -> str:
    """The prefix of the text itself where many pages have it, else the nearest words of the template before it."""
    own = prefix_of(table.texts[row])
    if own in site.prefixes:
        return own
    for before in range(row - 1, max(row - 1 - LOOK_BACK, -1), -1):
        if table.texts[before] in site.template:
            return table.texts[before]
    return ""


def find_slots(site: SiteTexts) -> list[Slot]:
    """The slots of a site that enough pages fill, in the order in which they come.

    A place may be seen closely or from afar, with the label or without, of one type of value or of any: whichever view is
    right for a site, its slots are among these. Views that give the same places are one slot.
    """
    filled: dict[tuple[object, ...], dict[int, list[int]]] = {}
    for number, table in enumerate(site.tables):
        near, far = _place_codes(table)
        for row in range(min(len(table), MOST_ROWS)):
            owner, label = int(table.owner[row]), label_of(site, table, row)
            kind = next(iter(types_of(table.texts[row])), "")
            views: list[tuple[object, ...]] = [
                ("far", far[owner], label),
                ("far", far[owner]),
                ("near", near[owner], label),
                ("near", near[owner], kind),
                ("near", near[owner], label, kind),
            ]
            for key in views:
                filled.setdefault(key, {}).setdefault(number, []).append(row)
    least = max(LEAST_SHARE * len(site.tables), 1)
    slots: dict[tuple[tuple[int, int], ...], Slot] = {}
    for pages in filled.values():
        places = tuple((number, rows[0]) for number, rows in pages.items())
        if len(pages) >= least and places not in slots and not _is_template(site, places):
            slots[places] = make_slot(site, places, sum(map(len, pages.values())) / len(pages))
    return list(slots.values())[:MOST_SLOTS]


def _is_template(site: SiteTexts, places: tuple[tuple[int, int], ...]) -> bool:
    """Whether all pages say the same there, and most pages say it somewhere."""
    texts = {site.tables[number].texts[row] for number, row in places}
    return len(texts) == 1 and len(site.tables) > 2 and bool(texts & site.template)


def make_slot(site: SiteTexts, places: tuple[tuple[int, int], ...], several: float) -> Slot:
    """A slot with the label that it has most often."""
    labels = Counter(label_of(site, site.tables[number], row) for number, row in places)
    return Slot(places, labels.most_common(1)[0][0], several)


def _place_codes(table: NodeTable) -> tuple[list[int], list[int]]:
    """Codes for each element: equal where tags, classes and ids of it and two ancestors, or of all, are equal."""
    far, near = [0] * (len(table.tags) + 1), [0] * (len(table.tags) + 1)
    own: list[int] = [0] * (len(table.tags) + 1)
    parents = table.parent.tolist()
    for number, tag in enumerate(table.tags):
        element = table.elements[number]
        own[number] = _own_code(tag, element.get("class"), element.get("id")) if tag else 0
        up = parents[number]
        far[number] = chained_code(far[up], own[number])
        near[number] = chained_code(own[number], own[up], own[parents[up]])
    return near, far


def _own_code(tag: str, group: str | None, name: str | None) -> int:
    return chained_code(value_code(tag), value_code(_plain(group)), value_code(_plain(name)))


def _plain(name: str | None) -> str:
    return _FIGURES.sub("#", name) if name else ""
