"""How long scoring all links of a page takes, against reading that page, in one run.

    python -m benchmarks.navigating WEBS_DIR [--pages N]

A navigator is learnt from the trails of each web's first goal; then pages of that web are read, judged and their links scored,
once each and in the order of the archive, as in a crawl: what the navigator keeps from one page to the next helps, nothing
is measured twice. Processor time. The ratio that counts is the median over pages with links.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from evals.taught_web import TaughtWeb
from trailmark.datatypes import Response
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator import Navigator
from trailmark.learn.recipe import Recipe
from trailmark.read import read_page
from trailmark.store.archive import read_archive
from trailmark.store.benchmark_web import read_webs


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("webs", type=Path)
    parser.add_argument("--pages", type=int, default=100, help="pages of each web (default 100)")
    options = parser.parse_args()
    everything: list[float] = []
    print(f"{'web':20} {'pages':>6} {'read ms':>8} {'score ms':>9} {'us/link':>8} {'ratio':>6}")
    for web in read_webs(options.webs):
        if web.goals:
            everything += _row(TaughtWeb.open(web), options.pages)
    print(f"median ratio over all pages with links: {statistics.median(everything):.2f}")
    return 0


def _row(taught: TaughtWeb, pages: int) -> list[float]:
    navigator = make_navigator(taught.examples(next(iter(taught.web.goals))), Recipe(), goal="goal")
    responses = [each for each in read_archive(taught.web.archive) if each.status == 200]
    rows = [row for each in responses[:pages] if (row := _page(navigator, each))]
    read, score, links = (statistics.median(column) for column in zip(*rows, strict=True))
    ratios = [score / read for read, score, _ in rows]
    print(
        f"{taught.web.name:20} {len(rows):6} {read * 1e3:8.2f} {score * 1e3:9.2f} {score / links * 1e6:8.1f} "
        f"{statistics.median(ratios):6.2f}"
    )
    return ratios


def _page(navigator: Navigator, response: Response) -> tuple[float, float, int] | None:
    start = time.process_time()
    page = read_page(response)
    read = time.process_time() - start
    if not page.links:
        return None
    site = "/".join(page.url.split("/")[:3]) + "/"
    verdict = navigator.judge(page, site=site)
    start = time.process_time()
    navigator.score(verdict, navigator.link_bags(page, site=site))
    return read, time.process_time() - start, len(page.links)


if __name__ == "__main__":
    raise SystemExit(main())
