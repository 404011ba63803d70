"""Tags by other names, where what they hold is shown and parsers would not show it.

- `<noframes>` is handed on unparsed. It is what a reader without frames sees, and we are one: it becomes `<x-noframes>`.
- `<template>` is shown nowhere, but for one kind: a template with `shadowrootmode` is where a server writes what its element shows
  (declarative shadow roots, in all browsers since 2024, with scripts or without). It becomes `<x-shadow>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FRAMES_WITHIN = 50_000  # a page that holds frames holds little else; larger ones are not searched
_NOFRAMES = re.compile(rb"(</?)noframes\b", re.IGNORECASE)
_TEMPLATE = re.compile(rb"<(/?)template(?=[\s/>])([^>]{0,500})", re.IGNORECASE)
_SHADOW = b"shadowrootmode"


def with_shown_tags(page: bytes) -> bytes:
    """The page with other names for what is to be shown; most pages as they are."""
    if len(page) < _FRAMES_WITHIN and (b"noframes" in page or b"NOFRAMES" in page):
        page = _NOFRAMES.sub(rb"\1x-noframes", page)
    return b"".join(_with_shadows(page)) if _SHADOW in page else page


def _with_shadows(page: bytes) -> Iterator[bytes]:
    opened: list[bool] = []
    done = 0
    for tag in _TEMPLATE.finditer(page):
        if not tag[1]:
            opened.append(_SHADOW in tag[2])
        shown = opened.pop() if tag[1] and opened else not tag[1] and opened[-1]
        if shown:
            yield page[done : tag.start()]
            yield b"<" + tag[1] + b"x-shadow" + tag[2]
            done = tag.end()
    yield page[done:]
