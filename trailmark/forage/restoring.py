"""A run that was cut off -> the forager as it was at the last commit, and then with what was kept after it.

A strategy that learns on the way is shown the pages of before once more, in their order: what it had learnt is then again what it was at
the moment at which the run was left, to the last digit. Links have the score that the last ordering of their site gave
them, or, where they were found since, the one they got when they were found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from trailmark.datatypes import Fetch, Response, RunState, SiteState
from trailmark.forage.frontier import Frontier
from trailmark.forage.queued_link import QueuedLink, links_to_push
from trailmark.forage.run import Forager
from trailmark.forage.run_books import Ledger, RunRows, RunSpill
from trailmark.forage.site_queue import SiteQueue
from trailmark.read import read_page
from trailmark.settings import ReadSettings
from trailmark.strategy import Rescore, Strategy
from trailmark.url_key import link_key


def restore(
    forager: Forager,
    run: RunState,
    rows: RunRows,
    spill: RunSpill,
    ledger: Ledger,
    *,
    read: ReadSettings,
    on_fetch: Callable[[Fetch], None],
) -> None:
    """Bring a forager whose sites were added to where the last commit of the run left it; `on_fetch` is told every fetch of before."""
    spill.recover()
    for site, state in zip(forager.sites, rows.sites(run.id), strict=True):
        _restore_site(site, state)
    totals, recollection = forager.totals, Recollection(forager.strategy, read)
    totals.recall(run.notes)
    for number, fetch in rows.fetches(run.id):
        site = forager.sites[number]
        expanded = forager.recall(fetch, site)
        if recollection.wants(fetch, site):
            row, response = spill.fetched(link_key(fetch.url)), ledger.page(fetch.url)
            if row is not None and response is not None:
                recollection.show(fetch, site, QueuedLink.from_row(row), response, expanded=expanded)
        totals.fetched = fetch.n
        on_fetch(fetch)
    forager.frontier.resume(order=run.last_order)
    recollection.settle(forager.frontier)


def _restore_site(site: SiteQueue, state: SiteState) -> None:
    """A site that had used its budget up goes on, as far as the budget of now allows. Its goals are counted anew from its fetches."""
    site.pages = site.taken = state.pages
    site.readable, site.since_goal = state.readable, state.since_goal
    site.goal_probability = state.goal_probability
    site.ended = "" if state.ended == "budget" else state.ended
    site.same_as, site.why = state.same_as, state.why


def catch_up(forager: Forager, ledger: Ledger) -> None:
    """Give the forager the pages that were kept and not committed before a crash: they were paid for already."""
    for url, response, failure in ledger.left_over():
        ticket = forager.frontier.take(link_key(url))
        if ticket is None:
            continue
        if response is None:
            forager.failed(ticket, failure, kept=True)
        else:
            forager.arrived(ticket, response, kept=True)


class Recollection:
    """The learning of a run up to where it was left; for sites that go on."""

    def __init__(self, strategy: Strategy, read: ReadSettings) -> None:
        self._strategy, self._read = strategy, read
        self._functions: dict[int, Rescore] = {}
        self._new: dict[int, dict[int, float]] = defaultdict(dict)
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
            self._new[site.number].clear()
        elif expanded and (known := self._functions.get(site.number)) is not None:
            links = links_to_push(page, np.zeros(len(page.links)), None, link, n=fetch.n)
            self._new[site.number].update((queued.key, known(queued)) for queued in links)

    def settle(self, frontier: Frontier) -> None:
        """Give what waits its scores; to be called after `Frontier.resume`."""
        for number, function in self._functions.items():
            scores, site = self._new[number], frontier.sites[number]
            site.rescore = function
            frontier.settle(site, lambda link, f=function, g=scores: g[link.key] if link.key in g else f(link))  # type: ignore[misc]
