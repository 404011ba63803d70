"""A live crawl: Scrapy fetches what the forager asks for, under the manners and safety of this room."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Request
from scrapy.http import Response as ScrapyResponse
from twisted.python.failure import Failure

from trailmark.datatypes import Response
from trailmark.forage.addresses import Lookup, PublicResolver, system_lookup
from trailmark.forage.documents import is_document_url
from trailmark.forage.engine import run_engine, stop_engine
from trailmark.forage.engine_settings import crawl_settings
from trailmark.forage.failures import AskedToWait, Refused, RobotsForbid, RunStopped, reason_for
from trailmark.forage.fetch import plain_response
from trailmark.forage.frontier import Ticket
from trailmark.forage.gate import named_ports, refusal
from trailmark.forage.run import Forager
from trailmark.forage.scheduler import TICKET, FrontierScheduler

TICK_SECONDS = 0.25

T = TypeVar("T")


def crawl(forager: Forager, *, tick: Callable[[], None] = lambda: None, lookup: Lookup = system_lookup) -> bool:
    """Fetch until every site has ended; True where Ctrl-C ended it first.

    `tick` is called after each page and a few times a second. What a callback raises ends the run and is raised here.
    """
    settings = forager.settings
    ports = named_ports(site.root for site in forager.sites)
    crawler = Crawler(_Walk, crawl_settings(settings, ports=ports))
    resolver = PublicResolver(settings.allow_hosts, lookup=lookup)
    errors: list[BaseException] = []
    interrupted = run_engine(
        crawler,
        resolver,
        forager=forager,
        tick=tick,
        refused=resolver.why_refused,
        errors=errors,
        ports=ports | {*settings.ports},
    )
    if errors:
        raise errors[0]
    return interrupted


class _Walk(scrapy.Spider):
    """Brings what was fetched to the forager."""

    name = "walk"

    def __init__(
        self,
        forager: Forager,
        tick: Callable[[], None],
        refused: Callable[[str], str | None],
        errors: list[BaseException],
        ports: set[int],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.forager, self._tick, self._refused, self._errors = forager, tick, refused, errors
        self._ports = ports
        self.pulse = forager.pulse

    async def start(self) -> AsyncIterator[Any]:
        self._ticking = asyncio.ensure_future(self._tick_on())
        return
        yield

    async def _tick_on(self) -> None:
        while self.crawler.crawling:
            self.guarded(self._tick)
            await asyncio.sleep(TICK_SECONDS)

    def request_for(self, ticket: Ticket) -> Request | None:
        """The request for a link; one that can't be asked is refused at once."""
        url = ticket.link.url
        reason = refusal(url, max_length=self.forager.settings.max_url_length, ports=self._ports)
        if reason is None:
            try:
                meta = {TICKET: ticket.number, "download_maxsize": self._most(url)}
                return Request(url, dont_filter=True, callback=self.parse, errback=self.failed, meta=meta)
            except ValueError:
                reason = "it is not a valid URL"
        self.forager.refused(ticket, reason)
        return None

    async def parse(self, response: ScrapyResponse) -> None:
        assert response.request is not None
        ticket = self._ticket(response.request)
        if ticket is not None:
            self.settle(ticket, plain_response(response))

    def settle(self, ticket: Ticket, response: Response) -> None:
        """A page for the forager."""
        self._scheduler().tickets.pop(ticket.number, None)
        self.guarded(lambda: self.forager.arrived(ticket, response))
        self.guarded(self._tick)

    async def failed(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        error = failure.value
        assert error is not None
        if isinstance(error, RunStopped):
            return
        ticket = self._ticket(request)
        if ticket is None:
            return
        self._scheduler().tickets.pop(ticket.number, None)
        reason = self._reason(request, error)
        if _was_asked(error, request):
            if isinstance(error, DownloadCancelledError):
                self.forager.totals.skipped["larger than max_bytes or max_document_bytes"] += 1
            ways = (*request.meta.get("redirect_urls", ()), request.url)
            self.guarded(lambda: self.forager.failed(ticket, reason, ways=ways))
        else:
            counted = _counted(error) or reason
            self.guarded(lambda: self.forager.refused(ticket, counted, detail=reason))
        self.guarded(self._tick)

    def _ticket(self, request: Request) -> Ticket | None:
        return self._scheduler().tickets.get(request.meta.get(TICKET, -1))

    def _scheduler(self) -> FrontierScheduler:
        engine = self.crawler.engine
        assert engine is not None
        scheduler = engine.scheduler
        assert isinstance(scheduler, FrontierScheduler)
        return scheduler

    def _reason(self, request: Request, error: BaseException) -> str:
        host = urlsplit(request.url).hostname or ""
        settings = replace(
            self.forager.settings, max_bytes=request.meta.get("download_maxsize", self._most(request.url))
        )
        return reason_for(error, settings, host=host, refused=self._refused(host))

    def _most(self, url: str) -> int:
        """Bytes that what a URL promises may have."""
        settings = self.forager.settings
        return settings.max_document_bytes if is_document_url(url) else settings.max_bytes

    def guarded(self, call: Callable[[], T]) -> T | None:
        """An error of ours ends the run and reaches the caller; Scrapy would only log it, and go on or hang."""
        if self._errors:
            return None
        try:
            return call()
        except BaseException as error:  # noqa: BLE001 - raised again by `crawl`
            self._errors.append(error)
            stop_engine(self.crawler)
            return None


def _was_asked(error: BaseException, request: Request) -> bool:
    """Whether a server was asked for the page at all: then it costs a fetch, though no page came."""
    turned_away = isinstance(error, Refused | AskedToWait | RobotsForbid)
    return not turned_away or bool(request.meta.get("redirect_urls"))


def _counted(error: BaseException) -> str:
    """A reason under which refusals are counted, for those whose own sentence names a host or a time."""
    if isinstance(error, AskedToWait):
        return "its server asks to be left alone"
    if isinstance(error, RobotsForbid) and error.trouble is not None:
        return "its host has no public address" if error.trouble.private else "its robots.txt can't be had"
    return ""
