"""Bytes of a page and what the server and the page claim about them: declared, undeclared, and lying charsets."""

from __future__ import annotations

import codecs
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Charset:
    codec: str
    header: str
    """Charset in the Content-Type header; empty for none."""
    meta: str
    """Charset in the page's head; empty for none."""


ENCODINGS = {
    "utf-8": Charset("utf-8", "utf-8", "utf-8"),
    "utf-8 undeclared": Charset("utf-8", "", ""),
    "latin-1": Charset("latin-1", "", "iso-8859-1"),
    "latin-1 undeclared": Charset("latin-1", "", ""),
    "latin-1 as utf-8": Charset("latin-1", "utf-8", ""),
    "windows-1252": Charset("cp1252", "", "iso-8859-1"),
    "utf-16": Charset("utf-16-le", "", ""),
    "koi8-r": Charset("koi8-r", "koi8-r", ""),
    "shift_jis": Charset("shift_jis", "", "Shift_JIS"),
}
GREETINGS = {
    "koi8-r": "Добро пожаловать на страницу нашего университета.",
    "shift_jis": "大学のホームページへようこそ。",
    "windows-1252": "“Knowledge – with care” is our motto…",
}
"""A line that only the site's own charset can write."""


def encoded(html: str, encoding: Charset) -> bytes:
    """The page's bytes; what the charset can't write becomes a character reference, which any charset can."""
    mark = codecs.BOM_UTF16_LE if encoding.codec == "utf-16-le" else b""
    return mark + html.encode(encoding.codec, errors="xmlcharrefreplace")
