"""Entries -> an Atom feed (RFC 4287): pure text, every word of others quoted."""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.quoting import xml_attribute, xml_text
from trailmark.serve.portal.page_html import Frame
from trailmark.serve.portal.shown_text import clean
from trailmark.store.library import Library
from trailmark.verbs.portal_catalogue import Catalogue, Entry
from trailmark.verbs.portal_topics import TopicNode

KIND = "application/atom+xml; charset=utf-8"
IN_FEED = 50
_NONE_YET = "1970-01-01T00:00:00Z"
"""The date of a feed without an entry."""


def newest_feed(frame: Frame, catalogue: Catalogue, library: Library) -> bytes:
    """What was found last."""
    ways = frame.ways
    entries = catalogue.entries(library, catalogue.order("", "newest")[:IN_FEED])
    return atom_feed(frame, f"{frame.name}: newest", ways.newest_feed(), ways.home(), entries)


def topic_feed(frame: Frame, catalogue: Catalogue, library: Library, node: TopicNode) -> bytes:
    """What was found last in a topic."""
    ways = frame.ways
    entries = catalogue.entries(library, catalogue.order(node.id, "newest")[:IN_FEED])
    return atom_feed(frame, f"{frame.name}: {node.name}", ways.topic_feed(node.id), ways.topic(node.id), entries)


def atom_feed(frame: Frame, title: str, own: str, page: str, entries: Sequence[Entry]) -> bytes:
    """A feed's title, its own path, that of the page it belongs to, and its entries -> the feed."""
    ways = frame.ways
    updated = max((entry.date for entry in entries), default=_NONE_YET)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{_text(title)}</title>",
        f"<id>{xml_text(ways.whole(own))}</id>",
        f"<updated>{xml_text(updated)}</updated>",
        f'<link rel="self" type="application/atom+xml" href={xml_attribute(ways.whole(own))}/>',
        f'<link rel="alternate" type="text/html" href={xml_attribute(ways.whole(page))}/>',
        f"<author><name>{_text(frame.name)}</name></author>",
        *(_entry(frame, entry) for entry in entries),
        "</feed>",
        "",
    ]
    return "\n".join(lines).encode("utf-8", "replace")


def _entry(frame: Frame, entry: Entry) -> str:
    address = frame.ways.whole(frame.ways.item(entry.address))
    authors = f"<author><name>{_text(entry.subtitle)}</name></author>" if entry.subtitle else ""
    topic = f"<category term={xml_attribute(clean(entry.topic))}/>" if entry.topic else ""
    summary = f'<summary type="text">{_text(entry.summary)}</summary>' if entry.summary else ""
    return (
        f"<entry><title>{_text(entry.title)}</title><id>{xml_text(address)}</id><updated>{xml_text(entry.date)}</updated>"
        f'<link rel="alternate" type="text/html" href={xml_attribute(address)}/>{authors}{topic}{summary}</entry>'
    )


def _text(text: str) -> str:
    return xml_text(clean(text))
