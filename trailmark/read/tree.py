"""Bytes to a tree of elements: the one way in which every room parses HTML, and JSON, XML and plain text as trees of the same kind (`body_form`).

The bytes are decoded here (see `charset`) and given to libxml2 as clean UTF-8, so that neither a lying label nor an XML
declaration nor a NUL can trip it. It expands no entity declarations and opens no address.

Where libxml2's tree lacks what a browser would show (`damage`), the page is parsed once more as browsers do (`browser_tree`). The tree stays
one of lxml, and what stands in a template is not in it, as no browser shows it.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import Any

from lxml import etree

from trailmark.datatypes import Response
from trailmark.read.body_form import HTML_FORM, JSON_FORM, TEXT_FORM, XML_FORM, body_form, is_text
from trailmark.read.browser_tree import DEEPEST, browser_tree
from trailmark.read.charset import decode, is_plain
from trailmark.read.damage import has_frames, is_damaged, joined
from trailmark.read.json_tree import json_tree
from trailmark.read.shown_tags import with_shown_tags
from trailmark.read.text_tree import text_tree
from trailmark.read.wide_tags import WIDEST, without_wide_tags
from trailmark.read.xml_tree import xml_tree

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
_DECLARATION = re.compile(rb"\s*<\?xml[^>]{0,400}>")


def prepare(body: bytes, content_type: str, max_bytes: int = MAX_BYTES) -> tuple[bytes, str, list[str]]:
    """(the page as clean UTF-8, the character set that it came in, what was cut)."""
    cuts = []
    if len(body) > max_bytes:
        cuts.append(f"{len(body) - max_bytes:,} of {len(body):,} bytes were not read")
        body = body[:max_bytes]
    clean, charset = _as_utf8(body, content_type)
    clean = with_shown_tags(_sayable(clean))
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
    form = body_form(body, content_type)
    if form != HTML_FORM and (data := parse_data(body, content_type, form))[0] is not None:
        return data
    clean, charset, cuts = prepare(body, content_type)
    root, _ = parse_clean(clean, cuts)
    if root is not None:
        for template in root.iter("template"):
            template.text = None
            del template[:]
    return root, charset, tuple(cuts)


def parse_data(
    body: bytes, content_type: str, form: str, max_bytes: int = MAX_BYTES
) -> tuple[etree._Element | None, str, tuple[str, ...]]:
    """The same for a body of another form; text that only looks like JSON is plain text, where it is said to be."""
    cuts = []
    if len(body) > max_bytes:
        cuts.append(f"{len(body) - max_bytes:,} of {len(body):,} bytes were not read")
        body = body[:max_bytes]
    if form == XML_FORM:
        clean, charset = _as_utf8(body, content_type)
        clean = _sayable(clean)
        declaration = _DECLARATION.match(clean)
        narrow, dropped = without_wide_tags(clean[declaration.end() :] if declaration else clean, html_parser)
        if dropped:
            cuts.append(f"of a tag's attributes only the first {WIDEST} were read")
        return None if narrow is None else xml_tree(narrow, cuts), charset, tuple(cuts)
    text, charset = decode(body, content_type)
    root = json_tree(text, cuts) if form == JSON_FORM else None
    if root is None and (form == TEXT_FORM or is_text(content_type)):
        root = text_tree(text, cuts)
    return root, charset, tuple(cuts)


def parse_clean(clean: bytes, cuts: list[str]) -> tuple[etree._Element | None, bytes | None]:
    """(root element, the page as XML where it had to be read as a browser does); what was cut is added to `cuts`.

    `clean` is what `prepare` makes.
    """
    narrow, dropped = without_wide_tags(clean, html_parser)
    if dropped:
        cuts.append(f"of a tag's attributes only the first {WIDEST} were read" if narrow else "a tag is too wide")
    parser = html_parser()
    try:
        root = etree.fromstring(narrow, parser) if narrow and narrow.strip() else None
    except (etree.LxmlError, ValueError):
        root = None
    too_deep = any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log)
    if narrow is None or root is None or not (too_deep or is_damaged(root)):
        return root, None
    written = None if has_frames(root) else browser_tree(narrow)
    if too_deep:
        deep = f"elements nested deeper than {DEEPEST} stand side by side, as in a browser"
        cuts.append("the parser stopped at elements nested too deep" if written is None else deep)
    if written is None:
        return joined(root), None
    return etree.fromstring(written, xml_parser()), written


def tree_of(response: Response) -> Any:
    """A response -> the root element of its page; None where there is nothing to parse. Never raises."""
    return parse_html(response.body, response.header("content-type"))[0]


def html_parser(**options: Any) -> Any:
    """A fresh parser: recovering, off the network, and blind to any encoding but UTF-8."""
    return etree.HTMLParser(encoding="utf-8", recover=True, huge_tree=True, no_network=True, **options)


def xml_parser(**options: Any) -> Any:
    """The same for pages that `browser_tree` wrote: they declare nothing, so that only XML's own five entities stand for anything.

    With all entities left alone, a target would be told `&#38;` for an `&` in an attribute.
    """
    return etree.XMLParser(
        encoding="utf-8", recover=True, huge_tree=True, no_network=True, resolve_entities="internal", **options
    )
