"""How long reading a page takes, against lxml's own parse of it, in one run.

    python -m benchmarks.reading DATA_DIR [--pages N] [--json]
    python -m benchmarks.reading --archives 'some/*.warc.gz' 'more/*.warc.xz' [--json]

Each page is parsed and read in turn, several times; the best of each is taken, in processor time, so that other work on the
machine disturbs both alike. A row is one group of archives: by default the template pages of DATA_DIR (folders where each
archive has its truth beside it) and the small pages of its webs (folders with a `webs.json`). The ratio that counts is the
median over a group of each page's own ratio.

`check` is what it costs to find out whether a tree is one that a browser would make (`read/damage`), as a share of making it; `anew` is the share
of pages that are parsed once more because theirs is not.
"""

from __future__ import annotations

import argparse
import glob
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from lxml import etree

from trailmark.datatypes import Response
from trailmark.read import read_page
from trailmark.read.damage import is_damaged
from trailmark.store.archive import read_archive

_PARSER: Any = etree.HTMLParser()


def main() -> int:
    options = _options()
    groups = {pattern: [pattern] for pattern in options.archives} if options.archives else _groups(Path(options.data))
    rows = [row for name, patterns in groups.items() if (row := _row(name, patterns, options)) is not None]
    if not rows:
        print("No archive with HTML pages found.", file=sys.stderr)
        return 2
    print(json.dumps({"reading": rows}, indent=2) if options.json else _table(rows))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", nargs="?", help="folder whose folders hold archives")
    parser.add_argument("--archives", nargs="+", default=[], metavar="PATTERN", help="archives instead of DATA_DIR")
    parser.add_argument("--pages", type=int, default=10, help="pages of each archive (default 10)")
    parser.add_argument("--spread", type=int, default=5, help="take every n-th page (default 5)")
    parser.add_argument("--repeat", type=int, default=5, help="times each page is measured (default 5)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.data and not options.archives:
        parser.error("name a data folder or --archives")
    return options


def _groups(data: Path) -> dict[str, list[str]]:
    """Patterns of archives by kind, told by what stands beside them."""
    folders = sorted(folder for folder in data.iterdir() if folder.is_dir())
    return {
        "template pages": [str(folder / "*.warc.*") for folder in folders if _has_truth(folder)],
        "webs": [str(folder / "*.warc.*") for folder in folders if (folder / "webs.json").exists()],
    }


def _has_truth(folder: Path) -> bool:
    """Whether every archive of a folder has the true records of its pages beside it."""
    archives = {path.name.split(".warc.")[0] for path in folder.glob("*.warc.*")}
    return bool(archives) and all((folder / f"{name}.truth.jsonl").exists() for name in archives)


def _row(name: str, patterns: list[str], options: argparse.Namespace) -> dict[str, Any] | None:
    measured: list[dict[str, Any]] = [
        {"url": page.url, "bytes": len(page.body), **_measure(page, options.repeat)}
        for pattern in patterns
        for path in sorted(glob.glob(pattern))  # noqa: PTH207 - patterns may be absolute
        for page in islice(_html_pages(Path(path)), 0, options.pages * options.spread, options.spread)
    ]
    if not measured:
        return None
    slowest = max(measured, key=lambda page: page["read_ms"])
    return {
        "pages": name,
        "count": len(measured),
        **{
            key: round(statistics.median(page[key] for page in measured), 3)
            for key in ("bytes", "parse_ms", "read_ms", "ratio", "check")
        },
        "anew": round(statistics.fmean(page["anew"] for page in measured), 3),
        "ratio_90": round(sorted(page["ratio"] for page in measured)[len(measured) * 9 // 10], 3),
        "slowest": {key: round(value, 3) if isinstance(value, float) else value for key, value in slowest.items()},
    }


def _html_pages(path: Path) -> Iterator[Response]:
    """Pages that lxml can parse at all; a stub or an image has no parse to compare with."""
    for response in read_archive(path):
        if response.status == 200 and "html" in response.header("content-type") and response.body.strip():
            try:
                etree.fromstring(response.body, _PARSER)
            except (etree.LxmlError, ValueError):
                continue
            yield response


def _measure(page: Response, repeat: int) -> dict[str, float]:
    """Best times in milliseconds; parse and read take turns, so that neither has the warmer caches."""
    parse: list[float] = []
    read: list[float] = []
    check: list[float] = []
    tree = etree.fromstring(page.body, _PARSER)
    for _ in range(repeat):
        check.append(_timed(lambda: is_damaged(tree), 10))
        parse.append(_timed(lambda: etree.fromstring(page.body, _PARSER)))
        read.append(_timed(lambda: read_page(page)))
    return {
        "parse_ms": min(parse),
        "read_ms": min(read),
        "ratio": min(read) / min(parse),
        "check": min(check) / min(parse),
        "anew": float(is_damaged(tree)),
    }


def _timed(work: Callable[[], object], times: int = 1) -> float:
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) * 1000 / times


def _table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| pages | count | bytes | parse ms | read ms | ratio | 90th | check | anew | slowest page |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        slowest = row["slowest"]
        lines.append(
            f"| {row['pages']} | {row['count']} | {row['bytes']:.0f} | {row['parse_ms']:.2f} | {row['read_ms']:.2f} | {row['ratio']:.2f}"
            f" | {row['ratio_90']:.2f} | {row['check']:.1%} | {row['anew']:.1%} | {slowest['read_ms']:.1f} ms, {slowest['bytes']} bytes, {slowest['url']} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
