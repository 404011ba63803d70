"""Trying again: later each time, when the server says so, and not at all where it would change nothing."""

from __future__ import annotations

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
from trailmark.forage.failures import is_hopeless, reason_for
from trailmark.forage.pace import PASSING_STATUSES, Pace
from trailmark.forage.pulse import Pulse
from trailmark.settings import ForageSettings

_PASSING_ERRORS = (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)


class Patience:
    """Downloader middleware in the place of Scrapy's retries, with a pause for the whole host before each (see pace.py)."""

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any) -> Patience:
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        # Coming back sooner than a host asked would be rude, and waiting too long would hold up the run.
        if response.status not in PASSING_STATUSES or self._pace().away(request):
            return response
        return self._again(request, f"status {response.status}", f"status {response.status}") or response

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        if not isinstance(exception, _PASSING_ERRORS) or is_hopeless(exception) or self._refused(request, exception):
            return None
        self._pace().hold_after_failure(request)
        return self._again(request, type(exception).__name__, self._words(request, exception))

    def _again(self, request: Request, reason: str, words: str) -> Request | None:
        again = get_retry_request(request, spider=self._crawler.spider, reason=reason)
        pulse: Pulse | None = getattr(self._crawler.spider, "pulse", None)
        if again is not None and pulse is not None:
            pace = self._pace()
            pulse.retry(pace.key(request), request.url, words, seconds=pace.wait(pace.key(request)))
        return again

    def _words(self, request: Request, exception: Exception) -> str:
        """Why a try failed, as the report will say it where no other helps."""
        settings: ForageSettings = self._crawler.settings["TRAILMARK_FORAGE"]
        return reason_for(exception, settings, host=self._pace().key(request))

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
