"""Feeds and sitemaps -> their links, each with the title of its item as anchor: RSS, Atom, RDF, `urlset` and `sitemapindex`.

An item's words stand around its link as a page's would: its title is the anchor, and what the item says follows it. Addresses are
those of elements (`link`, `loc`, a `guid` that is one) or of an Atom link's `href`; they are resolved as links of pages are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from itertools import islice
from typing import Any

from lxml import etree

from trailmark.datatypes import Block, Link, Repetition
from trailmark.read.body_form import XML_FORM, body_form
from trailmark.read.tree import parse_data
from trailmark.read.url import Parts, resolve
from trailmark.read.words import tokens

ROOTS = frozenset(("rss", "feed", "rdf:rdf", "urlset", "sitemapindex"))
ITEMS = frozenset(("item", "entry", "url", "sitemap"))
_ABOUT = frozenset(("", "alternate", "related", "via"))
"""What an Atom link is to its entry where it leads to a page that the entry is about."""
_PAGING = frozenset(("", "alternate", "next", "prev", "previous", "first", "last"))
"""The same for links of the feed itself: its site, and its other parts."""
LONGEST = 500
"""Characters of a title, and of what an item says, that are looked at."""
PIECES = 100
"""Texts of an item's part that are looked at: a hostile file nests items in their own descriptions."""
LEAST_ITEMS = 3
"""Of which there is a repeated block."""


@dataclass(frozen=True, slots=True)
class Feed:
    """What a feed or a sitemap says."""

    title: str
    words: tuple[str, ...]
    links: tuple[Link, ...]
    charset: str
    cuts: tuple[str, ...]

    @property
    def repetition(self) -> Repetition:
        """Its items, as one block that is all of it."""
        places = tuple(place for place, link in enumerate(self.links) if link.block == 0)
        return Repetition((Block(("item",), len(places), 1.0, places),), 1.0) if places else Repetition()


def read_feed(
    body: bytes, content_type: str, base: Parts | None, *, window: int, most: int, max_bytes: int
) -> Feed | None:
    """The bytes of a page, its content type and address -> what it says as a feed; None where it is none. At most so many links."""
    if body_form(body, content_type) != XML_FORM:
        return None
    root, charset, cuts = parse_data(body, content_type, XML_FORM, max_bytes)
    if root is None or str(root.tag).lower() not in ROOTS:
        return None
    holder = next(root.iter("channel"), root)
    title = _text(holder, "title")
    items: list[Link] = []
    others: list[Link] = []
    words = tokens(title)
    for part in root.iter("*"):
        if len(items) >= most:
            break
        if _name(part) in ITEMS:
            said = tokens(_said(part))
            words += tokens(_text(part, "title")) + said
            items += _item_links(part, base, tuple(said[:window]))
        elif part.getparent() is holder and _name(part) == "link":
            others += [link for href in _hrefs(part, _PAGING) if (link := _link(href, part, title, (), base))]
    if len(items) >= LEAST_ITEMS:
        items = [replace(link, block=0) for link in items]
    return Feed(title, tuple(words), (*others, *items)[:most], charset, cuts)


def _item_links(item: Any, base: Parts | None, said: tuple[str, ...]) -> list[Link]:
    """The links of an item, each address once."""
    title = _text(item, "title")
    made = (_link(href, item, title, said, base) for href in dict.fromkeys(_addresses(item)))
    return [link for link in made if link is not None]


def _addresses(item: Any) -> Iterator[str]:
    found = False
    for part in item.iterchildren("*"):
        if _name(part) in ("link", "loc"):
            for href in _hrefs(part, _ABOUT):
                found = True
                yield href
    guid = _text(item, "guid")
    if not found and guid.startswith(("http://", "https://")):
        yield guid


def _hrefs(part: Any, kinds: frozenset[str]) -> list[str]:
    """The address of an element: that of its `href` where it has one and is of one of the kinds, else its text."""
    href = part.get("href")
    if href is None:
        return [text] if (text := (part.text or "").strip()) else []
    return [href.strip()] if part.get("rel", "").lower() in kinds else []


def _link(href: str, item: Any, title: str, said: tuple[str, ...], base: Parts | None) -> Link | None:
    url = resolve(href, base)
    if url is None:
        return None
    path = [str(each.tag)[:40] for each in item.iterancestors()][:20]
    return Link(url, title, after=said, tag_path="/".join([*reversed(path), str(item.tag)[:40]]))


def _name(element: Any) -> str:
    return str(element.tag).lower() if isinstance(element.tag, str) else ""


def _text(element: Any, tag: str) -> str:
    """What a child says, its blanks squeezed; titles of feeds may hold HTML, of which only the words count."""
    child = next((part for part in element.iterchildren("*") if _name(part) == tag), None)
    return "" if child is None else _plain("".join(islice(child.itertext(), PIECES))[: 4 * LONGEST])[:LONGEST]


def _said(item: Any) -> str:
    parts = (_text(item, tag) for tag in ("description", "summary", "content", "category"))
    return " ".join(part for part in parts if part)


def _plain(text: str) -> str:
    if "<" in text or "&" in text:
        try:
            inner = etree.fromstring(f"<p>{text}</p>", etree.HTMLParser(recover=True, no_network=True))
            text = " ".join(inner.itertext()) if inner is not None else ""
        except (etree.LxmlError, ValueError):
            text = ""
    return " ".join(unescape(text).split())
