"""A link that waits: what its URL looks like, how it is made of a page's links, and the role of the place where it waits when memory is short."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

from trailmark.datatypes import Page
from trailmark.strategy import Floats, FollowedLink
from trailmark.url_key import link_key

Row = tuple[Any, ...]
"""A queued link as plain values, in the order of its fields from `key` to `memory`.

A spill need not keep the parent's URL with every link: it knows the fetch by its number."""

Rank = tuple[float, int]
"""(-score, order): the smaller, the sooner."""

SweepPoint = tuple[int, int]
"""(number of the fetch a link was found on, key): where a pass over links at rest has come to."""

SWEEP_START: SweepPoint = (2**62, 0)
"""Before all links."""

_NUMBER = re.compile(r"\d+")
_VALUE = re.compile(r"=[^&;]*")
_ENDING = re.compile(r"(?i)\.[a-z0-9]{1,5}$")

PLACE_TAGS = 4
"""Tags above a link that tell its place on a page."""
LONGEST_TAG_PATH = 256
"""Letters of the path from the root to a link that are kept with it: its last tags are what is looked at."""


@dataclass(slots=True, eq=False)
class QueuedLink:
    """A link that was found and is still to be fetched, with the best of the paths that led to it."""

    key: int
    """Of its URL, the same for all spellings of one page (see `url_key.link_key`)."""
    site: int
    url: str
    depth: int
    order: int
    """When it was first found; equals are served in this order."""
    parent_n: int
    """Number of the fetch whose page it stands on; 0 for a seed."""
    parent: str
    """URL of that page."""
    block: int
    """Number of the repeated block on that page; -1 where it stands alone."""
    tag_path: str
    chain: int
    """How many links of the same numbered shape led to it in a row."""
    base: float
    """Eq. 7, summed over the paths that led to it."""
    best: float
    """Score of the best single path; parent, depth and memory are those of that path."""
    score: float
    """What it is ordered by: `base`, or what a strategy that learns on the way makes of it."""
    memory: bytes | None = None
    waiting: bool = True
    """False once it was taken, or moved out of memory; what the heap still holds of it is then void."""

    @property
    def pattern(self) -> str:
        """The shape of its URL."""
        return url_pattern(self.url)

    @property
    def rank(self) -> Rank:
        return (-self.score, self.order)

    def row(self) -> Row:
        return (
            self.key, self.site, self.url, self.depth, self.order, self.parent_n, self.parent, self.block, self.tag_path,
            self.chain, self.base, self.best, self.score, self.memory,
        )  # fmt: skip

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(*row)

    @property
    def family(self) -> str:
        """The page it stands on and its place there: the repeated block, or the last tags above it; empty for a root."""
        if not self.parent:
            return ""
        return f"{self.parent} {self.block if self.block >= 0 else '/'.join(self.tag_path.split('/')[-PLACE_TAGS:])}"

    def followed(self, site: str) -> FollowedLink:
        """What a strategy sees of it once it led to a page; `site` is the root of its site."""
        memory = None if self.memory is None else np.frombuffer(self.memory)
        return FollowedLink(site, self.url, self.key, self.depth, memory)

    def add_path(self, other: QueuedLink) -> None:
        """The same link found again: scores are summed, the better path is remembered (PathLearner, after eq. 7)."""
        self.base += other.base
        if other.best > self.best:
            self.best, self.memory, self.depth = other.best, other.memory, other.depth
            self.parent_n, self.parent, self.chain = other.parent_n, other.parent, other.chain
            self.block, self.tag_path = other.block, other.tag_path

    def __lt__(self, other: QueuedLink) -> bool:
        """Equal ranks are copies of one link: their order does not matter."""
        return False


def links_to_push(page: Page, scores: Floats, memories: Floats | None, via: QueuedLink, *, n: int) -> list[QueuedLink]:
    """A page with the scores of its links -> links as they enter the frontier, each URL once, in document order.

    A URL that stands on the page several times is one path, not several: the best of its scores counts, eq. 7 is not summed.
    """
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


def url_pattern(url: str) -> str:
    """The shape of a URL: folders as they are but for their numbers, the last name starred, values of the query too."""
    host, slash, rest = url.partition("://")[2].partition("/")
    path, _, query = rest.partition("?")
    if query:
        return f"{host}/{_NUMBER.sub('#', path)}?{_VALUE.sub('=*', query)}"
    folder, _, name = path.rstrip("/").rpartition("/")
    if not name:
        return f"{host}{slash}"
    ending = _ENDING.search(name)
    mark = "~" if name.startswith("~") else ""
    above = f"{_NUMBER.sub('#', folder)}/" if folder else ""
    return f"{host}/{above}{mark}*{ending.group() if ending else ''}{'/' if path.endswith('/') else ''}"


def numbered_shape(url: str) -> str:
    """The URL with all its numbers taken as one; empty where it has none: then it can't be counted up without end."""
    place = url.partition("://")[2]
    host, _, path = place.partition("/")
    shape, count = _NUMBER.subn("#", path)
    return f"{host}/{shape}" if count else ""


class Spill(Protocol):
    """Where links rest outside memory. What was put is found again; `commit` is called by whoever owns it."""

    def find(self, keys: Sequence[int]) -> tuple[list[Row], list[int]]:
        """Of these keys, the links that rest here (they are handed over: from now on they are in memory), and those done."""
        ...

    def best(self, site: int, count: int) -> list[Row]:
        """The links of a site that rest here, best first; they are handed over."""
        ...

    def put(self, rows: Iterable[Row], *, resting: bool) -> None:
        """Keep links: at rest here, or as a copy of what is in memory."""
        ...

    def done(self, pages: Iterable[tuple[int, int, str]], *, fetched: Iterable[Row] = ()) -> None:
        """(key, site, URL) of links that were fetched, or never will be; `fetched` are those wanted again as they were."""
        ...

    def by_page(self, site: int, before: SweepPoint, count: int) -> list[Row]:
        """Links of a site that rest here and stay here: those of the latest pages first, only what lies behind a place."""
        ...

    def move(self, scores: Iterable[tuple[float, int]]) -> None:
        """New scores of links that rest here, by their keys."""
        ...

    def resting(self) -> dict[int, int]:
        """How many links rest here, by site."""
        ...
