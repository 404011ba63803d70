"""`forage` over several walkers: the seeds are dealt in parts, the parts are walked wherever there are hands, and brought together.

1. Seeds are read and dealt (`trailmark.forage.dealing`): a registrable domain is in one part, so no host is asked by two walkers.
2. Rounds: every part that is open gets its share of the budget that is left and is walked to its end or to the end of its share. What
   parts did not use is dealt again, so the budget is used as far as there are pages, and never exceeded.
3. Sites that turn out to lead to where another part was walking are walked after it, in parts of their own.
4. The parts become one run of the workspace, as if it had not been dealt, and its verdicts are settled over all sites.

Whoever dies, the driver too: the same call again goes on with what the parts hold.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trailmark.datatypes import RunState
from trailmark.errors import InputError
from trailmark.forage.forage_report import ForageReport
from trailmark.forage.forage_run import Errand, ForageRun, open_sites
from trailmark.forage.keyword_walk import is_keyword_walk
from trailmark.forage.scope import Seed
from trailmark.forage.seeds import BadSeed
from trailmark.forage.settled_run import settle_run
from trailmark.forage.totals import MOST_PROBLEMS, Totals
from trailmark.settings import Settings
from trailmark.store.archive_names import path_named
from trailmark.store.data_set import DataSet
from trailmark.store.live_files import refuse_database
from trailmark.store.parquet_schema import arrow
from trailmark.store.parts_standing import PartsStanding, parts_folder, write_standing
from trailmark.store.run_part import add_part, forget_fetches, forget_parts, link_archives, part_of
from trailmark.verbs.forage import chosen_strategy, limits_of, path_of, seeds_of, sought
from trailmark.verbs.hands import Hands, OwnHands
from trailmark.verbs.keyword_records import follow_keyword_pages
from trailmark.verbs.run_books import StoredBooks
from trailmark.verbs.run_parts import RunParts
from trailmark.verbs.ship_part import ShippedWalk, ship_fetches
from trailmark.verbs.strategies import reading_settings
from trailmark.verbs.walk_part import PartErrand, PartWalker
from trailmark.workspace import Workspace

TELL_SECONDS, TELL_SHARE = 1.0, 0.05
"""How often it is told how the run stands, and the share of the time that looking at many parts may take."""


def dealt_forage(
    workspace: Workspace,
    seeds: str | Path | Sequence[str | Path | Seed],
    hands: Hands | None = None,
    *,
    archives: Sequence[str | Path] = (),
    strategy: str = "path",
    budget: int | None = None,
    site_budget: int | None = None,
    scope: str | None = None,
    log: str | Path | None = None,
    again: bool = False,
    goal: str | Sequence[str] = (),
    keywords: str | Path | Sequence[str | Path] = (),
    keywords_from: str | Sequence[str] = (),
    documents: bool = False,
    picture: str | Path | None = None,
    watch: Callable[[PartsStanding], None] | None = None,
    begun: Callable[[int], None] | None = None,
) -> ForageReport:
    """Seeds -> the pages of their sites, as `forage` has it, walked in parts by whoever `hands` are."""
    strategy = str(sought(workspace, strategy, goal, keywords, keywords_from))
    for file in (log, picture):
        if file is not None:
            refuse_database(Path(file))
    if workspace.settings.scale.storage:
        arrow()  # what is shipped at the end must not fail for want of it then
    limits = limits_of(workspace.settings.forage, budget, site_budget, scope)
    settings = reading_settings(replace(workspace.settings, forage=limits), strategy)
    sites, bad = seeds_of([seeds] if isinstance(seeds, (str, Path)) else seeds, limits.scope)
    _refuse_roaming(sites)
    named = (goal,) if isinstance(goal, str) else tuple(goal)
    paths = tuple(path_named(archive).absolute() for archive in archives)
    asked = PartErrand(
        workspace.folder.absolute(), part_of(Path(), 0, ()), (), limits, strategy, named, documents, paths
    )
    run = _DealtRun(workspace, settings, sites, asked, hands or OwnHands(), watch)
    report = run.walked(path_of(log), path_of(picture), begun, again=again, bad=bad)
    if is_keyword_walk(run.errand.strategy):
        follow_keyword_pages(workspace)
    return report


class _DealtRun:
    """A run over parts."""

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        seeds: Sequence[Seed],
        asked: PartErrand,
        hands: Hands,
        watch: Callable[[PartsStanding], None] | None,
    ) -> None:
        self.workspace, self.settings, self.seeds, self.asked, self.hands = workspace, settings, seeds, asked, hands
        self.watch, self._tell_at = watch, 0.0
        chosen, model, goals = chosen_strategy(workspace, asked.strategy, asked.goals, documents=asked.documents)
        self.walker = PartWalker.of(chosen, model, goals, settings)
        most = settings.scale.part_sites
        self.errand = Errand(seeds, chosen, model, asked.archives, goals=goals, part_sites=most)
        self.books = StoredBooks(workspace.folder, workspace.database, settings, asked.archives)
        self.rows = self.books.rows

    def walked(
        self,
        log: Path | None,
        picture: Path | None,
        begun: Callable[[int], None] | None,
        *,
        again: bool,
        bad: Sequence[BadSeed],
    ) -> ForageReport:
        known = None if again else self.rows.latest(self.errand.identity())
        done = known is not None and known.finished_at is not None
        done = done and not (known and open_sites(self.rows.sites(known.id), self.settings.forage))
        if not done:
            with self.books.held():
                self.state = known or self._begin()
                folder = parts_folder(self.workspace.folder.absolute(), self.state.id)
                self.parts = RunParts(folder, self.seeds, self.settings)
                if begun is not None:
                    begun(self.state.id)
                self._walk()
                self._bring_together()
        # What is in the books is told as of any other run.
        whole = ForageRun(replace(self.errand, log=log, picture=picture), self.settings, self.books)
        report = whole.run()
        return replace(report, already_done=done, resumed=known is not None and not done, bad_seeds=tuple(bad))

    def _begin(self) -> RunState:
        sites = [(seed.url, seed.scope) for seed in self.seeds]
        return self.rows.begin(self.errand.identity(), sites, self.errand.goal_name)

    # --- walking -------------------------------------------------------------------------------------------------

    def _walk(self) -> None:
        """Rounds, until no part is open or nothing is left of the budget."""
        while errands := list(self.parts.due(self.asked)):
            for place, _ in self.hands.answers(self._shipping() or self.walker, errands, tick=self._tell):
                self.parts.rest(errands[place].part)
                self._tell()

    def _shipping(self) -> ShippedWalk | None:
        """How parts are walked and shipped, where there is a storage."""
        if not (storage := self.settings.scale.storage):
            return None
        day = self.state.started_at[:10]
        return ShippedWalk(self.walker, path_named(storage).absolute(), self.state.id, day, self.settings.store)

    def _tell(self) -> None:
        """Now and then, to who waits here and to who watches from elsewhere: the books of the parts that are being walked are opened for it."""
        begun = time.monotonic()
        if begun < self._tell_at:
            return
        standing = self.parts.standing()
        write_standing(self.parts.folder, standing)
        if self.watch is not None:
            self.watch(standing)
        now = time.monotonic()
        self._tell_at = now + max(TELL_SECONDS, (now - begun) / TELL_SHARE)

    # --- bringing together -----------------------------------------------------------------------------------------

    def _bring_together(self) -> None:
        """The rows of all parts become the run's, in one transaction; what an earlier one brought is replaced."""
        database, run, timeout = self.workspace.database, self.state.id, self.parts.timeout
        reading = self.parts.read()
        begun = [each for each in reading.every if each.part.begun]
        names = [link_archives(each.part, self.workspace.archive_folder, run) for each in begun]
        sites = self.parts.whole_sites(reading)
        with database.transaction():
            forget_fetches(database, run)
            after = 0
            for each, linked in zip(begun, names, strict=True):
                after += add_part(database, run, each.part, linked, after=after, timeout=timeout)
            self.rows.save_sites(run, sites)
            walked = [each.run for each in begun if each.run is not None]
            self.rows.save_run(
                run,
                order=0,
                journal=0,
                seconds=sum(each.seconds for each in walked),
                finished=True,
                notes=_notes([each.notes for each in walked]),
            )
            settle_run(self.rows, run)
        if shipping := self._shipping():
            for _ in self.hands.answers(shipping.ship, [each.part for each in begun]):
                pass  # those whose walker ended, and could not ship them
            ship_fetches(database, run, DataSet(shipping.storage / "fetches"))
        if not open_sites(sites, replace(self.settings.forage, budget=0, site_budget=0)):
            forget_parts([self.parts.folder])


def _notes(every: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What the parts counted besides fetches, added up."""
    whole, skipped = Totals(), Counter[str]()
    for notes in every:
        part = Totals()
        part.recall(notes)
        skipped.update(part.skipped)
        whole.problems += part.problems
        whole.missing += part.missing
    whole.skipped, whole.problems = skipped, whole.problems[:MOST_PROBLEMS]
    return whole.notes()


def _refuse_roaming(seeds: Sequence[Seed]) -> None:
    roaming = next((seed for seed in seeds if seed.scope == "any"), None)
    if roaming is not None:
        raise InputError(
            f"{roaming.url} has the scope 'any', and may lead to hosts that another worker asks: "
            "walk it without --on, or choose the scope domain, host or prefix."
        )
