"""A walk over one site of an archived web, with every page read once however often it is walked.

The queue is the forager's own. What is not archived answers 404 and costs a fetch; a redirect counts once with the page it leads to;
a second spelling of a page that was fetched before costs a fetch as well.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from evals.taught_web import TaughtWeb
from evals.verdicts import JudgedFetch
from trailmark.datatypes import Page
from trailmark.forage.frontier import Frontier
from trailmark.forage.queued_link import QueuedLink, links_to_push
from trailmark.forage.scope import Scope, Seed, in_scope
from trailmark.strategy import Judgement, Strategy
from trailmark.url_key import link_key

_USER = re.compile(r"/~[^/]+")


@dataclass(frozen=True)
class WalkedSite:
    """One site of a web: its root, how far it reaches, and its pages as they are asked for."""

    web: TaughtWeb
    root: str
    seed: Seed
    _onward: dict[str, list[str]] = field(default_factory=dict)

    def final(self, url: str) -> str | None:
        """The URL of the page that answers; None where nothing is archived, or it lies off the site."""
        final, status = self.web.answer(url)
        return final if status == 200 and self.admits(final) else None

    def admits(self, url: str) -> bool:
        return in_scope(self.seed, url)

    def page(self, url: str) -> Page | None:
        final = self.final(url)
        return None if final is None else self.web.page(final)

    @cached_property
    def size(self) -> int:
        """Pages that can be reached at all."""
        start = self.final(self.root)
        seen = {start: None} if start is not None else {}
        for url in (queue := list(seen)):
            for target in self.onward(url):
                if target not in seen:
                    seen[target] = None
                    queue.append(target)
        return len(seen)

    def onward(self, url: str) -> list[str]:
        """The pages that a page links to, once each."""
        if url not in self._onward:
            links = (self.final(link.url) for link in self.web.page(url).links if self.admits(link.url))
            self._onward[url] = list(dict.fromkeys(target for target in links if target is not None))
        return self._onward[url]


@dataclass(frozen=True, slots=True)
class FetchOrder:
    """URLs in the order of fetching; None for a fetch that brought no new page."""

    fetched: tuple[str | None, ...]
    seconds: float = 0.0
    """Judging, scoring and queueing; reading pages and waiting for them are left out."""
    judged: tuple[JudgedFetch, ...] = ()
    """The pages among them as they were judged, in the same order; empty where the strategy does not judge."""


def walked_site(web: TaughtWeb, root: str) -> WalkedSite:
    """A web with one root reaches over its registrable domain; with several, a site is a host, or a `~user` on it."""
    if len(web.web.roots) == 1:
        return WalkedSite(web, root, Seed(root, "domain"))
    scope: Scope = "prefix" if _USER.match(urlsplit(root).path) else "host"
    return WalkedSite(web, root, Seed(root, scope))


def walk(
    site: WalkedSite, strategy: Strategy, *, limit: int, pages: int, until: frozenset[str] = frozenset()
) -> FetchOrder:
    """Best first, until so many fetches were made or so many pages found, or nothing waits; or a page of `until` came."""
    frontier = Frontier()
    queue = frontier.add_site(site.root)
    frontier.push(queue, [_root(site.root)])
    fetched: list[str | None] = []
    found = 0
    seconds = 0.0
    judged: list[JudgedFetch] = []
    while len(fetched) < limit and found < pages and (ticket := frontier.pop()) is not None:
        link = ticket.link
        final = site.final(link.url)
        known = final is not None and link_key(final) != link.key and frontier.is_done(link_key(final))
        frontier.done(queue, [(link_key(url), url) for url in (link.url, final) if url is not None])
        fetched.append(None if known else final)
        if final is not None and not known:
            found += 1
            page = site.web.page(final)
            started = time.perf_counter()
            judgement = _expand(site, strategy, frontier, page, link, len(fetched))
            seconds += time.perf_counter() - started
            judged.append(JudgedFetch(final, site.root, _family(link), judgement))
        frontier.release(ticket)
        if final in until:
            break
    return FetchOrder(tuple(fetched), seconds, tuple(judged) if strategy.judges else ())


def oracle(site: WalkedSite, goals: frozenset[str]) -> FetchOrder:
    """Nearest goal first on the known graph (Cora 3.4), until no further goal can be reached."""
    start = site.final(site.root)
    fetched: dict[str, None] = {} if start is None else {start: None}
    while True:
        way = _to_nearest(site, list(fetched), goals)
        if way is None:
            return FetchOrder(tuple(fetched))
        fetched |= dict.fromkeys(way)


def _to_nearest(site: WalkedSite, fetched: Sequence[str], goals: frozenset[str]) -> list[str] | None:
    came: dict[str, str] = dict.fromkeys(fetched, "")
    queue = deque(fetched)
    while queue:
        url = queue.popleft()
        for target in site.onward(url):
            if target not in came:
                came[target] = url
                if target in goals:
                    return _way_back(came, target)
                queue.append(target)
    return None


def _way_back(came: dict[str, str], url: str) -> list[str]:
    way = [url]
    while came[way[-1]]:
        way.append(came[way[-1]])
    return way[::-1]


def _expand(
    site: WalkedSite, strategy: Strategy, frontier: Frontier, page: Page, link: QueuedLink, number: int
) -> Judgement:
    queue = frontier.sites[0]
    visit = strategy.visit(page, link.followed(site.root))
    if visit.rescore is not None:
        frontier.rescore(queue, visit.rescore)
    links = links_to_push(page, visit.scores, visit.memories, link, n=number)
    frontier.push(queue, [each for each in links if site.admits(each.url)])
    return visit.judgement


def _family(link: QueuedLink) -> str:
    """Where a link stands: its page, and the repeated block or the last tags there."""
    if not link.parent:
        return ""
    return f"{link.parent} {link.block if link.block >= 0 else '/'.join(link.tag_path.split('/')[-4:])}"


def _root(url: str) -> QueuedLink:
    return QueuedLink(
        key=link_key(url), site=0, url=url, depth=0, order=0, parent_n=0, parent="", block=-1, tag_path="", chain=0,
        base=0.0, best=0.0, score=0.0,
    )  # fmt: skip
