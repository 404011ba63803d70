"""Where a node stands, as an XPath that selects it and nothing else on its page: `/html[1]/body[1]/p[2]/text()[1]`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

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
    """The addresses of many nodes of a page, for which siblings are counted once and not for each node again."""

    def __init__(self, elements: Sequence[Any], parents: Sequence[int]) -> None:
        """Elements in document order, and the place of each one's parent among them; that of the first is none of them."""
        self._elements, self._parents = elements, parents
        self._steps: list[str] = []
        self._texts_before: list[int] = []
        """Texts of the parent that stand before the one behind the element."""
        self._count_siblings()

    def _count_siblings(self) -> None:
        named: Counter[tuple[int, str]] = Counter()
        every: Counter[int] = Counter()
        texts = {number: 1 for number, element in enumerate(self._elements) if element.text}
        for element, parent in zip(self._elements, self._parents, strict=True):
            tag = element.tag
            plain = isinstance(tag, str) and _PLAIN.fullmatch(tag)
            self._steps.append(f"{tag}[{1 + named[parent, tag]}]" if plain else f"*[{1 + every[parent]}]")
            if isinstance(tag, str):
                every[parent] += 1
                named[parent, tag] += 1
            self._texts_before.append(texts.get(parent, 0))
            if element.tail:
                texts[parent] = texts.get(parent, 0) + 1

    def element(self, number: int) -> str:
        steps = []
        while number > 0:
            steps.append(self._steps[number])
            number = self._parents[number]
        return "/".join([element_address(self._elements[0]), *reversed(steps)])

    def text(self, owner: int, behind: int) -> str:
        """The text that opens the element `owner`, or, where it is not -1, the one that follows its child `behind`."""
        number = 1 if behind < 0 else 1 + self._texts_before[behind]
        return f"{self.element(owner)}/text()[{number}]"

    def attribute(self, number: int, name: str) -> str:
        return f"{self.element(number)}/@{name}"
