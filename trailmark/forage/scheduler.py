"""The one component of Scrapy that is replaced: what is fetched next comes from the frontier.

Links never travel as Requests: a Request is made when its link is taken, and carries the number of its ticket. Retries
and redirects come back with that number and go out again before anything new. The counts of what is under way are the
frontier's, because Scrapy pulls requests before its own counts know of them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic
from typing import Any

from scrapy.core.scheduler import BaseScheduler
from scrapy.http import Request

from trailmark.datatypes import Response
from trailmark.forage.frontier import Ticket
from trailmark.forage.pace import Pace
from trailmark.forage.pulse import HostWait
from trailmark.forage.run import Forager
from trailmark.url_key import link_key

TICKET = "trailmark_ticket"


class FrontierScheduler(BaseScheduler):
    """Hands out requests as the forager wishes; the spider brings the forager."""

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler
        self._back: deque[Request] = deque()
        self._wake: asyncio.TimerHandle | None = None
        self.tickets: dict[int, Ticket] = {}

    @classmethod
    def from_crawler(cls, crawler: Any) -> FrontierScheduler:
        return cls(crawler)

    def open(self, spider: Any) -> None:
        self._spider = spider
        self._forager: Forager = spider.forager
        self._forager.frontier.pause = self._pause
        self._forager.pulse.pace_of = self._pace_of

    def close(self, reason: str) -> None:
        del reason
        if self._wake is not None:
            self._wake.cancel()

    def has_pending_requests(self) -> bool:
        return bool(self._back) or self._forager.frontier.pending

    def enqueue_request(self, request: Request) -> bool:
        """A request that comes back: a retry, or a redirect, which must lead to a new page of its site."""
        ticket = self.tickets.get(request.meta.get(TICKET, -1))
        if ticket is None:
            return False
        wanted = self._spider.guarded(lambda: self._is_wanted(ticket, request))
        if wanted is False:
            self._spider.settle(ticket, _moved(request))
        else:
            self._back.append(request)
        return True

    def _is_wanted(self, ticket: Ticket, request: Request) -> bool:
        """Whether it is a retry, or the target of the redirect is worth asking for: of the same site, not fetched before."""
        if not request.meta.get("redirect_urls"):
            return True
        key = link_key(request.url)
        if key != ticket.link.key and self._forager.frontier.is_done(key):
            return False
        territory, link = self._forager.territory, ticket.link
        if link.depth == 0:
            return territory.twin(link.site, request.url) is None and self._forager.may_move(link.site, request.url)
        return territory.admits(link.site, request.url)

    def next_request(self) -> Request | None:
        request: Request | None = self._spider.guarded(self._next)
        return request

    def _next(self) -> Request | None:
        if self._back:
            return self._back.popleft()
        while (ticket := self._forager.next(monotonic())) is not None:
            request: Request | None = self._spider.request_for(ticket)
            if request is not None:
                self.tickets[ticket.number] = ticket
                return request
        self._wake_later()
        return None

    def _pause(self, host: str) -> float:
        """Seconds until a host may be asked: sites that would only wait leave their place to others."""
        pace: Pace | None = self._crawler.get_extension(Pace)
        return pace.wait(host.rpartition(":")[0] if _has_port(host) else host) if pace is not None else 0.0

    def _pace_of(self, host: str) -> HostWait:
        """How a host is asked, for those who watch."""
        pace: Pace | None = self._crawler.get_extension(Pace)
        key = host.rpartition(":")[0] if _has_port(host) else host
        return HostWait(pace.delay(key), pace.wait(key)) if pace is not None else HostWait(0.0, 0.0)

    def _wake_later(self) -> None:
        """Scrapy asks again when something ends; a site that waits for its host has nothing that could."""
        at = self._forager.frontier.wake_at
        if at is None or (
            self._wake is not None and not self._wake.cancelled() and self._wake.when() <= self._time(at)
        ):
            return
        if self._wake is not None:
            self._wake.cancel()
        self._wake = asyncio.get_running_loop().call_later(max(0.0, at - monotonic()), self._ask_again)

    def _time(self, at: float) -> float:
        return asyncio.get_running_loop().time() + at - monotonic()

    def _ask_again(self) -> None:
        self._wake = None
        slot = self._crawler.engine._slot
        if slot is not None and slot.closing is None:
            slot.nextcall.schedule()


def _moved(request: Request) -> Response:
    """The redirect itself, as the answer."""
    *before, last = request.meta["redirect_urls"]
    status = request.meta.get("redirect_reasons", [302])[-1]
    status = status if isinstance(status, int) else 302
    return Response(last, status, (("Location", request.url),), redirects=tuple(before))


def _has_port(host: str) -> bool:
    return ":" in host.rpartition("]")[2]
