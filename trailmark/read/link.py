"""Raw links to `Link`s: URLs resolved, windows of tokens cut out of the page's text."""

from __future__ import annotations

from trailmark.datatypes import Link
from trailmark.read.notes import BEGIN, END, SPOT, Notes, RawLink, squeezed, without_signs
from trailmark.read.url import Parts, resolve, split
from trailmark.read.words import marked_tokens

_END_SIGN = END.strip()
Span = tuple[int, int]


def body_words(notes: Notes) -> tuple[list[str], list[Span]]:
    """(all tokens of the body, for each raw link the positions of its first token and of the one after its last)."""
    flat = marked_tokens("".join(notes.pieces))
    words, spans = _split_signs(flat)
    if len(spans) != len(notes.links):  # the page wrote such a sign itself, as a character reference
        ours = (BEGIN, END, SPOT)
        flat = marked_tokens("".join(piece if piece in ours else without_signs(piece) for piece in notes.pieces))
        words, spans = _split_signs(flat)
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
    paths: dict[int, str] = {-1: ""}
    headings = ["", *(text for text, _ in notes.headings)]
    links = []
    for (target, raw, number), block in zip(kept, blocks, strict=True):
        first, last = spans[number]
        links.append(
            Link(
                target,
                raw.anchor or squeezed(raw.alt) or squeezed(raw.title),
                tuple(words[first - window if first > window else 0 : first]),
                tuple(words[last : last + window]),
                headings[raw.heading],
                _path(raw.element, notes, paths),
                raw.place,
                block,
                tuple(raw.rel.lower().split()) if raw.rel else (),
                raw.kind,
            )
        )
    return tuple(links)


def _base(url: str, base: str | None) -> Parts | None:
    """What relative links are resolved against: the page's base element if it makes sense, else the page's URL."""
    own = split(url)
    return (split(resolve(base, own) or "") if base else None) or own


def _split_signs(flat: list[str]) -> tuple[list[str], list[Span]]:
    spans: list[Span] = []
    where = [place for place, word in enumerate(flat) if word < "\x04"]
    for signs, place in enumerate(where):
        if flat[place] != _END_SIGN:
            spans.append((place - signs, place - signs))
        elif spans:
            spans[-1] = (spans[-1][0], place - signs)
    return [word for word in flat if word > "\x04"], spans


def _path(element: int, notes: Notes, known: dict[int, str]) -> str:
    """Tags from the root to an element; what is known of the elements around it is used again."""
    above: list[int] = []
    while element not in known:
        above.append(element)
        element = notes.parents[element]
    path = known[element]
    for inner in reversed(above):
        path = known[inner] = f"{path}/{notes.tags[inner]}" if path else notes.tags[inner]
    return path
