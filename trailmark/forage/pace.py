"""How fast a host is asked: the one place that touches the slots of Scrapy's downloader.

A host is asked once in `delay` seconds, or in as many as its robots.txt wishes (`Crawl-delay`), and not at all before
the time for which it asked to be left alone (`Retry-After`), or for a pause that doubles with every failure where it
failed without asking. A host that wants longer than `max_wait` is not waited for: its pages fail. Scrapy forgets a slot after a minute without requests, so the wishes are
kept here and put on the slot whenever a request reaches it.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Any

from scrapy import signals
from scrapy.http import Request, Response

PASSING_STATUSES = (408, 429, 500, 502, 503, 504)
"""Answers that say 'not now' rather than 'no'."""

FIRST_PAUSE = 2.0
"""Seconds before the first new try; each further one waits twice as long."""

MOST_HOSTS = 20_000
"""Hosts whose wishes are kept."""

_OVERLOADED = (429, 503)

_SHORTEST = 0.001
"""A delay of nothing would let a host's whole queue go at once: Scrapy looks at the time of the last request only where
there is a delay, and 2.19 counts a transfer only after it has let go of the next ones."""


def bounded(seconds: float | None, most: float) -> float:
    """Seconds that a host asked for, between none and `most`; what is no number counts as none."""
    if seconds is None or math.isnan(seconds):
        return 0.0
    return min(max(seconds, 0.0), most)


def retry_after(value: str, *, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for (RFC 9110, section 10.2.3), or None where it says nothing readable."""
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())


class Pace:
    """Scrapy extension that keeps the pace of every host."""

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler
        self._delay: float = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self.max_wait: float = crawler.settings.getfloat("TRAILMARK_MAX_WAIT")
        self._crawl_delays: dict[str, float] = {}
        self._not_before: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Any) -> Pace:
        pace = cls(crawler)
        crawler.signals.connect(pace._reached_downloader, signal=signals.request_reached_downloader)
        # Sent before the next request to the host is let go, so that a pause comes in time for it.
        crawler.signals.connect(pace._response_downloaded, signal=signals.response_downloaded)
        return pace

    def key(self, request: Request) -> str:
        """The slot of a request: its host."""
        return str(self._crawler.engine.downloader.get_slot_key(request))

    def delay(self, key: str) -> float:
        """Seconds between two requests to a host."""
        return max(self._delay, self._crawl_delays.get(key, 0.0), _SHORTEST)

    def wish(self, request: Request, seconds: float | None) -> None:
        """The pace that the robots.txt of a host asks for; said again before each of its pages, as the oldest are forgotten."""
        delay, key = bounded(seconds, self.max_wait), self.key(request)
        self._crawl_delays.pop(key, None)
        if delay:
            self._crawl_delays[key] = delay
        while len(self._crawl_delays) > MOST_HOSTS:
            del self._crawl_delays[next(iter(self._crawl_delays))]

    def hold(self, key: str, seconds: float) -> None:
        """Leave a host alone for so long; requests that wait for it go on waiting."""
        if len(self._not_before) >= MOST_HOSTS:
            self._forget_rested()
        self._not_before[key] = max(self._not_before.get(key, 0.0), monotonic() + seconds)
        self._apply(key)

    def hold_after_failure(self, request: Request) -> None:
        """Leave a host alone for a pause that doubles with every failure of a request."""
        pause = FIRST_PAUSE * 2.0 ** min(request.meta.get("retry_times", 0), 20)
        self.hold(self.key(request), bounded(pause, self.max_wait))

    def wait(self, key: str) -> float:
        """Seconds until a host may be asked again; 0 for one that is not waited for, which the handler turns away."""
        left = self._left(key)
        if left > self.max_wait:
            return 0.0
        slot = self._crawler.engine.downloader.slots.get(key)
        if slot is None:
            return left
        return max(left, float(slot.lastseen) + self.delay(key) - monotonic())

    def away(self, request: Request) -> float:
        """Seconds for which the host of a request wants to be left alone, where that is longer than is waited for."""
        left = self._left(self.key(request))
        return left if left > self.max_wait else 0.0

    def _forget_rested(self) -> None:
        """Hosts that had their rest, and of the others those that wait for the shortest, until half are left."""
        now = monotonic()
        waiting = sorted(((until, key) for key, until in self._not_before.items() if until > now), reverse=True)
        self._not_before = {key: until for until, key in waiting[: MOST_HOSTS // 2]}

    def _left(self, key: str) -> float:
        return max(0.0, self._not_before.get(key, 0.0) - monotonic())

    def release(self) -> None:
        """Let all that waits go at once: for the end of a run, when the handler turns every request away."""
        downloader = self._crawler.engine.downloader
        self._delay = 0.0
        self._crawl_delays.clear()
        self._not_before.clear()
        for slot in list(downloader.slots.values()):
            slot.delay = _SHORTEST
            slot.lastseen = 0.0
            slot.close()
            downloader._process_queue(slot)

    def _reached_downloader(self, request: Request) -> None:
        self._apply(request.meta["download_slot"])

    def _response_downloaded(self, response: Response, request: Request) -> None:
        if response.status not in PASSING_STATUSES:
            return
        header = response.headers.get(b"Retry-After") or b""
        asked = retry_after(header.decode("latin-1"), now=datetime.now(UTC))
        if asked is None or response.status not in _OVERLOADED:
            self.hold_after_failure(request)
        else:
            self.hold(self.key(request), asked)

    def _apply(self, key: str) -> None:
        slot = self._crawler.engine.downloader.slots.get(key)
        if slot is None:
            return
        slot.delay = self.delay(key)
        left = self._left(key)
        # Where the host is not waited for, the handler turns its requests away as they come.
        if 0.0 < left <= self.max_wait:
            slot.lastseen = max(slot.lastseen, self._not_before[key] - slot.delay)
