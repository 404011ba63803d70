"""JSON-LD from the text of a script element: objects flattened to dotted paths, whatever a page puts there."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from typing import Any

from trailmark.quoting import unicode_text

MOST_LETTERS = 500_000
MOST_OBJECTS = 200
MOST_PAIRS = 1_000
"""Of one script element."""
DEEPEST = 8

Pairs = list[tuple[str, str]]

_WRAPPER = re.compile(r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>|;)\s*$")
_ASSIGNED = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$.]{0,80})\s{0,20}=\s{0,20}(?=[{\[])")
MOST_ASSIGNED = 20
"""Assignments of one script that are looked at."""
_COMMA = re.compile(r",(\s*[}\]])")


def json_items(text: str) -> Iterator[tuple[str, Pairs]]:
    """(type, pairs of path and value) of each object that stands by itself, in a list or in a graph."""
    data = _loaded(text) if len(text) <= MOST_LETTERS else None
    waiting, seen = deque([data]), 0
    while waiting and seen < MOST_OBJECTS:
        node = waiting.popleft()
        if isinstance(node, list):
            waiting.extendleft(reversed(node[:MOST_OBJECTS]))
        elif isinstance(node, dict):
            graph = node.get("@graph")
            if isinstance(graph, list | dict):
                waiting.append(graph)
            pairs = _pairs(node)
            seen += 1
            if pairs:
                # Such a text may hold a half of a pair ("\\ud800"), which no file and no database takes.
                yield unicode_text(_type(node)), [(unicode_text(path), unicode_text(value)) for path, value in pairs]


def embedded_json(text: str, kind: str, name: str) -> Iterator[tuple[str, str]]:
    """The text, the type and the id of a script -> (name, JSON) of each object that it carries: all of it, or what it assigns."""
    if len(text) > MOST_LETTERS:
        return
    if kind.endswith("json"):
        yield name[:100], text
        return
    decoder, at = json.JSONDecoder(strict=False, parse_int=str, parse_float=str), 0
    for _ in range(MOST_ASSIGNED):
        assigned = _ASSIGNED.search(text, at)
        if assigned is None:
            return
        try:
            _, at = decoder.raw_decode(text, assigned.end())
        except (ValueError, RecursionError):
            at = assigned.end()
            continue
        yield assigned[1], text[assigned.end() : at]


def _loaded(text: str) -> Any:
    """The data; comments around it, line ends within strings and commas too many are forgiven."""
    bare = _WRAPPER.sub("", _WRAPPER.sub("", text))
    for attempt in (bare, _COMMA.sub(r"\1", bare)):
        try:
            return json.loads(attempt, strict=False, parse_int=str, parse_float=str)
        except (ValueError, RecursionError):
            continue
    return None


def _type(data: dict[str, Any]) -> str:
    name = data.get("@type")
    if isinstance(name, list):
        name = next((word for word in name if isinstance(word, str)), "")
    return name if isinstance(name, str) else ""


def _pairs(data: dict[str, Any]) -> Pairs:
    """Depth first, in the order of the page; values of a list have the same path."""
    pairs: Pairs = []
    stack: list[tuple[str, Any, int]] = [("", data, 0)]
    while stack and len(pairs) < MOST_PAIRS:
        path, value, depth = stack.pop()
        if isinstance(value, dict) and depth < DEEPEST:
            inner = [
                (_joined(path, key), inner_value, depth + 1)
                for key, inner_value in value.items()
                if not key.startswith("@")
            ]
            inner += [(path, value["@value"], depth + 1)] if "@value" in value and path else []
            stack += inner[::-1][-MOST_PAIRS:]
        elif isinstance(value, list) and depth < DEEPEST:
            stack += [(path, inner_value, depth + 1) for inner_value in value[:MOST_PAIRS]][::-1]
        elif isinstance(value, str | bool) and path:
            pairs.append((path, value if isinstance(value, str) else str(value).lower()))
    return pairs


def _joined(path: str, key: str) -> str:
    return f"{path}.{key[:100]}" if path else key[:100]
