"""What a strategy that learns on the way is shown again when a run is taken up: the pages of before, in their order.

Nothing of its models is kept on disk, since the pages are: with each page come the link that was followed to it and what the
strategy remembered of the path, so that it judges and learns as it did the first time. The scores of what waits are then
those of the moment at which the run was left, to the last digit: links have the score that the last ordering of their site gave
them, or, where they were found since, the one they got when they were found.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from trailmark.datatypes import Fetch, Response
from trailmark.forage.frontier import Frontier
from trailmark.forage.page_links import links_to_push
from trailmark.forage.queued_link import QueuedLink
from trailmark.forage.site_queue import SiteQueue
from trailmark.read import read_page
from trailmark.settings import ReadSettings
from trailmark.strategy import Rescore, Strategy


class Recollection:
    """The learning of a run up to where it was left; for sites that go on."""

    def __init__(self, strategy: Strategy, read: ReadSettings) -> None:
        self._strategy, self._read = strategy, read
        self._functions: dict[int, Rescore] = {}
        self._found: dict[int, dict[int, float]] = defaultdict(dict)
        """Scores of links found since the last ordering, by site and key."""

    def wants(self, fetch: Fetch, site: SiteQueue) -> bool:
        """Whether anything was learnt from a fetch that is still of use: its page was judged, and its site goes on."""
        return self._strategy.learns and bool(fetch.content_hash) and not site.ended

    def show(self, fetch: Fetch, site: SiteQueue, link: QueuedLink, response: Response, *, expanded: bool) -> None:
        """A page once more; `expanded` where its links were followed. What is not the page of then teaches nothing."""
        try:
            page = read_page(response, self._read)
            if page.content_hash != fetch.content_hash:
                return
            function = self._strategy.visit(page, link.followed(site.root)).rescore
        except Exception:  # noqa: BLE001 - it was reported when the page came
            return
        if function is not None:
            self._functions[site.number] = function
            self._found[site.number].clear()
        elif expanded and (known := self._functions.get(site.number)) is not None:
            links = links_to_push(page, np.zeros(len(page.links)), None, link, n=fetch.n)
            self._found[site.number].update((each.key, known(each)) for each in links)

    def settle(self, frontier: Frontier) -> None:
        """Give what waits its scores; to be called after `Frontier.resume`."""
        for number, function in self._functions.items():
            found, site = self._found[number], frontier.sites[number]
            site.rescore = function
            frontier.settle(site, lambda link, f=function, g=found: g[link.key] if link.key in g else f(link))  # type: ignore[misc]
