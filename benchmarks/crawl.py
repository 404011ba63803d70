"""Pages per processor-second of a whole crawl over a local server: ours against bare Scrapy, same pages, one run.

    python -m benchmarks.crawl [--sites 20] [--pages 100] [--budget 600] [--strategy path] [--replay]

Ours does all that `trailmark forage` does: pages read, judged, links scored, state in SQLite, pages archived. Bare Scrapy has
its default scheduler and dupefilter, takes the links of a page with its own link extractor and yields every one, breadth
first. Both ask the same server, which runs in a process of its own; only the crawler's own processor time counts.
With `--replay` our walk over pages in memory is measured beside the same walk through Scrapy.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from benchmarks.taught_workspace import taught_workspace
from trailmark.verbs.forage import forage
from trailmark.verbs.strategies import workspace_strategy

CONTACT = "bench@example.org"
SETTINGS = f'[forage]\ncontact = "{CONTACT}"\nallow_hosts = ["*.localhost"]\ndelay = 0.0\nobey_robots = false\n'


def main() -> int:
    options = _options()
    if options.child:
        print(json.dumps(CHILDREN[options.child](options)))
        return 0
    from trailmark.demo import DemoWeb, serve

    print(
        f"{options.sites} sites of about {options.pages} pages, {options.budget} fetches, strategy {options.strategy}"
    )
    with tempfile.TemporaryDirectory() as folder, serve(DemoWeb(sites=options.sites, pages=options.pages)) as server:
        rates = {}
        for name in ["ours", "bare"] + (["walk", "walk-scrapy"] if options.replay else []):
            words = [*sys.argv[1:], "--child", name, "--port", str(server.port), "--folder", folder]
            done = subprocess.run([sys.executable, __file__, *words], stdout=subprocess.PIPE, check=True, text=True)
            said = json.loads(done.stdout)
            rates[name] = said["pages"] / said["cpu"]
            print(
                f"{name:12} {said['pages']:6} pages {said['cpu']:7.2f} s of processor {rates[name]:7.1f} pages a second"
            )
    print(f"ours / bare Scrapy: {rates['ours'] / rates['bare']:.2f}")
    if options.replay:
        print(f"walk / the same through Scrapy: {rates['walk'] / rates['walk-scrapy']:.2f}")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, default=20)
    parser.add_argument("--pages", type=int, default=100, help="pages of a site, about")
    parser.add_argument("--budget", type=int, default=600)
    parser.add_argument("--strategy", choices=("path", "breadth"), default="path")
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _web(options: argparse.Namespace) -> Any:
    from trailmark.demo import DemoWeb

    web = DemoWeb(sites=options.sites, pages=options.pages)
    return web.at(f"http://{{host}}.localhost:{options.port}/")


def _workspace(options: argparse.Namespace, name: str) -> Path:
    """A workspace that learnt the way to publications on two other sites, where the strategy wants it."""
    settings = SETTINGS + f"budget = {options.budget}\n"
    return taught_workspace(options.folder / name, settings, taught=options.strategy == "path")


def _ours(options: argparse.Namespace) -> dict[str, float]:
    from trailmark.workspace import Workspace

    folder = _workspace(options, "ours")
    web = _web(options)
    with Workspace.open(folder) as workspace:
        import trailmark.forage.crawl  # noqa: F401 - loading Scrapy is not what is measured

        start = time.process_time()
        report = forage(workspace, [web.root(number) for number in range(web.sites)], strategy=options.strategy)
        return {"pages": report.pages, "cpu": time.process_time() - start}


def _bare(options: argparse.Namespace) -> dict[str, float]:
    import scrapy
    from scrapy.crawler import Crawler
    from scrapy.linkextractors import LinkExtractor

    from trailmark.forage.addresses import PublicResolver
    from trailmark.forage.engine import run_engine

    web = _web(options)
    seen = {"pages": 0}

    class Bare(scrapy.Spider):
        name = "bare"
        links = LinkExtractor(allow=rf"^http://[^/]*\.localhost:{options.port}/")

        async def start(self) -> AsyncIterator[Any]:
            for number in range(web.sites):
                yield scrapy.Request(web.root(number))

        def parse(self, response: Any) -> Any:
            seen["pages"] += 1
            if isinstance(response, scrapy.http.HtmlResponse):
                for link in self.links.extract_links(response):
                    yield scrapy.Request(link.url)

    settings = {
        "CLOSESPIDER_PAGECOUNT": options.budget,
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": 0,
        "DEPTH_PRIORITY": 1,
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        "ROBOTSTXT_OBEY": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
        "RETRY_ENABLED": False,
        "HTTPERROR_ALLOW_ALL": True,
    }
    start = time.process_time()
    run_engine(Crawler(Bare, settings), PublicResolver(["*.localhost"]))
    return {"pages": seen["pages"], "cpu": time.process_time() - start}


def _in_memory(options: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    """The web's pages, made beforehand: making them is not what is measured."""
    web = _web(options)
    return web, {response.url: response for site in web for response in site.responses()}


def _forager(options: argparse.Namespace, web: Any, name: str) -> Any:
    from trailmark.forage.run import Forager
    from trailmark.forage.scope import Seed
    from trailmark.settings import ForageSettings
    from trailmark.workspace import Workspace

    with Workspace.open(_workspace(options, name)) as workspace:
        strategy, *_ = workspace_strategy(workspace, options.strategy)
    settings = ForageSettings(
        contact=CONTACT, allow_hosts=("*.localhost",), delay=0.0, budget=options.budget, obey_robots=False
    )
    forager = Forager(strategy, settings)
    for number in range(web.sites):
        forager.add_site(Seed(web.root(number), "host"))
    return forager


def _walk(options: argparse.Namespace) -> dict[str, float]:
    from trailmark.datatypes import Response
    from trailmark.forage.walk import walk

    web, pages = _in_memory(options)
    forager = _forager(options, web, "walk")
    start = time.process_time()
    walk(forager, lambda url: pages.get(url) or Response(url, 404))
    return {"pages": forager.totals.fetched, "cpu": time.process_time() - start}


def _walk_scrapy(options: argparse.Namespace) -> dict[str, float]:
    import scrapy.http

    from trailmark.forage.crawl import crawl
    from trailmark.forage.handler import CappedHandler

    web, pages = _in_memory(options)

    async def answer(_self: Any, request: Any) -> Any:
        page = pages.get(request.url)
        if page is None:
            return scrapy.http.Response(request.url, status=404)
        return scrapy.http.HtmlResponse(request.url, status=page.status, headers=dict(page.headers), body=page.body)

    CappedHandler.download_request = answer  # type: ignore[method-assign, assignment]
    forager = _forager(options, web, "walk-scrapy")
    start = time.process_time()
    crawl(forager)
    return {"pages": forager.totals.fetched, "cpu": time.process_time() - start}


CHILDREN = {"ours": _ours, "bare": _bare, "walk": _walk, "walk-scrapy": _walk_scrapy}

if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
