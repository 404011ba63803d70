"""Bytes to `Page`: the public entry of the room (PathLearner section 4.2, and section 5.3.2 of the Intinno thesis)."""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import Any

from lxml import etree

from trailmark.datatypes import Heading, Page, Response
from trailmark.read.charset import decode
from trailmark.read.damage import may_be_damaged
from trailmark.read.feed_links import read_feed
from trailmark.read.link import body_text, make_links, targets
from trailmark.read.notes import Notes
from trailmark.read.repetition import find_repetition
from trailmark.read.tree import html_parser, parse_clean, prepare, xml_parser
from trailmark.read.url import split
from trailmark.read.walk import TooDeepError, Walk
from trailmark.read.words import tokens
from trailmark.settings import ReadSettings

# How much deeper than `max_depth` the parser is let; then it is stopped, as libxml2 slows down with the depth.
_STOP_BEYOND = 256
_PREFIX = re.compile(rb"(</?[\w.-]+):")
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
    digest = response.content_hash
    if kind == "text/plain":
        return _plain_page(response, digest, settings)
    if (feed := _feed_page(response, kind, digest, settings)) is not None:
        return feed
    if kind not in _HTML or not response.body:
        return Page(response.url, content_type=kind, content_hash=digest)
    return _html_page(response, kind or "text/html", digest, settings)


def _kind(response: Response) -> str:
    """The media type: what the first bytes prove, else what the header says; XML that holds HTML is HTML."""
    body = response.body
    for magic, kind in _MAGIC.items():
        if body.startswith(magic):
            return kind
    kind = response.content_type
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


def _feed_page(response: Response, kind: str, digest: str, settings: ReadSettings) -> Page | None:
    """A feed or a sitemap, whose items are its links; None where the page is none."""
    feed = read_feed(
        response.body,
        response.header("content-type"),
        split(response.url),
        window=settings.window,
        most=settings.max_links,
        max_bytes=settings.max_bytes,
    )
    if feed is None:
        return None
    return Page(
        response.url,
        title=feed.title,
        head_tokens=tuple(tokens(feed.title)),
        body_tokens=_first(list(feed.words), settings.page_tokens),
        repetition=feed.repetition,
        links=feed.links,
        content_type=kind or "application/xml",
        charset=feed.charset,
        content_hash=digest,
        cuts=feed.cuts,
    )


def _html_page(response: Response, kind: str, digest: str, settings: ReadSettings) -> Page:
    clean, charset, cuts = prepare(response.body, response.header("content-type"), settings.max_bytes)
    notes = _walked(clean, settings, _READER.html)
    if may_be_damaged(notes.tags, notes.parents) and (written := parse_clean(clean, [])[1]) is not None:
        # Names with a colon reach a tree whole and a walk without their first part.
        notes = _walked(_PREFIX.sub(rb"\1-", written), settings, _READER.xml)
    text = body_text(notes, settings.page_tokens, settings.window)
    link_targets = targets(response.url, notes)
    repetition, blocks = find_repetition(notes, [raw[1] for _, raw, _ in link_targets])
    return Page(
        response.url,
        title=notes.title,
        head_tokens=tuple(tokens(" ".join([notes.title, *notes.meta]))),
        body_tokens=_first(text.words, settings.page_tokens),
        headings=_headings(notes, settings.known_headings),
        repetition=repetition,
        links=make_links(link_targets, blocks, notes, text, settings.window),
        content_type=kind,
        charset=charset,
        content_hash=digest,
        cuts=tuple(cuts + notes.cuts),
    )


class _Reader(threading.local):
    """A parser and its target for each thread: they hold each other, so a new pair a page would be work for the
    garbage collector, and setting one up costs as much as parsing a small page."""

    def __init__(self) -> None:
        self.walk = Walk()
        self.html = html_parser(target=self.walk)
        self.xml = xml_parser(target=self.walk)


_READER = _Reader()


def _walked(clean: bytes, settings: ReadSettings, parser: Any) -> Notes:
    walk, depth = _READER.walk, settings.max_depth
    walk.begin_page(depth, depth + _STOP_BEYOND, settings.max_links)
    try:
        etree.fromstring(clean, parser)
    except TooDeepError:
        walk.notes.cut("the rest of the page was left out, as its elements nest without end")
    except (etree.LxmlError, ValueError):
        walk.notes.cut("the parser gave up before the end of the page")
    return walk.notes.moved()


def _first(words: list[str], count: int) -> tuple[str, ...]:
    return tuple(words if count < 0 else words[:count])


def _headings(notes: Notes, known: tuple[str, ...]) -> tuple[Heading, ...]:
    pattern = _known_pattern(known)
    return tuple(Heading(text, level, bool(pattern.search(" ".join(tokens(text))))) for text, level in notes.headings)


@lru_cache(maxsize=16)
def _known_pattern(known: tuple[str, ...]) -> re.Pattern[str]:
    """Matches any of the known headings as whole words; one that can't match anything where there are none."""
    choices = sorted({" ".join(tokens(heading)) for heading in known} - {""})
    return re.compile("(?<!\\S)(?:" + "|".join(map(re.escape, choices)) + ")(?!\\S)" if choices else "(?!)")
