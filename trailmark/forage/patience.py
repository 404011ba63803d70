"""Trying again: later each time, when the server says so, and not at all where it would change nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from scrapy.http import Request, Response

from trailmark.forage.addresses import PublicResolver
from trailmark.forage.failures import AskedToWait, is_hopeless
from trailmark.forage.pace import Pace, bounded

FIRST_PAUSE = 2.0
"""Seconds before the first new try; each further one waits twice as long."""

_OVERLOADED = (429, 503)
_PASSING = (*_OVERLOADED, 408, 500, 502, 504)
_PASSING_ERRORS = (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)


def retry_after(value: str, *, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for (RFC 9110, section 10.2.3), or None where it says nothing readable."""
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())


class Patience:
    """Downloader middleware in the place of Scrapy's retries, with a pause for the whole host before each."""

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any) -> Patience:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        pace = self._pace()
        away = pace.away(pace.key(request))
        if away > pace.max_wait:
            raise AskedToWait(away)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        if response.status not in _PASSING:
            return response
        pace = self._pace()
        asked = _asked_for(response)
        if asked is not None and asked > pace.max_wait:
            # Coming back sooner than asked would be rude, and waiting so long would hold up the run.
            pace.hold(pace.key(request), asked)
            return response
        return self._again(request, f"status {response.status}", pause=asked) or response

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        if not isinstance(exception, _PASSING_ERRORS) or is_hopeless(exception) or self._refused(request, exception):
            return None
        return self._again(request, type(exception).__name__)

    def _again(self, request: Request, reason: str, *, pause: float | None = None) -> Request | None:
        pace = self._pace()
        if pause is None:
            pause = bounded(FIRST_PAUSE * 2.0 ** request.meta.get("retry_times", 0), pace.max_wait)
        pace.hold(pace.key(request), pause)
        return get_retry_request(request, spider=self._crawler.spider, reason=reason)

    def _refused(self, request: Request, exception: Exception) -> bool:
        """Whether a name was not resolved because of the address rule."""
        from twisted.internet import reactor

        resolver = reactor.nameResolver
        if not isinstance(exception, CannotResolveHostError) or not isinstance(resolver, PublicResolver):
            return False
        return resolver.why_refused(self._pace().key(request)) is not None

    def _pace(self) -> Pace:
        pace: Pace | None = self._crawler.get_extension(Pace)
        assert pace is not None, "engine_settings enables Pace"
        return pace


def _asked_for(response: Response) -> float | None:
    if response.status not in _OVERLOADED:
        return None
    value = response.headers.get(b"Retry-After") or b""
    return retry_after(value.decode("latin-1"), now=datetime.now(UTC))
