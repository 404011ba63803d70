"""Demonstrations on a known graph: random shortest paths from the root to goal pages, and to pages nobody wanted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random

from trailmark.datatypes import Outcome, Step, Trail

Graph = Mapping[str, Sequence[str]]
MAX_CLICKS = 10


def draw_trails(root: str, links: Graph, labels: Mapping[str, str], goal: str, count: int, rng: Random) -> list[Trail]:
    """Half the trails end at pages labelled `goal`, half at pages without label, depths mixed evenly.

    No trail meets a goal before its end, so goals are never passed through.
    """
    goals = {url for url, label in labels.items() if label == goal}
    parents, depths = shortest_ways(root, links, stop=goals)
    wanted = sorted(url for url in goals if url in depths)
    ends = rng.sample(wanted, min((count + 1) // 2, len(wanted)))
    others = [url for url in depths if url not in labels and 0 < depths[url] <= MAX_CLICKS]
    fails = _evenly(others, depths, count // 2, rng)
    return [_trail(root, parents, labels, end, "goal", rng) for end in ends] + [
        _trail(root, parents, labels, end, "fail", rng) for end in fails
    ]


def shortest_ways(
    root: str, links: Graph, *, stop: set[str] | frozenset[str] = frozenset()
) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Breadth-first over pages that exist, not going on from `stop`: all nearest parents and the depth of every page."""
    parents: dict[str, list[str]] = {root: []}
    depths = {root: 0}
    queue = [root]
    for url in queue:
        if url in stop:
            continue
        for target in links[url]:
            if target not in links:
                continue
            if target not in depths:
                depths[target] = depths[url] + 1
                parents[target] = []
                queue.append(target)
            if depths[target] == depths[url] + 1:
                parents[target].append(url)
    return parents, depths


def _evenly(urls: list[str], depths: Mapping[str, int], count: int, rng: Random) -> list[str]:
    """Up to `count` of the URLs, taken in turn from every depth."""
    by_depth: dict[int, list[str]] = defaultdict(list)
    for url in sorted(urls):
        by_depth[depths[url]].append(url)
    for level in by_depth.values():
        rng.shuffle(level)
    chosen: list[str] = []
    while len(chosen) < count and any(by_depth.values()):
        for depth in sorted(by_depth):
            if by_depth[depth] and len(chosen) < count:
                chosen.append(by_depth[depth].pop())
    return chosen


def _trail(
    root: str, parents: Mapping[str, list[str]], labels: Mapping[str, str], end: str, outcome: Outcome, rng: Random
) -> Trail:
    way = [end]
    while way[-1] != root:
        way.append(rng.choice(parents[way[-1]]))
    return Trail(root, outcome, tuple(Step(url, labels.get(url)) for url in reversed(way)))
