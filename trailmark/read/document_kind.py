"""Bytes, what a server says they are, and their name -> the kind of document they are."""

from __future__ import annotations

import re
from typing import Literal

from trailmark.read.unpacked import COMPRESS, GZIP

Kind = Literal["pdf", "postscript", "html", "text", "packed", ""]
_KINDS: dict[str, Kind] = {
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "application/postscript": "postscript",
    "application/eps": "postscript",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/plain": "text",
}
_SUFFIXES: dict[str, Kind] = {"pdf": "pdf", "ps": "postscript", "eps": "postscript", "html": "html", "htm": "html", "xhtml": "html", "txt": "text"}  # fmt: skip
_SUFFIX = re.compile(r"\.([a-z]{1,6})(?:\.(?:gz|z))?$")
LOOKED_AT = 1024
"""Bytes at the beginning among which a PDF says that it is one: readers take that much."""


def document_kind(body: bytes, content_type: str = "", name: str = "") -> Kind:
    """What the first bytes prove, else what the server says, else what the name says; empty where it is no document."""
    start = body[:LOOKED_AT]
    if start.startswith((GZIP, COMPRESS)):
        return "packed"
    if b"%PDF-" in start:
        return "pdf"
    if start.lstrip(b"\x04\r\n ").startswith(b"%!"):
        return "postscript"
    said = _KINDS.get(content_type.partition(";")[0].strip().lower())
    if said:
        return said
    if content_type:
        return ""
    suffix = _SUFFIX.search(name.lower())
    if suffix:
        return _SUFFIXES.get(suffix[1], "")
    return "html" if re.match(rb"\s*<(?:!doctype|html)", start.lower()) else ""


def is_document_name(name: str) -> bool:
    """Whether a name or a URL's path is that of a PDF or PostScript file, packed or not."""
    suffix = _SUFFIX.search(name.lower())
    return suffix is not None and _SUFFIXES.get(suffix[1]) in ("pdf", "postscript")
