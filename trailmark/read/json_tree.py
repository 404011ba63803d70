"""JSON as a tree of elements, so that what is learnt on pages is learnt on answers of programs too.

`{"offers": [{"price": 5}]}` is `<json><offers type="array"><item><price type="number">5</price></item></offers></json>`: one element a member
and one an item of an array, which is called `item`. A key that can't be a tag, or would mean something in HTML, is the class of an element
`key`. So each element stands for one JSON path and the other way round (`json_path`). Numbers are kept as they are written.
Of a key that comes twice the last counts, as everywhere. What nests too deep or is too much is cut.

An exported program carries this module with it: it imports nothing of ours.
"""

from __future__ import annotations

import json
import re
from typing import Any

from lxml import etree

DEEPEST_JSON = 60
MOST_JSON = 60_000
"""Elements."""
_TAG = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,99}")
_HTML_TAGS = frozenset(
    ("script", "style", "template", "br", "hr", "dt", "dd", "key", "h1", "h2", "h3", "h4", "h5", "h6")
)
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CUT = "JSON that nests too deep, or is too long, was cut"
_GUARD = re.compile(r"\s*(?:\)\]\}',?|while\(1\);|for\(;;\);)")
"""What some answers begin with, so that no script can read them."""


class _Number(str):
    """A number as it is written: it may be longer than any that can be reckoned with."""


def json_tree(text: str, cuts: list[str]) -> Any:
    """The text of an answer -> the root of its tree; None where it is no JSON. What was cut is added to `cuts`.

    Several values one after the other, as in JSON Lines, are an array.
    """
    try:
        value = _loaded(text)
    except ValueError:
        return None
    except RecursionError:  # hundreds of levels: nothing that a person would mark
        cuts.append(_CUT)
        value = None
    root = etree.Element("json")
    waiting, left = [(root, value, 0)], MOST_JSON
    while waiting:
        element, inner, depth = waiting.pop()
        if not isinstance(inner, dict | list):
            _write(element, inner)
            continue
        if isinstance(inner, list):
            element.set("type", "array")
        members = list(inner.items()) if isinstance(inner, dict) else [("", each) for each in inner]
        most = left if depth < DEEPEST_JSON else 0
        if len(members) > most and _CUT not in cuts:
            cuts.append(_CUT)
        members = members[:most]
        left -= len(members)
        made = [(_child(element, key, isinstance(inner, list)), each, depth + 1) for key, each in members]
        waiting += made[::-1]
    return root


def _loaded(text: str) -> Any:
    decoder = json.JSONDecoder(strict=False, parse_int=_Number, parse_float=_Number, parse_constant=_Number)
    guard = _GUARD.match(text)
    at, values = guard.end() if guard else 0, []
    text = text.removeprefix("\ufeff")
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        value, at = decoder.raw_decode(text, at)
        values.append(value)
    if not values:
        raise ValueError("nothing")
    return values[0] if len(values) == 1 else values


def _child(parent: Any, key: str, is_item: bool) -> Any:
    if is_item:
        return etree.SubElement(parent, "item")
    if is_tag(key):
        return etree.SubElement(parent, key)
    return etree.SubElement(parent, "key", {"class": _sayable(key)})


def is_tag(key: str) -> bool:
    """Whether a key is called as its element is."""
    return _TAG.fullmatch(key) is not None and key.lower() not in _HTML_TAGS


def _write(element: Any, value: Any) -> None:
    if value is None or isinstance(value, bool):
        element.set("type", "null" if value is None else "boolean")
        element.text = "" if value is None else str(value).lower()
        return
    if isinstance(value, _Number):
        element.set("type", "number")
    element.text = _sayable(value)


def _sayable(text: str) -> str:
    """With a replacement for what XML can't hold: control characters, halves of pairs."""
    return _NO_XML.sub("\ufffd", text)
