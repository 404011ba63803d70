"""What a reader sees of an element: its texts joined, with a blank where a line or a block begins."""

from __future__ import annotations

from typing import Any

from lxml import etree

_INLINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
    "u", "var", "wbr",
))  # fmt: skip
_MUTE = frozenset(("script", "style"))
LONGEST_WHOLE = 2_000
"""Characters: what is longer is no value."""


def inner_text(element: Any) -> str:
    """Blanks squeezed. No recursion: pages nest without end."""
    parts: list[str] = []
    muted = 0
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        tag = node.tag if event in ("start", "end") else None
        mute = tag in _MUTE
        if event == "start":
            muted += mute
            text = node.text
        else:
            muted -= mute
            text = node.tail if node is not element else None
        if tag is not None and tag not in _INLINE:
            parts.append(" ")
        if text and not muted:
            parts.append(text)
    return " ".join("".join(parts).split())
