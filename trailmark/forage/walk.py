"""Walk without Scrapy: pages come from a function, one after the other (archives, a generated web).

The frontier, strategies, stop rules, log and state are those of a live crawl; only the fetching differs, and there is
nobody to be polite to. Through Scrapy the same walk costs up to twice the work (measured in `benchmarks/crawl.py --replay`).
"""

from __future__ import annotations

from collections.abc import Callable

from trailmark.datatypes import Response
from trailmark.forage.interruption import interruptible
from trailmark.forage.run import Forager


def walk(forager: Forager, fetch: Callable[[str], Response], *, tick: Callable[[], None] = lambda: None) -> bool:
    """Fetch until every site has ended; True where Ctrl-C ended it first. `tick` is called after each page.

    A step that goes on after Ctrl-C is broken off by KeyboardInterrupt (see interruption.py).
    """
    with interruptible() as interrupted:
        while not interrupted and (ticket := forager.next()) is not None:
            forager.arrived(ticket, fetch(ticket.link.url))
            tick()
    return bool(interrupted)
