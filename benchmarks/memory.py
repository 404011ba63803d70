"""Resident memory over a long crawl: it should be flat after warm-up, however long the queue grows.

    python -m benchmarks.memory [--pages 3000] [--links 32] [--sites 80] [--learning]

The generated web is walked with state in a workspace. Every page of it gets `--links` more links, all of them new, that no
strategy wants: what is found mostly waits. `--pages 50000` finds two million links. Prints a line now and then: pages fetched,
links found, links waiting, links in memory, resident megabytes, size of the database. With `--learning` the strategy learns
on the way, and its models of the sites are in memory too.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import trailmark.forage.forage_run as foraging
from trailmark.datatypes import Page, Response
from trailmark.demo import DemoWeb
from trailmark.forage.forage_run import Errand, ForageRun
from trailmark.forage.learning_walk import LearningWalk
from trailmark.forage.scope import Seed
from trailmark.settings import ForageSettings, Settings
from trailmark.strategy import Floats, FollowedLink, Judgement, Outlook, Visit
from trailmark.verbs.run_books import StoredBooks
from trailmark.workspace import Workspace

MORE = "/more/"
"""Where the links lead that nobody wants."""


class Weighing:
    """Scores and memories of the size that a learnt strategy has."""

    name, judges, learns = "weighing", True, False

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        memory = np.zeros(16) if link.memory is None else link.memory
        judgement = Judgement("page", len(page.url) % 20 == 0, 0.5)
        return Visit(judgement, _worth(page), np.tile(memory, (len(page.links), 1)))


class Guiding(Weighing):
    """The same for a strategy that learns on the way: what it expects of links is all it has."""

    goal_name = "page"

    def outlook(self, page: Page, link: FollowedLink, /) -> Outlook:
        visit = self.visit(page, link)
        bags = [{"anchor": link.anchor.lower().split(), "to": link.url.split("/")[3:]} for link in page.links]
        return Outlook(visit.judgement, visit.scores * 0.5, visit.scores, visit.memories, bags)

    def expected(self, memory: Floats, /) -> float:
        del memory
        return 0.3


def _worth(page: Page) -> Floats:
    scores = np.random.default_rng(len(page.links) + len(page.url)).random(len(page.links))
    worth: Floats = scores * np.array([0.01 if MORE in link.url else 1.0 for link in page.links])
    return worth


class LongWeb:
    """The generated web with more links on every page."""

    def __init__(self, sites: int, pages: int, links: int) -> None:
        self._links = links
        self._sites = {site.root: site for site in DemoWeb(sites=sites, pages=pages)}
        self.found = 0

    @property
    def roots(self) -> list[str]:
        return list(self._sites)

    def fetch(self, url: str) -> Response:
        response = self._sites[url[: url.index("/", 8) + 1]].respond(url)
        if response.status != 200 or not response.content_type.startswith("text/html"):
            return response
        rng = random.Random(url)
        more = (f'<li><a href="{MORE}{rng.getrandbits(40):x}/{n}.html">more</a>' for n in range(self._links))
        body = response.body + f"<ul>{''.join(more)}</ul>".encode()
        self.found += body.count(b"href=")
        return replace(response, body=body)

    def __enter__(self) -> LongWeb:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class LongBooks(StoredBooks):
    """The books of a workspace, with a web without end in place of the archives."""

    web: LongWeb

    def pages(self) -> LongWeb:  # type: ignore[override]
        return self.web


def resident() -> float:
    """Megabytes."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--links", type=int, default=32)
    parser.add_argument("--sites", type=int, default=80)
    parser.add_argument("--learning", action="store_true")
    parser.add_argument("--in-memory", type=int, default=ForageSettings().links_in_memory)
    options = parser.parse_args()
    readings: list[float] = []
    start = time.monotonic()
    web = LongWeb(options.sites, 50 + options.pages // options.sites, options.links)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "w" / "trailmark.db"

        def watch(run: ForageRun) -> None:
            if run.forager.totals.fetched < len(readings) * options.pages / 20:
                return
            readings.append(resident())
            waiting = sum(site.queued for site in run.forager.sites)
            print(
                f"{run.forager.totals.fetched:7} pages {web.found:9,} links {waiting:9,} waiting {run.forager.frontier.held:7,} in memory "
                f"{readings[-1]:7.1f} MB resident {database.stat().st_size / 1e6:8.1f} MB on disk "
                f"{time.monotonic() - start:6.0f} s",
                flush=True,
            )

        foraging.WATCH_SECONDS = 0.05
        settings = Settings(forage=ForageSettings(budget=options.pages, links_in_memory=options.in_memory))
        seeds = [Seed(root, "host") for root in web.roots]
        with Workspace.create(Path(folder) / "w") as workspace:
            strategy = LearningWalk(Guiding()) if options.learning else Weighing()
            errand = Errand(seeds, strategy, archives=[Path("endless")])
            books = LongBooks(workspace.folder, workspace.database, settings)
            books.web = web
            ForageRun(errand, settings, books, watch).run()
    half = readings[len(readings) // 2 :]
    print(f"second half: from {half[0]:.1f} to {half[-1]:.1f} MB ({half[-1] / half[0] - 1:+.1%})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
