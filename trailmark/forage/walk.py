"""Walk without Scrapy: pages come from a function, one after the other (archives, a generated web).

The frontier, strategies, stop rules, log and state are those of a live crawl; only the fetching differs, and there is
nobody to be polite to. Through Scrapy the same walk costs up to twice the work (measured in `benchmarks/crawl.py --replay`).
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from trailmark.datatypes import Response
from trailmark.forage.run import Forager


def walk(forager: Forager, fetch: Callable[[str], Response], *, tick: Callable[[], None] = lambda: None) -> bool:
    """Fetch until every site has ended; True where Ctrl-C ended it first. `tick` is called after each page."""
    with _interruptible() as interrupted:
        while not interrupted and (ticket := forager.next()) is not None:
            forager.arrived(ticket, fetch(ticket.link.url))
            tick()
    return bool(interrupted)


@contextmanager
def _interruptible() -> Iterator[list[int]]:
    """Ctrl-C fills the list instead of breaking into a half-done step; a second one breaks in. Main thread only."""
    got: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield got
        return

    def handle(number: int, frame: FrameType | None) -> None:
        del frame
        if got:
            raise KeyboardInterrupt
        got.append(number)

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield got
    finally:
        signal.signal(signal.SIGINT, before)
