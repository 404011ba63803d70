"""Raw links to `Link`s: URLs resolved, windows of tokens cut out of the page's text."""

from __future__ import annotations

from typing import Any

from trailmark.datatypes import Link, LinkKind, Place
from trailmark.read.marks import PLACES, is_navigation
from trailmark.read.notes import BEGIN, END, SPOT, Notes, RawLink, squeezed, without_signs
from trailmark.read.url import Parts, resolve, split
from trailmark.read.words import marked_tokens

_END_SIGN = END.strip()
_LONGEST_ANCHOR = 500
Span = tuple[int, int]


def body_words(notes: Notes) -> tuple[list[str], list[Span]]:
    """(all tokens of the body, for each raw link the positions of its first token and of the one after its last)."""
    words, signs = marked_tokens("".join(notes.pieces))
    spans = _spans(signs)
    if len(signs) != sum(2 if link.kind == "a" else 1 for link in notes.links):
        # The page wrote such a sign itself, as a character reference: what the walk did not set is taken out.
        words, signs = marked_tokens(
            "".join(piece if _is_sign(piece) else without_signs(piece) for piece in notes.pieces)
        )
        spans = _spans(signs)
    return words, spans


def targets(url: str, notes: Notes) -> list[tuple[str, RawLink, int]]:
    """(absolute URL, link, its position among the raw links) of the links that lead somewhere."""
    base = _base(url, notes.base)
    known: dict[str, str | None] = {}
    kept = []
    for number, raw in enumerate(notes.links):
        href = raw.href
        if href not in known:
            known[href] = resolve(href, base)
        target = known[href]
        if target is not None:
            kept.append((target, raw, number))
    return kept


def make_links(
    kept: list[tuple[str, RawLink, int]],
    blocks: list[int],
    notes: Notes,
    words: list[str],
    spans: list[Span],
    window: int,
) -> tuple[Link, ...]:
    """The links of a page with their surroundings; `blocks` holds the number of each one's repeated block."""
    said = tuple(words)  # windows are slices of a tuple: no list in between
    where: dict[int, tuple[str, Place]] = {-1: ("", "text")}
    headings = ["", *(text for text, _ in notes.headings)]
    links = []
    for (target, raw, number), block in zip(kept, blocks, strict=True):
        first, last = spans[number]
        path, place = where[raw.element] if raw.element in where else _where(raw.element, notes, where)
        links.append(
            _frozen(
                target,
                _anchor(raw, notes.pieces),
                said[first - window if first > window else 0 : first],
                said[last : last + window],
                headings[raw.heading],
                path,
                place,
                block,
                tuple(raw.attributes["rel"].lower().split()) if "rel" in raw.attributes else (),
                raw.kind,
            )
        )
    return tuple(links)


class _Draft:
    """A `Link` being made: the same slots without the frost."""

    __slots__ = Link.__slots__


def _frozen(
    url: str,
    anchor: str,
    before: tuple[str, ...],
    after: tuple[str, ...],
    heading: str,
    tag_path: str,
    place: Place,
    block: int,
    rel: tuple[str, ...],
    kind: LinkKind,
) -> Link:
    """A `Link` at a fifth of the cost: the initialiser of a frozen dataclass sets each field by a detour, and pages have
    hundreds of links. Two classes with the same slots may change into each other."""
    draft: Any = _Draft()
    draft.url, draft.anchor, draft.before, draft.after, draft.heading = url, anchor, before, after, heading
    draft.tag_path, draft.place, draft.block, draft.rel, draft.kind = tag_path, place, block, rel, kind
    draft.__class__ = Link
    made: Link = draft
    return made


def _anchor(raw: RawLink, pieces: list[str]) -> str:
    """The link's text; where it has none, what its images say; where they say nothing, its title."""
    text = " ".join("".join(pieces[raw.first : raw.last]).split())
    if not text.isprintable():  # a frame inside the link, or a sign that the page wrote itself
        text = squeezed(without_signs(text))
    return text[:_LONGEST_ANCHOR] or raw.alt.strip() or squeezed(raw.attributes.get("title", ""))


def _base(url: str, base: str | None) -> Parts | None:
    """What relative links are resolved against: the page's base element if it makes sense, else the page's URL."""
    own = split(url)
    return (split(resolve(base, own) or "") if base else None) or own


def _spans(signs: list[tuple[str, int]]) -> list[Span]:
    """For each link the positions of its first token and of the one after its last."""
    spans: list[Span] = []
    for sign, position in signs:
        if sign != _END_SIGN:
            spans.append((position, position))
        elif spans:
            spans[-1] = (spans[-1][0], position)
    return spans


def _is_sign(piece: str) -> bool:
    return piece is BEGIN or piece is END or piece is SPOT


def _where(element: int, notes: Notes, known: dict[int, tuple[str, Place]]) -> tuple[str, Place]:
    """(tags from the root to an element, its place); what is known of the elements around it is used again."""
    above: list[int] = []
    while element not in known:
        above.append(element)
        element = notes.parents[element]
    path, place = known[element]
    tags, boxes = notes.tags, notes.boxes
    for inner in reversed(above):
        tag = tags[inner]
        path = f"{path}/{tag}" if path else tag
        if place != "navigation":  # a menu stays a menu inside
            place = "navigation" if inner in boxes and is_navigation(boxes[inner]) else PLACES.get(tag, place)
        known[inner] = path, place
    return path, place
