"""The console of a run: what an operator wants to see of it, while it goes on and after; and two runs side by side."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from trailmark.datatypes import HostPulse, Waiting
from trailmark.errors import InputError
from trailmark.report import Report
from trailmark.store.run_view import RunSums, RunView
from trailmark.store.run_watch import LogLine, RunWatch
from trailmark.verbs.runs import RunReport, find_run, run_report
from trailmark.workspace import Workspace

ALIVE_SECONDS = 5.0
"""A run that said nothing for longer is not at work."""
LINES = 20
MOST_COMPARED = 200


@dataclass(frozen=True)
class ConsoleReport(Report):
    """A run as an operator sees it."""

    run: int
    alive: bool
    """Whether it said how it stands a moment ago."""
    says: str
    """What it does now, in a sentence."""
    queued: int | None
    under_way: int | None
    retries: int | None
    last_fetch_at: float | None
    """When the last page came or failed to, in seconds since 1970."""
    statuses: Mapping[int, int]
    """Pages by status; 0 stands for no answer."""
    failures: Mapping[str, int]
    """Pages that never came, by cause."""
    left_alone: Mapping[str, int]
    """Links that were not asked for, by reason."""
    hosts: tuple[HostPulse, ...]
    waiting: tuple[Waiting, ...]
    ends: str
    """When it may end, in words; that it is not known yet where nothing was measured."""
    log: tuple[LogLine, ...]
    """The last lines."""


@dataclass(frozen=True)
class ComparedRuns(Report):
    """Two runs side by side."""

    one: RunReport
    other: RunReport
    both: int
    """Pages that both called goals."""
    only_one: tuple[str, ...]
    only_other: tuple[str, ...]
    """Pages that one of them alone called a goal; the first of them."""
    only_one_count: int
    only_other_count: int


def run_console(workspace: Workspace, run: int, *, now: float | None = None) -> ConsoleReport:
    """The number of a run -> what an operator sees of it at this moment."""
    sums, watch = find_run(workspace, run), RunWatch(workspace.database)
    now = time.time() if now is None else now
    pulse, last = watch.pulse(run), watch.last_fetch_at(run)
    alive = is_alive(workspace, sums, now=now)
    statuses = watch.statuses(run)
    latest = max((at for at in (last, pulse.last_at if pulse else None) if at is not None), default=None)
    waiting = pulse.waiting if pulse is not None and alive else ()
    return ConsoleReport(
        run=run,
        alive=alive,
        says=_says(alive, sums.finished_at is not None, latest, waiting, now),
        queued=pulse.queued if pulse else None,
        under_way=pulse.under_way if pulse is not None and alive else None,
        retries=pulse.retries if pulse else None,
        last_fetch_at=latest,
        statuses=statuses,
        failures=watch.failures(run),
        left_alone=watch.left_alone(run),
        hosts=pulse.hosts if pulse else (),
        waiting=waiting,
        ends=_ends(pulse.ends_in, pulse.ends_by) if pulse is not None and alive else "",
        log=tuple(watch.log(run, most=LINES)[1]),
    )


def is_alive(workspace: Workspace, run: RunSums, *, now: float | None = None) -> bool:
    """Whether a run that has not ended said how it stands a moment ago."""
    pulse = RunWatch(workspace.database).pulse(run.id)
    now = time.time() if now is None else now
    return pulse is not None and run.finished_at is None and now - pulse.at < ALIVE_SECONDS


def run_log(
    workspace: Workspace, run: int, *, containing: str = "", kind: str = "", most: int = 200, skip: int = 0
) -> tuple[int, list[LogLine]]:
    """The number of a run -> how many lines of its log have these letters and are of this kind, and one page of them."""
    find_run(workspace, run)
    return RunWatch(workspace.database).log(run, containing=containing, kind=kind, most=most, skip=skip)


def compare_runs(workspace: Workspace, one: int, other: int) -> ComparedRuns:
    """The numbers of two runs -> both with their figures, and what each of them alone found."""
    if one == other:
        raise InputError(f"Run {one} can't be compared with itself: choose another one.")
    sums = [run_report(find_run(workspace, number)) for number in (one, other)]
    view = RunView(workspace.database)
    first, second = ({page.url for page in view.called_goals(number)} for number in (one, other))
    alone, others = sorted(first - second), sorted(second - first)
    return ComparedRuns(
        sums[0],
        sums[1],
        both=len(first & second),
        only_one=tuple(alone[:MOST_COMPARED]),
        only_other=tuple(others[:MOST_COMPARED]),
        only_one_count=len(alone),
        only_other_count=len(others),
    )


def in_time(seconds: float) -> str:
    """Seconds -> a length of time as people say it."""
    if seconds < 90:
        return f"{max(round(seconds), 0)} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def _says(alive: bool, ended: bool, latest: float | None, waiting: tuple[Waiting, ...], now: float) -> str:
    if ended:
        return "It has ended."
    if not alive:
        return (
            "It is not at work."
            if latest is None
            else f"It is not at work; the last page was {in_time(now - latest)} ago."
        )
    last = "Nothing came yet" if latest is None else f"The last page came or failed {in_time(now - latest)} ago"
    soon = [wait for wait in waiting if wait.why.startswith("tried again")]
    return f"{last}. {_trying(soon, now)}" if soon else f"{last}."


def _trying(waits: list[Waiting], now: float) -> str:
    first = min(waits, key=lambda wait: wait.until or now)
    when = f" in {in_time(max((first.until or now) - now, 0.0))}"
    return f"{first.host} did not answer: {first.why}, next{when}."


def _ends(seconds: float | None, by: str) -> str:
    if seconds is None:
        return "not known yet"
    what = "its budget is used up" if by == "budget" else "its queue is empty"
    return f"in about {in_time(seconds)} {what}, at the pace of the last minute"
