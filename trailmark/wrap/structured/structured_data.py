"""What a page says of itself for machines: JSON-LD, microdata, RDFa Lite and `meta` elements, as flat items.

An item has a type and properties; a property within a nested item has a dotted path (`offers.price`). Nothing here trusts
the page: size, depth and number are bounded, and what can't be read is passed over. Departures from the specifications:
contexts, identifiers that tie items together and `itemref` are not followed; a type is the last part of its address.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from lxml import etree

from trailmark.wrap.structured.structured_data_json import DEEPEST, embedded_json, json_items

MOST_ITEMS = 200
MOST_PROPERTIES = 2_000
"""Of one page."""
LONGEST = 2_000
"""Characters of one value."""

_LINKS = {"a": "href", "area": "href", "link": "href", "img": "src", "audio": "src", "video": "src", "iframe": "src"}
_LINKS |= {"embed": "src", "source": "src", "object": "data", "data": "value", "meter": "value", "time": "datetime"}


@dataclass(frozen=True, slots=True)
class Property:
    """One value at a path, and the element that says so."""

    path: str
    value: str
    element: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class StructuredItem:
    """Something that the page describes."""

    syntax: str
    """json-ld, microdata, rdfa, meta or json."""
    type: str
    """`Product`; of JSON in a script its name (`__NEXT_DATA__`, `window.page`); an empty string where none is said."""
    properties: tuple[Property, ...]

    def values(self, path: str) -> list[Property]:
        return [item for item in self.properties if item.path == path]


def structured_items(root: Any) -> tuple[StructuredItem, ...]:
    """All items of a page: JSON-LD first, microdata and RDFa in document order, what `meta` elements say, what its scripts begin with."""
    if root is None:
        return ()
    items = [*_json_ld(root), *_scoped(root, "microdata"), *_scoped(root, "rdfa"), *_meta(root), *_embedded(root)]
    chosen, left = [], MOST_PROPERTIES
    for item in items[:MOST_ITEMS]:
        properties = item.properties[:left]
        left -= len(properties)
        if properties:
            chosen.append(StructuredItem(item.syntax, item.type, properties))
    return tuple(chosen)


def plain_value(text: str) -> str:
    """Blanks squeezed, entities read: so values are compared."""
    return " ".join(html.unescape(text[:LONGEST]).split())


def plain_type(name: str) -> str:
    """`https://schema.org/Product` and `schema:Product` are `Product`."""
    first = name.split()[0] if name.split() else ""
    return first.rstrip("/#").replace("#", "/").rpartition("/")[2].rpartition(":")[2][:100]


def _json_ld(root: Any) -> Iterator[StructuredItem]:
    for script in root.iter("script"):
        if "ld+json" in (script.get("type") or "").lower() and script.text:
            for type_name, pairs in json_items(script.text):
                properties = tuple(
                    Property(path, value, script) for path, text in pairs if (value := plain_value(text))
                )
                yield StructuredItem("json-ld", plain_type(type_name), properties)


def _embedded(root: Any) -> Iterator[StructuredItem]:
    """JSON that a page carries for its own scripts: a script of that type, or what one assigns to a name."""
    for script in root.iter("script"):
        kind = (script.get("type") or "").lower()
        if script.text and "ld+json" not in kind:
            for name, text in embedded_json(script.text, kind, script.get("id") or ""):
                for _, pairs in islice(json_items(text), 1):
                    made = (Property(path, value, script) for path, said in pairs if (value := plain_value(said)))
                    yield StructuredItem("json", name, tuple(made))


# --- microdata and RDFa ------------------------------------------------------------------------------------------

_WORDS = {"microdata": ("itemscope", "itemtype", "itemprop"), "rdfa": ("typeof", "typeof", "property")}
_HAVING = {syntax: etree.XPath(f"descendant-or-self::*[@{words[2]}]") for syntax, words in _WORDS.items()}


_Chain = tuple[Any, tuple[str, ...]]


def _scoped(root: Any, syntax: str) -> Iterator[StructuredItem]:
    """Items by the outermost element that opens them."""
    scope, type_word, property_word = _WORDS[syntax]
    items: dict[Any, list[Property]] = {}
    chains: dict[Any, _Chain | None] = {}
    for element in _HAVING[syntax](root):
        chain = _chain(element.getparent(), scope, property_word, chains)
        if chain is None or len(items.setdefault(chain[0], [])) >= MOST_PROPERTIES or element.get(scope) is not None:
            continue
        value = plain_value(_value(element))
        names = element.get(property_word).split()[:3]
        items[chain[0]] += [Property(".".join((*chain[1], _word(name))), value, element) for name in names if value]
        if len(items) > MOST_ITEMS:
            break
    for opener, properties in items.items():
        yield StructuredItem(syntax, plain_type(opener.get(type_word) or ""), tuple(properties))


def _chain(element: Any, scope: str, property_word: str, known: dict[Any, _Chain | None]) -> _Chain | None:
    """The outermost item that a property of this element is of, and the properties of the items between; None where there is
    none, or too many.

    `known` keeps what is found for each element on the way up, so that no way is gone twice.
    """
    waiting = []
    while element is not None and element not in known:
        waiting.append(element)
        element = element.getparent()
    chain = known[element] if element is not None else None
    for each in reversed(waiting):
        chain = known[each] = _inner_chain(each, chain, scope, property_word)
    return chain if chain is None or len(chain[1]) < DEEPEST else None


def _inner_chain(element: Any, outer: _Chain | None, scope: str, property_word: str) -> _Chain | None:
    """What holds inside an element, where `outer` holds around it."""
    if element.get(scope) is None:
        return outer
    property_names = element.get(property_word)
    if property_names is None or outer is None:
        return element, (() if property_names is None else (_first_word(property_names),))
    top, names = outer
    return top, (*names, _first_word(property_names))[:DEEPEST]


def _first_word(words: str) -> str:
    return _word(words.split(maxsplit=1)[0]) if words.split(maxsplit=1) else ""


def _word(name: str) -> str:
    """`schema:price` and its whole address are `price`."""
    return plain_type(name) or name[:100]


def _value(element: Any) -> str:
    """As HTML's microdata reads it: an attribute where the element has one for that, else its text."""
    if element.get("content") is not None:
        return str(element.get("content"))
    linked = element.get(_LINKS[element.tag]) if element.tag in _LINKS else None
    return str(linked) if linked is not None else _start_of_text(element)


def _start_of_text(element: Any) -> str:
    """As much as a value may have: elements that hold each other would be read again and again."""
    parts, left = [], 4 * LONGEST
    for text in element.itertext():
        parts.append(text[:left])
        left -= len(parts[-1])
        if left <= 0:
            break
    return "".join(parts)


def _meta(root: Any) -> Iterator[StructuredItem]:
    """One item of all `meta` elements: `og:title`, `citation_author`."""
    properties = []
    for element in root.iter("meta"):
        name = (element.get("property") or element.get("name") or "").strip().lower()
        value = plain_value(element.get("content") or "")
        if name and value and element.get("itemprop") is None:
            properties.append(Property(name[:100], value, element))
    yield StructuredItem("meta", "", tuple(properties))
