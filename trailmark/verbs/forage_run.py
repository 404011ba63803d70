"""The wiring of `trailmark forage`: a run with its state in the workspace, begun or taken up where it was left.

What makes a run the same run is what was asked: seeds with their scopes, the strategy with what it learnt, the archives. Budgets
are not part of it, so that a run that used its budget up goes on when it is given more.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from trailmark.datatypes import Fetch
from trailmark.forage.fetch_log import log_line
from trailmark.forage.forage_report import forage_report, site_row
from trailmark.forage.harvest_picture import harvest_picture
from trailmark.forage.queued_link import QueuedLink
from trailmark.forage.recollection import Recollection
from trailmark.forage.remarks import tell_ends
from trailmark.forage.run import Forager
from trailmark.forage.scope import Seed
from trailmark.forage.site_queue import SiteQueue
from trailmark.forage.totals import Totals
from trailmark.forage.url_shape import link_key
from trailmark.forage.walk import walk
from trailmark.settings import Settings
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.database import Database
from trailmark.store.frontier_table import FrontierTable
from trailmark.store.replay import Replay
from trailmark.store.run_ledger import RunLedger
from trailmark.store.run_table import Run, RunTable
from trailmark.strategy import Strategy

_log = logging.getLogger(__name__)
STRATEGIES = ("path", "focused", "future", "context", "breadth")
COMMIT_PAGES, COMMIT_SECONDS = 100, 1.0
WATCH_SECONDS = 0.25

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

    def said(self) -> dict[str, Any]:
        return {
            "seeds": [[seed.url, seed.scope] for seed in self.seeds],
            "strategy": self.strategy.name,
            "model": self.model,
            "archives": [str(archive.absolute()) for archive in self.archives],
        }


@dataclass(eq=False)
class ForageRun:
    """A run whose state is in the database; `folder` is the workspace's."""

    folder: Path
    database: Database
    settings: Settings
    errand: Errand
    watch: Watch | None = None
    resumed: bool = False
    finished_before: bool = False
    interrupted: bool = False
    seconds: float = 0.0
    _touched: set[int] = field(default_factory=set)
    _log: IO[str] | None = None

    def run(self) -> dict[str, Any]:
        """Fetch until every site has ended, and report."""
        self.table = RunTable(self.database)
        known = None if self.errand.again else self.table.latest(self.errand.said())
        self.finished_before = known is not None and known.finished_at is not None and not self._reopens(known)
        if self.finished_before:
            assert known is not None
            self.record = known
            self._write_log()
        else:
            self._go(known)
        if self.errand.picture is not None:
            self._draw(self.errand.picture)
        return self.report()

    def _draw(self, file: Path) -> None:
        """This run, beside the last one of each other strategy over the same sites."""
        runs = sorted(self.table.alike(self.errand.said()), key=lambda run: run.id != self.record.id)
        walks = {run.said["strategy"]: [fetch.goal for _, fetch in self.table.fetches(run.id)] for run in runs}
        harvest_picture(walks).savefig(file, dpi=110)

    def _go(self, known: Run | None) -> None:
        with ExitStack() as stack:
            writer = ArchiveWriter(self.folder / "archive", settings=self.settings.store)
            stack.callback(writer.close)
            self._begin(known)
            stack.callback(self._roll_back)
            journal = self.folder / "logs" / f"forage-{self.record.id}.journal"
            self.ledger = RunLedger(self.database, writer, journal, start=self.record.journal)
            stack.callback(self.ledger.close)
            if self.errand.log is not None:
                self._log = stack.enter_context(self.errand.log.open("w", encoding="utf-8"))
            self._set_up(known)
            self._fetch_all(stack)
            self._finish(journal)
        if self.interrupted:
            raise KeyboardInterrupt

    def _finish(self, journal: Path) -> None:
        tell_ends(self.record.id, self.forager.sites)
        self._commit(finished=not self.interrupted)
        if self.interrupted:
            return
        journal.unlink()
        if not any(site.ended == "budget" for site in self.forager.sites):
            self.table.forget_links(self.record.id)  # it can't be taken up again, so its queue is of no use

    def _begin(self, known: Run | None) -> None:
        self.resumed = known is not None
        self.database.begin()
        seeds = [(seed.url, seed.scope) for seed in self.errand.seeds]
        earlier = self.table.latest(self.errand.said()) if self.errand.again else None
        if earlier is not None:
            self.table.forget_links(earlier.id)
        self.record = known or self.table.begin(self.errand.said(), seeds)
        begun = "taken up where it stopped" if known else "begun"
        _log.info(
            "run %d over %d sites is %s, strategy %s", self.record.id, len(seeds), begun, self.errand.strategy.name
        )

    def _set_up(self, known: Run | None) -> None:
        """The forager as it was at the last commit, and then with what was kept after it."""
        spill = FrontierTable(self.database, self.record.id)
        self.forager = Forager(
            self.errand.strategy,
            self.settings.forage,
            read=self.settings.read,
            spill=spill,
            on_fetch=self._on_fetch,
            keep=lambda url, response, failure: self.ledger.keep(url, response, failure),
        )
        for seed in self.errand.seeds:
            self.forager.add_site(seed, queue=known is None)
        self._started = self._committed = self._watched = time.monotonic()
        self._uncommitted = 0
        if known is not None:
            spill.recover()
            self._restore(known, spill)
            self._catch_up()
        self._commit()

    def _restore(self, known: Run, spill: FrontierTable) -> None:
        for site, row in zip(self.forager.sites, self.table.sites(known.id), strict=True):
            site.pages = site.taken = row["pages"]
            site.goals, site.readable, site.since_goal = row["goals"], row["readable"], row["since_goal"]
            site.goal_probability = row["goal_probability"]
            site.ended = "" if row["ended"] == "budget" else row["ended"]
            site.same_as, site.why = row["same_as"], row["why"]
        self.seconds, totals = known.seconds, self.forager.totals
        totals.recall(known.notes)
        learnt = Recollection(self.errand.strategy, self.settings.read)
        for number, fetch in self.table.fetches(known.id):
            site = self.forager.sites[number]
            expanded = self.forager.recall(fetch, site)
            if learnt.wants(fetch, site):
                self._show_again(learnt, fetch, site, spill, expanded=expanded)
            totals.fetched, totals.goals = fetch.n, totals.goals + fetch.goal
            self._show_progress(time.monotonic())
            if self._log is not None:
                self._log.write(log_line(fetch))
        self.forager.frontier.resume(order=known.last_order)
        learnt.settle(self.forager.frontier)

    def _show_again(
        self, learnt: Recollection, fetch: Fetch, site: SiteQueue, spill: FrontierTable, *, expanded: bool
    ) -> None:
        """A page of before to a strategy that learns on the way."""
        row, response = spill.fetched(link_key(fetch.url)), self.ledger.page(fetch.url)
        if row is not None and response is not None:
            learnt.show(fetch, site, QueuedLink.from_row(row), response, expanded=expanded)

    def _catch_up(self) -> None:
        """Pages that were kept and not committed before a crash: they were paid for already."""
        for url, response, failure in self.ledger.left_over():
            ticket = self.forager.frontier.take(link_key(url))
            if ticket is None:
                continue
            if response is None:
                self.forager.failed(ticket, failure, kept=True)
            else:
                self.forager.arrived(ticket, response, kept=True)

    def _fetch_all(self, stack: ExitStack) -> None:
        if self.errand.archives:
            replay = stack.enter_context(self._replay())
            self.interrupted = walk(self.forager, replay.fetch, tick=self.tick)
        else:
            from trailmark.forage.crawl import crawl

            self.interrupted = crawl(self.forager, tick=self.tick)

    def _replay(self) -> Replay:
        return Replay(
            self.errand.archives,
            index=self.folder / "archive" / "index.db",
            max_redirects=self.settings.forage.max_redirects,
            settings=self.settings.store,
        )

    def tick(self) -> None:
        """Called after each page, and now and then while none comes: commits and shows what is due."""
        now = time.monotonic()
        due = self._uncommitted >= COMMIT_PAGES or now - self._committed >= COMMIT_SECONDS
        if due and (self._uncommitted or self.database.connection.in_transaction):
            self._commit()
        self._show_progress(now)

    def _show_progress(self, now: float) -> None:
        if self.watch is not None and now - self._watched >= WATCH_SECONDS:
            self._watched = now
            self.watch(self)

    def elapsed(self) -> float:
        """Seconds of this run, earlier parts included."""
        return self.seconds + time.monotonic() - self._started

    def _on_fetch(self, fetch: Fetch, site: SiteQueue) -> None:
        self.table.add_fetch(self.record.id, fetch, site.number)
        self._touched.add(site.number)
        self._uncommitted += 1
        if self._log is not None:
            self._log.write(log_line(fetch))

    def _commit(self, *, finished: bool = False) -> None:
        sites = self.forager.sites
        self.forager.frontier.flush()
        journal = self.ledger.flush()
        touched = range(len(sites)) if finished else sorted(self._touched)
        self.table.save_sites(self.record.id, (site_row(sites[number]) for number in touched))
        self.table.save_run(
            self.record.id,
            order=self.forager.frontier.order,
            journal=journal,
            seconds=self.elapsed(),
            finished=finished,
            notes=self.forager.totals.notes(),
        )
        self.database.commit()
        if self._log is not None:
            self._log.flush()
        self._touched.clear()
        self._uncommitted, self._committed = 0, time.monotonic()

    def _roll_back(self) -> None:
        """After an error: the last commit is what counts."""
        self.database.roll_back()

    def _reopens(self, known: Run) -> bool:
        """Whether a run that used its budget up has more now."""
        sites, limits = self.table.sites(known.id), self.settings.forage
        more = not limits.budget or sum(site["pages"] for site in sites) < limits.budget
        room = [site for site in sites if not limits.site_budget or site["pages"] < limits.site_budget]
        return more and any(site["ended"] == "budget" for site in room)

    def _write_log(self) -> None:
        if self.errand.log is not None:
            with self.errand.log.open("w", encoding="utf-8") as log:
                log.writelines(log_line(fetch) for _, fetch in self.table.fetches(self.record.id))

    def report(self) -> dict[str, Any]:
        """What came of it, read from the database."""
        run, done = self.record.id, self.finished_before
        goals = self.table.fetches(run, goals_only=True)
        totals = Totals() if done else self.forager.totals
        if done:
            totals.recall(self.record.notes)
        return {
            "run": run,
            "strategy": self.errand.strategy.name,
            "already_done": done,
            "resumed": self.resumed,
            **forage_report(
                self.table.sites(run),
                [(fetch, self.table.trail(run, fetch.n)) for _, fetch in goals],
                totals,
                seconds=self.record.seconds if done else self.elapsed(),
            ),
        }
