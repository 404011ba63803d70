"""The tree of a crawled page that is shown, and what a browser would know of the page before it reads its body.

The tree is built only where that takes no longer than the page's length allows (`read/wide_tags`): here every page that is
not small is counted.
"""

from __future__ import annotations

import re

from lxml import etree

from trailmark.datatypes import Response
from trailmark.read import normalise_url, parse_html
from trailmark.read.tree import html_parser, prepare
from trailmark.read.wide_tags import WIDEST, widest_tag, without_wide_tags

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
    if len(response.body) > NARROW and _hides_wide_tag(response.body, content_type):
        return TOO_WIDE
    root = parse_html(response.body, content_type)[0]
    return EMPTY if root is None else root


def _hides_wide_tag(body: bytes, content_type: str) -> bool:
    """Whether a tag is too wide also after what `parse_html` drops of it; no tree is built for that."""
    narrow, _ = without_wide_tags(prepare(body, content_type)[0], html_parser)
    return narrow is None or widest_tag(narrow, html_parser) > WIDEST


def base_of(root: etree._Element, url: str) -> str:
    """The address that the page's own addresses are relative to."""
    element = next(iter(root.iter("base")), None)
    href = element.get("href") if element is not None else None
    return (normalise_url(href, url) if href else None) or url


def in_quirks(body: bytes) -> bool:
    """Whether a browser would lay the page out as the oldest ones did: no doctype, or an early one."""
    doctype = _DOCTYPE.search(body[:4000])
    return doctype is None or bool(_QUIRKS.search(doctype.group().decode("ascii", "replace")))
