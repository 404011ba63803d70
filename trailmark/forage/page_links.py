"""The links of a page as they enter the frontier: each URL once, with the best of its scores on the page."""

from __future__ import annotations

import math

import numpy as np

from trailmark.datatypes import Page
from trailmark.forage.queued_link import QueuedLink
from trailmark.forage.url_shape import link_key, numbered_shape
from trailmark.strategy import Floats

LONGEST_TAG_PATH = 256
"""Letters of the path from the root to a link that are kept with it: its last tags are what is looked at."""


def links_to_push(page: Page, scores: Floats, memories: Floats | None, via: QueuedLink, *, n: int) -> list[QueuedLink]:
    """Links in document order. A URL that stands on the page several times is one path, not several: eq. 7 is not summed."""
    if len(scores) != len(page.links):
        raise ValueError(f"{len(page.links)} links have {len(scores)} scores")
    rows = None if memories is None else np.ascontiguousarray(memories, dtype=np.float64)
    values = np.asarray(scores, dtype=np.float64).tolist()
    best: dict[str, int] = {}
    for place, link in enumerate(page.links):
        before = best.get(link.url)
        if before is None or _above(values[place], values[before]):
            best[link.url] = place
    shape = numbered_shape(page.url)
    return [_queued(page, place, values[place], rows, via, shape, n) for place in best.values()]


def _queued(
    page: Page, place: int, score: float, rows: Floats | None, via: QueuedLink, shape: str, n: int
) -> QueuedLink:
    link = page.links[place]
    score = score if math.isfinite(score) else 0.0
    same = shape and numbered_shape(link.url) == shape
    return QueuedLink(
        key=link_key(link.url),
        site=via.site,
        url=link.url,
        depth=via.depth + 1,
        order=0,
        parent_n=n,
        parent=page.url,
        block=link.block,
        tag_path=link.tag_path[-LONGEST_TAG_PATH:],
        chain=via.chain + 1 if same else 0,
        base=score,
        best=score,
        score=score,
        memory=None if rows is None else rows[place].tobytes(),
    )


def _above(score: float, other: float) -> bool:
    return score > other or math.isnan(other)
