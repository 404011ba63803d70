"""The links of a page in files that lead to files beside it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

_LINK = re.compile(rb'(?:href|src|action)="([^"]*)"')
_ELSEWHERE = re.compile(r"[#]|//|[a-zA-Z][a-zA-Z0-9+.-]*:")


def inner_links(content: bytes) -> Iterator[str]:
    """A page -> its links that lead to files beside it."""
    for found in _LINK.finditer(content):
        link = html.unescape(found[1].decode("utf-8", "replace"))
        if link and not _ELSEWHERE.match(link):
            yield link


def target_of(page: str, link: str) -> str:
    """A page and one of its links -> the file that it leads to, from the top of the folder."""
    return _target(dirname(page), link)


@lru_cache(maxsize=20_000)
def _target(folder: str, link: str) -> str:
    """Pages of a folder have most of their links in common."""
    return normpath(join(folder, unquote(urlsplit(link).path)))
