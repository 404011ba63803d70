"""Reference walkers over a site whose graph is known: what is easy, what is hard, and what is best.

A walker returns URLs in the order of fetching, from the root on. A redirect and a missing page cost a fetch each.
`area` is the mean share of goals found over the first 4 x (the oracle's length) fetches, relative to the oracle's own.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence

from trailmark.demo.plan import Anchor
from trailmark.demo.web import DemoSite

KEYWORDS = {
    "publications": ("publication", "paper"),
    "course": ("course",),
    "contact": ("contact",),
    "faculty": ("faculty", "professor"),
}
LinkWorth = Callable[[str, Anchor], float]
"""What a link is worth, from the URL it stands on and the link itself."""


def best_first(site: DemoSite, score: LinkWorth, *, budget: int) -> list[str]:
    """Always takes the best link seen so far, the earliest of equals; a link counts as the best of its occurrences."""
    heap: list[tuple[float, int, str]] = [(0.0, 0, site.root)]
    best: dict[str, float] = {site.root: 0.0}
    done: set[str] = set()
    order: list[str] = []
    while heap and len(order) < budget:
        _, _, url = heapq.heappop(heap)
        if url in done:
            continue
        done.add(url)
        order.append(url)
        target = site.follow(url)
        if target != url:
            # A redirect is one fetch that shows another page.
            if target in done:
                continue
            done.add(target)
            order[-1] = target
        for anchor in _anchors(site, target):
            link, worth = site.url(anchor.path), score(target, anchor)
            if link.startswith(site.root) and link not in done and worth > best.get(link, float("-inf")):
                best[link] = worth
                heapq.heappush(heap, (-worth, len(best) + len(order) * 10_000, link))
    return order


def breadth_first(site: DemoSite, *, budget: int) -> list[str]:
    """Links in the order in which they were seen."""
    return best_first(site, lambda _url, _anchor: 0.0, budget=budget)


def keyword_first(site: DemoSite, words: Sequence[str], *, budget: int) -> list[str]:
    """Links first whose text or address holds one of the words."""

    def score(_url: str, anchor: Anchor) -> float:
        shown = f"{anchor.text} {anchor.path}".lower()
        return float(any(word in shown for word in words))

    return best_first(site, score, budget=budget)


def oracle(site: DemoSite, goals: Iterable[str]) -> list[str]:
    """Nearest goal first: walks to the goal that is fewest fetches away from all that was fetched, again and again."""
    order = [site.root]
    left = set(goals) - {site.root}
    while left:
        way = _way_to_nearest(site, order, left)
        if not way:
            break
        order += way
        left.difference_update(way)
    return order


def _way_to_nearest(site: DemoSite, fetched: Sequence[str], goals: set[str]) -> list[str]:
    came: dict[str, str | None] = dict.fromkeys(fetched)
    queue = list(fetched)
    for url in queue:
        for link in site.links.get(url, ()):
            if link in came or link not in site.links:
                continue
            came[link] = url
            if link in goals:
                return _unrolled(came, link)
            queue.append(link)
    return []


def _unrolled(came: dict[str, str | None], end: str) -> list[str]:
    way = [end]
    while (before := came[way[-1]]) is not None:
        way.append(before)
    return way[-2::-1]  # from the first new page on; the fetched one is left out


def area(order: Sequence[str], goals: frozenset[str], best: Sequence[str]) -> float:
    """Area under the goals-found curve over 4 x len(best) fetches, relative to that of `best`."""
    budget = 4 * len(best)
    return _found(order, goals, budget) / _found(best, goals, budget)


def _found(order: Sequence[str], goals: frozenset[str], budget: int) -> float:
    """Mean share of goals found; a walk that ended keeps what it has."""
    found, total = 0, 0
    for step in range(budget):
        found += step < len(order) and order[step] in goals
        total += found
    return total / (budget * len(goals))


def _anchors(site: DemoSite, url: str) -> Iterable[Anchor]:
    page = site.page(url)
    return page.anchors() if page is not None else ()
