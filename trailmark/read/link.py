"""Raw links to `Link`s: URLs resolved, windows of tokens cut out of the page's text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trailmark.datatypes import Link, LinkKind, Place
from trailmark.read.marks import PLACES, is_navigation
from trailmark.read.notes import LINK_BEGINS, LINK_ENDS, Notes, RawLink, squeezed
from trailmark.read.url import Parts, resolve, split
from trailmark.read.words import TOKENS, tokens

_LONGEST_ANCHOR = 500
_LONGEST_BASE = 8192
"""Characters of an address that others are resolved against: each of thousands of links would repeat a longer one."""
_LONGEST_TAG = 40
"""Characters of an element's name in a path of tags: every element inside repeats it."""
Target = tuple[str, RawLink, int]
"""(absolute URL, link, its position among the raw links)."""


@dataclass(slots=True)
class BodyText:
    """The text of a page's body, cut at its links."""

    words: list[str]
    """All tokens."""
    anchors: list[str]
    """The text of each raw link."""
    spans: list[tuple[int, int]]
    """For each raw link the positions of its first token and of the one after its last."""


def body_text(notes: Notes, wanted: int, window: int) -> BodyText:
    """One pass over the text: its tokens, and where the links stand among them.

    Behind the first `wanted` tokens (all of them if negative) only those near links are looked at by anyone, so that the
    middle of a long text is left out.
    """
    before, *linked = notes.text().split(LINK_BEGINS)
    words, known = tokens(before), TOKENS
    anchors, spans = [], []
    far = 4 * window + 8
    for part in linked:
        inside, _, behind = part.partition(LINK_ENDS)
        chunks = inside.split()
        first = len(words)
        for chunk in chunks:
            words += known[chunk]
        anchors.append(" ".join(chunks)[:_LONGEST_ANCHOR])
        spans.append((first, len(words)))
        chunks = behind.split()
        if len(chunks) > far and 0 <= wanted <= len(words):
            words += _ends(chunks, window)
        else:
            for chunk in chunks:
                words += known[chunk]
    return BodyText(words, anchors, spans)


def _ends(chunks: list[str], window: int) -> list[str]:
    """Tokens from both ends of a long text: at least a window each, if it has so many."""
    for count in range(window + 1, len(chunks) // 2, window + 1):
        head, tail = tokens(" ".join(chunks[:count])), tokens(" ".join(chunks[-count:]))
        if len(head) >= window and len(tail) >= window:
            return head + tail
    return tokens(" ".join(chunks))


def targets(url: str, notes: Notes) -> list[Target]:
    """A page's address and notes -> its links that lead somewhere."""
    base = _base(url, notes.base)
    known: dict[str, str | None] = {}
    resolved = []
    for number, raw in enumerate(notes.links):
        href = raw[0]
        if href not in known:
            known[href] = resolve(href, base)
        target = known[href]
        if target is not None:
            resolved.append((target, raw, number))
    return resolved


def make_links(
    targets: list[Target],
    blocks: list[int],
    notes: Notes,
    text: BodyText,
    window: int,
) -> tuple[Link, ...]:
    """The links of a page with their surroundings; `blocks` holds the number of each one's repeated block."""
    words = tuple(text.words)  # windows are slices of a tuple: no list in between
    anchors, spans = text.anchors, text.spans
    headings = ["", *(heading for heading, _ in notes.headings)]
    where: dict[int, tuple[str, Place]] = {-1: ("", "text")}
    tags, parents, alts, lifted = notes.tags, notes.parents, notes.alts, notes.lifted
    links = []
    for (target, (_, element, above, kind, attributes, _), number), block in zip(targets, blocks, strict=True):
        first, last = spans[number]
        around = parents[element]
        path, place = where[around] if around in where else _where(around, notes, where)
        links.append(
            _frozen(
                target,
                anchors[number] or alts.get(number) or squeezed(attributes.get("title", ""))[:_LONGEST_ANCHOR],
                words[first - window if first > window else 0 : first],
                words[last : last + window],
                headings[lifted.get(number, above)],
                f"{path}/{tags[element]}",
                place,
                block,
                tuple(attributes["rel"].lower().split()) if "rel" in attributes else (),
                kind,
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
    link: Link = draft
    return link


def _base(url: str, base: str | None) -> Parts | None:
    """What relative links are resolved against: the page's base element if it makes sense, else the page's URL."""
    own = _short(split(url))
    return (_short(split(resolve(base, own) or "")) if base else None) or own


def _short(parts: Parts | None) -> Parts | None:
    return parts if parts is not None and sum(map(len, parts)) <= _LONGEST_BASE else None


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
        path = f"{path}/{tag[:_LONGEST_TAG]}" if path else tag[:_LONGEST_TAG]
        if place != "navigation":  # a menu stays a menu inside
            place = "navigation" if inner in boxes and is_navigation(boxes[inner]) else PLACES.get(tag, place)
        known[inner] = path, place
    return path, place
