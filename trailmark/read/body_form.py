"""What a body is made of: HTML, JSON, XML or plain text. Servers call feeds HTML and JSON plain text, so the first bytes count too.

An exported program carries this module with it: it imports nothing of ours.
"""

from __future__ import annotations

import re

HTML_FORM, JSON_FORM, XML_FORM, TEXT_FORM = "html", "json", "xml", "text"
_JSON_KINDS = frozenset(
    ("application/json", "text/json", "application/x-json", "application/ndjson", "application/x-ndjson")
)
_XML_KINDS = frozenset(("application/xml", "text/xml"))
_TEXT_KINDS = frozenset(("text/plain", "text/csv", "text/tab-separated-values", "text/markdown"))
_HTML_KINDS = frozenset(("", "text/html", "application/xhtml+xml"))
_FEED = re.compile(
    rb"(?:<\?xml[^>]{0,400}>\s{0,100})?(?:<!--[^>]{0,400}-->\s{0,100})?<(?:rss|feed|urlset|sitemapindex|rdf:rdf)[\s>]"
)
LOOKED_AT = 4_096


def body_form(body: bytes, content_type: str) -> str:
    """The bytes of a page and its content type -> its form; what is none of these is read as HTML is."""
    kind = content_type.partition(";")[0].strip().lower()
    start = body[:LOOKED_AT].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if kind in _JSON_KINDS or kind.endswith("+json"):
        return HTML_FORM if start.startswith(b"<") else JSON_FORM
    if kind in _XML_KINDS or (kind.endswith("+xml") and kind not in _HTML_KINDS and kind != "image/svg+xml"):
        return HTML_FORM if b"<html" in start else XML_FORM
    if kind not in _TEXT_KINDS and kind not in _HTML_KINDS:
        return HTML_FORM
    if start.startswith((b"{", b"[")) and body.rstrip().endswith((b"}", b"]")):
        return JSON_FORM
    if kind in _HTML_KINDS:
        return XML_FORM if _FEED.match(start) else HTML_FORM
    return HTML_FORM if start.startswith((b"<!doctype html", b"<html")) else TEXT_FORM


def is_text(content_type: str) -> bool:
    """Whether a body is plain text by its content type."""
    return content_type.partition(";")[0].strip().lower() in _TEXT_KINDS


def has_rules(kind: str) -> bool:
    """Whether pages of a media type are read for what stands in them: pictures, programs and documents of other kinds are not."""
    if kind in _HTML_KINDS or kind in _JSON_KINDS or kind in _XML_KINDS or kind in _TEXT_KINDS:
        return True
    return kind.endswith(("+json", "+xml")) and kind != "image/svg+xml"
