"""JSON paths (RFC 9535) of the elements of a `json_tree`, and the XPath of what a JSON path names in it.

`$.offers[1].price` is `/json/offers/item[2]/price`. Of RFC 9535 names, indices, `*` and `..name` are read; slices and filters are not.
"""

from __future__ import annotations

import json
import re
from typing import Any

from trailmark.quoting import json_text, xpath_literal
from trailmark.read.json_tree import is_tag

_SEGMENT = re.compile(
    r"\.\.(?P<below>[^\W\d][\w-]{0,200})|\.(?P<name>[^\W\d][\w-]{0,200})|\[(?P<index>\d{1,9})\]|(?P<all>\.\*|\[\*\])"
    r"|\[(?P<quoted>'(?:[^'\\]|\\.){0,400}'|\"(?:[^\"\\]|\\.){0,400}\")\]"
)
_BARE_NAME = re.compile(r"[^\W\d]\w*")


def xpath_of(path: str) -> str | None:
    """A JSON path -> the XPath of the elements that it names in the tree; None where it is none that can be read."""
    if not path.startswith("$"):
        return None
    at, steps = 1, ["/json"]
    while at < len(path):
        segment = _SEGMENT.match(path, at)
        if segment is None:
            return None
        steps.append(_step(segment))
        at = segment.end()
    return "".join(steps)


def _step(segment: re.Match[str]) -> str:
    if segment["all"]:
        return "/*"
    if segment["index"]:
        return f"/item[{int(segment['index']) + 1}]"
    if segment["quoted"]:
        return "/" + _element(_unquoted(segment["quoted"]))
    return f"//{_element(segment['below'])}" if segment["below"] else "/" + _element(segment["name"])


def _element(key: str) -> str:
    return key if is_tag(key) else f"key[@class={xpath_literal(key)}]"


def _unquoted(quoted: str) -> str:
    inner = quoted[1:-1].replace("\\'", "'")
    if quoted[0] == "'":
        inner = re.sub(r'(?<!\\)"', r"\"", inner)
    try:
        return str(json.loads(f'"{inner}"'))
    except ValueError:
        return quoted[1:-1]


def json_path_of(element: Any) -> str:
    """An element of the tree of an answer -> its JSON path, which names it and nothing else."""
    parts: list[str] = []
    while (parent := element.getparent()) is not None:
        key = element.get("class") if element.tag == "key" else element.tag
        parts.append(f"[{parent.index(element)}]" if parent.get("type") == "array" else named(key or ""))
        element = parent
    return "$" + "".join(reversed(parts))


def named(key: str) -> str:
    """The segment of a member: `.price`, `['per unit']`."""
    if _BARE_NAME.fullmatch(key):
        return f".{key}"
    inner = json_text(key)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"['{inner}']"
