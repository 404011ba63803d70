"""Where a value stands on pages of one template when it is no longer a text of its own.

`FilterUtils` may have become `FilterUtils (Shop 2.1)` in the title. As a whole text it may still stand here and there, so that a
learner that looks for whole texts first is led astray. Here texts that hold the value as whole words are put together by the
tags above them, and a place that nearly all pages have is worth a try.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from trailmark.wrap.page.node_table import NodeTable

EVERYWHERE = 0.9
"""Share of the pages that must have the place."""
MOST_PLACES = 3
_MOST_ROWS = 40
_NUMBERS = re.compile(r"\[\d+\]")


def places_of_value(table: NodeTable, value: str) -> dict[str, str]:
    """Tags above -> XPath, for the first text under those tags that holds the value as whole words."""
    if not value:
        return {}
    words = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
    rows = [row for row, text in enumerate(table.texts) if value in text and words.search(text)][:_MOST_ROWS]
    places: dict[str, str] = {}
    for row in rows:
        xpath = table.xpath(row)
        places.setdefault(_NUMBERS.sub("", xpath), xpath)
    return places


def common_places(pages: Sequence[tuple[NodeTable, str]]) -> list[Mapping[int, str]]:
    """Places that nearly all pages have, the most frequent first: for each, page number -> XPath."""
    places = [places_of_value(table, value) for table, value in pages]
    counts = Counter(tags for place in places for tags in place)
    common = [tags for tags, count in counts.items() if count >= EVERYWHERE * len(pages)]
    common.sort(key=lambda tags: (-counts[tags], len(tags), tags))
    return [
        {number: page_places[tags] for number, page_places in enumerate(places) if tags in page_places}
        for tags in common[:MOST_PLACES]
    ]
