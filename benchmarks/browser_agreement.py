"""How far the reader and a real browser agree on what a page says and where it leads, over a sample of archived pages.

    python -m benchmarks.browser_agreement DATA_DIR [--pages 500] [--seed 1] [--worst 15] [--json]
    python -m benchmarks.browser_agreement --archives 'some/*.warc.gz' [--pages N]
    python -m benchmarks.browser_agreement DATA_DIR --damaged     # only pages that are read anew, and pages of frames

Chromium gets the archived bytes with their own headers, under their own address, without scripts; nothing else is loaded. What it
made of them is compared with the tree that every room reads (`trailmark.read.parse_html`), and with the links of `read_page`.

- Words: those of all texts of the document, outside of elements that no reader sees in either (script, style, template, iframe,
  noframes, noembed). Styles are not loaded, so what they would hide counts on both sides. Each text is cut into words by itself, blanks
  and case do not count, and neither does the order: agreed is twice the words in common, over the words of both.
- Links: the different addresses of `a` and `area` elements, made absolute as each side does it. A link that a parser had to split stays one,
  and an address is the same whether a sign in it is escaped or not.
- Followed: the same for the links that the forager is given.

The peer is lxml's own parse of the decoded page. A page below 0.9 is listed with the reason, as far as the program can tell it.
"""

from __future__ import annotations

import argparse
import glob
import json
import random
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lxml import etree
from playwright.sync_api import Error, Page, Route, sync_playwright

from tests.serve import find_chromium
from trailmark.datatypes import Response
from trailmark.read import normalise_url, parse_html, read_page, tokens
from trailmark.read.tree import html_parser, parse_clean, prepare
from trailmark.store.archive import read_archive

LEAST_PER_ARCHIVE = 2
MOST_PER_ARCHIVE = 150
LOW = 0.9
HIDDEN = ("script", "style", "template", "iframe", "noframes", "noembed", "x-noframes")
DOCUMENT = """hidden => {
    // A walk by hand: without scripts no callback of ours is run.
    const texts = [], links = [], unseen = new Set(hidden);
    let node = document.documentElement;
    while (node) {
        if (node.nodeType === 3) texts.push(node.data);
        const seen = node.nodeType === 1 && !unseen.has(node.localName);
        if (seen && (node.localName === 'a' || node.localName === 'area') && node.hasAttribute('href')) links.push(String(node.href));
        let next = seen ? node.firstChild : null;
        while (!next && node && node !== document.documentElement) { next = node.nextSibling; if (!next) node = node.parentNode; }
        node = next;
    }
    return {texts, links, charset: document.characterSet, frames: document.querySelectorAll('frameset').length};
}"""


@dataclass(frozen=True, slots=True)
class Agreement:
    """One page: the shares agreed on, and what may explain them."""

    url: str
    archive: str
    words: float
    links: float
    followed: float
    plain_words: float
    plain_links: float
    recovered: bool
    """Whether the page was parsed anew, as a browser does it."""
    reason: str


def main() -> int:
    options = _options()
    patterns = options.archives or [str(Path(options.data) / "*" / "*.warc.*")]
    paths = [Path(path) for pattern in patterns for path in sorted(glob.glob(pattern))]  # noqa: PTH207 - patterns may be absolute
    chromium = find_chromium.find()
    if not paths or chromium is None:
        print("No archive found." if chromium else find_chromium.MISSING, file=sys.stderr)
        return 2
    rows = list(_rows(_sample(paths, options), chromium))
    print(json.dumps(_report(rows, options.worst), indent=2) if options.json else _table(_report(rows, options.worst)))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", nargs="?", help="folder whose folders hold archives")
    parser.add_argument("--archives", nargs="+", default=[], metavar="PATTERN", help="archives instead of DATA_DIR")
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--damaged", action="store_true", help="only pages that are read anew, and pages of frames")
    parser.add_argument("--worst", type=int, default=15, help="pages that are listed (default 15)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.data and not options.archives:
        parser.error("name a data folder or --archives")
    return options


# --- the sample ----------------------------------------------------------------------------------------------------


def _sample(paths: list[Path], options: argparse.Namespace) -> list[tuple[str, Response]]:
    """Pages of all archives: a few of each, the rest by how many pages an archive has. The same seed, the same pages."""
    pages = options.pages
    kept = {path: _some_of(path, options.seed, damaged=options.damaged) for path in paths}
    total = sum(count for count, _ in kept.values()) or 1
    few = min(LEAST_PER_ARCHIVE, max(pages // len(paths), 1))
    chosen: list[tuple[str, Response]] = []
    for path, (count, some) in kept.items():
        share = round((pages - few * len(paths)) * count / total)
        chosen += [(path.name, response) for response in some[: few + max(share, 0)]]
    return chosen[:pages] if len(chosen) > pages else chosen


def _some_of(path: Path, seed: int, *, damaged: bool) -> tuple[int, list[Response]]:
    """(HTML pages of an archive, some of them by lot)."""
    dice, some, count = random.Random(f"{seed} {path.name}"), list[Response](), 0
    for response in read_archive(path):
        if response.status != 200 or "html" not in response.header("content-type") or not response.body.strip():
            continue
        if damaged and not (_is_recovered(response) or b"<frameset" in response.body.lower()):
            continue
        count += 1
        if len(some) < MOST_PER_ARCHIVE:
            some.append(response)
        elif (place := dice.randrange(count)) < MOST_PER_ARCHIVE:
            some[place] = response
    dice.shuffle(some)
    return count, some


def _is_recovered(response: Response) -> bool:
    return parse_clean(prepare(response.body, response.header("content-type"))[0], [])[1] is not None


# --- both readings -------------------------------------------------------------------------------------------------


def _rows(sample: list[tuple[str, Response]], chromium: str) -> Iterator[Agreement]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(find_chromium.FLAGS))
        context = browser.new_context(java_script_enabled=False)
        for number, (archive, response) in enumerate(sample):
            page = context.new_page()
            try:
                document = _shown(page, response)
            except Error as error:
                print(f"not shown: {response.url}: {str(error).splitlines()[0]}", file=sys.stderr)
                continue
            finally:
                page.close()
            yield _agreement(archive, response, document)
            if number % 100 == 99:
                print(f"{number + 1} of {len(sample)} pages", file=sys.stderr, flush=True)
        browser.close()


def _shown(page: Page, response: Response) -> dict[str, Any]:
    """What Chromium makes of the bytes."""
    answered = False

    def answer(route: Route) -> None:
        nonlocal answered
        if answered or not route.request.is_navigation_request():
            route.abort("aborted")
            return
        answered = True
        route.fulfill(
            status=200, headers={"content-type": response.header("content-type") or "text/html"}, body=response.body
        )

    page.route("**/*", answer)
    page.goto(response.url, wait_until="domcontentloaded", timeout=30_000)
    document: dict[str, Any] = page.evaluate(DOCUMENT, list(HIDDEN))
    return document


def _agreement(archive: str, response: Response, document: dict[str, Any]) -> Agreement:
    root, charset, cuts = parse_html(response.body, response.header("content-type"))
    words = Counter(word for text in document["texts"] for word in tokens(text))
    links = _addresses(document["links"], response.url)
    ours, our_links = _read(root, response.url)
    plain, plain_links = _read(_plain(response), response.url)
    followed = _addresses((link.url for link in read_page(response).links if link.kind in ("a", "area")), response.url)
    return Agreement(
        url=response.url,
        archive=archive,
        words=_agreed(words, ours),
        links=_agreed(Counter(links), Counter(our_links)),
        followed=_agreed(Counter(links), Counter(followed)),
        plain_words=_agreed(words, plain),
        plain_links=_agreed(Counter(links), Counter(plain_links)),
        recovered=_is_recovered(response),
        reason=_reason(document, charset, cuts, (words, ours), (Counter(links), Counter(our_links | followed))),
    )


def _plain(response: Response) -> Any:
    try:
        return etree.fromstring(prepare(response.body, response.header("content-type"))[0], html_parser())
    except (etree.LxmlError, ValueError):
        return None


def _read(root: Any, url: str) -> tuple[Counter[str], set[str]]:
    """Words and addresses of a tree, by the same rules as in the browser."""
    words: Counter[str] = Counter()
    links: set[str] = set()
    hidden: Any = None
    base = url
    for event, element in () if root is None else etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start" and hidden is None:
            if element.tag in HIDDEN:
                hidden = element
            else:
                words.update(tokens(element.text or ""))
                if element.tag == "base" and base == url:
                    base = normalise_url(element.get("href", ""), url) or url
                elif element.tag in ("a", "area") and element.get("href") is not None:
                    links.add(element.get("href"))
        elif event != "start":
            hidden = None if hidden is element else hidden
            if hidden is None:
                words.update(tokens(element.tail or ""))
    return words, _addresses(links, base)


def _addresses(hrefs: Iterable[str], base: str) -> set[str]:
    return {unquote(address) for href in hrefs if (address := normalise_url(href, base))}


def _agreed(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def _reason(
    document: dict[str, Any],
    charset: str,
    cuts: tuple[str, ...],
    words: tuple[Counter[str], Counter[str]],
    links: tuple[Counter[str], Counter[str]],
) -> str:
    """What may make the two differ."""
    if document["frames"]:
        return "a page of frames: a browser shows other pages in it, and we read what it says to readers without"
    if document["charset"].lower() != charset and words[0] != words[1]:
        return f"character set: {charset} here, {document['charset']} in the browser"
    if cuts:
        return "; ".join(cuts)
    theirs, ours = words if words[0] != words[1] else links
    return f"only in the browser: {_some(theirs - ours)}; only here: {_some(ours - theirs)}"


def _some(words: Counter[str]) -> str:
    return " ".join(word[:80] for word, _ in words.most_common(4)) or "nothing"


# --- the report ----------------------------------------------------------------------------------------------------


def _report(rows: list[Agreement], worst: int) -> dict[str, Any]:
    shares = ("words", "links", "followed", "plain_words", "plain_links")
    low = sorted(rows, key=lambda row: min(row.words, row.links, row.followed))
    return {
        "pages": len(rows),
        "archives": len({row.archive for row in rows}),
        "recovered": sum(row.recovered for row in rows),
        "means": {share: round(statistics.fmean(getattr(row, share) for row in rows), 5) for share in shares},
        "below": {share: sum(getattr(row, share) < LOW for row in rows) for share in shares},
        "worst": [asdict(row) for row in low[:worst] if min(row.words, row.links, row.followed) < 1],
    }


def _table(report: dict[str, Any]) -> str:
    lines = [
        f"{report['pages']} pages of {report['archives']} archives, {report['recovered']} of them read anew as a browser does",
        "",
        "| share agreed with the browser | mean | pages below 0.9 |",
        "|---|---|---|",
    ]
    names = {
        "words": "words of the tree",
        "links": "links of the tree",
        "followed": "links that are followed",
        "plain_words": "words, lxml alone",
        "plain_links": "links, lxml alone",
    }
    lines += [f"| {name} | {report['means'][key]:.5f} | {report['below'][key]} |" for key, name in names.items()]
    lines += ["", "| worst pages | words | links | followed | why |", "|---|---|---|---|---|"]
    lines += [
        f"| {row['url']} | {row['words']:.3f} | {row['links']:.3f} | {row['followed']:.3f} | {row['reason']} |"
        for row in report["worst"]
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
