"""Where a node stands, as an XPath that selects it and nothing else on its page: `/html[1]/body[1]/p[2]/text()[1]`."""

from __future__ import annotations

import re
from itertools import takewhile
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
        return f"*[{1 + sum(isinstance(each.tag, str) for each in element.itersiblings(preceding=True))}]"
    return f"{tag}[{1 + sum(1 for _ in element.itersiblings(tag, preceding=True))}]"


def text_address(owner: Any, behind: Any | None) -> str:
    """The text that opens `owner`, or the one that follows its child `behind`."""
    number = 1
    if behind is not None:
        before = takewhile(lambda child: child is not behind, owner)
        number += bool(owner.text) + sum(bool(child.tail) for child in before)
    return f"{element_address(owner)}/text()[{number}]"


def attribute_address(element: Any, name: str) -> str:
    return f"{element_address(element)}/@{name}"
