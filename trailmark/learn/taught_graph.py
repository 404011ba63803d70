"""The part of a web that teaching shows: the pages of the trails, the links between them, and which of them are goals."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from trailmark.datatypes import Page, Trail
from trailmark.learn.label_space import GOAL


@dataclass(frozen=True)
class TaughtGraph:
    """Pages by URL. A link counts where it leads to another page of the trails."""

    pages: Mapping[str, Page]
    sites: Mapping[str, str]
    """Root of the site of each page."""
    goals: frozenset[str]
    targets: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    """For each page, where each of its links leads: a page of the graph, or None for what was not shown."""

    def distances(self) -> dict[str, int]:
        """Clicks from each page to the nearest goal; pages from which none is reached are left out."""
        sources: dict[str, list[str]] = defaultdict(list)
        for url, targets in self.targets.items():
            for target in targets:
                if target is not None:
                    sources[target].append(url)
        clicks = dict.fromkeys(sorted(self.goals), 0)
        queue = deque(clicks)
        while queue:
            url = queue.popleft()
            for source in sources[url]:
                if source not in clicks:
                    clicks[source] = clicks[url] + 1
                    queue.append(source)
        return clicks


def taught_graph(
    trails: Iterable[Trail], page_at: Callable[[str], Page], *, final_url: Callable[[str], str] = lambda url: url
) -> TaughtGraph:
    """The graph that trails show; `final_url` says where a URL redirects to."""
    pages: dict[str, Page] = {}
    sites: dict[str, str] = {}
    goals = set()
    for trail in trails:
        for step in trail.steps:
            if step.url not in pages:
                pages[step.url], sites[step.url] = page_at(step.url), trail.site
        if trail.outcome == GOAL:
            goals.add(trail.steps[-1].url)

    def known(url: str) -> str | None:
        target = url if url in pages else final_url(url)
        return target if target in pages else None

    targets = {url: tuple(known(link.url) for link in page.links) for url, page in pages.items()}
    return TaughtGraph(pages, sites, frozenset(goals), targets)
