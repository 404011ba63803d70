"""Tags with more attributes than anybody reads: the time to build a tree grows with the square of a tag's attributes.

Counting them takes time that grows with the page alone, but nearly as much as the tree. So a page is counted only where a
stretch of it is long enough for such a tag. A `>` in a quoted value hides a tag's length: pages with one are counted where
they are large enough for a tag that takes seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from lxml import etree

WIDEST = 512
"""Attributes of one tag that are kept where one has more."""
_STRETCH = 3 * WIDEST
"""Bytes without a `>` that are too few for so many attributes: only 36 names have one letter, and each has a break."""
_LARGE = 400_000
"""Bytes of a page in which a wide tag that hides takes some five seconds."""
_HIDING = re.compile(rb"=\s*(?:\"[^\">]*>|'[^'>]*>)")
"""A value in quotes with a `>` in it."""
_START = re.compile(rb"<[A-Za-z][^\s/>]*")
_BREAK = re.compile(rb"[\s/\"']")
"""What stands before every attribute."""
_ATTRIBUTE = re.compile(
    rb"[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*(?:\"[^\">]*\"|'[^'>]*'|(?![\"'])[^\s>]+))?",
)


def without_wide_tags(page: bytes, parser: Callable[..., Any]) -> tuple[bytes | None, bool]:
    """(the page with at most WIDEST attributes a tag, whether any were dropped); None where they can't be told apart.

    `parser` makes a parser that tells its `target` what it finds.
    """
    if not _may_be_wide(page) or widest_tag(page, parser) <= WIDEST:
        return page, False
    pieces, done = [], 0
    for start, end in _wide_stretches(page):
        pieces += [page[done:start], _narrowed(page[start:end])]
        done = end
    narrow = b"".join([*pieces, page[done:]])
    return (narrow if widest_tag(narrow, parser) <= WIDEST else None), True


def _may_be_wide(page: bytes) -> bool:
    """Whether the page is worth counting."""
    return any(_wide_stretches(page)) or (len(page) > _LARGE and _HIDING.search(page) is not None)


def widest_tag(page: bytes, parser: Callable[..., Any]) -> int:
    """The most attributes that a tag of the page has; no tree is built for that."""
    counting = _Counting()
    try:
        etree.fromstring(page, parser(target=counting))
    except (etree.LxmlError, ValueError):
        return counting.most
    return counting.most


def _wide_stretches(page: bytes) -> Iterator[tuple[int, int]]:
    """Where a tag may be wide: from its `<` to the next `>`. An ordinary page costs a look or two a thousand bytes."""
    start = 0
    while start + _STRETCH <= len(page):
        end = page.rfind(b">", start, start + _STRETCH)
        if end < 0:
            found = page.find(b">", start + _STRETCH)
            end = len(page) if found < 0 else found
            tag = _START.search(page, start, end)
            if tag is not None and end - tag.start() >= _STRETCH and _has_breaks(page, tag.start(), end):
                yield tag.start(), end
        start = end + 1


def _has_breaks(page: bytes, start: int, end: int) -> bool:
    return sum(1 for _ in islice(_BREAK.finditer(page, start, end), WIDEST + 1)) > WIDEST


def _narrowed(tag: bytes) -> bytes:
    """A tag without its `>`: its first attributes."""
    name = _START.match(tag)
    end = name.end() if name else 0
    for _ in range(WIDEST):
        attribute = _ATTRIBUTE.match(tag, end)
        if attribute is None:
            return tag
        end = attribute.end()
    return tag[:end]


class _Counting:
    """What the parser tells of its tags: only how wide they are is kept."""

    def __init__(self) -> None:
        self.most = 0

    def start(self, _tag: str, attributes: Mapping[str, str]) -> None:
        self.most = max(self.most, len(attributes))

    def close(self) -> None:
        """Nothing is made of it."""
