"""One pass over a page's tree -> a table of its texts, in which rules are learnt and applied.

A row is a text node that is not blank. What can be said of a row is in `node_columns`: features are triples (type, level,
value) as in Vertex (section III-C). Columns are made when they are first asked for: learning asks for all of them,
extraction only for those that its rules name. Tables of attributes and of whole elements are in `node_layer`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, repeat
from operator import attrgetter
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from trailmark.wrap.page.inner_text import inner_text
from trailmark.wrap.page.node_address import Addresses
from trailmark.wrap.page.sibling_order import numbers_among
from trailmark.wrap.page.value_code import value_code

Numbers = NDArray[np.int64]

MOST_ELEMENTS = 60_000
"""What stands behind them is not seen: no page that a person made is longer."""
LONGEST = 200
"""Characters of a neighbouring text that count; a longer one is never a label."""
TEXT, ELEMENT = "text", "element"
ATTRIBUTES = ("content", "href", "src", "alt", "title", "datetime", "value")
"""Attributes that may hold a value."""

_NO_TEXT = frozenset(("script", "style", ""))  # comments have an empty tag here


class NodeTable:
    """The texts of one page in document order, their blanks squeezed, and the elements that hold them.

    Arrays over elements have one entry more than there are elements: the last stands for no element.
    """

    def __init__(self, root: etree._Element | None, *, most: int = MOST_ELEMENTS) -> None:
        self.layer = TEXT
        self.elements: list[Any] = [] if root is None else list(islice(root.iter(), most))
        self.tags = [tag if isinstance(tag := element.tag, str) else "" for element in self.elements]
        none = len(self.elements)
        self._position = dict(zip(self.elements, range(none), strict=True))
        parents = list(map(self._position.get, map(etree._Element.getparent, self.elements), repeat(none)))
        self.parent: Numbers = np.array([*parents, none], dtype=np.int64)
        self._kept: dict[Any, Any] = {}
        self.shared: dict[Any, Any] = {}
        """What was made of the page's elements, for all layers."""
        self.ends: Numbers = _ends(parents)
        """For each element the number of the first one in document order that is not within it."""
        self._note_texts(self.ends)

    def _note_texts(self, ends: Numbers) -> None:
        """Texts in document order: what an element opens with and, after all within it, what follows it.

        Each gets a number by which it is sorted. Before the text that opens element n come those behind elements that end
        there, the innermost first.
        """
        none = len(self.elements)
        places = np.arange(none) * 2 * none + none
        behind_places = ends * 2 * none + none - np.arange(none) - 1
        mute = [tag in _NO_TEXT for tag in self.tags] + [True]
        parents = self.parent.tolist()
        inside = [text if text and not text.isspace() else "" for text in map(attrgetter("text"), self.elements)]
        behind = [text if text and not text.isspace() else "" for text in map(attrgetter("tail"), self.elements)]
        opening = [number for number, text in enumerate(inside) if text and not mute[number]]
        closing = [number for number, text in enumerate(behind) if text and not mute[parents[number]]]
        openers, closed = np.array(opening, dtype=np.int64), np.array(closing, dtype=np.int64)
        keys = np.concatenate([places[openers], behind_places[closed]])
        order = np.argsort(keys)
        keys = keys[order]
        texts = [inside[number] for number in opening] + [behind[number] for number in closing]
        self.page_texts = [" ".join(texts[at].split()) for at in order.tolist()]
        self.texts: list[str] = self.page_texts
        self.owner: Numbers = np.concatenate([openers, self.parent[closed]])[order]
        self.behind: Numbers = np.concatenate([np.full(len(openers), -1), closed])[order]
        """The element that the text follows; -1 where it opens its owner."""
        self.first_text: Numbers = np.append(np.searchsorted(keys, places), 0)
        self.end_text: Numbers = np.append(np.searchsorted(keys, behind_places), 0)
        """Rows of the first text within each element, and of the first behind it."""

    def __len__(self) -> int:
        return len(self.texts)

    def kept(self, key: Any, make: Callable[..., Any], *arguments: Any) -> Any:
        """What was made for the key, made at the first call."""
        made = self._kept.get(key)
        if made is None:
            made = self._kept[key] = make(*arguments)
        return made

    def ancestor(self, level: int) -> Numbers:
        """The element of each row, `level` steps up."""
        if level == 0:
            return self.owner
        elements: Numbers = self.kept(("ancestor", level), self._above, level)
        return elements

    def _above(self, level: int) -> Numbers:
        elements: Numbers = self.parent[self.ancestor(level - 1)]
        return elements

    def number_of(self, element: Any) -> int | None:
        """The place of an element in `elements`."""
        return self._position.get(element)

    @property
    def tag_codes(self) -> Numbers:
        """One for each element's tag; 0 for comments and for none."""
        if "tag" not in self.shared:
            self.shared["tag"] = np.fromiter(map(value_code, [*self.tags, ""]), np.int64, len(self.tags) + 1)
        codes: Numbers = self.shared["tag"]
        return codes

    @property
    def numbers(self) -> Numbers:
        """Of each element among siblings of its tag: 1 for the first, as XPath counts; 0 for none."""
        if "numbers" not in self.shared:
            self.shared["numbers"] = numbers_among(self.parent, self.tag_codes)
            self.shared["numbers"][-1] = 0
        numbers: Numbers = self.shared["numbers"]
        return numbers

    def xpath(self, node: int) -> str:
        """The XPath that selects the node on this page, and nothing else.

        Nodes are the page's texts, then its elements, then its elements once more for each of `ATTRIBUTES`.
        """
        if node < len(self.page_texts):
            return self._addresses.text(int(self.owner[node]), int(self.behind[node]))
        layer, number = divmod(node - len(self.page_texts), len(self.elements))
        if layer == 0:
            return self._addresses.element(number)
        return self._addresses.attribute(number, ATTRIBUTES[layer - 1])

    @property
    def _addresses(self) -> Addresses:
        if "addresses" not in self.shared:
            self.shared["addresses"] = Addresses(self.elements, self.tags, self.parent[:-1], self.numbers)
        addresses: Addresses = self.shared["addresses"]
        return addresses

    def text(self, node: int) -> str:
        """What stands at a node, its blanks squeezed."""
        if node < len(self.page_texts):
            return self.page_texts[node]
        layer, number = divmod(node - len(self.page_texts), len(self.elements))
        element = self.elements[number]
        return " ".join((element.get(ATTRIBUTES[layer - 1]) or "").split()) if layer else inner_text(element)

    def forget_rows(self) -> None:
        """Columns of rows are made anew; those of elements stay."""
        self._kept = {}

    def label(self, row: int) -> str:
        """A text as a label: an empty string where there is none, or where it is too long to be one."""
        text = self.page_texts[row] if 0 <= row < len(self.page_texts) else ""
        return text if len(text) <= LONGEST else ""


def _ends(parents: list[int]) -> Numbers:
    """For each element the number of the first one in document order that is not within it."""
    ends = list(range(1, len(parents) + 2))
    for number in range(len(parents) - 1, 0, -1):
        parent = parents[number]
        if ends[parent] < ends[number]:
            ends[parent] = ends[number]
    return np.array(ends[:-1], dtype=np.int64)
