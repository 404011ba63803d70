"""Pictures, style sheets and fonts of pages that a person browses, fetched apart from the pages: a page never waits for them.

A few processes of their own ask for them through `forage`, one host at a time each, so that a host that drips holds up itself. What
has not come when the time is up is given up, and the process that waits for it is ended: no server decides how long that takes.
"""

from __future__ import annotations

import math
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import urlsplit

from trailmark.datatypes import Response
from trailmark.errors import FetchError
from trailmark.settings import ForageSettings

PROCESSES = 2
AT_ONCE = 12
"""Pictures of one host that are asked for together."""
GATHER = 0.05
"""Seconds in which the pictures of a page gather: together they ask for robots.txt once."""
START = 60.0
"""Seconds until a process must be ready; it only loads our own modules."""


@dataclass(frozen=True, slots=True)
class _PictureOrder:
    url: str
    until: float
    answer: Future[Response] = field(default_factory=Future)

    def fail(self, reason: str) -> None:
        if not self.answer.done():
            self.answer.set_exception(FetchError(f"{self.url} was not fetched: {reason}."))


class PicturePool:
    """Single URLs from the network, for any number of threads; each is answered within a few times `manners().timeout`."""

    def __init__(self, manners: Callable[[], ForageSettings]) -> None:
        self._manners = manners
        self._changed = threading.Condition()
        self._waiting: dict[str, list[_PictureOrder]] = {}
        self._asked: set[str] = set()
        self._started = False

    def fetch(self, url: str) -> Response:
        """The answer to one URL; FetchError says why there is none."""
        wanted = _PictureOrder(url, time.monotonic() + self._manners().timeout)
        with self._changed:
            self._waiting.setdefault(urlsplit(url).netloc, []).append(wanted)
            if not self._started:
                self._started = True
                for _ in range(PROCESSES):
                    threading.Thread(target=self._work, name="pictures", daemon=True).start()
            self._changed.notify()
        return wanted.answer.result()

    def _work(self) -> None:
        process = _Process()
        while True:
            host, batch = self._next()
            try:
                self._fetch(process, batch)
            except Exception as error:  # noqa: BLE001 - each of those who wait is told
                for order in batch:
                    order.fail(str(error))
            finally:
                with self._changed:
                    self._asked.discard(host)
                    self._changed.notify_all()

    def _next(self) -> tuple[str, list[_PictureOrder]]:
        """Pictures of a host that no other process is asking."""
        with self._changed:
            self._changed.wait_for(lambda: any(host not in self._asked for host in self._waiting))
            host = next(host for host in self._waiting if host not in self._asked)
            self._asked.add(host)
        time.sleep(GATHER)
        with self._changed:
            every = self._waiting.pop(host)
            if every[AT_ONCE:]:
                self._waiting[host] = every[AT_ONCE:]
        return host, every[:AT_ONCE]

    def _fetch(self, process: _Process, batch: list[_PictureOrder]) -> None:
        manners = self._manners()
        process.make_ready()
        late = [order for order in batch if order.until < time.monotonic()]
        for order in late:
            order.fail("others before it took all the time there is")
        by_url: dict[str, list[_PictureOrder]] = {}
        for order in batch:
            if order not in late:
                by_url.setdefault(order.url, []).append(order)

        def tell(url: str, answer: Response | str) -> None:
            for order in by_url.get(url, ()):
                if isinstance(answer, str):
                    order.fail(answer)
                elif not order.answer.done():
                    order.answer.set_result(answer)

        process.fetch(list(by_url), manners, tell)
        for order in batch:
            order.fail(f"it did not come within {manners.timeout:g} seconds")


class _Process:
    """A process that fetches for one thread, started again where it had to be ended."""

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: Connection | None = None

    def make_ready(self) -> None:
        """See that there is a process that listens."""
        if self._process is not None and self._process.is_alive():
            return
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_answer, args=(theirs,), name="trailmark pictures", daemon=True)
        self._process.start()
        theirs.close()
        if not self._pipe.poll(START) or self._pipe.recv() is not None:
            self._end()
            raise FetchError("the process that fetches pictures does not start")

    def fetch(self, urls: Sequence[str], manners: ForageSettings, tell: Callable[[str, Response | str], None]) -> None:
        """Tell the answer to each URL, or why there is none, as far as they come in time."""
        assert self._pipe is not None
        ends = time.monotonic() + manners.timeout
        try:
            self._pipe.send((urls, manners))
            while self._pipe.poll(max(0.0, ends - time.monotonic())):
                answer = self._pipe.recv()
                if answer is None:
                    return
                tell(*answer)
        except (EOFError, OSError):
            pass  # it died; what has not been told is given up
        self._end()

    def _end(self) -> None:
        self._process.kill()
        self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _answer(pipe: Connection) -> None:
    """In the process: lists of URLs come in; each answer or reason goes out, and None after the last."""
    from trailmark.forage import fetch_pages
    from trailmark.forage.robots_rules import RulesMemory

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the app ends it
    rules = RulesMemory(outlives=True)
    pipe.send(None)
    while True:
        try:
            urls, manners = pipe.recv()
        except EOFError:
            return
        signal.alarm(math.ceil(manners.timeout) + 5)  # should the app be gone
        try:
            fetch_pages(
                urls,
                manners,
                on_response=lambda url, response: pipe.send((url, response)),
                on_failure=lambda url, error: pipe.send((url, str(error))),
                rules=rules,
            )
        except Exception as error:  # noqa: BLE001 - told to those who wait
            for url in urls:
                pipe.send((url, str(error)))
        signal.alarm(0)
        pipe.send(None)
