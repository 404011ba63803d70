"""Resident memory over a long crawl: it should be flat after warm-up, however long the queue grows.

    python benchmarks/memory.py [--pages 3000] [--links 40] [--sites 20]

A web without end is walked with state in a workspace: every page has `--links` links, three quarters of them new, so that most
of what is found waits. With `--pages 50000` the queue reaches more than a million links. Prints a line now and then:
pages fetched, links waiting, links in memory, resident megabytes, size of the database.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import trailmark.foraging as foraging
from trailmark.datatypes import Page, Response
from trailmark.forage.scope import Seed
from trailmark.forage.strategy import Floats, Judgement
from trailmark.foraging import Errand, ForageRun
from trailmark.settings import ForageSettings, Settings
from trailmark.workspace import Workspace

HTML = (("Content-Type", "text/html"),)


class Weighing:
    """Scores and memories of the size that a learnt strategy has."""

    name = "weighing"

    def judge(self, page: Page, /, *, site: str, memory: Floats | None) -> Judgement:
        del site
        return Judgement("page", len(page.url) % 20 == 0, 0.5, np.zeros(16) if memory is None else memory.copy())

    def score(self, page: Page, judgement: Any, /, *, site: str) -> tuple[Floats, Floats | None]:
        del site
        rng = np.random.default_rng(len(page.links) + len(page.url))
        return rng.random(len(page.links)), np.tile(judgement.memory, (len(page.links), 1))


class EndlessWeb:
    """Every URL is a page; its links are drawn from its own address."""

    def __init__(self, links: int) -> None:
        self._links = links

    def fetch(self, url: str) -> Response:
        rng = random.Random(url)
        root = url[: url.index("/", 8) + 1]
        new = [f"{root}{rng.getrandbits(40):x}/{rng.choice('abcdef')}.html" for _ in range(self._links * 3 // 4)]
        old = [f"{root}menu-{rng.choice('abcdefghijklmnopqrst')}.html" for _ in range(self._links // 4)]
        words = " ".join(rng.choices(("paper", "course", "people", "news", "seminar", "project", url[-9:]), k=200))
        items = "".join(f'<li><a href="{each}">link</a>' for each in new + old)
        return Response(url, 200, HTML, f"<title>t</title><ul>{items}</ul><p>{words}".encode())

    def __enter__(self) -> EndlessWeb:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def resident() -> float:
    """Megabytes."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--links", type=int, default=40)
    parser.add_argument("--sites", type=int, default=20)
    parser.add_argument("--in-memory", type=int, default=ForageSettings().links_in_memory)
    options = parser.parse_args()
    readings: list[float] = []
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "w" / "trailmark.db"

        def watch(run: ForageRun) -> None:
            if run.forager.totals.fetched < len(readings) * options.pages / 20:
                return
            readings.append(resident())
            waiting = sum(site.queued for site in run.forager.sites)
            print(
                f"{run.forager.totals.fetched:7} pages {waiting:9,} waiting {run.forager.frontier.held:7,} in memory "
                f"{readings[-1]:7.1f} MB resident {database.stat().st_size / 1e6:8.1f} MB on disk "
                f"{time.monotonic() - start:6.0f} s",
                flush=True,
            )

        foraging.WATCH_SECONDS = 0.05
        ForageRun._replay = lambda _: EndlessWeb(options.links)  # type: ignore[assignment, method-assign, return-value]
        settings = Settings(forage=ForageSettings(budget=options.pages, links_in_memory=options.in_memory))
        seeds = [Seed(f"http://s{number}.test/") for number in range(options.sites)]
        with Workspace.create(Path(folder) / "w") as workspace:
            errand = Errand(seeds, Weighing(), archives=[Path("endless")])
            ForageRun(workspace.folder, workspace.database, settings, errand, watch).run()
    half = readings[len(readings) // 2 :]
    print(f"second half: from {half[0]:.1f} to {half[-1]:.1f} MB ({half[-1] / half[0] - 1:+.1%})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
