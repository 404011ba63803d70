"""Bytes to `Page`: the public entry of the room (PathLearner section 4.2, and section 5.3.2 of the Intinno thesis)."""

from __future__ import annotations

import hashlib
import re

from lxml import etree

from trailmark.datatypes import Heading, Link, Page, Repetition, Response
from trailmark.read.charset import decode
from trailmark.read.repetition import find_repetition
from trailmark.read.tree import STOP_BEYOND, html_parser, prepare
from trailmark.read.url import resolve, split
from trailmark.read.walk import BEGIN, END, SPOT, Notes, RawLink, TooDeepError, Walk, squeezed
from trailmark.read.words import marked_tokens, tokens
from trailmark.settings import ReadSettings

_HTML = ("text/html", "application/xhtml+xml", "")
_XML = ("text/xml", "application/xml")
_MAGIC = {
    b"%PDF-": "application/pdf",
    b"%!PS": "application/postscript",
    b"\x89PNG": "image/png",
    b"GIF8": "image/gif",
    b"\xff\xd8\xff": "image/jpeg",
    b"PK\x03\x04": "application/zip",
    b"\x1f\x8b": "application/gzip",
}


def read_page(response: Response, settings: ReadSettings = ReadSettings()) -> Page:  # noqa: B008 - frozen
    """A page as Trailmark sees it. Never raises, whatever the bytes."""
    kind = _kind(response)
    digest = hashlib.blake2b(response.body, digest_size=16).hexdigest()
    if kind == "text/plain":
        return _plain_page(response, digest, settings)
    if kind not in _HTML or not response.body:
        return Page(response.url, content_type=kind, content_hash=digest)
    return _html_page(response, kind or "text/html", digest, settings)


def _kind(response: Response) -> str:
    """The media type: what the first bytes prove, else what the header says; XML that holds HTML is HTML."""
    body = response.body
    for magic, kind in _MAGIC.items():
        if body.startswith(magic):
            return kind
    kind = response.header("content-type").partition(";")[0].strip().lower()
    if kind in _XML and b"<html" in body[:4096].lower():
        return "application/xhtml+xml"
    return kind


def _plain_page(response: Response, digest: str, settings: ReadSettings) -> Page:
    text, charset = decode(response.body[: settings.max_bytes], response.header("content-type"))
    return Page(
        response.url,
        body_tokens=_first(tokens(text), settings.page_tokens),
        content_type="text/plain",
        charset=charset,
        content_hash=digest,
    )


def _html_page(response: Response, kind: str, digest: str, settings: ReadSettings) -> Page:
    clean, charset, cuts = prepare(response.body, response.header("content-type"), settings.max_bytes)
    notes = _walked(clean, settings)
    words, spans = _windows(notes)
    repetition, blocks = find_repetition(notes)
    headings = tuple(Heading(text, level, _is_known(text, settings.known_headings)) for text, level in notes.headings)
    links, repetition = _links(response.url, notes, words, spans, repetition, blocks, settings.window)
    return Page(
        response.url,
        title=notes.title,
        head_tokens=tuple(tokens(" ".join([notes.title, *notes.meta]))),
        body_tokens=_first(words, settings.page_tokens),
        headings=headings,
        repetition=repetition,
        links=links,
        content_type=kind,
        charset=charset,
        content_hash=digest,
        cuts=tuple(cuts + notes.cuts),
    )


def _walked(clean: bytes, settings: ReadSettings) -> Notes:
    walk = Walk(max_depth=settings.max_depth, stop_depth=settings.max_depth + STOP_BEYOND, max_links=settings.max_links)
    try:
        etree.fromstring(clean, html_parser(walk))
    except TooDeepError:
        walk.notes.cuts.append("the rest of the page was left out, as its elements nest without end")
    except (etree.LxmlError, ValueError):
        walk.notes.cuts.append("the parser gave up")
    return walk.notes


def _first(words: list[str], count: int) -> tuple[str, ...]:
    return tuple(words if count < 0 else words[:count])


def _windows(notes: Notes) -> tuple[list[str], list[tuple[int, int]]]:
    """(all tokens of the body, for each link the positions of its first token and of the one after its last)."""
    flat = marked_tokens("".join(notes.pieces))
    starts: list[int] = []
    ends: dict[int, int] = {}
    where = [place for place, word in enumerate(flat) if word < "\x04"]
    for signs, place in enumerate(where):
        if flat[place] == END:
            ends[len(starts) - 1] = place - signs
        else:
            starts.append(place - signs)
    words = [word for word in flat if word > "\x04"]
    return words, [(start, ends.get(number, start)) for number, start in enumerate(starts)]


def _is_known(text: str, known: tuple[str, ...]) -> bool:
    spaced = f" {' '.join(tokens(text))} "
    return any(f" {heading} " in spaced for heading in known)


def _links(url, notes, words, spans, repetition, blocks, window):  # type: ignore[no-untyped-def]
    own = split(url)
    base = (split(resolve(notes.base, own) or "") if notes.base else None) or own
    made = []
    seen: dict[str, str | None] = {}
    for number, raw in enumerate(notes.links):
        target = seen[raw.href] if raw.href in seen else seen.setdefault(raw.href, resolve(raw.href, base))
        if target is None:
            continue
        first, last = spans[number]
        made.append(
            Link(
                target,
                raw.anchor or squeezed(raw.alt) or squeezed(raw.title),
                tuple(words[max(0, first - window) : first]),
                tuple(words[last : last + window]),
                notes.headings[raw.heading - 1][0] if raw.heading else "",
                raw.tag_path,
                raw.place,
                blocks[number],
                tuple(raw.rel.lower().split()),
                raw.kind,
            )
        )
    return tuple(made), repetition
