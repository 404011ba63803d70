"""A run with its books: begun, or taken up where it was left, committed every moment, reported.

What makes a run the same run is what was asked: seeds with their scopes, the strategy with what it learnt, goals, archives. Budgets
are not part of it, so that a run that used its budget up goes on when it is given more.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from trailmark.datatypes import Fetch, RunState, SiteState
from trailmark.forage.fetch_log import log_line, rewrite_log, write_log
from trailmark.forage.forage_report import (
    ForageReport,
    goal_report,
    keyword_page_reports,
    pages_by_keyword,
    site_report,
)
from trailmark.forage.harvest_picture import harvest_picture
from trailmark.forage.keyword_walk import is_keyword_walk
from trailmark.forage.remarks import tell_ends
from trailmark.forage.restoring import catch_up, restore
from trailmark.forage.run import Forager
from trailmark.forage.run_books import Ledger, RunBooks
from trailmark.forage.scope import Seed
from trailmark.forage.settled_run import settle_run
from trailmark.forage.site_queue import SiteQueue
from trailmark.forage.totals import Totals
from trailmark.forage.walk import walk
from trailmark.settings import ForageSettings, Settings
from trailmark.strategy import Strategy

_log = logging.getLogger(__name__)
COMMIT_PAGES, COMMIT_SECONDS = 100, 1.0
WATCH_SECONDS = 0.25
BEAT_SECONDS = 0.5
"""How often the run says how it stands while nothing comes."""

Watch = Callable[["ForageRun"], None]


@dataclass(frozen=True)
class Errand:
    """What is asked of a run."""

    seeds: Sequence[Seed]
    strategy: Strategy
    model: str = ""
    """A digest of what the strategy learnt; another model is another run."""
    archives: Sequence[Path] = ()
    log: Path | None = None
    again: bool = False
    picture: Path | None = None
    goals: Sequence[str] = ()
    """The goals that are looked for; none where nothing is known of goals."""
    part_sites: int = 0
    """Sites of a part, where the run was dealt to several walkers: other parts are another run."""

    @property
    def several(self) -> Sequence[str]:
        """The goals that are looked for, where a verdict has to name its own."""
        return self.goals if len(self.goals) > 1 else ()

    @property
    def goal_name(self) -> str:
        """The only goal that is looked for; empty where that does not go without saying."""
        return self.goals[0] if len(self.goals) == 1 else ""

    def identity(self) -> dict[str, Any]:
        """What makes a run the same run, as it is kept."""
        several: dict[str, Any] = {"goals": list(self.several)} if self.several else {}
        dealt = {"part_sites": self.part_sites} if self.part_sites else {}
        return (
            several
            | dealt
            | {
                "seeds": [[seed.url, seed.scope] for seed in self.seeds],
                "strategy": self.strategy.name,
                "model": self.model,
                "archives": [str(archive.absolute()) for archive in self.archives],
            }
        )


def open_sites(sites: Sequence[SiteState], limits: ForageSettings) -> list[SiteState]:
    """The sites of a run that ended because a budget was used up, and have more of it now."""
    if limits.budget and sum(site.pages for site in sites) >= limits.budget:
        return []
    room = [site for site in sites if not limits.site_budget or site.pages < limits.site_budget]
    return [site for site in room if site.ended == "budget"]


@dataclass(eq=False)
class ForageRun:
    """A run of an errand, whose state is in the books."""

    errand: Errand
    settings: Settings
    books: RunBooks
    watch: Watch | None = None
    begun: Callable[[int], None] | None = None
    """Told the number of the run as soon as it stands in the books."""
    may_move: Callable[[int, str], bool] = lambda _site, _url: True
    """Whether a site, by its number, may be walked at the URL that its root leads to."""
    resumed: bool = False
    finished_before: bool = False
    interrupted: bool = False
    seconds: float = 0.0
    """Of earlier parts of this run."""
    _touched: set[int] = field(default_factory=set)
    _log: IO[str] | None = None

    def run(self) -> ForageReport:
        """Fetch until every site has ended, and report."""
        known = None if self.errand.again else self.books.rows.latest(self.errand.identity())
        self.finished_before = known is not None and known.finished_at is not None and not self._reopens(known)
        if self.finished_before:
            assert known is not None
            self.state = known
            self._tell_begun()
            if self.errand.log is not None:
                write_log(self.errand.log, self._fetches())
        else:
            self._go(known)
        if self.errand.picture is not None:
            self._draw(self.errand.picture)
        return self.report()

    def _go(self, known: RunState | None) -> None:
        with ExitStack() as stack:
            stack.enter_context(self.books.held())
            self._begin(known)
            self.ledger: Ledger = stack.enter_context(self.books.ledger(self.state))
            if self.errand.log is not None:
                self._log = stack.enter_context(self.errand.log.open("w", encoding="utf-8"))
            self._set_up(known)
            self._fetch_all(stack)
            self._finish()
        if self.interrupted:
            raise KeyboardInterrupt

    def _begin(self, known: RunState | None) -> None:
        rows, asked = self.books.rows, self.errand.identity()
        self.resumed = known is not None
        self.books.begin()
        earlier = rows.latest(asked) if self.errand.again else None
        if earlier is not None:
            rows.forget_links(earlier.id)
        if known is not None:
            rows.unsettle(known.id)
        sites = [(seed.url, seed.scope) for seed in self.errand.seeds]
        self.state = known or rows.begin(asked, sites, self.errand.goal_name)
        begun = "taken up where it stopped" if known else "begun"
        name, many = self.errand.strategy.name, len(self.errand.seeds)
        _log.info("run %d over %d sites is %s, strategy %s", self.state.id, many, begun, name)

    def _set_up(self, known: RunState | None) -> None:
        """The forager with its sites; of a run that was cut off as it was then."""
        spill = self.books.spill(self.state)
        self.forager = Forager(
            self.errand.strategy,
            self.settings.forage,
            read=self.settings.read,
            spill=spill,
            on_fetch=self._on_fetch,
            keep=lambda url, response, failure: self.ledger.keep(url, response, failure),
            goals=self.errand.several,
            may_move=self.may_move,
        )
        for seed in self.errand.seeds:
            self.forager.add_site(seed, queue=known is None)
        self._started = self._committed = self._watched = self._beaten = time.monotonic()
        self._uncommitted = 0
        if known is not None:
            self.seconds = known.seconds
            rows, read = self.books.rows, self.settings.read
            restore(self.forager, known, rows, spill, self.ledger, read=read, on_fetch=self._on_restored)
            catch_up(self.forager, self.ledger)
            self._touched.update(range(len(self.errand.seeds)))  # their counts are the walk's again
        self._commit()
        self._tell_begun()

    def _tell_begun(self) -> None:
        if self.begun is not None:
            self.begun(self.state.id)

    def _fetch_all(self, stack: ExitStack) -> None:
        if self.errand.archives:
            pages = stack.enter_context(self.books.pages())
            self.interrupted = walk(self.forager, pages.fetch, tick=self.tick)
        else:
            from trailmark.forage.crawl import crawl

            self.interrupted = crawl(self.forager, tick=self.tick)

    def _finish(self) -> None:
        self._commit(ended=True)
        tell_ends(self.state.id, self.books.rows.sites(self.state.id))
        if not self.interrupted:
            self.ledger.forget_journal()
            if not any(site.ended == "budget" for site in self.forager.sites):
                self.books.rows.forget_links(self.state.id)  # it can't be taken up again, so its queue is of no use
        if self._log is not None and self.errand.log is not None:
            self._log.close()
            rewrite_log(self.errand.log, self._fetches())

    # --- while it runs -----------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Called after each page, and now and then while none comes: commits and shows what is due."""
        now = time.monotonic()
        due = self._uncommitted >= COMMIT_PAGES or now - self._committed >= COMMIT_SECONDS
        if due and (self._uncommitted or self.books.uncommitted):
            self._commit()
        elif now - self._beaten >= BEAT_SECONDS and not self.books.uncommitted:
            self._beat()
            self.books.commit()
        self._show_progress(now)

    def _beat(self) -> None:
        """How the run stands, into the transaction that is open or a new one."""
        forager = self.forager
        frontier, limits = forager.frontier, self.settings.forage
        pulse = forager.pulse.state(forager.sites, limits, under_way=frontier.tickets, taken=forager.totals.fetched)
        self.books.rows.save_pulse(self.state.id, pulse, forager.pulse.take_events())
        self._beaten = time.monotonic()

    def elapsed(self) -> float:
        """Seconds of this run, earlier parts included."""
        return self.seconds + time.monotonic() - self._started

    def _show_progress(self, now: float) -> None:
        if self.watch is not None and now - self._watched >= WATCH_SECONDS:
            self._watched = now
            self.watch(self)

    def _on_restored(self, fetch: Fetch) -> None:
        self._show_progress(time.monotonic())
        if self._log is not None:
            self._log.write(log_line(fetch))

    def _on_fetch(self, fetch: Fetch, site: SiteQueue) -> None:
        self.books.rows.add_fetch(self.state.id, fetch, site.number)
        self._touched.add(site.number)
        self._uncommitted += 1
        if self._log is not None:
            self._log.write(log_line(fetch))

    def _commit(self, *, ended: bool = False) -> None:
        """All up to now into the books; with `ended` the verdicts are settled in the same moment."""
        finished = ended and not self.interrupted
        sites, rows = self.forager.sites, self.books.rows
        self.forager.frontier.flush()
        journal = self.ledger.flush()
        touched = range(len(sites)) if finished else sorted(self._touched)
        rows.save_sites(self.state.id, (self._site_state(sites[number]) for number in touched))
        rows.save_run(
            self.state.id,
            order=self.forager.frontier.order,
            journal=journal,
            seconds=self.elapsed(),
            finished=finished,
            notes=self.forager.totals.notes(),
        )
        self._beat()
        if ended:
            settle_run(rows, self.state.id)
        self.books.commit()
        if self._log is not None:
            self._log.flush()
        self._touched.clear()
        self._uncommitted, self._committed = 0, time.monotonic()

    def _site_state(self, site: SiteQueue) -> SiteState:
        return SiteState(
            number=site.number,
            root=site.root,
            scope=self.errand.seeds[site.number].scope,
            pages=site.pages,
            goals=site.goals,
            unsure=site.unsure,
            readable=site.readable,
            since_goal=site.since_goal,
            goal_probability=site.goal_probability,
            ended=site.ended,
            same_as=site.same_as,
            why=site.why,
        )

    # --- what came of it ---------------------------------------------------------------------------------------

    def _reopens(self, known: RunState) -> bool:
        """Whether a run that used its budget up has more now."""
        return bool(open_sites(self.books.rows.sites(known.id), self.settings.forage))

    def _fetches(self) -> Iterator[Fetch]:
        return (fetch for _, fetch in self.books.rows.fetches(self.state.id))

    def _draw(self, file: Path) -> None:
        """This run, beside the last one of each other strategy over the same sites."""
        rows = self.books.rows
        runs = sorted(rows.alike(self.errand.identity()), key=lambda run: run.id != self.state.id)
        walks = {run.asked["strategy"]: [fetch.goal is True for _, fetch in rows.fetches(run.id)] for run in runs}
        harvest_picture(walks).savefig(file, dpi=110)

    def report(self) -> ForageReport:
        """What came of it, read from the books."""
        rows, run, done = self.books.rows, self.state.id, self.finished_before
        totals = Totals() if done else self.forager.totals
        if done:
            totals.recall(self.state.notes)
        sites, seconds = rows.sites(run), self.state.seconds if done else self.elapsed()
        pages, goals = sum(site.pages for site in sites), sum(site.goals for site in sites)
        found = tuple(goal_report(fetch, rows.trail(run, fetch.n)) for _, fetch in rows.fetches(run, goals_only=True))
        by_keywords = keyword_page_reports(self._fetches()) if is_keyword_walk(self.errand.strategy) else ()
        return ForageReport(
            run=run,
            strategy=self.errand.strategy.name,
            already_done=done,
            resumed=self.resumed,
            pages=pages,
            goals_found=goals,
            unsure=sum(site.unsure for site in sites),
            harvest_rate=goals / pages if pages else 0.0,
            seconds=seconds,
            pages_per_second=pages / seconds if seconds else 0.0,
            sites=tuple(site_report(site) for site in sites),
            goals=found,
            soft_404s=totals.missing,
            skipped=dict(totals.skipped.most_common()),
            problems=tuple(totals.problems),
            goals_by_name={name: sum(goal.goal_name == name for goal in found) for name in self.errand.several},
            keyword_pages=by_keywords,
            pages_by_keyword=pages_by_keyword(by_keywords),
        )
