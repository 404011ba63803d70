"""One part of a run that was dealt: its sites walked from what the workspace learnt, into books of the part's own.

It is the same walk as that of a run that was not dealt, and as safe: killed at any moment it goes on where it stopped, in whatever
process it is taken up.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from trailmark.errors import WorkspaceBusy
from trailmark.forage.forage_run import Errand, ForageRun
from trailmark.forage.scope import Seed, domain_of, host_of
from trailmark.settings import ForageSettings, Settings
from trailmark.store.database import Database
from trailmark.store.lease import Leases
from trailmark.store.parts_standing import note_walker
from trailmark.store.run_part import RunPart
from trailmark.strategy import Strategy
from trailmark.verbs.forage import chosen_strategy
from trailmark.verbs.hands import must_see
from trailmark.verbs.run_books import StoredBooks
from trailmark.workspace import Workspace

MOVED = "moved sites"
"""Under this key a part remembers sites that lead to where another part walks."""


@dataclass(frozen=True)
class PartErrand:
    """What is asked of the walker of a part; it travels to where the part is walked."""

    workspace: Path
    part: RunPart
    seeds: tuple[Seed, ...]
    limits: ForageSettings
    """With the part's own budget."""
    strategy: str = "path"
    goals: tuple[str, ...] = ()
    documents: bool = False
    archives: tuple[Path, ...] = ()

    @property
    def leases(self) -> Path:
        """Where the walkers of a run say which domains are theirs."""
        return self.part.folder.parent / "leases"


@dataclass(frozen=True)
class PartWalker:
    """Walks parts; made once for a run, and sent once to each who walks.

    Making a strategy reads every page that was taught. It is made by the one who deals, and each part begins with a copy of it, since a
    strategy learns on the way: so parts are walked alike, whoever walks them and whatever was walked before.
    """

    settings: Settings
    model: str
    goals: tuple[str, ...]
    strategy: bytes | None
    """As it was made, before its first page; None where it can't travel, and is made where it is needed."""

    @classmethod
    def of(cls, strategy: Strategy, model: str, goals: tuple[str, ...], settings: Settings) -> PartWalker:
        """A strategy that has seen no page yet -> those who walk by it."""
        try:
            made = pickle.dumps(strategy, protocol=pickle.HIGHEST_PROTOCOL)
        except Exception:  # noqa: BLE001 - a class of the user's own may hold anything, and says it in its own way
            made = None
        return cls(settings, model, goals, made)

    def __call__(self, errand: PartErrand) -> int:
        """A part -> walked until its sites ended or its budget is used up; the pages that were fetched for it in all."""
        must_see(errand.workspace)
        settings = replace(self.settings, forage=errand.limits)
        with ExitStack() as stack:
            leases = stack.enter_context(Leases(errand.leases))
            if not errand.archives:
                _take_own(errand, leases)
            note_walker(errand.part.folder)
            database = stack.enter_context(errand.part.opened(timeout=settings.store.busy_timeout))
            asked = Errand(errand.seeds, self._fresh(errand), self.model, errand.archives, goals=self.goals)
            books = StoredBooks(errand.part.folder, database, settings, errand.archives)
            return ForageRun(asked, settings, books, may_move=_mover(database, leases)).run().pages

    def _fresh(self, errand: PartErrand) -> Strategy:
        if self.strategy is not None:
            made: Strategy = pickle.loads(self.strategy)  # noqa: S301 - our own, made by the one who deals
            return made
        with Workspace.open(errand.workspace) as workspace:
            return chosen_strategy(workspace, errand.strategy, errand.goals, documents=errand.documents)[0]


def _take_own(errand: PartErrand, leases: Leases) -> None:
    """Two walkers of one part, because one was given up that still lives: the later one yields."""
    for seed in errand.seeds:
        domain = domain_of(host_of(seed.url))
        if not leases.take(domain):
            raise WorkspaceBusy(f"{domain} is being walked by another worker: wait until it is done, or stop it.")


def _mover(database: Database, leases: Leases) -> Callable[[int, str], bool]:
    """A site may go where its root leads if nobody else walks there; else the part remembers it, to be dealt again."""

    def may_move(site: int, url: str) -> bool:
        if leases.take(domain_of(host_of(url))):
            return True
        database.set_meta(MOVED, json.dumps({**moved_sites(database), str(site): url}))
        return False

    return may_move


def moved_sites(database: Database) -> dict[str, str]:
    """Sites of a part, by their number in it -> where their roots lead: to where another part was being walked."""
    return dict(json.loads(database.meta(MOVED) or "{}"))
