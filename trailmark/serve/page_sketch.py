"""A page as a small drawing of its structure: a bar for each run of text, thick for headings, a box for each picture.

It shows at a glance what kind of page a group holds. Only numbers and colours of ours stand in it, nothing that the page says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

WIDTH, HEIGHT = 120, 150
MOST_ELEMENTS = 4000
HEADINGS = {"h1": 7, "h2": 6, "h3": 5, "h4": 5}
PICTURES = frozenset(("img", "svg", "picture", "video", "canvas"))
UNSEEN = frozenset(("script", "style", "head", "title", "noscript", "template", "meta", "link"))
INDENTED = frozenset(("li", "dd", "td", "blockquote"))
LETTER = 0.7
"""Width of a letter."""
INK, LINK, HEAD, PICTURE = "#8d979d", "#4d8fb8", "#3d474d", "#c9d6cf"


class Bar(NamedTuple):
    """A rectangle of the drawing."""

    x: float
    y: float
    width: float
    height: float
    colour: str


def page_sketch(root: Any) -> str:
    """The root of a page -> its drawing, as SVG; an empty sheet where there is no page."""
    bars = "".join(
        f'<rect x="{bar.x:.0f}" y="{bar.y:.0f}" width="{bar.width:.0f}" height="{bar.height:.0f}" rx="1" fill="{bar.colour}"/>'
        for bar in (_bars(root) if root is not None else ())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{bars}</svg>'
    )


def _bars(root: Any) -> Iterator[Bar]:
    y = 6.0
    for number, element in enumerate(root.iter("*")):
        if y > HEIGHT - 8 or number > MOST_ELEMENTS:
            return
        if element.tag in UNSEEN or not isinstance(element.tag, str):
            continue
        bar = _bar(element, y)
        if bar is not None:
            yield bar
            y += bar.height + 3


def _bar(element: Any, y: float) -> Bar | None:
    left = 12.0 if element.tag in INDENTED else 6.0
    if element.tag in PICTURES:
        return Bar(left, y, 36, 14, PICTURE)
    letters = len(" ".join((element.text or "").split()))
    if not letters:
        return None
    width = min(max(letters * LETTER, 4), WIDTH - left - 6)
    colour = HEAD if element.tag in HEADINGS else LINK if element.tag == "a" else INK
    return Bar(left, y, width, HEADINGS.get(element.tag, 3), colour)
