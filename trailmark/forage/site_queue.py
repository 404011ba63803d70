"""One site while it is walked: its queue, a heap with lazy deletion; its counts; and why it ends (PathLearner section 4.4.3 for `goal`).

empty         nothing of it is left to fetch
unreachable   nothing is left, and no page of it could be read
same          its root leads to the root of another site of the run, which has its pages
budget        its pages, or those of the whole run, are used up
score         its best link promises less than `min_score`
goal          a goal was found, and no link promises more than that goal's own probability
dry           no goal among its last pages
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from trailmark.forage.queued_link import QueuedLink, Rank, SweepPoint
from trailmark.settings import ForageSettings

REASONS = ("empty", "unreachable", "same", "budget", "score", "goal", "dry")
_STALE = 64
"""Void entries that a heap may hold beyond as many as are valid, before it is made anew."""


@dataclass(slots=True, eq=False)
class SiteQueue:
    """One site while it is walked."""

    number: int
    root: str
    ended: str = ""
    """Why it ended; empty while it goes on."""
    taken: int = 0
    """Links given out, those under way included; the budget counts them."""
    pages: int = 0
    goals: int = 0
    unsure: int = 0
    readable: int = 0
    """Pages that answered with 200."""
    since_goal: int = 0
    """Pages since the last goal, or since the start."""
    goal_probability: float = 0.0
    """Of the surest goal so far; where several are looked for, of the one that is least sure, 0 until each was found."""
    surest: dict[str, float] = field(default_factory=dict)
    """Of the surest page of each goal by name, where several are looked for."""
    in_flight: int = 0
    listed: bool = False
    """Whether it stands in line for its next fetch."""
    held: int = 0
    """Links in memory."""
    tail: int = 0
    """Links at rest outside memory."""
    tail_rank: Rank | None = None
    """No link of the tail ranks before this."""
    rescore: Callable[[QueuedLink], float] | None = None
    drift: float = 0.0
    """How far scores have moved since the tail was last gone through."""
    sweep: SweepPoint | None = None
    """How far the tail is gone through; None while it is not."""
    same_as: str = ""
    """Root of the site that this one turned out to be."""
    why: str = ""
    """What became of its root, where no page came of it."""
    heap: list[tuple[float, int, QueuedLink]] = field(default_factory=list)

    @property
    def queued(self) -> int:
        return self.held + self.tail

    def meet_goal(self, name: str, chance: float) -> None:
        """A goal was found, and how surely it is one."""
        if name in self.surest:
            self.surest[name] = max(self.surest[name], chance)
            self.goal_probability = min(self.surest.values())
        else:
            self.goal_probability = max(self.goal_probability, chance)

    def add(self, link: QueuedLink) -> None:
        """A link that is new to this queue."""
        self.held += 1
        heapq.heappush(self.heap, (-link.score, link.order, link))

    def moved(self, link: QueuedLink) -> None:
        """The score of a link has changed: it is entered once more, and its old place is void."""
        heapq.heappush(self.heap, (-link.score, link.order, link))
        if len(self.heap) > 2 * self.held + _STALE:
            self.rebuild(list(self.links()))

    def peek(self) -> QueuedLink | None:
        """The best link in memory."""
        heap = self.heap
        while heap:
            negative, _, link = heap[0]
            if link.waiting and link.score == -negative and link.site == self.number:
                return link
            heapq.heappop(heap)
        return None

    def remove(self, link: QueuedLink) -> None:
        """Its place in the heap becomes void."""
        link.waiting = False
        self.held -= 1

    def links(self) -> Iterator[QueuedLink]:
        """Links in memory, each once, in no order."""
        seen: set[int] = set()
        for _, _, link in self.heap:
            if link.waiting and link.site == self.number and link.key not in seen:
                seen.add(link.key)
                yield link

    def rebuild(self, links: list[QueuedLink]) -> None:
        self.heap = [(-link.score, link.order, link) for link in links]
        heapq.heapify(self.heap)
        self.held = len(links)


class StopRules:
    """The rules under the settings of a run; called before each fetch from a site."""

    def __init__(self, settings: ForageSettings) -> None:
        self._site_budget, self._min_score = settings.site_budget, settings.min_score
        self._single_goal, self._dry = settings.single_goal, settings.dry

    def __call__(self, site: SiteQueue, best: QueuedLink | None) -> str:
        if best is None:
            return "empty" if site.readable else "unreachable"
        if self._site_budget and site.taken >= self._site_budget:
            return "budget"
        if best.depth == 0:  # a seed has no score yet
            return ""
        if self._single_goal and site.goals and best.best <= site.goal_probability:
            return "goal"
        if self._dry and site.since_goal >= self._dry:
            return "dry"
        return "score" if best.score < self._min_score else ""
