"""Operations of the frontier: links pushed and taken per processor-second, by the number of sites, in memory and with the tail on disk.

    python -m benchmarks.frontier [--links 200000] [--page 40]

Each page of `--page` links is pushed, then one link is taken, as in a crawl; half of the links of a page were found before.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from random import Random

from trailmark.forage.frontier import Frontier
from trailmark.forage.queued_link import QueuedLink
from trailmark.store import Database
from trailmark.store.frontier_table import FrontierTable
from trailmark.store.run_table import RunTable

COMMIT_EVERY = 100


def link(site: int, number: int, score: float) -> QueuedLink:
    key = site * 10_000_000 + number
    url = f"http://s{site}.test/{number}"
    return QueuedLink(key, site, url, 1, 0, 0, "", -1, "html/body/ul/li/a", 0, score, score, score, b"x" * 128)


def measure(sites: int, links: int, page: int, database: Database | None) -> tuple[float, float, int]:
    """(links pushed per second, links taken per second, links left in memory)."""
    spill = None
    if database is not None:
        run = RunTable(database).begin({}, [(f"http://s{number}.test/", "host") for number in range(sites)])
        spill = FrontierTable(database, run.id)
    frontier = Frontier(spill=spill)
    for number in range(sites):
        site = frontier.add_site(f"http://s{number}.test/")
        frontier.push(site, [link(number, 0, 0.0)])
    rng = Random(1)
    known = [1] * sites
    push = take = 0.0
    pages = links // page
    for number in range(pages):
        start = time.process_time()
        ticket = frontier.pop()
        take += time.process_time() - start
        assert ticket is not None
        where = ticket.link.site
        fresh = known[where]
        known[where] += page // 2
        found = {fresh + each for each in range(page // 2)} | {rng.randrange(fresh) for _ in range(page // 2)}
        made = [link(where, each, rng.random()) for each in found]
        start = time.process_time()
        frontier.done(frontier.sites[where], [(ticket.link.key, ticket.link.url)])
        frontier.push(frontier.sites[where], made)
        push += time.process_time() - start
        start = time.process_time()
        frontier.release(ticket)
        take += time.process_time() - start
        if database is not None and number % COMMIT_EVERY == 0:
            start = time.process_time()
            frontier.flush()
            database.commit()
            push += time.process_time() - start
    return pages * page / push, pages / take, frontier.held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, default=200_000)
    parser.add_argument("--page", type=int, default=40)
    parser.add_argument("--sites", type=int, nargs="*", default=[10, 100, 1000, 10_000])
    options = parser.parse_args()
    print(f"{'sites':>7} {'where':>8} {'pushed/s':>10} {'taken/s':>10} {'in memory':>10}")
    for sites in options.sites:
        push, take, held = measure(sites, options.links, options.page, None)
        print(f"{sites:7} {'memory':>8} {push:10,.0f} {take:10,.0f} {held:10,}")
        with tempfile.TemporaryDirectory() as folder, Database.open(Path(folder) / "bench.db") as database:
            push, take, held = measure(sites, options.links, options.page, database)
        print(f"{sites:7} {'disk':>8} {push:10,.0f} {take:10,.0f} {held:10,}")


if __name__ == "__main__":
    main()
