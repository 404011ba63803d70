"""The neighbourhood of citations as a picture: a line an item, by year, and an arc from each that cites to what it cites. SVG, made here; it needs no script."""

from __future__ import annotations

from trailmark.quoting import xml_attribute, xml_text
from trailmark.serve.portal.shown_text import clean
from trailmark.serve.portal.ways import Ways
from trailmark.verbs.portal_neighbourhood import Neighbourhood

ROW, TOP = 30, 20
ARCS = 150
"""Width of the arcs, which grow with the distance that they bridge."""
YEARS = 52
WIDTH = 760
LONGEST = 62
"""Letters of a title: as many as have room."""
_WORDS = {"self": "this item", "cites": "cites this item", "cited": "is cited by this item"}


def citation_drawing(view: Neighbourhood, ways: Ways) -> str:
    """A neighbourhood -> SVG; empty where there is none."""
    if not view.items:
        return ""
    height = TOP * 2 + ROW * (len(view.items) - 1)
    arcs = "".join(_arc(one, other, view) for one, other in view.links)
    rows = "".join(_row(place, view, ways) for place in range(len(view.items)))
    label = f"Who cites whom around this item: {len(view.items)} items by year, an arc from each that cites to what it cites."
    return (
        f'<svg class="map" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="group" aria-label={xml_attribute(label)}>'
        f"{arcs}{rows}</svg>"
    )


def _at(place: int) -> int:
    return TOP + place * ROW


def _arc(one: int, other: int, view: Neighbourhood) -> str:
    """From who cites to whom, bowed to the left; the middle of a long one lies further out."""
    start, end = _at(one), _at(other)
    out = ARCS - 18 - min(ARCS - 26, 14 + abs(one - other) * 11)
    own = "self" in (view.items[one].role, view.items[other].role)
    path = f"M{ARCS} {start} C{out} {start} {out} {end} {ARCS - 7} {end}"
    head = f"M{ARCS - 13} {end - 4} L{ARCS - 6} {end} L{ARCS - 13} {end + 4}"
    return f'<path class="arc{" own" if own else ""}" d="{path}"/><path class="arc{" own" if own else ""}" d="{head}"/>'


def _row(place: int, view: Neighbourhood, ways: Ways) -> str:
    item = view.items[place]
    entry, y = item.entry, _at(place)
    title = clean(entry.title)
    shown = title if len(title) <= LONGEST else f"{title[: LONGEST - 1].rstrip()}…"
    years = f'<text class="when" x="{ARCS + 14}" y="{y + 5}">{entry.year if entry.year is not None else "–"}</text>'
    radius = 7 if item.role == "self" else 4.5
    text = f'<text class="what" x="{ARCS + 14 + YEARS}" y="{y + 5}" unicode-bidi="isolate">{xml_text(shown)}</text>'
    told = xml_attribute(f"{title}, {entry.year or 'no year'}: {_WORDS[item.role]}")
    if item.role != "self":
        text = f"<a href={xml_attribute(ways.item(entry.address))} aria-label={told}>{text}</a>"
    return f'<g class="{item.role}"><circle cx="{ARCS}" cy="{y}" r="{radius}"/>{years}{text}</g>'
