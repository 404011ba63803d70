"""Walking sites: politely, safely, and in the order that a strategy wishes. The only room that reaches out.

What is fetched next
    breadth.py           breadth-first, the simplest strategy; own_strategy.py loads one of the user's own
    learning_walk.py     a strategy that learns while it walks; adaptation.py is its model of one site
    frontier.py          queues of all sites: best first, sums over paths, fair, budgets; no Scrapy
    link_pool.py         waiting links by their keys: the best in memory, the others outside
    site_queue.py        one site: its queue, a heap with lazy deletion, and why it ends
    queued_link.py       a link that waits, made of a page's, and the role of the place where it waits when memory is short
    scope.py, seeds.py   how far a site reaches; seeds as people write them
    traps.py             calendars, sessions, repetitions, copies
    missing_pages.py     pages that answer with 200 and say that they do not exist

A run
    forage_run.py        a run with its books: begun or taken up, committed every moment, reported
    run_books.py         where a run is written down, as the run sees it; restoring.py: a run that was cut off, as it was
    run.py               the forager: one page after the other shown to the strategy, logged, its links pushed
    totals.py            what came of all; remarks.py: what the log says of pages left alone, and of how sites ended
    fetch_log.py         a line of `forage --log`; forage_report.py: what came of a run
    harvest_picture.py   goals found against pages fetched
    walk.py              pages from archives, without Scrapy
    crawl.py             pages from the net: the spider; scheduler.py: Scrapy's place for the frontier

Fetching (for a list of pages: fetch.py)
    engine.py            runs Scrapy in this process; engine_settings.py closes what it leaves open
    gate.py, addresses.py, cookies.py, handler.py      what may be asked, and of whom
    pace.py, patience.py     how fast, and how often again
    failures.py          why a page can't be had, in one sentence
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trailmark.forage.fetch import fetch_pages

__all__ = ["fetch_pages"]


def __getattr__(name: str) -> Any:
    """Scrapy takes half a second to load, so it is loaded where something is fetched and not before."""
    if name != "fetch_pages":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from trailmark.forage.fetch import fetch_pages

    return fetch_pages
