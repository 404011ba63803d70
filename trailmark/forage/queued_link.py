"""A link that waits, and the role of the place where it waits when memory is short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

from trailmark.forage.url_shape import url_pattern
from trailmark.strategy import FollowedLink

Row = tuple[Any, ...]
"""A queued link as plain values, in the order of its fields from `key` to `memory`.

A spill need not keep the parent's URL with every link: it knows the fetch by its number."""

Rank = tuple[float, int]
"""(-score, order): the smaller, the sooner."""

SweepPoint = tuple[int, int]
"""(number of the fetch a link was found on, key): where a pass over links at rest has come to."""

SWEEP_START: SweepPoint = (2**62, 0)
"""Before all links."""


@dataclass(slots=True, eq=False)
class QueuedLink:
    """A link that was found and is still to be fetched, with the best of the paths that led to it."""

    key: int
    """Of its URL, the same for all spellings of one page (see `url_shape.link_key`)."""
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
