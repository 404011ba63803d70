"""How a run stands at this moment, for whoever watches it: what waits and why, how each host is asked, what is tried again, when it may end.

Counts that the rows of fetches hold are not kept here a second time. What is: hosts with their pace, tries that failed and are repeated (a page
that is tried again is no fetch yet), and the time. Nothing here knows how pages are fetched: whoever fetches tells it.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trailmark.datatypes import HostPulse, RunEvent, RunPulse, Waiting
from trailmark.forage.site_queue import SiteQueue
from trailmark.settings import ForageSettings

MOST_HOSTS, MOST_SHOWN = 2_000, 50
"""Hosts that are remembered, and those that are shown: the ones asked last."""
MOST_EVENTS = 5_000
"""Events of one part of a run; beyond them only counts go on."""
WINDOW = 60.0
"""Seconds over which the pace is measured."""
LEAST_SECONDS, LEAST_PAGES = 10.0, 10
"""Of the window, before anything is said of the end."""


@dataclass(frozen=True, slots=True)
class HostWait:
    """How a host is asked by whoever fetches."""

    delay: float
    """Seconds between two requests."""
    wait: float
    """Seconds until it may be asked again."""


PaceOf = Callable[[str], HostWait]


@dataclass(slots=True)
class _Host:
    asked: int = 0
    answers: int = 0
    failures: int = 0
    retries: int = 0
    status: int = 0
    at: float = 0.0


class Pulse:
    """What one run tells of itself while it goes on."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._hosts: dict[str, _Host] = {}
        self._waiting: dict[str, Waiting] = {}
        self._events: list[RunEvent] = []
        self._told = 0
        self._samples: deque[tuple[float, int, int]] = deque()
        self.retries = 0
        self.last_at: float | None = None
        """When the last answer came, or the last failure to get one."""
        self.pace_of: PaceOf | None = None

    # --- told while it runs --------------------------------------------------------------------------------------

    def settled(self, host: str, url: str, *, status: int) -> None:
        """A page came, or, with status 0, will not come."""
        known = self._host(host)
        known.asked += 1
        known.answers, known.failures = known.answers + bool(status), known.failures + (not status)
        known.status, known.at = status, self._clock()
        self.last_at = known.at
        self._waiting.pop(url, None)

    def retry(self, host: str, url: str, why: str, *, seconds: float) -> None:
        """A request failed, and goes out again after so many seconds."""
        known, now = self._host(host), self._clock()
        known.retries, known.at = known.retries + 1, now
        self.retries += 1
        self.last_at = now
        self._waiting[url] = Waiting(host, url, f"tried again after {why}", now + seconds)
        self.remark("retry", host, url, f"{why}; tried again in {seconds:.0f} s")

    def wait(self, host: str, url: str, why: str) -> None:
        """Something has to come first, and it is not known when it does."""
        self._waiting[url] = Waiting(host, url, why, None)

    def came(self, url: str) -> None:
        """What was waited for is there."""
        self._waiting.pop(url, None)

    def remark(self, kind: str, host: str, url: str, words: str) -> None:
        """Something for the log."""
        self._told += 1
        if self._told <= MOST_EVENTS:
            self._events.append(RunEvent(self._clock(), kind, host, url, words))

    # --- asked ---------------------------------------------------------------------------------------------------

    def take_events(self) -> list[RunEvent]:
        """What happened since the last time."""
        events, self._events = self._events, []
        return events

    def state(self, sites: Sequence[SiteQueue], settings: ForageSettings, *, under_way: int, taken: int) -> RunPulse:
        """How the run stands now."""
        now = self._clock()
        queued = sum(site.queued for site in sites if not site.ended)
        pace = self._measured(now, taken, queued)
        left = _left(sites, settings, taken)
        ends_in, ends_by = _end(pace, left, queued)
        return RunPulse(
            at=now,
            last_at=self.last_at,
            queued=queued,
            under_way=under_way,
            retries=self.retries,
            hosts=self._shown(),
            waiting=self._waits(now),
            pages_per_second=pace[0] if pace else None,
            ends_in=ends_in,
            ends_by=ends_by,
        )

    def _host(self, host: str) -> _Host:
        known = self._hosts.pop(host, None) or _Host()
        if len(self._hosts) >= MOST_HOSTS:
            del self._hosts[next(iter(self._hosts))]
        self._hosts[host] = known  # those asked last stand last
        return known

    def _shown(self) -> tuple[HostPulse, ...]:
        hosts = list(self._hosts.items())[-MOST_SHOWN:][::-1]
        return tuple(self._row(name, host) for name, host in hosts)

    def _row(self, name: str, host: _Host) -> HostPulse:
        pace = self.pace_of(name) if self.pace_of is not None else None
        counts = (host.asked, host.answers, host.failures, host.retries, host.status, host.at)
        return HostPulse(
            name, *counts, *((round(pace.delay, 1), round(max(pace.wait, 0.0), 1)) if pace else (0.0, 0.0))
        )

    def _waits(self, now: float) -> tuple[Waiting, ...]:
        """What has to wait: tries that are repeated, rules that are asked for, and hosts that are left alone for their delay."""
        told = list(self._waiting.values())[-MOST_SHOWN:]
        named = {wait.host for wait in told}
        for name in list(self._hosts)[-MOST_SHOWN:]:
            pace = self.pace_of(name) if self.pace_of is not None and name not in named else None
            if pace is not None and pace.wait > 0.05:
                told.append(Waiting(name, "", f"asked once in {pace.delay:g} s", now + pace.wait))
        return tuple(told[:MOST_SHOWN])

    def _measured(self, now: float, taken: int, queued: int) -> tuple[float, float] | None:
        """(pages, links less in the queue) a second over the window; None where that is too short to tell."""
        self._samples.append((now, taken, queued))
        while len(self._samples) > 1 and now - self._samples[0][0] > WINDOW:
            self._samples.popleft()
        began, pages, links = self._samples[0]
        seconds = now - began
        if seconds < LEAST_SECONDS or taken - pages < LEAST_PAGES:
            return None
        return (taken - pages) / seconds, (links - queued) / seconds


def _left(sites: Sequence[SiteQueue], settings: ForageSettings, taken: int) -> int | None:
    """Pages that the budgets still allow; None where none is set."""
    limits = Counter[str]()
    if settings.budget:
        limits["run"] = max(settings.budget - taken, 0)
    if settings.site_budget:
        limits["sites"] = sum(max(settings.site_budget - site.taken, 0) for site in sites if not site.ended)
    return min(limits.values()) if limits else None


def _end(pace: tuple[float, float] | None, left: int | None, queued: int) -> tuple[float | None, str]:
    """Seconds until the end and what says so; the earlier of the budget's end and that of a queue that gets shorter."""
    if pace is None:
        return None, ""
    pages, shorter = pace
    ends = [(left / pages, "budget")] if left is not None and pages > 0 else []
    ends += [(queued / shorter, "queue")] if shorter > 0 else []
    return min(ends) if ends else (None, "")
