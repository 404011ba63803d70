"""`forage` over several walkers: the seeds are dealt in parts, the parts are walked wherever there are hands, and brought together.

1. Seeds are read and dealt (`trailmark.forage.dealing`): a registrable domain is in one part, so no host is asked by two walkers.
2. Rounds: every part that is open gets its share of the budget that is left and is walked to its end or to the end of its share. What
   parts did not use is dealt again, so the budget is used as far as there are pages, and never exceeded.
3. Sites that turn out to lead to where another part was walking are walked after it, in parts of their own.
4. The parts become one run of the workspace, as if it had not been dealt, and its verdicts are settled over all sites.

Whoever dies, the driver too: the same call again goes on with what the parts hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trailmark.datatypes import RunState
from trailmark.errors import InputError
from trailmark.forage.documents import WithDocuments
from trailmark.forage.forage_report import ForageReport
from trailmark.forage.forage_run import Errand, ForageRun, open_sites
from trailmark.forage.scope import Seed
from trailmark.forage.seeds import BadSeed
from trailmark.forage.settled_run import settle_run
from trailmark.forage.totals import MOST_PROBLEMS, Totals
from trailmark.settings import Settings
from trailmark.store.live_files import refuse_database
from trailmark.store.run_part import add_part, forget_fetches, forget_parts, link_archives, part_of
from trailmark.verbs.forage import limits_of, seeds_of
from trailmark.verbs.hands import Hands, OwnHands
from trailmark.verbs.run_books import StoredBooks
from trailmark.verbs.run_parts import PartsStanding, RunParts
from trailmark.verbs.strategies import workspace_strategy
from trailmark.verbs.walk_part import PartErrand, walk_part
from trailmark.workspace import Workspace

PARTS = "parts"
"""Folder of the workspace in which the parts of runs rest while they are walked."""


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
    documents: bool = False,
    picture: str | Path | None = None,
    watch: Callable[[PartsStanding], None] | None = None,
    begun: Callable[[int], None] | None = None,
) -> ForageReport:
    """Seeds -> the pages of their sites, as `forage` has it, walked in parts by whoever `hands` are."""
    for file in (log, picture):
        if file is not None:
            refuse_database(Path(file))
    limits = limits_of(workspace.settings.forage, budget, site_budget, scope)
    settings = replace(workspace.settings, forage=limits)
    sites, bad = seeds_of([seeds] if isinstance(seeds, (str, Path)) else seeds, limits.scope)
    _refuse_roaming(sites)
    named = (goal,) if isinstance(goal, str) else tuple(goal)
    paths = tuple(Path(archive).absolute() for archive in archives)
    asked = PartErrand(
        workspace.folder.absolute(), part_of(Path(), 0, ()), (), limits, strategy, named, documents, paths
    )
    run = _DealtRun(workspace, settings, sites, asked, hands or OwnHands(), watch)
    return run.walked(_path(log), _path(picture), begun, again=again, bad=bad)


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
        self.watch = watch
        chosen, model, goals = workspace_strategy(workspace, asked.strategy, asked.goals)
        if asked.documents:
            chosen = WithDocuments(chosen)
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
                folder = self.workspace.folder.absolute() / PARTS / f"run-{self.state.id:05d}"
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
            for _ in self.hands.answers(walk_part, errands, tick=self._tell):
                self._tell()

    def _tell(self) -> None:
        if self.watch is not None:
            self.watch(self.parts.standing())

    # --- bringing together -----------------------------------------------------------------------------------------

    def _bring_together(self) -> None:
        """The rows of all parts become the run's, in one transaction; what an earlier one brought is replaced."""
        database, run = self.workspace.database, self.state.id
        parts, timeout = [part for part in self.parts.every() if part.begun], self.parts.timeout
        names = [link_archives(part, self.workspace.archive_folder, run) for part in parts]
        states = [part.standing(timeout=timeout) for part in parts]
        with database.transaction():
            forget_fetches(database, run)
            after = 0
            for part, linked in zip(parts, names, strict=True):
                after += add_part(database, run, part, linked, after=after, timeout=timeout)
            sites = self.parts.whole_sites([found for _, found in states])
            self.rows.save_sites(run, sites)
            walked = [each for each, _ in states if each is not None]
            self.rows.save_run(
                run,
                order=0,
                journal=0,
                seconds=sum(each.seconds for each in walked),
                finished=True,
                notes=_notes([each.notes for each in walked]),
            )
            settle_run(self.rows, run)
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


def _path(name: str | Path | None) -> Path | None:
    return None if name is None else Path(name)
