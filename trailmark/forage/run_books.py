"""Where a run is written down, as the run sees it: a verb hands it what the store keeps.

Nothing that was fetched is lost, whenever the process is killed: a page is kept in the ledger before anything is made of it, rows go into
one transaction for many pages, and what the ledger holds beyond the last commit is made up for when the run is taken up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from trailmark.datatypes import Fetch, Response, RunEvent, RunPulse, RunState, SiteState
from trailmark.forage.queued_link import Row, Spill


class RunRows(Protocol):
    """The rows of all runs: what was asked, how far each site has come, every fetch in order."""

    def latest(self, asked: Mapping[str, Any]) -> RunState | None:
        """The last run that was asked the same."""
        ...

    def alike(self, asked: Mapping[str, Any]) -> list[RunState]:
        """The last run of each strategy over the same sites and archives, for the same goals."""
        ...

    def begin(self, asked: Mapping[str, Any], sites: Iterable[tuple[str, str]], goal_name: str = "") -> RunState:
        """A new run over sites (root, scope), and the goal that its verdicts are about, where it is one and known."""
        ...

    def forget_links(self, run: int) -> None:
        """Remove the queue of a run that won't be taken up again."""
        ...

    def sites(self, run: int) -> list[SiteState]:
        """The sites of a run in the order of their numbers."""
        ...

    def save_sites(self, run: int, sites: Iterable[SiteState]) -> None:
        """How far sites have come, into the transaction that is open."""
        ...

    def save_run(
        self, run: int, *, order: int, journal: int, seconds: float, finished: bool, notes: Mapping[str, Any]
    ) -> None:
        """Where a run stands, into the transaction that is open."""
        ...

    def add_fetch(self, run: int, fetch: Fetch, site: int) -> None:
        """A fetch, into the transaction that is open."""
        ...

    def save_pulse(self, run: int, pulse: RunPulse, events: Iterable[RunEvent]) -> None:
        """How a run stands at this moment, and what happened since the last, into the transaction that is open."""
        ...

    def fetches(self, run: int, *, goals_only: bool = False, sites: range | None = None) -> Iterator[tuple[int, Fetch]]:
        """(number of the site, fetch) in the order of fetching; of sites with these numbers where any are named."""
        ...

    def unsettle(self, run: int) -> None:
        """Every verdict of a run as the walk gave it, into the transaction that is open."""
        ...

    def save_verdicts(self, run: int, verdicts: Iterable[tuple[int, bool | None, float]]) -> None:
        """(n, goal or None for unsure, probability) of fetches, and sites counted anew, into the transaction that is open."""
        ...

    def answers(self, run: int) -> dict[str, bool]:
        """What people said of the pages of a run, by URL: wanted or not."""
        ...

    def trail(self, run: int, n: int) -> list[str]:
        """URLs from the root of the site to a fetched page."""
        ...


class Ledger(Protocol):
    """The pages of one run, kept one by one as they come."""

    def keep(self, url: str, response: Response | None, failure: str) -> None:
        """What came for a URL, or why nothing did; it is safe once this returns."""
        ...

    def flush(self) -> int:
        """Write rows of pages into the open transaction; how far the ledger goes, to be committed with it."""
        ...

    def left_over(self) -> Iterator[tuple[str, Response | None, str]]:
        """What was kept after the last commit, in order: (URL, response or None, failure)."""
        ...

    def page(self, url: str) -> Response | None:
        """A page that was committed; None where it is no longer there."""
        ...

    def forget_journal(self) -> None:
        """Nothing can be left over any more."""
        ...


class RunSpill(Spill, Protocol):
    """Where links rest outside memory, and are found again after a crash."""

    def recover(self) -> None:
        """After a crash: what was in memory is at rest."""
        ...

    def fetched(self, key: int) -> Row | None:
        """A link that was fetched, as it was then."""
        ...


class ArchivedPages(Protocol):
    """Pages in place of the network."""

    def fetch(self, url: str) -> Response:
        """The answer to a URL, whatever its status."""
        ...


class RunBooks(Protocol):
    """The books of a workspace: one run at a time writes in them."""

    @property
    def rows(self) -> RunRows:
        """The rows of all runs."""
        ...

    def held(self) -> AbstractContextManager[None]:
        """Nobody else writes pages meanwhile; raises WorkspaceBusy where somebody does. What was not committed is undone at its end."""
        ...

    def ledger(self, run: RunState) -> AbstractContextManager[Ledger]:
        """The ledger of a run, open; only while the books are held."""
        ...

    def spill(self, run: RunState) -> RunSpill:
        """Where the links of a run rest."""
        ...

    def pages(self) -> AbstractContextManager[ArchivedPages]:
        """The pages of the archives that were asked for."""
        ...

    def begin(self) -> None:
        """Open a transaction, where none is."""
        ...

    def commit(self) -> None:
        """All that was written since the last commit counts from now on."""
        ...

    @property
    def uncommitted(self) -> bool:
        """Whether a transaction is open."""
        ...
