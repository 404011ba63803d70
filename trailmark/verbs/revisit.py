"""`forage --update`: sites that were walked before and are due -> walked again, where it pays.

Walks over archives are no part of it, for an archive does not change; unless archives are named, from which pages come then instead of the network.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.forage.forage_report import ForageReport
from trailmark.forage.forage_run import Watch
from trailmark.forage.revisits import DueSite, PastWalk, due_sites
from trailmark.forage.scope import Scope, Seed
from trailmark.report import Report
from trailmark.store.walk_history import DAY, Errand, Walked, past_walks, unfinished_walk
from trailmark.verbs.forage import forage
from trailmark.verbs.update_report import RevisitedSite
from trailmark.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Revisit:
    """Sites that are due, and what they were walked for."""

    errand: Errand
    sites: tuple[DueSite, ...]
    seeds: tuple[Seed, ...]
    """The same sites as they are walked."""


@dataclass(frozen=True)
class Due(Report):
    """What is due in a workspace."""

    revisits: tuple[Revisit, ...]
    waiting: int
    """Sites that are not due yet."""

    @property
    def seeds(self) -> list[Seed]:
        """All sites that are due, whatever they were walked for."""
        return list(dict.fromkeys(seed for revisit in self.revisits for seed in revisit.seeds))


def due_revisits(
    workspace: Workspace, *, now: float | None = None, everything: bool = False, archived: bool = False
) -> Due:
    """A workspace -> the sites that are due for another walk, by what they were walked for.

    All of them with `everything`; those that were walked in archives only where they are walked in archives again (`archived`).
    """
    walks: dict[Errand, dict[str, list[PastWalk]]] = {}
    scopes: dict[str, Scope] = {}
    for walk in past_walks(workspace.database):
        if archived or not walk.archived:
            walks.setdefault(walk.errand, {}).setdefault(walk.root, []).append(_past(walk))
            scopes[walk.root] = walk.scope  # type: ignore[assignment]
    today = (time.time() if now is None else now) / DAY
    chance, days = workspace.settings.forage.revisit_chance, workspace.settings.forage.revisit_days
    if everything:
        chance = days = 0.0
    found = {errand: due_sites(sites, today, least_chance=chance, after_days=days) for errand, sites in walks.items()}
    revisits = [
        Revisit(errand, tuple(due), tuple(Seed(site.root, scopes[site.root]) for site in due))
        for errand, due in found.items()
        if due
    ]
    return Due(tuple(revisits), sum(map(len, walks.values())) - sum(map(len, found.values())))


def _past(walk: Walked) -> PastWalk:
    return PastWalk(walk.day, walk.pages, walk.news)


def broken_off(workspace: Workspace, run: int) -> list[Revisit]:
    """A run of an earlier update -> what is left of it where it did not come to its end: it is taken up."""
    found = unfinished_walk(workspace.database, run)
    if found is None:
        return []
    errand, sites = found
    due = tuple(DueSite(root, 0.0, None, None, 0) for root, _ in sites)
    return [Revisit(errand, due, tuple(Seed(root, scope) for root, scope in sites))]  # type: ignore[arg-type]


def walk_again(
    workspace: Workspace,
    revisit: Revisit,
    *,
    archives: Sequence[str | Path] = (),
    budget: int | None = None,
    unfinished: bool = False,
    watch: Watch | None = None,
    begun: Callable[[int], None] | None = None,
) -> ForageReport:
    """Sites that are due -> one run over them, begun anew, or taken up where it was `unfinished`."""
    return forage(
        workspace,
        revisit.seeds,
        archives=archives,
        strategy=revisit.errand.strategy,
        goal=revisit.errand.goals,
        documents=revisit.errand.documents,
        budget=budget,
        again=not unfinished,
        watch=watch,
        begun=begun,
    )


def revisited(workspace: Workspace, revisit: Revisit, run: int) -> list[RevisitedSite]:
    """The sites of a revisit, each with what its walk found new."""
    news = {walk.root: walk for walk in past_walks(workspace.database) if walk.run == run}
    return [_revisited(site, news.get(site.root)) for site in revisit.sites]


def _revisited(site: DueSite, walk: Walked | None) -> RevisitedSite:
    return RevisitedSite(site.root, site.days, site.chance, walk.news if walk is not None else None)
