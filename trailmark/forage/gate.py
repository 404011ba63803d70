"""The gate that every request passes, redirects and robots.txt included: which URLs are asked at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from scrapy.http import Request, Response

from trailmark.forage.failures import Refused, RunStopped

ROBOTS_BYTES = 500 * 1024
"""What is read of a robots.txt (RFC 9309, section 2.5, asks for at least this much)."""

_DENY_ALL = b"User-agent: *\nDisallow: /\n"


def refusal(url: str, *, max_length: int) -> str | None:
    """Why a URL is not asked for, whatever its host; None where nothing speaks against it."""
    if len(url) > max_length:
        return f"it is longer than {max_length} characters"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "it is not a valid URL"
    if parts.scheme.lower() not in ("http", "https"):
        return "only http and https are fetched"
    if not host or port == 0:
        return "it is not a valid URL"
    if "@" in parts.netloc:
        return "it carries a user name, and none is sent"
    return None


@dataclass(frozen=True, slots=True)
class RobotsTrouble:
    """Why a robots.txt can't be had: an exception or the status of the answer, from the host that was asked last."""

    cause: Exception | int
    host: str


class Gate:
    """Downloader middleware next to the engine.

    Robots.txt as RFC 9309 has it, section 2.3.1: where the server says that there is none (4xx) everything is allowed,
    where it fails or can't be reached nothing is. Scrapy would read an error page as the rules, and allow all after a
    network failure.
    """

    def __init__(self, max_url_length: int) -> None:
        self._max_url_length = max_url_length
        self.robots_trouble: dict[str, RobotsTrouble] = {}
        """Hosts (with port) whose robots.txt can't be had."""

    @classmethod
    def from_crawler(cls, crawler: Any) -> Gate:
        return cls(crawler.settings.getint("TRAILMARK_MAX_URL_LENGTH"))

    def process_request(self, request: Request) -> None:
        # Scrapy copies the slot to a redirected request, which would then keep the pace of the wrong host.
        request.meta.pop("download_slot", None)
        reason = refusal(request.url, max_length=self._max_url_length)
        if reason:
            raise Refused(reason)

    def process_response(self, request: Request, response: Response) -> Response:
        if not _asks_robots(request):
            return response
        if response.status >= 500 or response.status == 429:
            self._note(request, response.status)
            return response.replace(status=200, body=_DENY_ALL)
        body = response.body[:ROBOTS_BYTES] if response.status < 300 else b""
        return response.replace(body=body)

    def process_exception(self, request: Request, exception: Exception) -> Response | None:
        if not _asks_robots(request) or isinstance(exception, RunStopped):
            return None
        self._note(request, exception)
        return Response(request.url, status=200, body=_DENY_ALL, request=request)

    def _note(self, request: Request, cause: Exception | int) -> None:
        # A redirect may have led elsewhere; the host that was asked first is the one whose rules are wanted.
        first = request.meta.get("redirect_urls", [request.url])[0]
        self.robots_trouble[urlsplit(first).netloc] = RobotsTrouble(cause, urlsplit(request.url).hostname or "")


def _asks_robots(request: Request) -> bool:
    """Scrapy marks its own requests for robots.txt so; nothing else here carries the mark."""
    return bool(request.meta.get("dont_obey_robotstxt"))
