"""A crawled style sheet as it may be shown: every address in it leads to the app, or nowhere.

The text is cut into strings, comments, `url()`s and the rest (CSS Syntax 3, section 4); what would load something is written
anew. What an old browser would have run (`expression()`, `behavior`, `-moz-binding`) is taken away, though none of today's knows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

MOST = 2_000_000
"""Characters of a style sheet; a longer one is not shown."""

Href = Callable[[str], str | None]
"""The app's own address for one that stands in a page; None where it must not be loaded."""

_PARTS = re.compile(
    r"""
      (?P<comment>/\*.*?(?:\*/|\Z))
    | (?P<import>@import\b)
    | (?P<url>\b(?:url|src)\(\s*(?:"(?P<double>(?:[^"\\\n]|\\.)*)"|'(?P<single>(?:[^'\\\n]|\\.)*)'|(?P<bare>[^"'()\s\\]*(?:\\.[^"'()\s\\]*)*))\s*\))
    | (?P<loose>\b(?:url|src|image|image-set|-webkit-image-set|expression|element|paint)\()
    | (?P<string>"(?:[^"\\\n]|\\.)*(?:"|(?=\n)|\Z)|'(?:[^'\\\n]|\\.)*(?:'|(?=\n)|\Z))
    | (?P<run>(?:behaviou?r|-moz-binding|-o-link)\s*:)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(\n|\r\n?)|(.))", re.DOTALL)
_TAG = re.compile(r"<(?=[!/a-zA-Z?])")
_LETTERS = re.compile(r"\\(?:0{0,4}(?:[46][0-9a-fA-F]|[57][0-9aA])(?![0-9a-fA-F])\s?|[g-zG-Z-])")
_NOT_HEX = frozenset("ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ-")
_IMPORTED = re.compile(
    r"\s*(?:url\(\s*)?(?:\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|([^\"'()\s;]+))\s*\)?", re.IGNORECASE
)


def style_view(text: str, href: Href) -> str:
    """The style sheet with every address written anew by `href`; what is doubtful is left out."""
    if len(text) > MOST:
        return ""
    plain = _LETTERS.sub(_plain_letter, text.replace("\x00", "").replace("\f", "\n"))
    out: list[str] = []
    place = 0
    while (found := _PARTS.search(plain, place)) is not None:
        out.append(plain[place : found.start()])
        place = found.end()
        if found["import"]:
            written, place = _import(plain, place, href)
            out.append(written)
        else:
            out.append(_part(found, href))
    out.append(plain[place:])
    return _TAG.sub(r"\\3c ", "".join(out))


def _part(found: re.Match[str], href: Href) -> str:
    if found["comment"]:
        return " "
    if found["url"]:
        raw = next(part for part in (found["double"], found["single"], found["bare"]) if part is not None)
        return _written(_unescaped(raw), href)
    if found["loose"] or found["run"]:
        return "x-left-out(" if found["loose"] else "x-left-out:"
    return found["string"] if not found["string"].endswith("\\") else '""'


def _written(address: str, href: Href) -> str:
    """`url("...")` with the app's own address; an empty one loads nothing."""
    if address.startswith("#"):
        return f'url("{_quoted(address)}")'
    own = href(address)
    return f'url("{_quoted(own)}")' if own else "x-left-out()"


def _import(text: str, place: int, href: Href) -> tuple[str, int]:
    """An @import rule up to its semicolon, written anew: the address alone and its media."""
    found = _IMPORTED.match(text, place)
    end = text.find(";", found.end() if found else place)
    after = len(text) if end < 0 else end + 1
    if found is None:
        return "", after
    address = next(part for part in found.groups() if part is not None)
    own = href(_unescaped(address))
    media = text[found.end() : after].strip("; \n\t")
    if (
        own is None
        or not re.fullmatch(r"[\w\s(),:.-]*", media)
        or re.search(r"(?:url|src|image)\(", media, re.IGNORECASE)
    ):
        return "", after
    return f'@import url("{_quoted(own)}"){" " if media else ""}{media};', after


def _unescaped(text: str) -> str:
    def letter(found: re.Match[str]) -> str:
        if found[1]:
            code = int(found[1], 16)
            return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
        return found[3] or ""

    return _ESCAPE.sub(letter, text).strip()


def _plain_letter(found: re.Match[str]) -> str:
    """An escaped letter as itself, so that `u\\72l(` is seen for what it is."""
    letter = found.group().strip()[1:]
    return letter if letter in _NOT_HEX else chr(int(letter, 16))


def _quoted(text: str) -> str:
    return "".join(f"\\{ord(letter):x} " if letter in '"\\\n\r\f<>' else letter for letter in text)
