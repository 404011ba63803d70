"""`status --watch`: the run that was begun last as it stands now: how far it is, how fast, what fails, what lags behind, who walks.

It reads what runs write, and nothing else: rows of the database and, of a run that was dealt, the file in which the one who deals says how
its parts stand.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trailmark.forage.stragglers import Straggler, stragglers, usual_time
from trailmark.report import Report
from trailmark.store.parts_standing import PartsStanding, parts_folder, read_standing
from trailmark.store.run_view import RunSums, RunView
from trailmark.store.run_watch import RunWatch, failed_pages
from trailmark.verbs.run_console import is_alive
from trailmark.workspace import Workspace

MOST_STRAGGLERS = 20
SILENT_SECONDS = 15.0
"""One who deals and said nothing for longer is not at work: over many parts it looks less often."""


@dataclass(frozen=True)
class WatchReport(Report):
    """A run at a moment."""

    at: float
    """Seconds since 1970."""
    run: int
    strategy: str
    state: Literal["walking", "ended", "stopped"]
    """`stopped`: it has not ended, and said nothing for a while."""
    sites: int
    sites_done: int
    pages: int
    goals: int
    errors: int
    """Pages that did not come, or came with a status of 400 and above."""
    pages_per_second: float | None
    """Since the look before, or over the last minute; None where that can't be told yet."""
    parts: int
    """0 where the run was not dealt."""
    parts_done: int
    machines: int
    workers: int
    stragglers: tuple[Straggler, ...]
    """Sites, or parts of a run that was dealt, that take much longer than the others."""


def watch(workspace: Workspace, before: WatchReport | None = None, *, now: float | None = None) -> WatchReport | None:
    """A workspace, and an earlier look -> its last run as it stands; None where there is no run."""
    last = next(iter(RunView(workspace.database).runs(1)), None)
    if last is None:
        return None
    now = time.time() if now is None else now
    standing = read_standing(parts_folder(workspace.folder, last.id)) if last.finished_at is None else None
    return _as_one(workspace, last, before, now) if standing is None else _as_dealt(last, standing, before, now)


def _as_one(workspace: Workspace, run: RunSums, before: WatchReport | None, now: float) -> WatchReport:
    """A run that is walked as a whole."""
    books = RunWatch(workspace.database)
    alive, pulse = is_alive(workspace, run, now=now), books.pulse(run.id)
    late = _late_sites(books, run, now) if alive else ()
    measured = _rate(run.id, run.pages, before, now)
    return WatchReport(
        at=now,
        run=run.id,
        strategy=run.strategy,
        state="ended" if run.finished_at is not None else "walking" if alive else "stopped",
        sites=run.sites,
        sites_done=run.ended,
        pages=run.pages,
        goals=run.goals,
        errors=failed_pages(books.statuses(run.id)),
        pages_per_second=(pulse.pages_per_second if pulse and measured is None else measured) if alive else None,
        parts=0,
        parts_done=0,
        machines=int(alive),
        workers=int(alive),
        stragglers=tuple(late[:MOST_STRAGGLERS]),
    )


def _as_dealt(run: RunSums, standing: PartsStanding, before: WatchReport | None, now: float) -> WatchReport:
    alive = now - standing.at < SILENT_SECONDS
    walking = standing.walking if alive else ()
    times = {f"part {each.number} on {each.walker.machine}": now - each.walker.since for each in walking}
    return WatchReport(
        at=now,
        run=run.id,
        strategy=run.strategy,
        state="walking" if alive else "stopped",
        sites=standing.sites,
        sites_done=standing.ended,
        pages=standing.pages,
        goals=standing.goals,
        errors=standing.errors,
        pages_per_second=_rate(run.id, standing.pages, before, now) if alive else None,
        parts=standing.parts,
        parts_done=standing.parts_done,
        machines=len({each.walker.machine for each in walking}),
        workers=len({each.walker for each in walking}),
        stragglers=stragglers(times, standing.usual_seconds)[:MOST_STRAGGLERS],
    )


def _rate(run: int, pages: int, before: WatchReport | None, now: float) -> float | None:
    if before is None or before.run != run or before.state != "walking" or now <= before.at:
        return None
    return max(pages - before.pages, 0) / (now - before.at)


def _late_sites(books: RunWatch, run: RunSums, now: float) -> Sequence[Straggler]:
    """While most sites go on, none of them lags behind, and their times need not be asked for."""
    if 2 * run.ended < run.sites:
        return ()
    times = books.site_times(run.id)
    usual = usual_time([last - first for _, ended, first, last in times if ended])
    return stragglers({root: now - first for root, ended, first, _ in times if not ended}, usual)
