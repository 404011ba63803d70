"""The links of a page in files that lead to files beside it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

_LINK = re.compile(rb'(?:href|src|action)="([^"]*)"')


def inner_links(content: bytes) -> Iterator[str]:
    """A page -> its links that lead to files beside it."""
    for found in _LINK.finditer(content):
        link = html.unescape(found[1].decode("utf-8", "replace"))
        if link and not link.startswith(("#", "//")) and not re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", link):
            yield link


def target_of(page: str, link: str) -> str:
    """A page and one of its links -> the file that it leads to, from the top of the folder."""
    return normpath(join(dirname(page), unquote(urlsplit(link).path)))
