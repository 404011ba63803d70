"""Run a Scrapy crawler to its end, as often as wanted in one process, and stop it politely."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scrapy.crawler import Crawler
from scrapy.utils.reactor import install_reactor, is_asyncio_reactor_installed, is_reactor_installed
from twisted.python.log import PythonLoggingObserver

from trailmark.forage.addresses import PublicResolver
from trailmark.forage.interruption import interruptible
from trailmark.forage.pace import Pace

_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"

# Failures reach the caller one by one. The engine's own log goes where the process's logs go; where nobody set any up, nowhere.
for _name in ("scrapy", "twisted", "protego", "asyncio"):
    logging.getLogger(_name).addHandler(logging.NullHandler())

# There is one reactor in a process: threads that fetch (requests of the web app, say) wait for each other.
_ONE_AT_A_TIME = threading.Lock()

# The loop itself holds its tasks weakly only.
_stopping: set[asyncio.Task[None]] = set()


def run_engine(crawler: Crawler, resolver: PublicResolver, **spider_arguments: Any) -> bool:
    """Run a crawler under the address rule of a resolver until it ends; True where Ctrl-C ended it.

    After Ctrl-C nothing new is asked, and what is under way may end within a second: then, or after a second Ctrl-C,
    KeyboardInterrupt is raised wherever the run is (see interruption.py).
    """
    with _ONE_AT_A_TIME:
        return _run_alone(crawler, resolver, spider_arguments)


def _run_alone(crawler: Crawler, resolver: PublicResolver, spider_arguments: dict[str, Any]) -> bool:
    loop = _event_loop()

    def stop() -> None:
        # The handler may run in the middle of anything: the engine is stopped when it comes back to its loop.
        loop.call_soon_threadsafe(stop_engine, crawler)

    def raise_interrupt() -> None:
        if under_way:
            raise KeyboardInterrupt

    def break_off() -> None:
        # Twisted catches whatever a callback raises; what the loop itself calls ends the loop.
        loop.call_soon_threadsafe(raise_interrupt)

    under_way = [crawler]
    try:
        with _twisted_log(), _resolver_in_place(resolver), interruptible(stop, break_off) as interrupted:
            loop.run_until_complete(crawler.crawl_async(**spider_arguments))
    finally:
        under_way.clear()
    return bool(interrupted)


def stop_engine(crawler: Crawler) -> None:
    """Ask nothing new; requests under way may end. To be called while the crawler runs."""
    if not crawler.crawling:
        return
    task = asyncio.ensure_future(crawler.stop_async())
    _stopping.add(task)
    task.add_done_callback(_stopping.discard)
    # Requests that wait for their host are let go once the stop is under way: the handler turns them away.
    asyncio.get_running_loop().call_soon(_release, crawler)


def _release(crawler: Crawler) -> None:
    pace = crawler.get_extension(Pace)
    if pace is not None:
        pace.release()


def _event_loop() -> asyncio.AbstractEventLoop:
    """The loop under Twisted's reactor: it is run instead of the reactor, which never starts again once stopped."""
    if not is_reactor_installed():
        install_reactor(_REACTOR)
    if not is_asyncio_reactor_installed():
        raise RuntimeError("Another Twisted reactor than the asyncio one was installed before Trailmark could fetch.")
    from twisted.internet import reactor

    loop: asyncio.AbstractEventLoop = reactor._asyncioEventloop
    return loop


@contextmanager
def _twisted_log() -> Iterator[None]:
    """Twisted's log, errors that nobody took among them, goes to the standard library's as Scrapy's does."""
    observer = PythonLoggingObserver("twisted")  # type: ignore[no-untyped-call]
    observer.start()
    try:
        yield
    finally:
        observer.stop()


@contextmanager
def _resolver_in_place(resolver: PublicResolver) -> Iterator[None]:
    """Scrapy's process classes install the resolver of the settings; here the loop is run without them."""
    from twisted.internet import reactor

    before = reactor.installNameResolver(resolver)
    try:
        yield
    finally:
        reactor.installNameResolver(before)
