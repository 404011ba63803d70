"""Plain text as a tree: an element a line, empty ones too, so that `/text/line[12]` is line 12.

An exported program carries this module with it: it imports nothing of ours.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

MOST_LINES = 60_000
_LINE_END = re.compile("\r\n?|\n")
_NO_TEXT = re.compile("[^\t\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text_tree(text: str, cuts: list[str]) -> Any:
    """The text -> the root of its tree; None where it is blank. What was cut is added to `cuts`."""
    if not text.strip():
        return None
    lines = _LINE_END.split(text.removeprefix("\ufeff"), maxsplit=MOST_LINES)
    if len(lines) > MOST_LINES:
        cuts.append(f"lines after the first {MOST_LINES:,} were not read")
    root = etree.Element("text")
    for line in lines[:MOST_LINES]:
        etree.SubElement(root, "line").text = _NO_TEXT.sub(" ", line)
    return root
