"""Bytes to a tree of elements: the one way in which every room parses HTML.

The bytes are decoded here (see `charset`) and given to libxml2 as clean UTF-8, so that neither a lying label nor an XML
declaration nor a NUL can trip it. It expands no entity declarations and opens no address.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import Any

from lxml import etree

from trailmark.datatypes import Response
from trailmark.read.charset import decode, is_plain
from trailmark.read.wide_tags import WIDEST, without_wide_tags

MAX_BYTES = 10_000_000

# A tree can hold what neither XPath nor XML can say, and what Python takes for a blank and XPath does not: no page says
# anything by it, so none gets in, written out or as a reference.
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\f\r")
_FORM_FEED_IS_A_BLANK = bytes.maketrans(b"\f", b" ")
_UNSAYABLE = re.compile(rb"\xef\xbf[\xbe\xbf]")  # U+FFFE and U+FFFF
_CONTROL_REFERENCE = re.compile(
    rb"&#(?:x0*(?:[1-8bcef]|1[0-9a-f]|fff[ef])(?![0-9a-f])|0*(?:[1-8]|1[124-9]|2[0-9]|3[01]|6553[45])(?![0-9]));?",
    re.IGNORECASE,
)
_REPLACEMENT = "\ufffd".encode()
_FRAMES_WITHIN = 50_000  # a page that holds frames holds little else; larger ones are not searched
# libxml2 hands on what stands in <noframes> unparsed. It is what a reader without frames sees, so it is parsed here.
_NOFRAMES = re.compile(rb"(</?)noframes\b", re.IGNORECASE)
_DECLARATION = re.compile(rb"\s*<\?xml[^>]{0,400}>")


def prepare(body: bytes, content_type: str, max_bytes: int = MAX_BYTES) -> tuple[bytes, str, list[str]]:
    """(the page as clean UTF-8, the character set that it came in, what was cut)."""
    cuts = []
    if len(body) > max_bytes:
        cuts.append(f"{len(body) - max_bytes:,} of {len(body):,} bytes were not read")
        body = body[:max_bytes]
    clean, charset = _as_utf8(body, content_type)
    clean = _sayable(clean)
    if len(clean) < _FRAMES_WITHIN and (b"noframes" in clean or b"NOFRAMES" in clean):
        clean = _NOFRAMES.sub(rb"\1x-noframes", clean)
    declaration = _DECLARATION.match(clean)
    return clean[declaration.end() :] if declaration else clean, charset, cuts


def _sayable(clean: bytes) -> bytes:
    """The page without the characters that XML can't hold; a form feed is a blank, as in a browser."""
    clean = clean.translate(_FORM_FEED_IS_A_BLANK, _CONTROLS)
    if b"\xef\xbf" in clean:
        clean = _UNSAYABLE.sub(_REPLACEMENT, clean)
    if b"&#" in clean:
        clean = _CONTROL_REFERENCE.sub(b"", clean)
        clean = _CONTROL_REFERENCE.sub(b" ", clean)  # what came together by that; a blank brings nothing together
    return clean


def _as_utf8(body: bytes, content_type: str) -> tuple[bytes, str]:
    """(the same text in UTF-8, the character set that it came in); most pages need no new copy."""
    if is_plain(body, content_type):
        return body, "utf-8"
    text, charset = decode(body, content_type)
    replaced = "\ufffd" in text and text.count("\ufffd") != body.count(_REPLACEMENT)
    if charset == "utf-8" and not replaced and not body.startswith(BOM_UTF8):
        return body, charset
    return text.encode("utf-8", "replace"), charset


def parse_html(body: bytes, content_type: str = "") -> tuple[etree._Element | None, str, tuple[str, ...]]:
    """(root element, character set, what was cut); the root is None where there is nothing to parse. Never raises."""
    clean, charset, cuts = prepare(body, content_type)
    narrow, dropped = without_wide_tags(clean, html_parser)
    if dropped:
        cuts.append(f"of a tag's attributes only the first {WIDEST} were read" if narrow else "a tag is too wide")
    parser = html_parser()
    try:
        root = etree.fromstring(narrow, parser) if narrow and narrow.strip() else None
    except (etree.LxmlError, ValueError):
        root = None
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        cuts.append("the parser stopped at elements nested too deep")
    return root, charset, tuple(cuts)


def tree_of(response: Response) -> Any:
    """A response -> the root element of its page; None where there is nothing to parse. Never raises."""
    return parse_html(response.body, response.header("content-type"))[0]


def html_parser(**options: Any) -> Any:
    """A fresh parser: recovering, off the network, and blind to any encoding but UTF-8."""
    return etree.HTMLParser(encoding="utf-8", recover=True, huge_tree=True, no_network=True, **options)
