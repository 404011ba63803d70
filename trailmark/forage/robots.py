"""Robots.txt, as RFC 9309 has it: no page is asked for before the rules of its host are known.

Where the server says that there is none (4xx), everything is allowed. Where it fails, can't be reached, or what comes can't be
read to its end (broken or cut off, too large, too many redirects, no text), nothing is: what can't be read forbids.
A robots.txt counts whole: up to `ROBOTS_BYTES` all of it is read (the RFC asks for 500 KiB at least), a longer one forbids.
Scrapy's own middleware allows all after any such failure, and keeps every parsed file for ever.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from scrapy.exceptions import CannotResolveHostError, NotConfigured
from scrapy.http import Request, Response
from scrapy.http.request import NO_CALLBACK

from trailmark.forage.addresses import PublicResolver
from trailmark.forage.failures import RobotsForbid, RunStopped, reason_for
from trailmark.forage.pace import Pace
from trailmark.forage.pulse import Pulse
from trailmark.forage.robots_rules import RobotsRules, RobotsTrouble, RulesMemory, own_rules, robots_text
from trailmark.forage.unpacking import ENCODINGS, unpacked
from trailmark.settings import ForageSettings

ROBOTS_BYTES = 1 << 20
"""Of a robots.txt, packed and unpacked; more than that forbids."""
FRESH_SECONDS = 24 * 3600.0
"""How long rules hold (RFC 9309, section 2.4)."""
TROUBLE_SECONDS = 30.0
"""How long it holds for later runs that the rules of a host could not be had."""

_FIRST = 1000  # before all that waits for its answer
_TOO_MANY, _PARTIAL = 429, 206
_WAYS = "trailmark_robots_ways"


class Robots:
    """Downloader middleware in the place of Scrapy's."""

    def __init__(self, crawler: Any) -> None:
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        self._crawler = crawler
        self._product = str(crawler.settings["ROBOTSTXT_USER_AGENT"])
        self._settings: ForageSettings = crawler.settings["TRAILMARK_FORAGE"]
        self._under_way: dict[str, asyncio.Task[RobotsRules]] = {}
        self.memory: RulesMemory = crawler.settings.get("TRAILMARK_ROBOTS") or RulesMemory()

    @classmethod
    def from_crawler(cls, crawler: Any) -> Robots:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        if asks_robots(request):
            request.meta[_WAYS].append(request.url)
            return
        parts = urlsplit(request.url)
        origin = f"{parts.scheme}://{parts.netloc}"
        rules = await self._rules(origin)
        if rules.trouble is not None:
            raise RobotsForbid(rules.trouble)
        parser = self.memory.parser(origin, rules)
        self._keep_pace(request, parser.crawl_delay(self._product))
        if not parser.can_fetch(request.url, self._product):
            raise RobotsForbid

    def _keep_pace(self, request: Request, delay: float | None) -> None:
        pace: Pace | None = self._crawler.get_extension(Pace)
        if pace is not None:
            pace.wish(request, delay)

    async def _rules(self, origin: str) -> RobotsRules:
        """The rules of a host, from memory or asked for; all that wait for them share one request."""
        known = self.memory.get(origin)
        if known is not None and monotonic() - known.read_at < self._fresh(known):
            return known
        task = self._under_way.get(origin)
        if task is None:
            task = self._under_way[origin] = asyncio.ensure_future(self._ask(origin))
            task.add_done_callback(lambda _: self._under_way.pop(origin, None))
        return await asyncio.shield(task)

    def _fresh(self, rules: RobotsRules) -> float:
        """How long rules hold: what could not be had may be had soon, where the memory outlives the run."""
        return FRESH_SECONDS if rules.trouble is None or not self.memory.outlives else TROUBLE_SECONDS

    async def _ask(self, origin: str) -> RobotsRules:
        request = _request(f"{origin}/robots.txt")
        pulse: Pulse | None = getattr(self._crawler.spider, "pulse", None)
        if pulse is not None:
            pulse.wait(urlsplit(origin).hostname or "", request.url, "its robots.txt is read first")
        try:
            rules = self._read(await self._crawler.engine.download_async(request))
        except RunStopped:
            raise
        except Exception as error:
            if not self._crawler.crawling:
                raise RunStopped from error
            rules = RobotsRules(trouble=self._trouble(error, request))
        if pulse is not None:
            pulse.came(request.url)
        rules = replace(rules, read_at=monotonic())
        self.memory.keep(origin, rules)
        return rules

    def _read(self, response: Response) -> RobotsRules:
        """The rules that an answer holds; raises where it can't be read."""
        status = response.status
        if 400 <= status < 500 and status != _TOO_MANY:
            return RobotsRules()
        if not 200 <= status < 300 or status == _PARTIAL:
            return RobotsRules(trouble=RobotsTrouble(f"{_CANT} (status {status})"))
        return RobotsRules(own_rules(robots_text(response.body), self._product))

    def _trouble(self, error: Exception, request: Request) -> RobotsTrouble:
        """The sentence for a failure; a redirect may have led to another host, which is then the one to name."""
        asked, last = (
            urlsplit(url).hostname or "" for url in (request.url, (request.meta[_WAYS] or [request.url])[-1])
        )
        refused = _refused(last) if isinstance(error, CannotResolveHostError) else None
        reason = reason_for(error, replace(self._settings, max_bytes=ROBOTS_BYTES), host=last, refused=refused)
        private = refused is not None
        return RobotsTrouble(reason if private and asked == last else f"{_CANT}: {reason}", private=private)


_CANT = "its robots.txt, which must be read first, can't be had"


class RobotsUnpacking:
    """Downloader middleware before Scrapy's unpacking, which takes what it can get of a broken body."""

    def process_response(self, request: Request, response: Response) -> Response:
        if not asks_robots(request):
            return response
        encodings = [name for line in response.headers.getlist(b"Content-Encoding") for name in line.split(b",")]
        if not encodings or not 200 <= response.status < 300:
            return response.replace(body=response.body if not encodings else b"", headers=_plain(response))
        body = unpacked(response.body, [name.decode("latin-1") for name in encodings], most=ROBOTS_BYTES)
        return response.replace(body=body, headers=_plain(response))


def _plain(response: Response) -> Any:
    headers = response.headers.copy()
    headers.pop(b"Content-Encoding", None)
    return headers


def _request(url: str) -> Request:
    meta = {"dont_obey_robotstxt": True, "download_maxsize": ROBOTS_BYTES, _WAYS: []}
    headers = {"Accept-Encoding": ENCODINGS}
    return Request(url, priority=_FIRST, callback=NO_CALLBACK, meta=meta, headers=headers, dont_filter=True)


def asks_robots(request: Request) -> bool:
    """Whether a request is one of ours for a robots.txt."""
    return _WAYS in request.meta


def _refused(host: str) -> str | None:
    """The addresses for which the address rule refused a host."""
    from twisted.internet import reactor

    resolver = reactor.nameResolver
    return resolver.why_refused(host) if isinstance(resolver, PublicResolver) else None
