"""Scrapy's download handler with one more cap: the head of an answer ends somewhere.

Twisted limits the length of a header line, not the number of lines, so a server could fill the memory with headers
until the time is up. The classes below reach into Scrapy's and Twisted's insides because neither offers a place for
this; the tests of this room fail if those insides move.
"""

from __future__ import annotations

from typing import Any

from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from scrapy.http import Request, Response
from twisted.python.failure import Failure
from twisted.web._newclient import HEADER, STATUS

from trailmark.forage.failures import AskedToWait, HeadTooLarge, RunStopped
from trailmark.forage.pace import Pace

MAX_HEAD_BYTES = 128 * 1024


class _CappedProtocol(_LenientHTTP11ClientProtocol):
    _head_bytes = 0

    def request(self, request: Any) -> Any:
        self._head_bytes = 0
        return super().request(request)

    def dataReceived(self, bytes: bytes) -> None:  # noqa: N802, A002 - Twisted's names
        parser = self._parser
        if parser is not None and parser.state in (STATUS, HEADER):
            self._head_bytes += len(bytes)
            if self._head_bytes > MAX_HEAD_BYTES:
                self._giveUp(Failure(HeadTooLarge()))  # type: ignore[no-untyped-call]
                return
        super().dataReceived(bytes)  # type: ignore[no-untyped-call]


class _CappedFactory(_LenientHTTP11ClientFactory):
    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802, ARG002 - Twisted's name
        return _CappedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]


class CappedHandler(HTTP11DownloadHandler):
    """Fetches over http and https, unless by now the run is being stopped or the host asked to be left alone."""

    def __init__(self, crawler: Any) -> None:
        super().__init__(crawler)
        self._pool._factory = _CappedFactory

    async def download_request(self, request: Request) -> Response:
        if not self._crawler.crawling:
            raise RunStopped
        pace = self._crawler.get_extension(Pace)
        away = pace.away(request) if pace is not None else 0.0
        if away:
            raise AskedToWait(away)
        return await super().download_request(request)
