"""An item -> its type by keywords alone: the rules of Intinno (section 3.1.2), for want of anything learnt and to measure it against.

Case 1 takes the heading above, case 2 the words of the link; here the words of the link come first, since a solution stands under "Homework".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trailmark.course.page_item import PageItem
from trailmark.course.type_word import first_kind
from trailmark.datatypes import OTHER


def by_anchor(item: PageItem) -> str:
    """What the words of the link name."""
    return first_kind(item.text) or OTHER


def by_heading(item: PageItem) -> str:
    """What the head of the item's column names, else the nearest heading."""
    return _headed(item) or OTHER


def by_anchor_else_heading(item: PageItem) -> str:
    """What the words of the link name, else what its heading does."""
    return first_kind(item.text) or _headed(item) or OTHER


def _headed(item: PageItem) -> str | None:
    return (first_kind(item.column) if item.column else None) or (
        first_kind(item.headings[0]) if item.headings else None
    )


RULES: Mapping[str, Callable[[PageItem], str]] = {
    "anchor": by_anchor,
    "heading": by_heading,
    "anchor-else-heading": by_anchor_else_heading,
}
"""Rule by its name."""
