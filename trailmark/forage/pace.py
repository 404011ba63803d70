"""How fast a host is asked: the one place that touches the slots of Scrapy's downloader.

A host is asked once in `delay` seconds, or in as many as its robots.txt wishes (`Crawl-delay`), and not at all before
the time for which it asked to be left alone. Scrapy forgets a slot after a minute without requests, so the wishes are
kept here and put on the slot whenever a request reaches it.
"""

from __future__ import annotations

import math
from time import monotonic
from typing import Any

from scrapy import signals
from scrapy.http import Request

_SHORTEST = 0.001
"""Scrapy looks at the time of the last request only where there is a delay."""


def bounded(seconds: float | None, most: float) -> float:
    """Seconds that a host asked for, between none and `most`; what is no number counts as none."""
    if seconds is None or math.isnan(seconds):
        return 0.0
    return min(max(seconds, 0.0), most)


class Pace:
    """Scrapy extension that keeps the pace of every host."""

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler
        self._delay: float = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self._product = crawler.settings["ROBOTSTXT_USER_AGENT"]
        self.max_wait: float = crawler.settings.getfloat("TRAILMARK_MAX_WAIT")
        self._crawl_delays: dict[str, float] = {}
        self._not_before: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Any) -> Pace:
        pace = cls(crawler)
        crawler.signals.connect(pace._robots_parsed, signal=signals.robots_parsed)
        crawler.signals.connect(pace._reached_downloader, signal=signals.request_reached_downloader)
        return pace

    def key(self, request: Request) -> str:
        """The slot of a request: its host."""
        return str(self._crawler.engine.downloader.get_slot_key(request))

    def delay(self, key: str) -> float:
        """Seconds between two requests to a host."""
        return max(self._delay, self._crawl_delays.get(key, 0.0))

    def hold(self, key: str, seconds: float) -> None:
        """Leave a host alone for so long; requests that wait for it go on waiting."""
        self._not_before[key] = max(self._not_before.get(key, 0.0), monotonic() + seconds)
        self._apply(key)

    def away(self, key: str) -> float:
        """Seconds for which a host still wants to be left alone."""
        return max(0.0, self._not_before.get(key, 0.0) - monotonic())

    def release(self) -> None:
        """Let all that waits go at once: for the end of a run, when the handler turns every request away."""
        downloader = self._crawler.engine.downloader
        self._delay = 0.0
        self._crawl_delays.clear()
        self._not_before.clear()
        for slot in list(downloader.slots.values()):
            slot.delay = 0.0
            slot.close()
            downloader._process_queue(slot)

    def _robots_parsed(self, robotparser: Any, request: Request) -> None:
        delay = bounded(robotparser.crawl_delay(self._product), self.max_wait)
        if delay:
            self._crawl_delays[self.key(request)] = delay

    def _reached_downloader(self, request: Request) -> None:
        self._apply(request.meta["download_slot"])

    def _apply(self, key: str) -> None:
        slot = self._crawler.engine.downloader.slots.get(key)
        if slot is None:
            return
        slot.delay = self.delay(key)
        if self.away(key):
            slot.delay = max(slot.delay, _SHORTEST)
            slot.lastseen = max(slot.lastseen, self._not_before[key] - slot.delay)
