"""An answer that is no HTML as it may be shown: its tree as lines, each value where a click finds it.

Names stand in attributes that the style shows, so that only values can be clicked or selected.
"""

from __future__ import annotations

import html
from typing import Any

from lxml import etree

MOST_SHOWN = 20_000
"""Elements that are shown; marks further down are written, not clicked."""
_STYLE = (
    "<style>body{font:14px/1.5 monospace}div{margin-left:1.2em;overflow-wrap:anywhere}"
    "div::before{content:attr(data-trailmark-name) ' ';color:#666;user-select:none}</style>"
)


def data_view(root: Any, *, number_nodes: bool, extra: str = "") -> str:
    """The tree of JSON, XML or plain text -> a page; elements are numbered as those of a page are, `extra` is markup of ours."""
    parts, number = ['<!DOCTYPE html>\n<meta charset="utf-8">', _STYLE, "<body>"], -1
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            number += 1
            if number >= MOST_SHOWN:
                parts.append("</div>" * sum(1 for _ in element.iterancestors()) + "<p>The rest is not shown.</p>")
                break
            node = f' data-trailmark-node="{number}"' if number_nodes else ""
            parts.append(f'<div data-trailmark-name="{_shown_name(element)}"{node}>{html.escape(element.text or "")}')
        else:
            parts.append("</div>" + (html.escape(element.tail or "") if element is not root else ""))
    return "".join([*parts, extra])


def _shown_name(element: Any) -> str:
    """With a blank before it, since the name of a field that is marked may stand there."""
    name = _name(element)
    return f" {html.escape(name)}" if name else ""


def _name(element: Any) -> str:
    named = element.get("class") if element.tag == "key" else None
    pairs = (
        ""
        if named is not None
        else "".join(f" {key}={value}" for key, value in element.attrib.items() if key != "type")
    )
    return "" if element.tag == "line" else f"{named or element.tag}{pairs[:300]}:"
