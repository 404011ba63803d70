"""A run: seeds in, pages out. The same for a live crawl and for a walk over archives (PathLearner section 3.4, step 4).

    ticket = forager.next(now)          the best link of the site whose turn it is
    forager.arrived(ticket, response)   shown to the strategy, logged, its links pushed
    forager.failed(ticket, reason)      no answer
    forager.refused(ticket, reason)     never asked: robots.txt, an address that is not public

Whoever drives it (`walk.py` over archives, `scheduler.py` on Scrapy) only fetches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from trailmark.datatypes import Fetch, Page, Response
from trailmark.forage.frontier import Frontier, Ticket
from trailmark.forage.missing_pages import GONE, Look, MissingPages, look_of
from trailmark.forage.pulse import Pulse
from trailmark.forage.queued_link import QueuedLink, Spill, links_to_push
from trailmark.forage.remarks import Remarks
from trailmark.forage.scope import Seed, Territory, host_of
from trailmark.forage.site_queue import SiteQueue, StopRules
from trailmark.forage.totals import Totals
from trailmark.forage.traps import SiteTraps, gist_of, refusal_of
from trailmark.read import read_page
from trailmark.settings import ForageSettings, ReadSettings
from trailmark.strategy import UNJUDGED, Judgement, Strategy, Visit
from trailmark.url_key import link_key

_NOT_READ = ("image/", "audio/", "video/", "font/", "text/css", "text/javascript", "application/javascript")
"""Kinds of content that no strategy is asked about."""

LONGEST_TITLE = 300
SOFT_404 = Judgement("soft 404", False, 0.0)
"""Of a page that answers with 200 and says that it does not exist."""

OnFetch = Callable[[Fetch, SiteQueue], None]
Keep = Callable[[str, Response | None, str], None]
"""(URL asked for, its response or None, why there is none): called before anything is made of it."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A page, or the reason why there is none."""

    response: Response | None = None
    page: Page | None = None
    visit: Visit | None = None
    """What the strategy made of the page, where it was read and shown to it: its links are worth following."""
    look: Look | None = None
    missing: bool = False
    failure: str = ""

    @property
    def judgement(self) -> Judgement:
        if self.visit is not None:
            return self.visit.judgement
        return SOFT_404 if self.missing else UNJUDGED

    @property
    def readable(self) -> bool:
        return self.response is not None and self.response.status == 200 and not self.missing

    def fetch(self, n: int, link: QueuedLink, *, site: str) -> Fetch:
        """The n-th fetch of a run."""
        page, response, judgement = self.page, self.response, self.judgement
        return Fetch(
            n=n,
            url=link.url,
            status=response.status if response is not None else 0,
            score=link.score,
            label=judgement.label,
            goal=judgement.goal,
            goal_probability=judgement.goal_probability,
            parent=link.parent or None,
            depth=link.depth,
            site=site,
            final_url=response.url if response is not None else "",
            parent_n=link.parent_n,
            content_hash=page.content_hash if page is not None else "",
            gist=gist_of(page) if page is not None and page.links else 0,
            failure=self.failure,
            sketch=self.look.packed() if self.look is not None else b"",
            missing=self.missing,
            evidence=judgement.evidence,
            family=link.family,
            goal_name=judgement.goal_name,
            commonness=judgement.commonness,
            title=page.title[:LONGEST_TITLE] if page is not None else "",
            keywords=judgement.keywords,
        )


class Forager:
    """One run over many sites."""

    def __init__(
        self,
        strategy: Strategy,
        settings: ForageSettings,
        *,
        read: ReadSettings | None = None,
        spill: Spill | None = None,
        on_fetch: OnFetch | None = None,
        keep: Keep | None = None,
        host_requests: int = 1,
        goals: Sequence[str] = (),
        may_move: Callable[[int, str], bool] = lambda _site, _url: True,
    ) -> None:
        # Where nobody tells goals apart, no shape of URLs can be called fruitless.
        self.strategy, self.settings = strategy, settings if strategy.judges else replace(settings, shape_cap=0)
        self.totals, self.pulse = Totals(), Pulse()
        self._remarks = Remarks(self.pulse)
        self.territory = Territory()
        self.frontier = Frontier(
            spill=spill,
            links_in_memory=settings.links_in_memory,
            site_requests=settings.site_requests,
            host_requests=host_requests,
            budget=settings.budget,
            stop_rule=StopRules(settings),
        )
        self._read = read or ReadSettings()
        self._on_fetch, self._keep = on_fetch, keep
        self._traps: list[SiteTraps] = []
        self._missing: list[MissingPages] = []
        self._goals = goals
        self.may_move = may_move
        """Whether a site, by its number, may be walked at the URL that its root leads to."""

    @property
    def sites(self) -> Sequence[SiteQueue]:
        return self.frontier.sites

    def add_site(self, seed: Seed, *, queue: bool = True) -> SiteQueue:
        """A site to walk; with `queue` its root waits from now on."""
        site = self.frontier.add_site(seed.url)
        site.surest = dict.fromkeys(self._goals, 0.0)
        self.territory.add(seed)
        self._traps.append(SiteTraps())
        self._missing.append(MissingPages())
        if queue:
            self.frontier.push(site, [_root_link(site)])
        return site

    def recall(self, fetch: Fetch, site: SiteQueue) -> bool:
        """A fetch of an earlier part of this run: what it taught about traps. True where its links were followed."""
        traps = self._traps[site.number]
        self._tally(site, fetch.goal)
        traps.fetched(fetch.url, fetch.parent or "", goal=bool(fetch.goal))
        if fetch.goal:
            site.meet_goal(fetch.goal_name, fetch.goal_probability)
        expanded = bool(fetch.gist) and not fetch.missing
        if expanded:
            expanded = not traps.seen_before(fetch.content_hash, fetch.gist)
        if fetch.sketch:
            self._missing[site.number].meet(fetch.final_url, Look.unpacked(fetch.sketch), status=fetch.status)
        moved = fetch.depth == 0 and fetch.final_url and site.ended != "same"
        if moved and not self.territory.admits(site.number, fetch.final_url):
            self.territory.move(site.number, fetch.final_url)
        return expanded

    def next(self, now: float = 0.0) -> Ticket | None:
        """The right to fetch the best link; None where nothing can be fetched at this moment, or ever."""
        while (ticket := self.frontier.pop(now)) is not None:
            link = ticket.link
            trap = refusal_of(link, self._traps[link.site], self.settings) if link.depth else ""
            if not trap:
                return ticket
            self.refused(ticket, trap)
        return None

    def arrived(self, ticket: Ticket, response: Response, *, kept: bool = False) -> None:
        """A page, whatever its status; `kept` where it was kept before the run was cut off."""
        link, site = ticket.link, self.sites[ticket.link.site]
        if self._keep is not None and not kept:
            self._keep(link.url, response, "")
        twin = self._twin(site, link, response)
        known = self._mark_done(site, link, response, twin=twin)
        arrival = Arrival(response) if known else self._arrival(link, site, response)
        fetch = self._count(site, link, arrival)
        if arrival.page is not None and arrival.visit is not None:
            self._expand(arrival.page, arrival.visit, link, site, fetch.gist)
        if not link.depth and not arrival.readable:
            site.why = f"its root answers with status {response.status}"
        if twin is not None:
            site.same_as = self.sites[twin].root
            site.why = f"it is the same site as {site.same_as}"
            self.frontier.end(site, "same")
        self.frontier.release(ticket)

    def failed(self, ticket: Ticket, reason: str, *, ways: Sequence[str] = (), kept: bool = False) -> None:
        """Asked for, and no answer came; `ways` are the URLs that redirects led through."""
        link, site = ticket.link, self.sites[ticket.link.site]
        if self._keep is not None and not kept:
            self._keep(link.url, None, reason)
        self.frontier.done(site, [(link.key, link.url), *((link_key(url), url) for url in ways)])
        self._count(site, link, Arrival(failure=reason))
        self._remarks.tell(site.root, f"no answer, {reason}", link.url)
        if not link.depth:
            site.why = reason
        self.frontier.release(ticket)

    def refused(self, ticket: Ticket, reason: str, *, detail: str = "") -> None:
        """Not asked for: it costs nothing of the budget and is not logged. Reasons are counted, so they name no page."""
        link, site = ticket.link, self.sites[ticket.link.site]
        self.totals.skipped[reason] += 1
        self.pulse.came(link.url)
        self._remarks.tell(site.root, f"left alone, {detail or reason}", link.url)
        if not link.depth:
            site.why = detail or reason
        self.frontier.done(site, [(link.key, link.url)])
        self.frontier.refund(ticket)
        self.frontier.release(ticket)

    # --- inside ------------------------------------------------------------------------------------------------

    def _twin(self, site: SiteQueue, link: QueuedLink, response: Response) -> int | None:
        """The site that this one turns out to be, where its root leads to that one's root or to a page of it."""
        if link.depth:
            return None
        moved = 300 <= response.status < 400
        target = response.header("location") if moved else response.url
        twin = self.territory.twin(site.number, target)
        if twin is None and link_key(target) != link.key and self.frontier.is_done(link_key(target)):
            twin = self.territory.owner(target)
        return twin if twin != site.number else None

    def _mark_done(self, site: SiteQueue, link: QueuedLink, response: Response, *, twin: int | None) -> bool:
        """The link itself and where it led to; a root that leads elsewhere takes its site there.

        True where it led to a page that was fetched before, or to another site's: a goal is not found twice.
        """
        last = link_key(response.url)
        known = twin is not None or (last != link.key and self.frontier.is_done(last))
        ways = {link.key: link.url}
        for url in (*response.redirects, response.url) if twin is None else ():
            ways.setdefault(link_key(url), url)
        if twin is None and link.depth == 0 and not self.territory.admits(site.number, response.url):
            self.territory.move(site.number, response.url)
        self.frontier.done(site, ways.items(), fetched=link if self.strategy.learns else None)
        return known

    def _arrival(self, link: QueuedLink, site: SiteQueue, response: Response) -> Arrival:
        """Read a page and show it to the strategy, unless it says that it does not exist."""
        if response.status not in (200, *GONE) or not self.territory.admits(site.number, response.url):
            return Arrival(response)
        try:
            page = read_page(response, self._read)
            if page.content_type.startswith(_NOT_READ):
                return Arrival(response)
            look = look_of(page, len(response.body)) if link.depth else None
            missing = look is not None and self._missing[site.number].meet(page.url, look, status=response.status)
            if response.status != 200:
                return Arrival(response, look=look)
            if missing:
                self.totals.missing += 1
                self._remarks.tell(site.root, "a page that says it does not exist, though it answers 200", link.url)
                return Arrival(response, look=look, missing=True)
            return Arrival(response, page, self.strategy.visit(page, link.followed(site.root)), look)
        except Exception as error:  # noqa: BLE001 - nothing a page contains may end the run; it is reported
            self.totals.trouble(response.url, error)
            return Arrival(response)

    def _count(self, site: SiteQueue, link: QueuedLink, arrival: Arrival) -> Fetch:
        judgement = arrival.judgement
        self.totals.fetched += 1
        site.pages += 1
        site.readable += arrival.readable
        site.since_goal += 1
        self._tally(site, judgement.goal)
        if judgement.keywords:
            site.since_goal = 0  # nothing is called a goal where keywords are looked for
        if judgement.goal:
            site.since_goal = 0
            site.meet_goal(judgement.goal_name, judgement.goal_probability)
        self._traps[site.number].fetched(link.url, link.parent, goal=bool(judgement.goal))
        fetch = arrival.fetch(self.totals.fetched, link, site=site.root)
        self.pulse.settled(host_of(link.url), link.url, status=fetch.status)
        if self._on_fetch is not None:
            self._on_fetch(fetch, site)
        return fetch

    def _tally(self, site: SiteQueue, goal: bool | None) -> None:
        """Goals and unsure pages are counted apart; the rules that end a site know goals only."""
        self.totals.goals += goal is True
        self.totals.unsure += goal is None
        site.goals += goal is True
        site.unsure += goal is None

    def _expand(self, page: Page, visit: Visit, link: QueuedLink, site: SiteQueue, gist: int) -> None:
        """Push the links of a page that belong to its site, unless the page was seen before."""
        try:
            if visit.rescore is not None:
                self.frontier.rescore(site, visit.rescore, near=link.parent_n)
            if not page.links or self._traps[site.number].seen_before(page.content_hash, gist):
                return
            links = links_to_push(page, visit.scores, visit.memories, link, n=self.totals.fetched)
        except Exception as error:  # noqa: BLE001 - as above
            self.totals.trouble(page.url, error)
            return
        self.frontier.push(
            site, [new for new in links if self._is_short(new) and self.territory.admits(site.number, new.url)]
        )

    def _is_short(self, link: QueuedLink) -> bool:
        """Whether a URL may wait at all: thousands of the longest would fill the memory before their turn comes."""
        if len(link.url) <= self.settings.max_url_length:
            return True
        self.totals.skipped["url length"] += 1
        return False


def _root_link(site: SiteQueue) -> QueuedLink:
    return QueuedLink(
        key=link_key(site.root), site=site.number, url=site.root, depth=0, order=0, parent_n=0, parent="", block=-1,
        tag_path="", chain=0, base=0.0, best=0.0, score=0.0,
    )  # fmt: skip
