"""A click on a page -> the value that was meant, and the XPath of the node that holds it.

What was clicked comes as the number of an element in document order and the text that was clicked or selected. Browsers join texts that comments
or left-out elements part in the tree, so the text is looked for, not counted.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

LONGEST = 2_000


def picked_value(root: Any, number: int, text: str) -> tuple[str, str] | None:
    """(value, XPath); None where the page has no such element or the element no such text."""
    element = element_at(root, number)
    wanted = _squeezed(text)[:LONGEST]
    if element is None:
        return None
    path = element.getroottree().getpath(element)
    if not wanted:
        return _attribute(element, path)
    texts = element.xpath("text()")
    for holds in (lambda each: each == wanted, lambda each: wanted in each):
        for place, each in enumerate(texts, 1):
            if holds(_squeezed(str(each))):
                return wanted, f"{path}/text()[{place}]"
    whole = _squeezed("".join(element.itertext()))
    return (wanted, path) if wanted in whole else None


def holds_text(root: Any, text: str) -> bool:
    """Whether a page says it somewhere, in one text or across several."""
    texts, wanted = list(map(str, root.itertext())), _squeezed(text)
    return any(wanted in _squeezed(joint.join(texts)) for joint in ("", " "))


def element_at(root: Any, number: int) -> Any:
    """The element with that number in document order, or None."""
    return next(islice(root.iter("*"), number, number + 1), None) if number >= 0 else None


def element_number(root: Any, xpath: str) -> int | None:
    """The number of the element that an XPath selects, or that holds the text or attribute it selects."""
    from lxml import etree

    try:
        nodes = root.xpath(xpath)
    except (etree.XPathError, ValueError):  # a control character is no XPath error
        return None
    if not isinstance(nodes, list) or not nodes:
        return None
    node = nodes[0] if isinstance(nodes[0], etree._Element) else nodes[0].getparent()
    # The text after an element belongs to the element around both.
    if not isinstance(nodes[0], etree._Element) and getattr(nodes[0], "is_tail", False):
        node = node.getparent()
    return next((number for number, element in enumerate(root.iter("*")) if element is node), None)


def _attribute(element: Any, path: str) -> tuple[str, str] | None:
    """A picture has no text; what is meant is where it is, or what it is called."""
    for name in ("src", "alt"):
        if value := _squeezed(element.get(name) or ""):
            return value, f"{path}/@{name}"
    return None


def _squeezed(text: str) -> str:
    return " ".join(text.split())
