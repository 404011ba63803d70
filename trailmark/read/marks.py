"""What an element means to the walk: one number of flags a tag, and the attributes that add to it."""

from __future__ import annotations

import re
from typing import Any

# The lowest three bits hold the level of a heading.
BREAK = 8  # begins and ends a line
CELL = 16
LIST = 32
HEADING = 64
NAVIGATION = 128
BOLD = 256
FONT = 512  # bold or large if its attributes say so
LINK = 1024
POINT = 2048  # a link without text of its own
FRAME = 4096
IMAGE = 8192
META = 16384
TITLE = 32768
SKIP = 65536  # not seen by a reader: left out with all that stands in it

_FLAGS = {
    **dict.fromkeys(
        "address article aside blockquote body br center dd dir div dl fieldset figcaption figure footer form header hr html"
        " legend main menu ol p pre section summary details table tbody tfoot thead tr ul caption x-noframes frameset map"
        " noscript head".split(),
        BREAK,
    ),
    **dict.fromkeys(("li", "dd"), BREAK | LIST),
    "dt": BREAK | LIST | BOLD,
    "nav": BREAK | NAVIGATION,
    "td": CELL,
    "th": CELL | BOLD,
    **{f"h{level}": BREAK | HEADING | level for level in range(1, 7)},
    **dict.fromkeys(("b", "strong", "big"), BOLD),
    **dict.fromkeys(("font", "span"), FONT),
    "a": LINK,
    "area": POINT,
    **dict.fromkeys(("frame", "iframe"), FRAME),
    "img": IMAGE,
    **dict.fromkeys(("meta", "base"), META),
    "title": TITLE,
    **dict.fromkeys("script style template svg math option textarea object applet head-skip canvas".split(), SKIP),
}  # fmt: skip
flags_of = _FLAGS.get

_NAVIGATION = re.compile(r"(?<![a-z])(?:nav|menu|breadcrumb|sidebar|toc)|navbar|topmenu|mainmenu", re.IGNORECASE)
_LARGE_SIZE = re.compile(r"\s*(?:\+[1-9]|[4-7])")
_LARGE_STYLE = re.compile(
    r"font-weight:\s*(?:bold|[6-9]00)|font-size:\s*(?:x*-?large|1[5-9]pt|[2-9]\dpt)", re.IGNORECASE
)


def is_navigation(attributes: Any) -> bool:
    """Whether the class, the identifier or the role of an element names it a menu."""
    for name in ("class", "id", "role"):
        value = attributes.get(name)
        if value and _NAVIGATION.search(value):
            return True
    return False


def is_large(tag: str, attributes: Any) -> bool:
    """Whether a font or span element makes its text bold or large."""
    size = attributes.get("size") if tag == "font" else None
    if size and _LARGE_SIZE.match(size):
        return True
    style = attributes.get("style")
    return bool(style and _LARGE_STYLE.search(style))
