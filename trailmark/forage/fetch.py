"""Fetch a given list of pages on Scrapy: every URL is answered once, with a response or with the reason why not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import Crawler
from scrapy.http import Request
from scrapy.http import Response as ScrapyResponse
from twisted.python.failure import Failure

from trailmark.datatypes import Response
from trailmark.errors import FetchError
from trailmark.forage.addresses import Lookup, PublicResolver, system_lookup
from trailmark.forage.engine import run_engine, stop_engine
from trailmark.forage.engine_settings import engine_settings
from trailmark.forage.failures import RunStopped, fetch_error, reason_for
from trailmark.forage.gate import named_ports, refusal
from trailmark.forage.robots_rules import RulesMemory
from trailmark.settings import ForageSettings

OnResponse = Callable[[str, Response], None]
OnFailure = Callable[[str, FetchError], None]

_WANTED = "trailmark_wanted"


def fetch_pages(
    urls: Iterable[str],
    settings: ForageSettings,
    *,
    on_response: OnResponse,
    on_failure: OnFailure,
    lookup: Lookup = system_lookup,
    rules: RulesMemory | None = None,
) -> None:
    """Fetch pages and hand each to `on_response`, or the reason why it can't be had to `on_failure`.

    Every URL is answered exactly once, in no particular order; a URL given twice is one URL. May be called any number
    of times in a process; threads that call it wait for each other. Ctrl-C lets the requests under way end, asks nothing
    new and then raises KeyboardInterrupt; a second Ctrl-C raises it at once. What a callback raises ends the run and is
    raised again here. `rules` remembers the robots.txt of hosts from one call to the next.
    """
    run = _FetchOrder(settings, on_response, on_failure, PublicResolver(settings.allow_hosts, lookup=lookup))
    wanted = dict.fromkeys(urls)
    crawler = Crawler(_Pages, {**engine_settings(settings, ports=named_ports(wanted)), "TRAILMARK_ROBOTS": rules})
    requests = list(run.requests(wanted))
    interrupted = False
    if requests and run.error is None:
        interrupted = run_engine(crawler, run.resolver, run=run, requests=requests)
    if interrupted and run.error is None:
        raise KeyboardInterrupt
    for url in list(run.open):
        run.fail(url, fetch_error(url, reason="the engine dropped it"))
    if run.error is not None:
        raise run.error


class _FetchOrder:
    """What one call of `fetch_pages` knows: who is to be told, and which URLs are still open."""

    def __init__(
        self, settings: ForageSettings, on_response: OnResponse, on_failure: OnFailure, resolver: PublicResolver
    ) -> None:
        self.settings = settings
        self.resolver = resolver
        self.open: dict[str, None] = {}
        self.error: BaseException | None = None
        self._on_response = on_response
        self._on_failure = on_failure

    def requests(self, urls: Iterable[str]) -> Iterator[Request]:
        """A request for each URL; those that can't be asked fail at once."""
        for url in urls:
            self.open[url] = None
            reason = refusal(url, max_length=self.settings.max_url_length)
            request = None
            if reason is None:
                try:
                    request = Request(url, dont_filter=True, meta={_WANTED: url})
                except ValueError:
                    reason = "it is not a valid URL"
            if request is not None:
                yield request
            else:
                self.fail(url, fetch_error(url, reason=reason or "it is not a valid URL"))

    def succeed(self, url: str, response: Response) -> None:
        self._tell(url, lambda: self._on_response(url, response))

    def fail(self, url: str, error: FetchError) -> None:
        self._tell(url, lambda: self._on_failure(url, error))

    def reason(self, exception: BaseException, host: str) -> str:
        return reason_for(exception, self.settings, host=host, refused=self.resolver.why_refused(host))

    def _tell(self, url: str, call: Callable[[], None]) -> None:
        if url not in self.open or self.error is not None:
            return
        del self.open[url]
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - raised again where the caller can see it
            self.error = error


class _Pages(scrapy.Spider):
    """Asks for a list of pages and follows nothing."""

    name = "pages"

    def __init__(self, run: _FetchOrder, requests: list[Request], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._run = run
        self._requests = requests

    async def start(self) -> AsyncIterator[Any]:
        for request in self._requests:
            yield request.replace(callback=self.parse, errback=self.failed)

    async def parse(self, response: ScrapyResponse) -> None:
        assert response.request is not None
        self._run.succeed(response.request.meta[_WANTED], plain_response(response))
        self._stop_after_error()

    async def failed(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        wanted = request.meta[_WANTED]
        if isinstance(failure.value, RunStopped):
            return
        asked = request.url if request.meta.get("redirect_urls") else None
        assert failure.value is not None
        reason = self._run.reason(failure.value, urlsplit(request.url).hostname or "")
        self._run.fail(wanted, fetch_error(wanted, reason=reason, asked=asked))
        self._stop_after_error()

    def _stop_after_error(self) -> None:
        if self._run.error is not None:
            stop_engine(self.crawler)


def plain_response(response: ScrapyResponse) -> Response:
    """Scrapy's response as Trailmark's: the body is unpacked, so headers that described the packed one are left out."""
    headers = [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
        if name.lower() != b"content-length" or value == str(len(response.body)).encode()
    ]
    meta = response.request.meta if response.request is not None else {}
    return Response(
        url=response.url,
        status=response.status,
        headers=tuple(headers),
        body=response.body,
        redirects=tuple(meta.get("redirect_urls", ())),
    )
