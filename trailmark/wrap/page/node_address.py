"""Where a node stands, as an XPath that selects it and nothing else on its page: `/html[1]/body[1]/p[2]/text()[1]`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from trailmark.wrap.page.sibling_order import Numbers, sums_before

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
"""Tags that XPath can name; pages have others too (`o:p`, `a"b`)."""


def element_address(element: Any) -> str:
    """The way down from the root, each step with its number among siblings of its tag."""
    steps = []
    while element is not None:
        steps.append(_step(element))
        element = element.getparent()
    return "/" + "/".join(reversed(steps))


def _step(element: Any) -> str:
    tag = element.tag
    if not isinstance(tag, str) or not _PLAIN.fullmatch(tag):
        return f"*[{1 + sum(isinstance(sibling.tag, str) for sibling in element.itersiblings(preceding=True))}]"
    return f"{tag}[{1 + sum(1 for _ in element.itersiblings(tag, preceding=True))}]"


def attribute_address(element: Any, name: str) -> str:
    return f"{element_address(element)}/@{name}"


class Addresses:
    """The addresses of many nodes of a page, for which siblings are counted once, all at a time, and not for each node again."""

    def __init__(self, elements: Sequence[Any], tags: Sequence[str], parents: Numbers, index: Numbers) -> None:
        """Elements in document order, their tags (empty for comments), and for each the place of its parent and its number among siblings of its tag.

        The parent of the first is none of them.
        """
        self._elements, self._tags, self._parents, self._index = elements, tags, parents, index
        self._texts_of: dict[int, dict[Any, int]] = {}

    def element(self, number: int) -> str:
        steps = []
        while number > 0:
            steps.append(self._step(number))
            number = int(self._parents[number])
        return "/".join([element_address(self._elements[0]), *reversed(steps)])

    def _step(self, number: int) -> str:
        tag = self._tags[number]
        return f"{tag}[{self._index[number]}]" if _PLAIN.fullmatch(tag) else f"*[{1 + self._elements_before[number]}]"

    def text(self, owner: int, behind: int) -> str:
        """The text that opens the element `owner`, or, where it is not -1, the one that follows its child `behind`."""
        number = 1 if behind < 0 else 1 + self._texts_before(owner, behind)
        return f"{self.element(owner)}/text()[{number}]"

    def attribute(self, number: int, name: str) -> str:
        return f"{self.element(number)}/@{name}"

    @cached_property
    def _elements_before(self) -> Numbers:
        """Siblings before each that are elements, whatever their tag."""
        return sums_before(self._parents, np.array([bool(tag) for tag in self._tags], dtype=np.int64))

    def _texts_before(self, owner: int, behind: int) -> int:
        """Texts of an element that stand before the one behind its child; all its children are counted when one is first asked for."""
        if owner not in self._texts_of:
            element, before = self._elements[owner], {}
            count = int(bool(element.text))
            for child in element.iterchildren():
                before[child] = count
                count += bool(child.tail)
            self._texts_of[owner] = before
        return self._texts_of[owner][self._elements[behind]]
