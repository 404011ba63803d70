"""The frontier: what is fetched next, over all sites (PathLearner section 3.4, step 3a; no Scrapy in here).

Per site best-first: a link found on several paths sums its scores even while it waits, and equals are served in the
order found. Between sites the least served comes first, so that thousands progress together. A link is given out with
a ticket; as many tickets are open for a site, and for a host, as the limits say, and each time the best link of that
very moment is given out. Only the best links of each site are in memory; the others rest in a `Spill`.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from trailmark.forage.link_pool import LinkPool
from trailmark.forage.queued_link import QueuedLink, Spill
from trailmark.forage.scope import host_of
from trailmark.forage.site_queue import SiteQueue

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
        self.pause: Callable[[str], float] | None = None
        """Seconds until a host may be asked again; whoever fetches from the net says so."""
        self._pool = LinkPool(self.sites, spill=spill, links_in_memory=links_in_memory)
        self._site_requests, self._host_requests = site_requests, host_requests
        self._budget, self._stop_rule = budget, stop_rule
        self._tickets: dict[int, Ticket] = {}
        self._line: list[tuple[int, int]] = []
        self._parked: list[tuple[float, int]] = []
        self._waiting: dict[str, list[int]] = defaultdict(list)
        self._hosts: dict[str, int] = defaultdict(int)
        self._number = 0

    # --- sites -------------------------------------------------------------------------------------------------

    def add_site(self, root: str) -> SiteQueue:
        """A new site, without any link yet."""
        site = SiteQueue(len(self.sites), root)
        self.sites.append(site)
        self._pool.open_sites += 1
        return site

    def resume(self, *, order: int) -> None:
        """Take up what rests in the spill, after the sites were added and their counts set; `order` was the last used."""
        self._pool.resume(order=order)
        self.taken = sum(site.taken for site in self.sites)
        self._pool.open_sites = sum(not site.ended for site in self.sites)
        for site in self.sites:
            self._list(site)

    def end(self, site: SiteQueue, reason: str) -> None:
        """No more of this site; what waits is kept outside memory, or forgotten where there is no such place."""
        site.ended = reason
        self._pool.open_sites -= 1
        self._pool.move_out(site, list(site.links()))
        site.heap = []

    # --- links -------------------------------------------------------------------------------------------------

    def push(self, site: SiteQueue, links: Sequence[QueuedLink]) -> int:
        """Links found on one page of a site, each URL once; how many were new."""
        new = self._pool.push(site, links)
        self._list(site)
        return new

    def rescore(self, site: SiteQueue, function: Callable[[QueuedLink], float], *, near: int = 0) -> None:
        """Order the waiting links of a site anew, and from now on all that are found; of the tail, those `near` first."""
        self._pool.rescore(site, function, near=near)

    def settle(self, site: SiteQueue, score: Callable[[QueuedLink], float]) -> None:
        """Score all that rests of a site, after `resume`."""
        self._pool.settle(site, score)

    def done(self, site: SiteQueue, pages: Iterable[tuple[int, str]], *, fetched: QueuedLink | None = None) -> None:
        """(key, URL) of pages that were fetched, or never will be; `fetched` is wanted again when the run is taken up."""
        self._pool.done(site, pages, fetched=fetched)

    def is_done(self, key: int) -> bool:
        """Whether a page was fetched, or never will be."""
        return self._pool.is_done(key)

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
            link = self._pool.best(site)
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
        self._pool.in_flight.discard(ticket.link.key)
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
        link = self._pool.find(key)
        if link is None:
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
        return len(self._pool)

    @property
    def order(self) -> int:
        """The last number given to a link."""
        return self._pool.order

    def flush(self) -> None:
        """Write what changed to the spill, so that it can be committed."""
        self._pool.flush()

    # --- inside ------------------------------------------------------------------------------------------------

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
        self._pool.take(link)
        site.in_flight += 1
        site.taken += 1
        self.taken += 1
        self._hosts[host] += 1
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
