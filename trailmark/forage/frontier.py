"""The frontier: what is fetched next, over all sites (PathLearner section 3.4, step 3a; no Scrapy in here).

Per site best-first: a link found on several paths sums its scores even while it waits, and equals are served in the
order found. Between sites the least served comes first, so that thousands progress together. A link is given out with
a ticket; as many tickets are open for a site, and for a host, as the limits say, and each time the best link of that
very moment is given out. Only the best links of each site are in memory; the others rest in a `Spill`.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from trailmark.forage.queued_link import QueuedLink, Spill
from trailmark.forage.scope import host_of
from trailmark.forage.site_queue import SiteQueue

LEAST_HELD = 32
"""Links of a site that stay in memory however many sites there are."""

StopRule = Callable[[SiteQueue, QueuedLink | None], str]
"""Why a site ends before its next link (None: it has none) is taken; empty where it goes on."""


def until_empty(site: SiteQueue, best: QueuedLink | None) -> str:
    """The stop rule of a queue without rules."""
    del site
    return "empty" if best is None else ""


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right to fetch one link; handed back with `Frontier.release`."""

    number: int
    link: QueuedLink
    host: str


class Frontier:
    """Queues of all sites of a run."""

    def __init__(
        self,
        *,
        spill: Spill | None = None,
        links_in_memory: int = 50_000,
        site_requests: int = 1,
        host_requests: int = 1,
        budget: int = 0,
        stop_rule: StopRule = until_empty,
    ) -> None:
        self.sites: list[SiteQueue] = []
        self.taken = 0
        self.open_sites = 0
        self.pause: Callable[[str], float] | None = None
        """Seconds until a host may be asked again; whoever fetches from the net says so."""
        self._spill, self._links_in_memory = spill, links_in_memory
        self._site_requests, self._host_requests = site_requests, host_requests
        self._budget, self._stop_rule = budget, stop_rule
        self._held: dict[int, QueuedLink] = {}
        self._changed: dict[int, QueuedLink] = {}
        self._done: dict[int, tuple[int, int, str]] = {}
        """Done since the last flush; without a spill, since ever."""
        self._known_done: set[int] = set()
        """Keys that the spill said are done, remembered until the next flush."""
        self._tickets: dict[int, Ticket] = {}
        self._in_flight: set[int] = set()
        self._line: list[tuple[int, int]] = []
        self._parked: list[tuple[float, int]] = []
        self._waiting: dict[str, list[int]] = defaultdict(list)
        self._hosts: dict[str, int] = defaultdict(int)
        self._order = self._number = 0

    # --- sites -------------------------------------------------------------------------------------------------

    def add_site(self, root: str) -> SiteQueue:
        """A new site, without any link yet."""
        site = SiteQueue(len(self.sites), root)
        self.sites.append(site)
        self.open_sites += 1
        return site

    def resume(self, *, order: int) -> None:
        """Take up what rests in the spill, after the sites were added and their counts set; `order` was the last used."""
        assert self._spill is not None
        self._order = order
        for number, count in self._spill.resting().items():
            self.sites[number].tail = count
            self.sites[number].tail_rank = (-math.inf, 0)
        self.taken = sum(site.taken for site in self.sites)
        self.open_sites = sum(not site.ended for site in self.sites)
        for site in self.sites:
            self._list(site)

    def end(self, site: SiteQueue, reason: str) -> None:
        """No more of this site; what waits is kept outside memory, or forgotten where there is no such place."""
        site.ended = reason
        self.open_sites -= 1
        self._move_out(site, list(site.links()))
        site.heap = []

    # --- links -------------------------------------------------------------------------------------------------

    def push(self, site: SiteQueue, links: Sequence[QueuedLink]) -> int:
        """Links found on one page of a site, each URL once; how many were new."""
        known = self._held
        if self._spill is not None:
            self._fetch_resting([link.key for link in links if link.key not in known])
        new = 0
        for link in links:
            if link.key in self._in_flight or link.key in self._done or link.key in self._known_done:
                continue
            queued = known.get(link.key)
            if queued is None:
                new += 1
                self._enter(site, link)
            else:
                self._sum(site, queued, link)
        self._trim(site)
        self._list(site)
        return new

    def rescore(self, site: SiteQueue, function: Callable[[QueuedLink], float]) -> None:
        """Order the waiting links of a site anew, and from now on all that are found; the tail as it comes back."""
        site.rescore = function
        links = list(site.links())
        for link in links:
            link.score = _number(function(link))
        site.rebuild(links)

    def done(self, site: SiteQueue, pages: Iterable[tuple[int, str]]) -> None:
        """(key, URL) of pages that were fetched, or never will be: their links are dropped, now and later."""
        for key, url in pages:
            self._done[key] = (key, site.number, url)
            link = self._held.pop(key, None)
            if link is not None and link.waiting:
                self.sites[link.site].remove(link)
            self._changed.pop(key, None)

    def is_done(self, key: int) -> bool:
        """Whether a page was fetched, or never will be."""
        if self._spill is not None and key not in self._done and key not in self._held:
            self._fetch_resting([key])
        return key in self._done or key in self._known_done

    # --- tickets -----------------------------------------------------------------------------------------------

    def pop(self, now: float = 0.0) -> Ticket | None:
        """The best link of the site whose turn it is; None where nothing can be fetched at this moment."""
        if self._budget and self.taken >= self._budget:
            if not self._tickets:
                self._end_all("budget")
            return None
        self._unpark(now)
        while self._line:
            taken, number = heapq.heappop(self._line)
            site = self.sites[number]
            site.listed = False
            if site.ended or site.in_flight >= self._site_requests:
                continue
            if taken != site.taken:  # served out of turn meanwhile: back in line
                self._list(site)
                continue
            link = self._best(site)
            reason = self._stop_rule(site, link)
            if reason:
                # What is under way may still change it: the site is looked at again when a ticket comes back.
                if not site.in_flight:
                    self.end(site, reason)
            elif link is not None and (ticket := self._give(site, link, now)) is not None:
                return ticket
        return None

    def release(self, ticket: Ticket) -> None:
        """Hand a ticket back, after the page was marked done and its links were pushed."""
        if self._tickets.pop(ticket.number, None) is None:
            return
        site = self.sites[ticket.link.site]
        site.in_flight -= 1
        self._in_flight.discard(ticket.link.key)
        self._hosts[ticket.host] -= 1
        if not self._hosts[ticket.host]:
            del self._hosts[ticket.host]
        for number in self._waiting.pop(ticket.host, ()):
            self._list(self.sites[number])
        self._list(site)

    def refund(self, ticket: Ticket) -> None:
        """The link of a ticket was not asked for after all: it does not count."""
        self.sites[ticket.link.site].taken -= 1
        self.taken -= 1

    def take(self, key: int) -> Ticket | None:
        """A ticket for one link out of turn: it was fetched before the run was cut off. None where it does not wait."""
        if self._spill is not None and key not in self._held:
            self._fetch_resting([key])
        link = self._held.get(key)
        if link is None or not link.waiting:
            return None
        return self._ticket(self.sites[link.site], link, host_of(link.url))

    @property
    def tickets(self) -> int:
        """Tickets that are out."""
        return len(self._tickets)

    @property
    def pending(self) -> bool:
        """Whether anything waits for its turn or is under way."""
        return bool(self._line or self._parked or self._tickets)

    @property
    def wake_at(self) -> float | None:
        """When the first of the parked sites may go on."""
        return self._parked[0][0] if self._parked else None

    @property
    def held(self) -> int:
        """Links in memory."""
        return len(self._held)

    @property
    def order(self) -> int:
        """The last number given to a link."""
        return self._order

    def flush(self) -> None:
        """Write what changed to the spill, so that it can be committed."""
        if self._spill is None:
            return
        self._spill.put((link.row() for link in self._changed.values()), resting=False)
        self._spill.done(self._done.values())
        self._changed.clear()
        self._done.clear()
        self._known_done.clear()

    # --- inside ------------------------------------------------------------------------------------------------

    def _enter(self, site: SiteQueue, link: QueuedLink) -> None:
        self._order += 1
        link.order = self._order
        link.score = _number(site.rescore(link) if site.rescore else link.base)
        self._held[link.key] = link
        self._changed[link.key] = link
        site.add(link)

    def _sum(self, site: SiteQueue, queued: QueuedLink, link: QueuedLink) -> None:
        owner = self.sites[queued.site]
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

    def _best(self, site: SiteQueue) -> QueuedLink | None:
        link = site.peek()
        while site.tail and (link is None or (site.tail_rank is not None and site.tail_rank < link.rank)):
            self._refill(site)
            link = site.peek()
        return link

    def _refill(self, site: SiteQueue) -> None:
        assert self._spill is not None
        rows = self._spill.best(site.number, self._share())
        links = [QueuedLink.from_row(row) for row in rows]
        site.tail = site.tail - len(links) if links else 0
        site.tail_rank = links[-1].rank if links and site.tail else None
        for link in links:
            self._take_in(site, link)

    def _fetch_resting(self, keys: list[int]) -> None:
        """Bring what the spill has of these keys into memory, and note those that are done."""
        assert self._spill is not None
        here = (self._done, self._in_flight, self._known_done)
        asked = [key for key in keys if not any(key in each for each in here)]
        if not asked:
            return
        rows, done = self._spill.find(asked)
        self._known_done.update(done)
        for row in rows:
            link = QueuedLink.from_row(row)
            site = self.sites[link.site]
            site.tail -= 1
            self._take_in(site, link)

    def _take_in(self, site: SiteQueue, link: QueuedLink) -> None:
        if link.key in self._done:
            return
        if site.rescore:
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
        self._move_out(site, ranked[share:])
        site.rebuild(ranked[:share])

    def _move_out(self, site: SiteQueue, links: list[QueuedLink]) -> None:
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

    def _give(self, site: SiteQueue, link: QueuedLink, now: float) -> Ticket | None:
        """A ticket, or None where the host has to be waited for; the site is then listed again in time."""
        host = host_of(link.url)
        if self._host_requests and self._hosts.get(host, 0) >= self._host_requests:
            self._waiting[host].append(site.number)
            return None
        wait = self.pause(host) if self.pause is not None else 0.0
        if wait > 0.0:
            heapq.heappush(self._parked, (now + wait, site.number))
            return None
        return self._ticket(site, link, host)

    def _ticket(self, site: SiteQueue, link: QueuedLink, host: str) -> Ticket:
        self._number += 1
        ticket = Ticket(self._number, link, host)
        site.remove(link)
        del self._held[link.key]
        site.in_flight += 1
        site.taken += 1
        self.taken += 1
        self._hosts[host] += 1
        self._in_flight.add(link.key)
        self._tickets[ticket.number] = ticket
        self._list(site)
        return ticket

    def _list(self, site: SiteQueue) -> None:
        if site.listed or site.ended or site.in_flight >= self._site_requests:
            return
        site.listed = True
        heapq.heappush(self._line, (site.taken, site.number))

    def _unpark(self, now: float) -> None:
        while self._parked and self._parked[0][0] <= now:
            self._list(self.sites[heapq.heappop(self._parked)[1]])

    def _end_all(self, reason: str) -> None:
        for site in self.open():
            self.end(site, reason)
        self._line.clear()
        self._parked.clear()
        self._waiting.clear()

    def open(self) -> Iterator[SiteQueue]:
        """Sites that go on."""
        return (site for site in self.sites if not site.ended)


def _number(score: float) -> float:
    """A score that can be compared: not-a-number goes last."""
    return -math.inf if math.isnan(score) else score
