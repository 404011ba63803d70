"""What an element means to the walk: one number of flags a tag, and the attributes that add to it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from trailmark.datatypes import Place

# The lowest three bits hold the level of a heading.
BREAK = 8  # begins and ends a line
CELL = 16
LIST = 32
HEADING = 64
BOLD = 256
FONT = 512  # bold or large if its attributes say so
LINK = 1024
POINT = 2048  # a link without text of its own
FRAME = 4096
IMAGE = 8192
META = 16384
TITLE = 32768
SKIP = 65536  # not seen by a reader: left out with all that stands in it
BOX = 131072  # a container whose class or identifier may name it a menu

ACTS = FONT | BOLD | IMAGE | POINT | FRAME | HEADING | META | TITLE
ATTRIBUTED = FONT | IMAGE | POINT | FRAME | META  # say nothing without attributes
UNDO = BOLD | HEADING | TITLE
ENDS = UNDO | BREAK | LINK  # whose end means something

_FLAGS = {
    **dict.fromkeys(
        [
            "address",
            "blockquote",
            "body",
            "br",
            "center",
            "fieldset",
            "figcaption",
            "figure",
            "hr",
            "html",
            "legend",
            "main",
            "pre",
            "summary",
            "details",
            "tbody",
            "tfoot",
            "thead",
            "tr",
            "caption",
            "x-noframes",
            "frameset",
            "map",
            "noscript",
            "head",
        ],
        BREAK,
    ),
    **dict.fromkeys(
        [
            "article",
            "aside",
            "dir",
            "div",
            "dl",
            "footer",
            "form",
            "header",
            "menu",
            "ol",
            "p",
            "section",
            "table",
            "ul",
        ],
        BREAK | BOX,
    ),
    **dict.fromkeys(("li", "dd"), BREAK | LIST | BOX),
    "dt": BREAK | LIST | BOLD,
    "nav": BREAK,
    "td": CELL | BOX,
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
    **dict.fromkeys(["script", "style", "template", "svg", "math", "option", "textarea", "canvas"], SKIP),
}
flags_of = _FLAGS.get

PLACES: dict[str, Place] = {
    **{tag: "list" for tag, flags in _FLAGS.items() if flags & LIST},
    **{tag: "table" for tag, flags in _FLAGS.items() if flags & CELL},
    **{tag: "heading" for tag, flags in _FLAGS.items() if flags & HEADING},
    "nav": "navigation",
}
"""The place that an element makes for the links in it, if any."""

_NAVIGATION = re.compile(r"(?<![a-z])(?:nav|menu|breadcrumb|sidebar|toc)|navbar|topmenu|mainmenu", re.IGNORECASE)
_LARGE_SIZE = re.compile(r"\s*(?:\+[1-9]|[4-7])")
_LARGE_STYLE = re.compile(
    r"font-weight:\s*(?:bold|[6-9]00)|font-size:\s*(?:x*-?large|1[5-9]pt|[2-9]\dpt)", re.IGNORECASE
)


def is_navigation(attributes: Any) -> bool:
    """Whether the class, the identifier or the role of an element names it a menu."""
    get = attributes.get
    return (
        ((value := get("class")) and _names_menu(value[:_KEPT_NAME]))
        or ((value := get("id")) and _names_menu(value[:_KEPT_NAME]))
        or get("role") == "navigation"
    )


def is_large(attributes: Any) -> bool:
    """Whether a font or span element makes its text bold or large."""
    if (style := attributes.get("style")) and (_enlarges if len(style) <= _KEPT_STYLE else _find_large)(style):
        return True
    return "size" in attributes and bool(_LARGE_SIZE.match(attributes["size"]))


_KEPT_NAME, _KEPT_STYLE = 200, 500
"""Characters of an attribute that is kept for a while: thousands of the longest would fill the memory."""


def _find_large(style: str) -> bool:
    return bool(_LARGE_STYLE.search(style))


@lru_cache(maxsize=8192)
def _enlarges(style: str) -> bool:
    return _find_large(style)


@lru_cache(maxsize=8192)
def _names_menu(value: str) -> bool:
    return bool(_NAVIGATION.search(value))
