"""The tree of a crawled page that is shown, and what a browser would know of the page before it reads its body.

The tree is built only where that takes no longer than the page's length allows: the parser's time grows with the square of a tag's attributes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from trailmark.datatypes import Response
from trailmark.read import normalise_url, parse_html
from trailmark.read.tree import html_parser, prepare

WIDEST = 2000
"""Attributes of one tag with which a page is shown at all: the time to build its tree grows with their square."""
NARROW = 50_000
"""Bytes in which no tag can be wide enough to matter."""
_DOCTYPE = re.compile(rb"<!doctype\s+html[^>]{0,300}>", re.IGNORECASE)
_QUIRKS = re.compile(
    r"//dtd html (?:2|3)|//dtd html 4\.\d+ (?:transitional|frameset)//en\"\s*>|netscape", re.IGNORECASE
)


EMPTY = "The page is empty: its server sent nothing that a browser would show."
TOO_WIDE = (
    f"The page is not shown: one of its tags has more than {WIDEST:,} attributes, as no page has that is meant to be read. "
    "It can be looked at in a browser."
)


def tree_to_show(response: Response) -> etree._Element | str:
    """The page's tree, or a sentence where there is nothing to show, or a tag is wider than any that is meant to be read."""
    content_type = response.header("content-type")
    if len(response.body) > NARROW and _widest(response.body, content_type) > WIDEST:
        return TOO_WIDE
    root = parse_html(response.body, content_type)[0]
    return EMPTY if root is None else root


def _widest(body: bytes, content_type: str) -> int:
    """The most attributes that a tag of the page has; no tree is built for that."""
    widest = _Widest()
    try:
        etree.fromstring(prepare(body, content_type)[0], html_parser(target=widest))
    except (etree.LxmlError, ValueError):
        return widest.most
    return widest.most


class _Widest:
    """What the parser tells of its tags: only how wide they are is kept."""

    def __init__(self) -> None:
        self.most = 0

    def start(self, _tag: str, attributes: Mapping[str, str]) -> None:
        self.most = max(self.most, len(attributes))

    def close(self) -> None:
        """Nothing is made of it."""


def base_of(root: etree._Element, url: str) -> str:
    """The address that the page's own addresses are relative to."""
    element = next(iter(root.iter("base")), None)
    href = element.get("href") if element is not None else None
    return (normalise_url(href, url) if href else None) or url


def in_quirks(body: bytes) -> bool:
    """Whether a browser would lay the page out as the oldest ones did: no doctype, or an early one."""
    doctype = _DOCTYPE.search(body[:4000])
    return doctype is None or bool(_QUIRKS.search(doctype.group().decode("ascii", "replace")))
