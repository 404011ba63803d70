"""The links of all sites that wait: the best of each site in memory, the others in a `Spill`, each known by its key.

Whatever rests outside is looked up when its key is met again, so that a link found once more sums its scores wherever it
waits, and a page that was fetched is never queued again. Without a spill everything stays in memory.

When a strategy that learns on the way changes its mind, what is in memory is ordered anew at once. What rests has the score of
its day: the neighbours of the link that taught something are scored anew with it, and once scores have moved far the
rest is gone through, so many at a time, so that a good block rises out of the tail and memory stays flat.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from trailmark.forage.queued_link import SWEEP_START, QueuedLink, Row, Spill, SweepPoint
from trailmark.forage.site_queue import SiteQueue

LEAST_HELD = 32
"""Links of a site that stay in memory however many sites there are."""
SWEPT, DRIFT = 100, 0.05
"""Links of a tail that are scored anew at a time, and how far scores must have moved before all of it is."""
UNSEEN = DRIFT / 20
"""How far scores of the tail are taken to move unseen with each ordering."""


class LinkPool:
    """Waiting links; the queues of `sites` are filled and thinned here."""

    def __init__(self, sites: Sequence[SiteQueue], *, spill: Spill | None, links_in_memory: int) -> None:
        self.order = 0
        """The last number given to a link."""
        self.open_sites = 0
        self.in_flight: set[int] = set()
        """Keys of links that were taken and are not done."""
        self._sites, self._spill, self._links_in_memory = sites, spill, links_in_memory
        self._held: dict[int, QueuedLink] = {}
        self._changed: dict[int, QueuedLink] = {}
        self._done: dict[int, tuple[int, int, str]] = {}
        """Done since the last flush; without a spill, since ever."""
        self._fetched: list[Row] = []
        """Links done since the last flush that are wanted again."""
        self._known_done: set[int] = set()
        """Keys that the spill said are done, remembered until the next flush."""

    def __len__(self) -> int:
        """Links in memory."""
        return len(self._held)

    def resume(self, *, order: int) -> None:
        """Take up what rests in the spill; `order` was the last number used."""
        assert self._spill is not None
        self.order = order
        for number, count in self._spill.resting().items():
            self._sites[number].tail = count
            self._sites[number].tail_rank = (-math.inf, 0)

    def push(self, site: SiteQueue, links: Sequence[QueuedLink]) -> int:
        """Links found on one page of a site, each URL once; how many were new."""
        known = self._held
        if self._spill is not None:
            self._fetch_resting([link.key for link in links if link.key not in known])
        new = 0
        for link in links:
            if link.key in self.in_flight or link.key in self._done or link.key in self._known_done:
                continue
            queued = known.get(link.key)
            if queued is None:
                new += 1
                self._enter(site, link)
            else:
                self._sum(site, queued, link)
        self._trim(site)
        return new

    def rescore(self, site: SiteQueue, function: Callable[[QueuedLink], float], *, near: int = 0) -> None:
        """Order the waiting links of a site anew, and from now on all that are found; of the tail, some.

        `near` is the number of the fetch whose page has the link that taught something: its other links go first.
        """
        site.rescore = function
        links = list(site.links())
        moved = 0.0
        for link in links:
            before, link.score = link.score, _number(function(link))
            moved = max(moved, abs(link.score - before))
        site.drift += moved
        site.rebuild(links)
        if site.tail:
            self._rescore_tail(site, near)

    def settle(self, site: SiteQueue, score: Callable[[QueuedLink], float]) -> None:
        """Score all that rests of a site, and bring the best into memory as they are then: a run was taken up again."""
        assert self._spill is not None
        point: SweepPoint | None = SWEEP_START
        while point is not None:
            point = self._rescore_some(site, point, score)
        self._refill(site, rescored=True)

    def done(self, site: SiteQueue, pages: Iterable[tuple[int, str]], *, fetched: QueuedLink | None = None) -> None:
        """(key, URL) of pages that were fetched, or never will be: their links are dropped, now and later.

        `fetched` is the link among them that is wanted again as it was, when the run is taken up.
        """
        if fetched is not None and self._spill is not None:
            self._fetched.append(fetched.row())
        for key, url in pages:
            self._done[key] = (key, site.number, url)
            link = self._held.pop(key, None)
            if link is not None and link.waiting:
                self._sites[link.site].remove(link)
            self._changed.pop(key, None)

    def is_done(self, key: int) -> bool:
        """Whether a page was fetched, or never will be."""
        if self._spill is not None and key not in self._done and key not in self._held:
            self._fetch_resting([key])
        return key in self._done or key in self._known_done

    def find(self, key: int) -> QueuedLink | None:
        """A link that waits."""
        if self._spill is not None and key not in self._held:
            self._fetch_resting([key])
        link = self._held.get(key)
        return link if link is not None and link.waiting else None

    def take(self, link: QueuedLink) -> None:
        """A link leaves its queue to be fetched."""
        self._sites[link.site].remove(link)
        del self._held[link.key]
        self.in_flight.add(link.key)

    def best(self, site: SiteQueue) -> QueuedLink | None:
        """The best link of a site, wherever it waits."""
        link = site.peek()
        while site.tail and (link is None or (site.tail_rank is not None and site.tail_rank < link.rank)):
            self._refill(site)
            self._trim(site)  # where all has sunk since it was put to rest, much comes in before the best is known
            link = site.peek()
        return link

    def move_out(self, site: SiteQueue, links: list[QueuedLink]) -> None:
        """Links of a site out of memory: at rest in the spill, or forgotten where there is none."""
        if not links:
            return
        for link in links:
            link.waiting = False
            del self._held[link.key]
            self._changed.pop(link.key, None)
        site.held -= len(links)
        if self._spill is None:
            return
        self._spill.put((link.row() for link in links), resting=True)
        site.tail += len(links)
        first = min(link.rank for link in links)
        site.tail_rank = first if site.tail_rank is None else min(first, site.tail_rank)

    def flush(self) -> None:
        """Write what changed to the spill, so that it can be committed."""
        if self._spill is None:
            return
        self._spill.put((link.row() for link in self._changed.values()), resting=False)
        self._spill.done(self._done.values(), fetched=self._fetched)
        self._changed.clear()
        self._done.clear()
        self._fetched.clear()
        self._known_done.clear()

    # --- inside ------------------------------------------------------------------------------------------------

    def _enter(self, site: SiteQueue, link: QueuedLink) -> None:
        self.order += 1
        link.order = self.order
        link.score = _number(site.rescore(link) if site.rescore else link.base)
        self._held[link.key] = link
        self._changed[link.key] = link
        site.add(link)

    def _sum(self, site: SiteQueue, queued: QueuedLink, link: QueuedLink) -> None:
        owner = self._sites[queued.site]
        queued.add_path(link)
        if owner.ended and not site.ended:  # an ended site's links go to whoever finds them next
            owner.held -= 1
            queued.site, owner = site.number, site
            queued.score = _number(owner.rescore(queued) if owner.rescore else queued.base)
            owner.add(queued)
        else:
            before = queued.score
            queued.score = _number(owner.rescore(queued) if owner.rescore else queued.base)
            if queued.score != before:
                owner.moved(queued)
        self._changed[queued.key] = queued

    def _rescore_tail(self, site: SiteQueue, near: int) -> None:
        assert site.rescore is not None
        site.drift += UNSEEN
        if near:
            self._rescore_some(site, (near + 1, -(2**63)), site.rescore)
        if site.sweep is None and site.drift >= DRIFT:
            site.sweep, site.drift = SWEEP_START, 0.0
        if site.sweep is not None:
            site.sweep = self._rescore_some(site, site.sweep, site.rescore)

    def _rescore_some(
        self, site: SiteQueue, point: SweepPoint, score: Callable[[QueuedLink], float]
    ) -> SweepPoint | None:
        """Score links at rest behind a point; the point of the last, None where that was the end."""
        assert self._spill is not None
        links = [QueuedLink.from_row(row) for row in self._spill.by_page(site.number, point, SWEPT)]
        moved: list[tuple[float, int]] = []
        for link in links:
            if (now := _number(score(link))) != link.score:
                link.score = now
                moved.append((now, link.key))
                site.tail_rank = link.rank if site.tail_rank is None else min(link.rank, site.tail_rank)
        self._spill.move(moved)
        return (links[-1].parent_n, links[-1].key) if len(links) == SWEPT else None

    def _refill(self, site: SiteQueue, *, rescored: bool = False) -> None:
        assert self._spill is not None
        rows = self._spill.best(site.number, self._share())
        links = [QueuedLink.from_row(row) for row in rows]
        site.tail = site.tail - len(links) if links else 0
        site.tail_rank = links[-1].rank if links and site.tail else None
        for link in links:
            self._take_in(site, link, rescored=rescored)

    def _fetch_resting(self, keys: list[int]) -> None:
        """Bring what the spill has of these keys into memory, and note those that are done."""
        assert self._spill is not None
        here = (self._done, self.in_flight, self._known_done)
        asked = [key for key in keys if not any(key in keys_here for keys_here in here)]
        if not asked:
            return
        rows, done = self._spill.find(asked)
        self._known_done.update(done)
        for row in rows:
            link = QueuedLink.from_row(row)
            site = self._sites[link.site]
            site.tail -= 1
            self._take_in(site, link)

    def _take_in(self, site: SiteQueue, link: QueuedLink, *, rescored: bool = False) -> None:
        if link.key in self._done:
            return
        if site.rescore and not rescored:
            link.score = _number(site.rescore(link))
        self._held[link.key] = link
        site.add(link)

    def _share(self) -> int:
        """Links of one site that stay in memory."""
        return max(LEAST_HELD, self._links_in_memory // max(1, self.open_sites))

    def _trim(self, site: SiteQueue) -> None:
        share = self._share()
        if self._spill is None or site.held <= 2 * share:
            return
        ranked = sorted(site.links(), key=lambda link: link.rank)
        self.move_out(site, ranked[share:])
        site.rebuild(ranked[:share])


def _number(score: float) -> float:
    """A score that can be compared: not-a-number goes last."""
    return -math.inf if math.isnan(score) else score
